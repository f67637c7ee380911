"""How a camera's lens bends straight lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""(n, 2) x and y, px."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion in the division model (Fitzgibbon 2001), which turns back exactly, also for wide lenses.

    A point seen at distance r from the centre would be seen at r / (1 + radial · r²) through a lens that bends nothing.
    """

    centre: tuple[float, float]
    """Where the lens looks straight ahead, px."""
    radius_px: float
    """The unit of r; half the picture's width."""
    radial: float
    """Negative for a barrel (edges drawn in), positive for a cushion."""

    @classmethod
    def centred(cls, size_px: tuple[int, int], radial: float) -> Lens:
        """A lens that looks at the middle of a picture of (width, height)."""
        return cls((size_px[0] / 2, size_px[1] / 2), size_px[0] / 2, radial)

    def straight(self, points: Points) -> Points:
        """(n, 2) px as seen to (n, 2) px without the lens."""
        off = self._off(points)
        square = (off**2).sum(axis=1, keepdims=True)
        return self._back(off / (1 + self.radial * square))

    def bent(self, points: Points) -> Points:
        """(n, 2) px without the lens to (n, 2) px as seen."""
        off = self._off(points)
        square = (off**2).sum(axis=1, keepdims=True)
        # Beyond the root's end a cushion shows nothing: such points come out at its rim.
        return self._back(off * 2 / (1 + np.sqrt(np.maximum(0.0, 1 - 4 * self.radial * square))))

    def resized(self, grow: float) -> Lens:
        """The same lens in a picture `grow` times as large."""
        return Lens((self.centre[0] * grow, self.centre[1] * grow), self.radius_px * grow, self.radial)

    def to_json(self) -> list[float]:
        """Centre, radius and distortion."""
        return [*self.centre, self.radius_px, self.radial]

    @classmethod
    def from_json(cls, data: Any) -> Lens:
        """The lens that `to_json` wrote."""
        x, y, radius_px, radial = (float(value) for value in data)
        return cls((x, y), radius_px, radial)

    def _off(self, points: Points) -> Points:
        return np.asarray((np.asarray(points, dtype=np.float64) - self.centre) / self.radius_px)

    def _back(self, off: Points) -> Points:
        return np.asarray(off * self.radius_px + self.centre)
