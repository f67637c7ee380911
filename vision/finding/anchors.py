"""Things on the table and around it that lie still: where each of them is seen now, looked up in its own small patch.

A look costs some 50 µs a patch, so that a few of them can be taken with every frame and all of them several times a
second.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.layout import Layout, Points

HALF_PX = 10
"""A patch reaches so far from its middle."""
REACH_PX = 10
"""How far from its old place a patch is looked for."""
MOST = 48
_CELLS = (10, 6)
_AROUND_PILE_MM = 40.0
_LEAST_CONTRAST = 5.0
_ALIKE = 0.75
_OWN_PX, _TOO_ALIKE = 3, 0.82

Grey = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """One patch of the table at rest."""

    x: int
    """Its middle, px."""
    y: int
    patch: Grey
    is_on_table: bool
    home: tuple[float, float]
    """Where it would be if nothing had moved since the layout was found, px."""

    def seen(self, picture: Picture) -> tuple[float, float] | None:
        """Where it is in a (h, w, 3) picture, px; None where it is hidden, changed, or further off than `REACH_PX`."""
        reach = HALF_PX + REACH_PX
        part = picture[self.y - reach : self.y + reach + 1, self.x - reach : self.x + reach + 1]
        likeness = cv2.matchTemplate(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), self.patch, cv2.TM_CCOEFF_NORMED)
        _, best, _, (column, row) = cv2.minMaxLoc(likeness)
        if best < _ALIKE or not (0 < column < 2 * REACH_PX and 0 < row < 2 * REACH_PX):
            return None
        across, down = likeness[row, column - 1 : column + 2], likeness[row - 1 : row + 2, column]
        return self.x + column + parabola_peak(across) - REACH_PX, self.y + row + parabola_peak(down) - REACH_PX


def choose_anchors(picture: Picture, layout: Layout, back: Points | None = None) -> tuple[Anchor, ...]:
    """Up to `MOST` corners of what lies or is printed on the table and around it, well spread, none near the pile.

    `back` is the (2, 3) affine map from this picture to one in which nothing had moved; None: nothing has.
    """
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = cv2.goodFeaturesToTrack(grey, 600, 0.01, 2 * HALF_PX, mask=_away_from_pile(layout), blockSize=7)
    if found is None:
        return ()
    points = np.round(found.reshape(-1, 2)).astype(int)
    inside = _is_on_table(points.astype(np.float64), layout)
    homes = points if back is None else points @ back[:, :2].T + back[:, 2]
    anchors = [
        _anchor(grey, (int(x), int(y)), bool(on), (float(home[0]), float(home[1])))
        for (x, y), on, home in zip(points, inside, homes, strict=True)
    ]
    good = [anchor for anchor in anchors if _is_distinct(anchor, grey)]
    return _spread(sorted(good, key=lambda anchor: not anchor.is_on_table), layout.size_px)


def _anchor(grey: Grey, at: tuple[int, int], is_on_table: bool, home: tuple[float, float]) -> Anchor:
    x, y = at
    patch = grey[y - HALF_PX : y + HALF_PX + 1, x - HALF_PX : x + HALF_PX + 1]
    return Anchor(x, y, patch.copy(), is_on_table, home)


def _is_distinct(anchor: Anchor, grey: Grey) -> bool:
    """Whether nothing near it looks like it: along an edge or the grain of wood a patch can't be told from the next."""
    if float(anchor.patch.std()) < _LEAST_CONTRAST:
        return False
    reach = HALF_PX + REACH_PX
    part = grey[anchor.y - reach : anchor.y + reach + 1, anchor.x - reach : anchor.x + reach + 1]
    likeness = cv2.matchTemplate(part, anchor.patch, cv2.TM_CCOEFF_NORMED)
    own = slice(REACH_PX - _OWN_PX, REACH_PX + _OWN_PX + 1)
    likeness[own, own] = -1.0
    return float(likeness.max()) < _TOO_ALIKE


def _spread(anchors: list[Anchor], size_px: tuple[int, int]) -> tuple[Anchor, ...]:
    """The best of each cell of the picture first, then the second of each, as many as may be."""
    ranked: dict[tuple[int, int], int] = {}
    rounds: list[tuple[int, int, Anchor]] = []
    for number, anchor in enumerate(anchors):
        cell = (anchor.x * _CELLS[0] // size_px[0], anchor.y * _CELLS[1] // size_px[1])
        ranked[cell] = ranked.get(cell, 0) + 1
        rounds.append((ranked[cell], number, anchor))
    return tuple(anchor for _, _, anchor in sorted(rounds, key=lambda one: one[:2])[:MOST])


def _away_from_pile(layout: Layout) -> Grey:
    width, height = layout.size_px
    rim = HALF_PX + REACH_PX
    mask = np.zeros((height, width), dtype=np.uint8)
    mask[rim : height - rim, rim : width - rim] = 255
    pile = layout.to_px(layout.pile.grown(_AROUND_PILE_MM).corners())
    if np.isfinite(pile).all():
        cv2.fillConvexPoly(mask, np.round(pile).astype(np.int32), 0)
    return mask


def _is_on_table(points_px: Points, layout: Layout) -> NDArray[np.bool_]:
    """A table whose edges nobody knows is all there is to see."""
    if layout.table is None:
        return np.ones(len(points_px), dtype=np.bool_)
    places = layout.to_mm(points_px)
    return np.array([layout.table.has(float(x), float(y)) for x, y in places], dtype=np.bool_)


def parabola_peak(three: cv2.typing.MatLike) -> float:
    """Where between three neighbouring values the parabola through them is highest, from the middle one."""
    before, middle, after = (float(value) for value in np.ravel(three))
    bend = before - 2 * middle + after
    return 0.0 if abs(bend) < 1e-9 else max(-0.5, min(0.5, 0.5 * (before - after) / bend))
