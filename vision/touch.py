"""When a card came to lie where it lies: looking back for the first picture that shows it in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import Pose
from vision.motion import Look
from vision.window import Grey, Mask, Window

_COLUMNS, _ROWS = 3, 4
_LEAST_IN_BLOCK = 8
_MATCHES, _GRADIENT, _TELLS = 18.0, 40.0, 20.0
_HIDDEN_AT_MOST_NS = 800_000_000


@dataclass(frozen=True, slots=True)
class Touch:
    """The moment from which a card lay in its place."""

    t_ns: int
    within_ns: int


@dataclass(frozen=True, slots=True, eq=False)
class _Print:
    """The pixels that would change if the card lay two millimetres off: its print and its edges, in blocks."""

    where: NDArray[np.intp]
    final: NDArray[np.int16]
    before: NDArray[np.int16]
    block: NDArray[np.intp]
    sizes: NDArray[np.intp]

    def shown(self, grey: Grey) -> float:
        """Share of the blocks that look as they do in the end."""
        as_final = np.abs(grey.ravel()[self.where].astype(np.int16) - self.final) <= _MATCHES
        hits = np.bincount(self.block[as_final], minlength=len(self.sizes))
        valid = self.sizes >= _LEAST_IN_BLOCK
        return float((hits[valid] >= 0.7 * self.sizes[valid]).mean()) if valid.any() else 0.0

    def absent(self, grey: Grey) -> float:
        """Share of the pixels that look as before the card came."""
        return float((np.abs(grey.ravel()[self.where].astype(np.int16) - self.before) <= _MATCHES).mean())


def find_touch(looks: Sequence[Look], *, before: Grey, pose: Pose, inside: Mask, window: Window) -> Touch:
    """Looks back from the last of `looks`, in which the card lies at `pose`, to the first that shows it there.

    Pictures in which a hand hides the card are skipped; where it came out from under a hand, `within_ns` spans them.
    """
    marks = _prints(looks[-1].grey, before, pose, inside, window)
    first = len(looks) - 1
    if not len(marks.where):
        return _between(looks, first, first - 1)
    shown_last = marks.shown(looks[-1].grey)
    index, without = first, first - 1
    while index > 0 and looks[first].t_ns - looks[index - 1].t_ns <= _HIDDEN_AT_MOST_NS:
        index -= 1
        if marks.shown(looks[index].grey) > 0.25 * shown_last:
            first, without = index, index - 1
        elif marks.absent(looks[index].grey) > 0.4:
            without = index
            break
    was_in_view = marks.shown(looks[first].grey) > 0.4 * shown_last
    return _between(looks, first, first - 1 if was_in_view else without)


def _between(looks: Sequence[Look], first: int, last_without: int) -> Touch:
    """It came after `last_without` and was there at `first`."""
    there = looks[first]
    if last_without < 0:
        return Touch(there.t_ns, there.within_ns)
    gap_ns = there.t_ns - looks[last_without].t_ns
    return Touch(there.t_ns - gap_ns // 2, gap_ns // 2 + there.within_ns)


def _prints(final: Grey, before: Grey, pose: Pose, inside: Mask, window: Window) -> _Print:
    steep = cv2.morphologyEx(final, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8)) > _GRADIENT
    rows, columns = np.nonzero(inside & steep & (cv2.absdiff(final, before) > _TELLS))
    where = np.asarray(rows * final.shape[1] + columns, dtype=np.intp)
    own = pose.own(window.to_mm(np.stack([columns, rows], axis=1).astype(np.float64)))
    width, height = window.layout.card_mm
    column = np.clip((own[:, 0] / width + 0.5) * _COLUMNS, 0, _COLUMNS - 1).astype(np.intp)
    row = np.clip((own[:, 1] / height + 0.5) * _ROWS, 0, _ROWS - 1).astype(np.intp)
    block = np.asarray(row * _COLUMNS + column, dtype=np.intp)
    levels = [grey.ravel()[where].astype(np.int16) for grey in (final, before)]
    return _Print(where, levels[0], levels[1], block, np.bincount(block, minlength=_COLUMNS * _ROWS))
