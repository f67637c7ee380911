"""Keeps lays and slaps matched while events come in, and knows which lays are settled."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Generic, TypeVar

from engine.events import CardLaid, Event, Press, Release
from engine.fold import Fold
from engine.order import Standing, lay_of
from engine.race import HOLD_NS, LayTime, Match, SlapTime, Window, attribute, is_settled

S = TypeVar("S")

SLAP = "slap"
"""The code by which every game rules that a press claims a card laid."""
_ROUNDS = 6  # whose slap it is can depend on the phase, which depends on whose lay it was: in practice two rounds do
_LOOSENED = 2  # how many windows around a late fact are opened again
_FROZEN_KEPT = 3  # settled lays looked at: their slaps are taken, and bar the slaps before them


class Matching(Generic[S]):
    """Whose lay was it, for all lays of a fold; only the neighbourhood of what changed is looked at again."""

    def __init__(self, fold: Fold[S], window: Window) -> None:
        """`fold` is changed: lays get their seats and slaps."""
        self.fold = fold
        self.window = window
        self.mark_ns = -1
        """Up to here every source is complete."""
        self._frozen: set[int] = set()

    def over(self, fold: Fold[S]) -> Matching[S]:
        """The same over a fold made anew: what was settled stays so until something near it changes."""
        again = Matching(fold, self.window)
        again.mark_ns = self.mark_ns
        again._frozen = {number for number in self._frozen if fold.has(number)}
        for item in fold.items:
            item.is_slap = self.fold.has(item.number) and self.fold.find(item.number).is_slap
        for t_ns in _differing(self.fold, fold):
            again.loosen(t_ns)
        return again

    def is_frozen(self, item: Standing) -> bool:
        """Whether the lay is settled: not matched again unless something near it changes."""
        return item.number in self._frozen

    def loosen(self, t_ns: int) -> None:
        """What comes later than was promised opens again whose lay everything near it was."""
        if t_ns <= self.mark_ns:
            reach = _LOOSENED * (self.window.before_ns + self.window.after_ns)
            self._frozen = {n for n in self._frozen if abs(self.fold.find(n).event.t_ns - t_ns) > reach}

    def judge(self, anchors: Collection[Standing]) -> set[int]:
        """Judges what changed, matches slaps to lays around it, and again until nothing changes.

        Returns the numbers of the lays that were matched otherwise than before.
        """
        matched = self._match_around([item for item in anchors if isinstance(item.event, CardLaid)])
        for _ in range(_ROUNDS):
            judged = self.fold.run()
            changed = self._match_around([*anchors, *self._turned(judged)])
            if not changed:
                break
            matched |= changed
        self.fold.run()
        return matched

    def _turned(self, judged: list[Standing]) -> list[Standing]:
        """The presses that have become slaps, or are none any more."""
        turned = [item for item in judged if item.is_slap != self._is_slap(item)]
        for item in turned:
            item.is_slap = not item.is_slap
            self.loosen(item.event.t_ns)
        return turned

    def _match_around(self, anchors: Iterable[Standing]) -> set[int]:
        changed: set[int] = set()
        covered: set[int] = set()
        for item in anchors:
            if item.number in covered:
                continue
            lays, slaps = self._cluster(item)
            covered.update(one.number for one in (*lays, *slaps))
            matches = attribute(_lay_times(lays), _slap_times(slaps), self.window) if lays else ()
            changed |= {lay.number for lay, match in zip(lays, matches, strict=True) if self._give(lay, match)}
        return changed

    def _cluster(self, item: Standing) -> tuple[list[Standing], list[Standing]]:
        """The lays and slaps whose matching can depend on `item`; without what is settled."""
        near = [*reversed([*self._near(item, step=-1)]), item, *self._near(item, step=1)]
        lays = [one for one in near if isinstance(one.event, CardLaid)]
        barred = max((_slap_ns(lay.event) for lay in lays if lay.number in self._frozen), default=-1)
        slaps = [one for one in near if self._is_slap(one) and one.event.t_ns > barred]
        return sorted((lay for lay in lays if lay.number not in self._frozen), key=lay_of), slaps

    def _near(self, item: Standing, *, step: int) -> Iterator[Standing]:
        """The lays and slaps before or after `item`, as far as the chain of those within reach of each other goes."""
        items, edge, frozen = self.fold.items, item.event.t_ns, 0
        reach = self.window.before_ns + self.window.after_ns
        place = self.fold.place(item) + step
        while 0 <= place < len(items) and frozen < _FROZEN_KEPT and abs(items[place].key[0] - edge) <= reach:
            one = items[place]
            if isinstance(one.event, CardLaid) or self._is_slap(one):
                edge = one.key[0]
                frozen += one.number in self._frozen
                yield one
            place += step

    @staticmethod
    def _is_slap(item: Standing) -> bool:
        return (
            isinstance(item.event, Press) and not item.is_muted and any(ruling.code == SLAP for ruling in item.rulings)
        )

    def _give(self, item: Standing, match: Match) -> bool:
        event = item.event
        assert isinstance(event, CardLaid)
        if event.seats == match.seats and event.slap_ns == match.slap_ns:
            return False
        self.fold.replace(item.number, replace(event, seats=match.seats, slap_ns=match.slap_ns))
        return True

    def settle(self, item: Standing) -> bool:
        """Whether nothing that may come after `mark_ns` can change whose lay it was; then it is not matched again."""
        if self._is_settled(item):
            self._frozen.add(item.number)
            return True
        return False

    def _is_settled(self, item: Standing) -> bool:
        lays, slaps = self._cluster(item)
        if item not in lays:
            return True
        place, times, touches = lays.index(item), _slap_times(slaps), _lay_times(lays)
        if not is_settled(place, touches, times, self.mark_ns, self.window):
            return False
        sure = [slap for slap in slaps if slap.event.t_ns <= self.mark_ns - HOLD_NS or self._is_released(slap)]
        without = attribute(touches, _slap_times(sure), self.window)
        return without[place] == attribute(touches, times, self.window)[place]

    def _is_released(self, press: Standing) -> bool:
        events = (item.event for item in reversed(self.fold.items))
        for event in events:
            if event.t_ns < press.event.t_ns:
                return False
            if isinstance(event, Release) and event.pressed_ns == press.event.t_ns:
                return True
        return False


def _differing(one: Fold[S], other: Fold[S]) -> list[int]:
    """The moments at which the two tell of different events."""
    pairs = ((one, other), (other, one))
    return [
        item.event.t_ns
        for mine, yours in pairs
        for item in mine.items
        if not yours.has(item.number) or yours.find(item.number).event != item.event
    ]


def _lay_times(lays: list[Standing]) -> list[LayTime]:
    times, below = [], None
    for item in lays:
        event = item.event
        assert isinstance(event, CardLaid)
        hand = event.seats if item.is_said and len(event.seats) == 1 else event.hand
        times.append(LayTime(event.t_ns, event.within_ns, hand, event.rival is not None and event.rival == below))
        below = event.lay
    return times


def _slap_times(slaps: list[Standing]) -> list[SlapTime]:
    presses = (slap.event for slap in slaps)
    return [
        SlapTime(press.t_ns, press.seat, press.within_ns, press.source, press.jitter_ns)
        for press in presses
        if isinstance(press, Press)
    ]


def _slap_ns(event: Event) -> int:
    return -1 if not isinstance(event, CardLaid) or event.slap_ns is None else event.slap_ns
