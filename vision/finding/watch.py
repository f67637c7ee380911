"""Notices that camera or table was moved, and finds the table again.

watch = Watch(layout, picture)
news = watch.see(frame.picture)     # with every frame; None, `Moved` or `FoundAgain`
if watch.is_steady:
    ...                             # the layout holds: cards can be read by it
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.finding.anchors import Anchor, choose_anchors
from vision.finding.find import find_again
from vision.finding.ground import Swatch, Trial, choose_swatches, find_by_ground
from vision.finding.recognise import Memory
from vision.frames import Picture
from vision.layout import BadLayout, Layout, Points

MOVED_MM = 2.0
"""Further than this no card is read with the old layout."""
_ROUND, _LEAST_A_FRAME = 6, 4  # frames in which every anchor is looked at once; so many a frame tell of a bump
_SEARCH_EVERY = 6  # frames
_LEAST_ANCHORS, _LEAST_TOLD = 8, 3
_SEEN_SHARE, _AGREE_SHARE = 0.35, 0.6
_APART_PX, _SAME_MM = 1.2, 0.8
_RENEW_EVERY, _STALE_SHARE = 900, 0.3
"""After so many frames things that are no longer seen give way to others."""
_TRY_EVERY = 150
"""Frames after which the ground of a bare table is looked at anew, if it has told nothing."""
_NO_MOVE = np.eye(2, 3)


@dataclass(frozen=True, slots=True)
class Moved:
    """Camera or table are no longer where they were; until `FoundAgain` nothing may be read."""

    by_mm: float | None
    """How far the pile's zone has moved; None: further than can be told, or the table is covered."""


@dataclass(frozen=True, slots=True)
class FoundAgain:
    """The table is known again."""

    layout: Layout
    is_moved: bool
    """Whether the layout is another than before."""


News = Moved | FoundAgain


class Watch:
    """Watches over one layout; cheap while nothing moves."""

    def __init__(self, layout: Layout, picture: Picture | None = None) -> None:
        """`picture` is one in which `layout` is certain; None: the first that it sees."""
        self.layout = layout
        self.is_steady = True
        """Whether `layout` holds."""
        self._memory: Memory | None = None
        self._anchors: tuple[Anchor | Swatch, ...] = ()
        self._trial: Trial | None = None
        self._ground: tuple[Layout, tuple[Swatch, ...]] | None = None
        """The ground as it was first known, by which layout."""
        self._seen: list[tuple[float, float] | None] = []
        self._move: Points = _NO_MOVE
        self._frames, self._round, self._far_px = 0, _ROUND, 0.0
        self._found: Layout | None = None
        if picture is not None:
            self._settle(picture, layout)

    @property
    def is_blind(self) -> bool:
        """Whether there is too little on the table to notice by that it moves: then it is trusted."""
        return self._memory is not None and len(self._anchors) < _LEAST_ANCHORS

    def see(self, picture: Picture) -> News | None:
        """Takes the next picture in; what is new, if anything."""
        if self._memory is None:
            self._settle(picture, self.layout)
        self._frames += 1
        self._try_ground(picture)
        if self.is_blind:
            return None
        some = range(self._frames % self._round, len(self._anchors), self._round)
        self._look(picture, some)
        is_round = self._frames % self._round == 0
        if self.is_steady and self._are_odd(some):
            # Not one picture is to be read by a layout that no longer holds.
            self._look(picture, range(len(self._anchors)))
            is_round = True
        if self.is_steady:
            return self._check(picture) if is_round else None
        if is_round and self._is_back():
            return self._find(picture, self.layout)
        return self._search(picture) if self._frames % _SEARCH_EVERY == 0 else None

    def _try_ground(self, picture: Picture) -> None:
        """Finds out which pieces of the ground can be known again: to find it by, and to watch one without corners."""
        if self._trial is None and self.is_blind and self._frames % _TRY_EVERY == 0:
            self._trial = Trial(choose_swatches(picture, self.layout))
        passed = self._trial.see(picture) if self._trial is not None and self.is_steady else None
        if passed is None:
            return
        self._trial = None
        if len(passed) >= _LEAST_ANCHORS:
            self._ground = self._ground or (self.layout, passed)
            if self.is_blind:
                self._hold_on(passed)

    def _look(self, picture: Picture, numbers: range) -> None:
        for number in numbers:
            self._seen[number] = self._anchors[number].seen(picture)

    def _are_odd(self, numbers: range) -> bool:
        """Whether most of these anchors are gone or have moved: it may be a hand, it may be the camera."""
        fine = 0
        for number in numbers:
            now, home = self._seen[number], self._anchors[number].home
            fine += now is not None and math.hypot(now[0] - home[0], now[1] - home[1]) < self._far_px
        return len(numbers) >= _LEAST_TOLD and fine < 0.5 * len(numbers)

    def _is_back(self) -> bool:
        """Whether everything is seen again where it was: the table was only covered, or was put back."""
        shift_mm = self._shift_mm()
        return shift_mm is not None and shift_mm < MOVED_MM / 2

    def _check(self, picture: Picture) -> Moved | None:
        shift_mm = self._shift_mm()
        if shift_mm is None or shift_mm > MOVED_MM:
            self.is_steady, self._found = False, None
            return Moved(shift_mm)
        if self._frames % _RENEW_EVERY == 0 and self._seen.count(None) > _STALE_SHARE * len(self._seen):
            back = np.asarray(cv2.invertAffineTransform(self._move), dtype=np.float64)
            self._hold_on(choose_anchors(picture, self.layout, back))
        return None

    def _shift_mm(self) -> float | None:
        """How far the pile's zone has moved since the layout was found, mm; None where that cannot be told."""
        pairs = [(a, now) for a, now in zip(self._anchors, self._seen, strict=True) if now is not None]
        total = sum(anchor.is_on_table for anchor in self._anchors)
        if total >= _LEAST_ANCHORS:
            pairs = [pair for pair in pairs if pair[0].is_on_table]
        else:
            total = len(self._anchors)
        if len(pairs) < max(_LEAST_ANCHORS / 2, _SEEN_SHARE * total):
            return None
        return self._pile_shift_mm(np.array([anchor.home for anchor, _ in pairs]), np.array([now for _, now in pairs]))

    def _pile_shift_mm(self, before: Points, now: Points) -> float | None:
        move, kept = cv2.estimateAffinePartial2D(before, now, ransacReprojThreshold=_APART_PX)
        if move is None or np.count_nonzero(kept) < _AGREE_SHARE * len(before):
            # Each seen a little elsewhere, but none far off: that is noise, no move.
            off_px = np.linalg.norm(now - before, axis=1)
            near = float((off_px < self._far_px).mean())
            return float(np.median(off_px)) / self.layout.px_per_mm if near > _AGREE_SHARE else None
        self._move = np.asarray(move, dtype=np.float64)
        corners = self.layout.to_px(self.layout.pile.corners())
        shifted = corners @ self._move[:, :2].T + self._move[:, 2]
        return _apart_mm(self.layout, corners, shifted)

    def _search(self, picture: Picture) -> News | None:
        """Finds the table twice at the same place before it is believed: a camera still on its way is nowhere."""
        before, self._found = self._found, self._candidate(picture)
        if before is None or self._found is None:
            return None
        corners = before.to_px(before.pile.corners())
        if _apart_mm(before, corners, self._found.to_px(before.pile.corners())) > _SAME_MM:
            return None
        return self._find(picture, self._found)

    def _candidate(self, picture: Picture) -> Layout | None:
        try:
            return find_again(picture, self.layout)
        except BadLayout:
            found = self._memory.find(picture) if self._memory else None
            if found is None and self._ground is not None:
                found = find_by_ground(picture, self._ground[1], self._ground[0])
            return None if found is None else replace(self.layout, px_from_mm=found.px_from_mm)

    def _find(self, picture: Picture, found: Layout) -> FoundAgain:
        corners = self.layout.pile.corners()
        by_mm = _apart_mm(self.layout, self.layout.to_px(corners), found.to_px(corners))
        # What is found within a hair of the old place is the old place: errors must not add up.
        layout = found if by_mm > MOVED_MM / 2 else self.layout
        is_moved = layout is not self.layout
        self.is_steady, self._found = True, None
        self._settle(picture, layout)
        return FoundAgain(layout, is_moved)

    def _settle(self, picture: Picture, layout: Layout) -> None:
        self.layout, self._far_px = layout, MOVED_MM * layout.px_per_mm
        if self._memory is None:
            self._memory = Memory(picture, layout)
        self._hold_on(choose_anchors(picture, layout))
        if self.is_blind or self._ground is None:
            self._trial = Trial(choose_swatches(picture, layout))

    def _hold_on(self, anchors: tuple[Anchor | Swatch, ...]) -> None:
        self._anchors, self._frames, self._move = anchors, 0, _NO_MOVE
        self._round = min(_ROUND, max(1, len(anchors) // _LEAST_A_FRAME))
        self._seen = [(float(anchor.x), float(anchor.y)) for anchor in anchors]


def _apart_mm(layout: Layout, one_px: Points, other_px: Points) -> float:
    """The longest way between pairs of px, on the table."""
    return float(np.linalg.norm(layout.to_mm(one_px) - layout.to_mm(other_px), axis=1).max())
