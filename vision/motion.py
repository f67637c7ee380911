"""Which parts of the small picture move, which lie still and since when, and how everything looked a moment ago."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.window import Grey, Mask, Part

KEEP_NS = 2_500_000_000
"""How far back looks are kept."""
_LEAST_THRESHOLD, _SIGMAS = 10.0, 6.0
_COLOUR = 22
_PAPER = 30.0  # brightness by which the paper of two cards may differ


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The small picture at one moment."""

    t_ns: int
    within_ns: int
    colour: Picture
    grey: Grey

    @classmethod
    def of(cls, small: Picture, t_ns: int, within_ns: int) -> Look:
        """The look of a small colour picture."""
        return cls(t_ns, within_ns, small, np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8))


class Motion:
    """Keeps, for every pixel, the brightness it has settled at and since when."""

    def __init__(self) -> None:
        self.looks: deque[Look] = deque()
        """What was seen lately, the newest last."""
        self.threshold = _LEAST_THRESHOLD
        """Change of brightness that is no noise."""
        self.settled: Grey
        """Brightness since the pixel last changed."""
        self.settled_colour: Picture
        self._since_ns: NDArray[np.int64]

    def see(self, look: Look) -> Mask:
        """Takes the next look in; gives the pixels that have changed since the one before."""
        if not self.looks:
            self.settled, self.settled_colour = look.grey.copy(), look.colour.copy()
            self._since_ns = np.full(look.grey.shape, look.t_ns, dtype=np.int64)
            self.looks.append(look)
            return np.ones(look.grey.shape, dtype=np.bool_)
        self._measure_noise(self.looks[-1].grey, look.grey)
        moved = differs(look.grey, self.settled, self.threshold) | recoloured(look.colour, self.settled_colour)
        self.settled[moved], self.settled_colour[moved] = look.grey[moved], look.colour[moved]
        self._since_ns[moved] = look.t_ns
        self._keep(look)
        return moved

    def still_for(self, ns: int) -> Mask:
        """Pixels that haven't changed for so long."""
        return np.asarray(self._since_ns <= self.looks[-1].t_ns - ns, dtype=np.bool_)

    def median_since_ns(self, mask: Mask) -> int:
        """When half of these pixels had taken on their present brightness."""
        return int(np.median(self._since_ns[mask]))

    def since_ns(self, mask: Mask, share: float) -> int:
        """When that share of these pixels, 0 to 1, had taken on their present brightness."""
        return int(np.quantile(self._since_ns[mask], share))

    def is_paper(self, grey: Grey, part: Part) -> bool:
        """Whether `grey` shows there mostly the paper that lies there now."""
        paper = float(np.percentile(self.settled[part], 80))
        return float((np.abs(grey[part] - paper) < _PAPER).mean()) > 0.4

    def _keep(self, look: Look) -> None:
        self.looks.append(look)
        while self.looks[0].t_ns < look.t_ns - KEEP_NS:
            self.looks.popleft()

    def _measure_noise(self, before: Grey, now: Grey) -> None:
        # The clip keeps hands from looking like noise; a mean difference is 1.13 sigma.
        sigma = float(np.minimum(cv2.absdiff(before[::7, ::7], now[::7, ::7]), 8).mean()) / 1.13
        self.threshold += 0.1 * (max(_LEAST_THRESHOLD, _SIGMAS * sigma) - self.threshold)


def recoloured(one: Picture, other: Picture) -> Mask:
    """Pixels of which a colour channel differs clearly: a hand can be as bright as the table."""
    same = cv2.inRange(cv2.absdiff(one, other), (0, 0, 0), (_COLOUR, _COLOUR, _COLOUR))
    return np.asarray(same == 0, dtype=np.bool_)


def differs(one: Grey, other: Grey, threshold: float) -> Mask:
    """Pixels whose brightness differs by more than `threshold`."""
    return np.asarray(cv2.absdiff(one, other) > threshold, dtype=np.bool_)
