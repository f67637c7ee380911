"""Pieces of bare ground: felt, cloth and wood have no corners to hold on to, but a grain that can be known again.

A swatch is large, shrunk and set against its own surroundings, so that neither noise nor a lamp matters. What of a
picture is ground and what is the camera's own noise only shows in further pictures: see `Trial`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.anchors import parabola_peak
from vision.frames import Picture
from vision.layout import BadLayout, Layout, Points, as_homography

HALF_PX = 128
"""A swatch reaches so far from its middle."""
REACH_PX, FAR_PX = 40, 120
"""How far from its old place it is looked for while all is well, and when it is sought."""
_SHRINK = 4
_BROAD, _FINE = 31, 3
"""Shrunk px that count as the surroundings of one: all shapes, or, where a pattern repeats, only what is finer."""
_FLAT = 0.5  # grey levels by which surroundings differ from nothing
_COLUMNS, _ROWS = 9, 4
_LOOKS, _AT_HOME_PX = 5, 1.0
_LEAST_ALIKE, _SHARE_ALIKE = 0.15, 0.45
_OWN, _TOO_ALIKE = 3, 0.9
_TURNS = (0.0, 2.0, -2.0, 4.0, -4.0)
"""Degrees; a swatch is known again when it is turned by one or so, no more."""
_AGREE_PX, _LEAST_AGREE, _AGREE_SHARE = 3.0, 8, 0.6

Values = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Swatch:
    """One piece of ground at rest; an `Anchor` for a `Watch`."""

    x: int
    """Its middle, px."""
    y: int
    around: int
    """How wide its surroundings are, shrunk px."""
    patch: Values
    home: tuple[float, float]
    """Where it would be if nothing had moved since the layout was found, px."""
    is_on_table: bool = True
    alike: float = _LEAST_ALIKE
    """From this likeness on it is known again."""

    def seen(self, picture: Picture) -> tuple[float, float] | None:
        """Where it is in a (h, w, 3) picture, px; None where it is hidden, changed, or further off than `REACH_PX`."""
        return self.look(picture, REACH_PX).place(self.alike)

    def sought(self, picture: Picture) -> tuple[float, float] | None:
        """The same within `FAR_PX`; None also where it could as well be elsewhere."""
        look = self.look(picture, FAR_PX)
        return look.place(self.alike) if look.is_single else None

    def look(self, picture: Picture, reach_px: int) -> Likeness:
        """How alike the ground is at every shrunk px within reach of the old place and within the picture."""
        height, width = picture.shape[:2]
        left, top = (_reach(at - HALF_PX, reach_px) for at in (self.x, self.y))
        right, bottom = (_reach(end - at - HALF_PX, reach_px) for end, at in ((width, self.x), (height, self.y)))
        rows = slice(self.y - HALF_PX - top, self.y + HALF_PX + bottom)
        columns = slice(self.x - HALF_PX - left, self.x + HALF_PX + right)
        likeness = cv2.matchTemplate(_relief(picture[rows, columns], self.around), self.patch, cv2.TM_CCOEFF_NORMED)
        return Likeness(np.asarray(likeness, dtype=np.float32), (self.x - left, self.y - top))


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """How alike a swatch and the ground are from place to place."""

    values: Values
    start: tuple[int, int]
    """Which px the first value stands for."""

    @property
    def best(self) -> float:
        """The greatest."""
        return float(self.values.max())

    @property
    def is_single(self) -> bool:
        """Whether no other place is almost as alike as the best: cloths have patterns that repeat."""
        _, best, _, (column, row) = cv2.minMaxLoc(self.values)
        others = self.values.copy()
        others[max(0, row - _OWN) : row + _OWN + 1, max(0, column - _OWN) : column + _OWN + 1] = -1.0
        return float(others.max()) < _TOO_ALIKE * best

    def place(self, alike: float) -> tuple[float, float] | None:
        """Where it is most alike, px; None where that is less than `alike`, or may go on beyond what was looked at."""
        _, best, _, (column, row) = cv2.minMaxLoc(self.values)
        last_row, last_column = self.values.shape[0] - 1, self.values.shape[1] - 1
        if best < alike or not (0 < column < last_column and 0 < row < last_row):
            return None
        across, down = self.values[row, column - 1 : column + 2], self.values[row - 1 : row + 2, column]
        x, y = column + parabola_peak(across), row + parabola_peak(down)
        return self.start[0] + x * _SHRINK, self.start[1] + y * _SHRINK


@dataclass(slots=True)
class Trial:
    """Swatches that must show in a few pictures that they are ground: noise is elsewhere in the next picture.

    The grain of wood is nowhere else across, and everywhere along: such swatches do not pass either.
    """

    swatches: list[Swatch]
    looks: int = 0
    passed: list[float] = field(default_factory=list)
    """The least likeness of each so far, 0 for those that have failed."""

    def see(self, picture: Picture) -> tuple[Swatch, ...] | None:
        """Looks once more; after the last look those that have passed."""
        self.passed = self.passed or [1.0] * len(self.swatches)
        self.passed = [self._look(*pair, picture) for pair in zip(self.swatches, self.passed, strict=True)]
        self.looks += 1
        if self.looks < _LOOKS:
            return None
        good = ((swatch, least) for swatch, least in zip(self.swatches, self.passed, strict=True) if least > 0)
        return tuple(replace(swatch, alike=max(_LEAST_ALIKE, _SHARE_ALIKE * least)) for swatch, least in good)

    def _look(self, swatch: Swatch, least: float, picture: Picture) -> float:
        look = swatch.look(picture, REACH_PX)
        found = look.place(swatch.alike)
        if least == 0 or found is None or not look.is_single:
            return 0.0
        is_at_home = math.hypot(found[0] - swatch.x, found[1] - swatch.y) <= _AT_HOME_PX
        return min(least, look.best) if is_at_home else 0.0


def choose_swatches(picture: Picture, layout: Layout) -> list[Swatch]:
    """Pieces of the ground around the pile, spread over a (h, w, 3) picture; what they tell is to be tried."""
    width, height = layout.size_px
    rim = HALF_PX + REACH_PX
    if min(width, height) < 2 * rim:
        return []
    spots = [(int(x), int(y)) for y in _spread(height, rim, _ROWS) for x in _spread(width, rim, _COLUMNS)]
    pile = layout.pile.grown(0.8 * HALF_PX / layout.px_per_mm)
    places = layout.to_mm(np.array(spots, dtype=np.float64))
    free = [spot for spot, (x, y) in zip(spots, places, strict=True) if not pile.has(float(x), float(y))]
    return [_cut(picture, spot) for spot in free]


def _cut(picture: Picture, at: tuple[int, int]) -> Swatch:
    broad = _cut_so(picture, at, _BROAD)
    return broad if broad.look(picture, FAR_PX).is_single else _cut_so(picture, at, _FINE)


def _cut_so(picture: Picture, at: tuple[int, int], around: int) -> Swatch:
    x, y = at
    patch = _relief(picture[y - HALF_PX : y + HALF_PX, x - HALF_PX : x + HALF_PX], around)
    return Swatch(x, y, around, patch, (float(x), float(y)))


def find_by_ground(picture: Picture, swatches: Sequence[Swatch], layout: Layout) -> Layout | None:
    """The table of which `swatches` were taken by `layout`, in a later picture; None where too few agree on a place."""
    for turn in _TURNS:
        height, width = picture.shape[:2]
        back = cv2.getRotationMatrix2D((width / 2, height / 2), turn, 1.0)
        turned = picture if turn == 0 else np.asarray(cv2.warpAffine(picture, back, (width, height)), dtype=np.uint8)
        found = _find_upright(turned, swatches, layout, np.asarray(cv2.invertAffineTransform(back), dtype=np.float64))
        if found is not None:
            return found
    return None


def _find_upright(picture: Picture, swatches: Sequence[Swatch], layout: Layout, turn: Points) -> Layout | None:
    """The same in a picture that was turned until swatches look as they did; `turn` (2, 3) undoes that."""
    pairs = [(swatch.home, swatch.sought(picture)) for swatch in swatches]
    known = [(home, now) for home, now in pairs if now is not None]
    if len(known) < _LEAST_AGREE:
        return None
    before, seen = (np.array(points) for points in zip(*known, strict=True))
    now = _straight(layout, seen @ turn[:, :2].T + turn[:, 2])
    move, kept = cv2.estimateAffinePartial2D(_straight(layout, before), now, ransacReprojThreshold=_AGREE_PX)
    if move is None or np.count_nonzero(kept) < max(_LEAST_AGREE, _AGREE_SHARE * len(known)):
        return None
    try:
        return replace(layout, px_from_mm=as_homography(np.vstack([move, [0, 0, 1]]) @ np.array(layout.px_from_mm)))
    except BadLayout:
        return None


def _reach(room_px: int, most_px: int) -> int:
    return max(0, min(room_px, most_px)) // _SHRINK * _SHRINK


def _relief(part: Picture, around: int) -> Values:
    """A part of a picture, shrunk, each place by how far it stands out from its surroundings."""
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, None, fx=1 / _SHRINK, fy=1 / _SHRINK, interpolation=cv2.INTER_AREA).astype(np.float32)
    middle = cv2.blur(small, (around, around))
    if around == _BROAD:
        return np.asarray(small / (middle + 1.0), dtype=np.float32)
    spread = np.sqrt(np.maximum(cv2.blur(small * small, (around, around)) - middle * middle, 0.0))
    return np.asarray((small - middle) / (spread + _FLAT), dtype=np.float32)


def _spread(length: int, rim: int, count: int) -> Points:
    return np.linspace(rim, length - rim, count)


def _straight(layout: Layout, points: Points) -> Points:
    return layout.lens.straight(points) if layout.lens else points
