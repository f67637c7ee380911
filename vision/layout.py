"""Where things are: from picture pixels to millimetres on the table, its zones, each seat's direction.

The table has axes of its own, in mm: x to the right and y towards seat A's edge for whoever stands behind that edge and
looks down; angles turn clockwise from x, so that seats in clockwise order have rising angles. A camera that nobody has
set up is taken to stand as seat A does: then x and y are the picture's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import TableError
from engine.seats import Seat
from vision.layout_words import say
from vision.lens import Lens

Points = NDArray[np.float64]
"""(n, 2) x and y."""
Homography = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

CARD_MM = (63.0, 88.0)
"""Width and height of a poker-size card."""
_MIN_PX_PER_MM, _MAX_PX_PER_MM = 0.2, 40.0


Quad = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
"""Four corners, clockwise from the upper left one of whatever has them."""


class BadLayout(TableError, ValueError):
    """A description of the table that cannot be true; its text is English."""

    def __init__(self, code: str, **values: object) -> None:
        """`code` and `values` choose a sentence of `vision.layout_words`."""
        super().__init__(say("en", code, **values))
        self.code, self._values = code, values

    def sentence(self, language: str) -> str:
        """What is wrong and what to do, in `en` or `ru`."""
        return say(language, self.code, **self._values)


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

    def to_json(self) -> list[float]:
        """x, y, width and height."""
        return [self.x, self.y, self.width, self.height]

    @classmethod
    def from_json(cls, data: Any) -> Zone:
        """The zone that `to_json` wrote."""
        x, y, width, height = (float(value) for value in data)
        return cls(x, y, width, height)

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
    lens: Lens | None = None
    """How the camera bends straight lines; None: not at all."""
    table: Zone | None = None
    """The table or mat as far as it is known."""
    zones: tuple[tuple[str, Zone], ...] = ()
    """The other zones by name: `stock`, `widow`, `discard`, `trick-A`, `show-A`, `seat-A`, …"""
    marks: tuple[tuple[int, Quad], ...] = ()
    """Markers on the table by number, their corners in mm."""
    residual_mm: float | None = None
    """How far the points that the table was found by lie from where it puts them (root mean square); None: unknown."""

    def __post_init__(self) -> None:
        matrix = np.array(self.px_from_mm, dtype=np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
            raise BadLayout("on-one-line")
        if self.pile.width < min(self.card_mm) or self.pile.height < min(self.card_mm):
            raise BadLayout("pile-too-small")
        if not self._sees(self.pile):
            raise BadLayout("pile-outside")
        scale = self.px_per_mm
        if not _MIN_PX_PER_MM <= scale <= _MAX_PX_PER_MM:
            raise BadLayout("scale-impossible", scale=f"{scale:.3g}")

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
            raise BadLayout("no-size")
        scale = width / table_mm
        side = [min(length, 0.98 * across / scale) for length, across in zip(pile_mm, size_px, strict=True)]
        pile = Zone(-side[0] / 2, -side[1] / 2, side[0], side[1])
        matrix = ((scale, 0.0, width / 2), (0.0, scale, height / 2), (0.0, 0.0, 1.0))
        return cls(size_px, matrix, pile, around(seats))

    def resized(self, size_px: tuple[int, int]) -> Layout:
        """The same view in a picture of another size; raises `BadLayout` when its shape is another."""
        grow = size_px[0] / self.size_px[0]
        if size_px == self.size_px:
            return self
        if abs(self.size_px[1] * grow - size_px[1]) > 2:
            then, now = ("{}×{}".format(*size) for size in (self.size_px, size_px))
            raise BadLayout("other-size", then=then, now=now)
        matrix = as_homography(np.diag([grow, grow, 1.0]) @ np.array(self.px_from_mm))
        return replace(self, size_px=size_px, px_from_mm=matrix, lens=self.lens.resized(grow) if self.lens else None)

    @property
    def px_per_mm(self) -> float:
        """Scale at the middle of the pile zone."""
        x, y = self.pile.centre
        square = self.to_px(np.array([(x, y), (x + 1, y), (x, y + 1)]))
        right, down = square[1] - square[0], square[2] - square[0]
        return math.sqrt(abs(float(right[0] * down[1] - right[1] * down[0])))

    def zone(self, name: str) -> Zone | None:
        """The zone of that name, the pile among them; None where the table has none."""
        return self.pile if name == "pile" else dict(self.zones).get(name)

    def in_view(self) -> Zone:
        """What the camera sees of the table, for one that looks straight down: the rectangle within the picture."""
        width, height = self.size_px
        corners = self.to_mm(np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]))
        xs, ys = np.sort(corners[:, 0]).tolist(), np.sort(corners[:, 1]).tolist()
        return Zone(xs[1], ys[1], xs[2] - xs[1], ys[2] - ys[1])

    def to_px(self, points_mm: Points) -> Points:
        """(n, 2) table mm to (n, 2) picture px."""
        straight = through(np.array(self.px_from_mm), points_mm)
        return self.lens.bent(straight) if self.lens else straight

    def to_mm(self, points_px: Points) -> Points:
        """(n, 2) picture px to (n, 2) table mm."""
        straight = self.lens.straight(points_px) if self.lens else points_px
        return through(np.linalg.inv(np.array(self.px_from_mm)), straight)

    def to_json(self) -> dict[str, Any]:
        """The layout as plain values for `json.dump`; what is not known is left out."""
        more = {
            "lens": self.lens.to_json() if self.lens else None,
            "table_mm": self.table.to_json() if self.table else None,
            "zones_mm": {name: zone.to_json() for name, zone in self.zones},
            "marks_mm": {str(number): [list(corner) for corner in corners] for number, corners in self.marks},
            "residual_mm": self.residual_mm,
        }
        return {
            "size_px": list(self.size_px),
            "px_from_mm": [list(row) for row in self.px_from_mm],
            "pile_mm": self.pile.to_json(),
            "seats": {str(seat): angle for seat, angle in self.seats},
            "card_mm": list(self.card_mm),
            **{key: value for key, value in more.items() if value not in (None, {})},
        }

    @classmethod
    def from_json(cls, data: Any) -> Layout:
        """The layout that `to_json` wrote; raises `BadLayout` for anything else."""
        try:
            return _read(cls, data)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, BadLayout):
                raise
            raise BadLayout("damaged") from None

    def _sees(self, zone: Zone) -> bool:
        if not is_before(self.px_from_mm, zone.corners()):
            return False
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
        raise BadLayout("too-few-points")
    matrix, _ = cv2.findHomography(source, target)
    if matrix is None:
        raise BadLayout("on-one-line")
    return as_homography(np.asarray(matrix, dtype=np.float64))


def as_homography(matrix: Points) -> Homography:
    """A (3, 3) array as a value."""
    first, second, third = ([float(value) for value in row] for row in matrix)
    return _row(first), _row(second), _row(third)


def is_before(px_from_mm: Homography, points_mm: Points) -> bool:
    """Whether all the points lie on the same side of the camera's horizon."""
    depth = np.column_stack([points_mm, np.ones(len(points_mm))]) @ np.array(px_from_mm)[2]
    return bool((depth > 0).all() or (depth < 0).all())


def through(matrix: Points, points: Points) -> Points:
    """(n, 2) points through a (3, 3) homography."""
    full = np.hstack([np.asarray(points, dtype=np.float64), np.ones((len(points), 1))]) @ matrix.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(full[:, :2] / full[:, 2:], dtype=np.float64)


def _row(values: Sequence[float]) -> tuple[float, float, float]:
    first, second, third = values
    return float(first), float(second), float(third)


def _read(cls: type[Layout], data: Any) -> Layout:
    size, card = data["size_px"], data["card_mm"]
    rows = [_row(row) for row in data["px_from_mm"]]
    lens, table, residual = data.get("lens"), data.get("table_mm"), data.get("residual_mm")
    return cls(
        (int(size[0]), int(size[1])),
        (rows[0], rows[1], rows[2]),
        Zone.from_json(data["pile_mm"]),
        tuple((Seat(seat), float(angle)) for seat, angle in data["seats"].items()),
        (float(card[0]), float(card[1])),
        lens=Lens.from_json(lens) if lens else None,
        table=Zone.from_json(table) if table else None,
        zones=tuple((str(name), Zone.from_json(zone)) for name, zone in data.get("zones_mm", {}).items()),
        marks=tuple((int(number), as_quad(corners)) for number, corners in data.get("marks_mm", {}).items()),
        residual_mm=None if residual is None else float(residual),
    )


def as_quad(corners: Any) -> Quad:
    """Four pairs of numbers as a value."""
    first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
    return first, second, third, fourth
