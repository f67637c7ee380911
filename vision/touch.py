"""When a card came to lie where it lies: looking back for the first picture that shows it in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import Pose
from vision.motion import Look
from vision.pile import printed
from vision.window import Grey, Mask, Part, Window

_COLUMNS, _ROWS = 3, 4
_BLOCKS = _COLUMNS * _ROWS
_LEAST_IN_BLOCK, _SHOWS = 8, 0.7
_MATCHES, _GRADIENT, _TELLS = 18.0, 40.0, 20.0
_NOT_SHOWN, _ABSENT = 0.25, 0.4
_INDEX_SHOWS, _INDEX_IS_THERE = 0.5, 0.9
_PASSES_WITHIN_NS = 400_000_000  # so long a hand with another card may pass over it
_STIRS = 0.08
_UNCOVERS_WITHIN_NS = 350_000_000


@dataclass(frozen=True, slots=True)
class Touch:
    """The moment from which a card lay in its place."""

    t_ns: int
    within_ns: int
    is_hidden: bool = False
    """Whether a hand lay on it then."""


@dataclass(frozen=True, slots=True, eq=False)
class Print:
    """Pixels that would change if the card lay two millimetres off: its print and its edges, in blocks.

    The last blocks are the indices that were read: those surely are this card's and not another's that covers it.
    """

    where: NDArray[np.intp]
    final: NDArray[np.int16]
    before: NDArray[np.int16]
    block: NDArray[np.intp]
    sizes: NDArray[np.intp]

    def shown(self, grey: Grey) -> float:
        """How much of the card looks as it does in the end, 0 to 1; 1 as soon as an index does."""
        as_final = np.abs(grey.ravel()[self.where].astype(np.int16) - self.final) <= _MATCHES
        hits = np.bincount(self.block[as_final], minlength=len(self.sizes))
        valid = self.sizes >= _LEAST_IN_BLOCK
        shows = valid & (hits >= _SHOWS * self.sizes)
        if shows[_BLOCKS:].any():
            return 1.0
        return float(shows.sum() / valid.sum()) if valid.any() else 0.0

    def index_shown(self, grey: Grey) -> float:
        """How much of the index that shows best looks as it does in the end, 0 to 1; 1 where none tells."""
        sizes = self.sizes[_BLOCKS:]
        tells = sizes >= _LEAST_IN_BLOCK
        if not tells.any():
            return 1.0
        as_final = np.abs(grey.ravel()[self.where].astype(np.int16) - self.final) <= _MATCHES
        hits = np.bincount(self.block[as_final], minlength=len(self.sizes))[_BLOCKS:]
        return float((hits[tells] / sizes[tells]).max())

    def stirred(self, one: Grey, other: Grey) -> float:
        """Share of the pixels around the indices (of all, where these tell nothing) that differ in two looks."""
        where = self.where[self.block >= _BLOCKS] if (self.block >= _BLOCKS).any() else self.where
        differences = np.abs(one.ravel()[where].astype(np.int16) - other.ravel()[where])
        return float((differences > _MATCHES).mean())

    def absent(self, grey: Grey) -> float:
        """Share of the pixels that look as before the card came."""
        return float((np.abs(grey.ravel()[self.where].astype(np.int16) - self.before) <= _MATCHES).mean())


def find_touch(looks: Sequence[Look], marks: Print, hides: Callable[[Look], bool]) -> Touch:
    """Looks back from the last of `looks`, in which the card lies in its place, to the first that shows it there.

    Where a hand rested on it until then (`hides` tells of a look whether one does), it counts from when that hand came
    to rest.
    """
    first = _first_shown(looks, marks, hides)
    rested = _rest_before(looks, marks, first)
    start = _start_of_rest(looks, marks, rested)
    is_hidden = rested < first and hides(looks[rested])
    is_hidden = is_hidden and all(marks.absent(look.grey) < _ABSENT for look in looks[start : rested + 1])
    is_hidden = is_hidden and not any(_shows_without(look, marks, hides) for look in looks[rested + 1 : first])
    start = start if is_hidden else first
    there = looks[start]
    if start == 0:
        return Touch(there.t_ns, there.within_ns)
    gap_ns = there.t_ns - looks[start - 1].t_ns
    doubt_ns = gap_ns if is_hidden else 0
    return Touch(there.t_ns - gap_ns // 2, gap_ns // 2 + doubt_ns + there.within_ns, is_hidden)


def _shows_without(look: Look, marks: Print, hides: Callable[[Look], bool]) -> bool:
    """Whether its place is to be seen without it: not its indices, much as before it came, and no hand in the way."""
    is_bare = marks.index_shown(look.grey) < _INDEX_SHOWS and marks.absent(look.grey) >= _ABSENT
    return is_bare and not hides(look)


def _first_shown(looks: Sequence[Look], marks: Print, hides: Callable[[Look], bool]) -> int:
    first = len(looks) - 1
    while first > 0 and len(marks.where):
        before = looks[first - 1]
        if marks.shown(before.grey) > _NOT_SHOWN and not _shows_without(before, marks, hides):
            first -= 1
        elif (bridged := _shown_before(looks, marks, first)) is not None:
            first = bridged
        else:
            break
    return first


def _shown_before(looks: Sequence[Look], marks: Print, first: int) -> int | None:
    """An earlier look that shows its index there, whatever has passed over it since."""
    for index in range(first - 1, 0, -1):
        if looks[first].t_ns - looks[index].t_ns > _PASSES_WITHIN_NS:
            return None
        if min(marks.index_shown(look.grey) for look in looks[index - 1 : index + 1]) > _INDEX_IS_THERE:
            return index
    return None


def _rest_before(looks: Sequence[Look], marks: Print, first: int) -> int:
    """The last look before `first` at which nothing moved where the indices are; `first` if there is none."""
    index = first
    while index > 1 and looks[first].t_ns - looks[index - 1].t_ns <= _UNCOVERS_WITHIN_NS:
        index -= 1
        if _is_at_rest(looks[index - 1 : index + 1], marks):
            return index
    return first


def _start_of_rest(looks: Sequence[Look], marks: Print, rested: int) -> int:
    start = rested
    while start > 0 and _is_at_rest(looks[start - 1 : start + 1], marks):
        start -= 1
    return start


def _is_at_rest(looks: Sequence[Look], marks: Print) -> bool:
    return bool(len(marks.where)) and all(marks.stirred(a.grey, b.grey) < _STIRS for a, b in pairwise(looks))


def take_print(final: Grey, before: Grey, card: tuple[Pose, Mask, Iterable[Part]], window: Window) -> Print:
    """What tells in the small picture `final` that a card lies there: its pose, visible pixels and read indices."""
    pose, inside, indices = card
    steep = cv2.morphologyEx(final, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8)) > _GRADIENT
    is_new = cv2.absdiff(final, before) > _TELLS
    tells = steep & is_new
    rows, columns = np.nonzero(tells & inside)
    blocks = [_blocks(rows, columns, pose, window)]
    for number, part in enumerate(indices):
        here = np.zeros_like(inside)
        # Its print alone, where nothing of the kind was: paper, and another card's index, look the same without it.
        here[part] = printed(final[part], np.ones_like(final[part], dtype=np.bool_)) & is_new[part]
        more_rows, more_columns = np.nonzero(here)
        rows, columns = np.concatenate([rows, more_rows]), np.concatenate([columns, more_columns])
        blocks.append(np.full(len(more_rows), _BLOCKS + number, dtype=np.intp))
    where = np.asarray(rows * final.shape[1] + columns, dtype=np.intp)
    block = np.concatenate(blocks)
    levels = [grey.ravel()[where].astype(np.int16) for grey in (final, before)]
    return Print(where, levels[0], levels[1], block, np.bincount(block, minlength=_BLOCKS + len(blocks) - 1))


def _blocks(rows: NDArray[np.intp], columns: NDArray[np.intp], pose: Pose, window: Window) -> NDArray[np.intp]:
    own = pose.own(window.to_mm(np.stack([columns, rows], axis=1).astype(np.float64)))
    width, height = window.layout.card_mm
    column = np.clip((own[:, 0] / width + 0.5) * _COLUMNS, 0, _COLUMNS - 1).astype(np.intp)
    row = np.clip((own[:, 1] / height + 0.5) * _ROWS, 0, _ROWS - 1).astype(np.intp)
    return np.asarray(row * _COLUMNS + column, dtype=np.intp)
