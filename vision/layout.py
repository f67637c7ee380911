"""Where things are: from picture pixels to millimetres on the table, the pile zone, each seat's direction.

Table axes are the camera's: x to the right, y downwards in the picture, in mm; angles turn clockwise from x, as one
sees them looking down, so that seats in clockwise order have rising angles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import TableError
from engine.seats import Seat

Points = NDArray[np.float64]
"""(n, 2) x and y."""
Homography = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

CARD_MM = (63.0, 88.0)
"""Width and height of a poker-size card."""
_MIN_PX_PER_MM, _MAX_PX_PER_MM = 0.2, 40.0


class BadLayout(TableError, ValueError):
    """A description of the table that cannot be true."""


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle of the table, in mm."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle, mm."""
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, margin_mm: float) -> Zone:
        """The zone with a margin on all sides."""
        return Zone(self.x - margin_mm, self.y - margin_mm, self.width + 2 * margin_mm, self.height + 2 * margin_mm)

    def has(self, x_mm: float, y_mm: float) -> bool:
        """Whether the point lies in it."""
        return self.x <= x_mm <= self.x + self.width and self.y <= y_mm <= self.y + self.height

    def corners(self) -> Points:
        """(4, 2) its corners in mm, clockwise from the top left."""
        right, bottom = self.x + self.width, self.y + self.height
        return np.array([(self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom)], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the camera sees the table; raises `BadLayout` when that cannot be."""

    size_px: tuple[int, int]
    """Width and height of the camera's picture."""
    px_from_mm: Homography
    """3 × 3, table mm to picture px."""
    pile: Zone
    """Where the pile lies."""
    seats: tuple[tuple[Seat, float], ...] = ()
    """Each seat's direction seen from the pile, degrees clockwise from the picture's right."""
    card_mm: tuple[float, float] = CARD_MM

    def __post_init__(self) -> None:
        matrix = np.array(self.px_from_mm, dtype=np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
            raise BadLayout("the camera's position cannot be: the four points lie on one line; mark them again")
        if self.pile.width < min(self.card_mm) or self.pile.height < min(self.card_mm):
            raise BadLayout("the pile zone is smaller than a card; make it larger")
        if not self._sees(self.pile):
            raise BadLayout("the pile zone lies outside the camera's picture; move the zone or the camera")
        scale = self.px_per_mm
        if not _MIN_PX_PER_MM <= scale <= _MAX_PX_PER_MM:
            raise BadLayout(f"{scale:.3g} px for a millimetre of table cannot be; give the width in view again")

    @classmethod
    def above(
        cls,
        size_px: tuple[int, int],
        *,
        table_mm: float = 1000.0,
        seats: Sequence[Seat] = (),
        pile_mm: tuple[float, float] = (360.0, 360.0),
    ) -> Layout:
        """A camera straight above the middle of a table of which it sees `table_mm` in width; the pile in the middle.

        The first seat sits at the picture's lower edge, the others clockwise around.
        """
        width, height = size_px
        if width <= 0 or height <= 0 or table_mm <= 0:
            raise BadLayout("picture and table must be larger than nothing; give the width in view in mm, e.g. 1000")
        scale = width / table_mm
        side = [min(length, 0.98 * across / scale) for length, across in zip(pile_mm, size_px, strict=True)]
        pile = Zone(-side[0] / 2, -side[1] / 2, side[0], side[1])
        matrix = ((scale, 0.0, width / 2), (0.0, scale, height / 2), (0.0, 0.0, 1.0))
        return cls(size_px, matrix, pile, around(seats))

    @property
    def px_per_mm(self) -> float:
        """Scale at the middle of the pile zone."""
        x, y = self.pile.centre
        square = self.to_px(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        right, down = square[1] - square[0], square[2] - square[0]
        return math.sqrt(abs(float(right[0] * down[1] - right[1] * down[0])))

    def to_px(self, points_mm: Points) -> Points:
        """(n, 2) table mm to (n, 2) picture px."""
        return _through(np.array(self.px_from_mm), points_mm)

    def to_mm(self, points_px: Points) -> Points:
        """(n, 2) picture px to (n, 2) table mm."""
        return _through(np.linalg.inv(np.array(self.px_from_mm)), points_px)

    def to_json(self) -> dict[str, Any]:
        """The layout as plain values for `json.dump`."""
        return {
            "size_px": list(self.size_px),
            "px_from_mm": [list(row) for row in self.px_from_mm],
            "pile_mm": [self.pile.x, self.pile.y, self.pile.width, self.pile.height],
            "seats": {str(seat): angle for seat, angle in self.seats},
            "card_mm": list(self.card_mm),
        }

    @classmethod
    def from_json(cls, data: Any) -> Layout:
        """The layout that `to_json` wrote; raises `BadLayout` for anything else."""
        try:
            size, card = data["size_px"], data["card_mm"]
            rows = [tuple(float(value) for value in row) for row in data["px_from_mm"]]
            return cls(
                (int(size[0]), int(size[1])),
                (_row(rows[0]), _row(rows[1]), _row(rows[2])),
                Zone(*(float(value) for value in data["pile_mm"])),
                tuple((Seat(seat), float(angle)) for seat, angle in data["seats"].items()),
                (float(card[0]), float(card[1])),
            )
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, BadLayout):
                raise
            raise BadLayout("the table's layout is incomplete or damaged; set the camera up again") from None

    def _sees(self, zone: Zone) -> bool:
        corners = self.to_px(zone.corners())
        width, height = self.size_px
        inside = (corners >= -1).all() and (corners[:, 0] <= width + 1).all() and (corners[:, 1] <= height + 1).all()
        return bool(inside)


def around(seats: Sequence[Seat]) -> tuple[tuple[Seat, float], ...]:
    """Directions of seats evenly around a table, the first at the picture's lower edge, clockwise."""
    return tuple((seat, (90.0 + 360.0 * i / len(seats)) % 360.0) for i, seat in enumerate(seats))


def homography(points_mm: Sequence[tuple[float, float]], points_px: Sequence[tuple[float, float]]) -> Homography:
    """The best map table → picture through four or more pairs of points; raises `BadLayout` if there is none."""
    source, target = np.array(points_mm, dtype=np.float64), np.array(points_px, dtype=np.float64)
    if len(source) < 4 or len(source) != len(target):
        raise BadLayout("the camera's position needs at least four marked points; mark the table's corners")
    matrix, _ = cv2.findHomography(source, target)
    if matrix is None:
        raise BadLayout("the camera's position cannot be: the four points lie on one line; mark them again")
    rows = [_row(tuple(float(value) for value in row)) for row in matrix]
    return rows[0], rows[1], rows[2]


def _row(values: Sequence[float]) -> tuple[float, float, float]:
    first, second, third = values
    return first, second, third


def _through(matrix: Points, points: Points) -> Points:
    full = np.hstack([np.asarray(points, dtype=np.float64), np.ones((len(points), 1))]) @ matrix.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(full[:, :2] / full[:, 2:], dtype=np.float64)
