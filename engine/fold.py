"""Folds what stands in the log into states, and folds only the tail again when something comes late."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from operator import attrgetter
from typing import Generic, TypeVar

from engine.errors import BadLog
from engine.events import CardLaid, Drawn, Event, Hold, Press
from engine.order import FIRST, Key, Standing, key_of, set_keys
from engine.rules import Rules
from engine.seats import Seat

S = TypeVar("S")


class Fold(Generic[S]):
    """Events in the order in which they are judged, the state before and after each, and the rulings."""

    def __init__(self, rules: Rules[S], start: S, items: Iterable[Standing] = ()) -> None:
        """Takes what stands in a log; call `run` before reading states or rulings."""
        self.rules = rules
        self.items = list(items)
        self.states: list[S] = [start]
        self.lays: list[Standing] = []
        """In pile order."""
        self.presses: list[Standing] = []
        """In order of time."""
        self._keys: list[Key] = []
        self._by_number = {item.number: item for item in self.items}
        self._held: set[tuple[Seat, int]] = set()
        self._has_lots = False
        self.judged_from = 0
        """Everything from this place on was judged since whoever reads it last set it to the end."""
        for item in self.items:
            self._note(item.event)
        self._sort()

    @property
    def state(self) -> S:
        """The state after everything that was run."""
        return self.states[-1]

    def find(self, number: int) -> Standing:
        """The event with that log number; raises `BadLog` when it does not count (any more)."""
        if number not in self._by_number:
            raise BadLog(f"there is no event {number} that counts now; it was taken back or never logged")
        return self._by_number[number]

    def has(self, number: int) -> bool:
        """Whether that event counts now."""
        return number in self._by_number

    def state_before(self, number: int) -> S:
        """The state in which that event was judged."""
        return self.states[bisect_left(self._keys, self.find(number).key)]

    def place(self, item: Standing) -> int:
        """Where in `items` it stands."""
        return bisect_left(self._keys, item.key)

    def run(self) -> list[Standing]:
        """Judges and applies everything from the first change on, and returns it."""
        first = len(self.states) - 1
        judge, apply = self.rules.judge, self.rules.apply
        states, state = self.states, self.states[-1]
        for i in range(first, len(self.items)):
            item = self.items[i]
            if item.is_muted:
                item.rulings = item.overruled or ()
            else:
                item.rulings = item.overruled if item.overruled is not None else judge(state, item.event)
                state = apply(state, item.event, item.rulings)
            states.append(state)
        self.judged_from = min(self.judged_from, first)
        return self.items[first:]

    def insert(self, item: Standing) -> None:
        """Takes in one more event, at its place in time."""
        self._note(item.event)
        self._by_number[item.number] = item
        event = item.event
        item.key = key_of(event, event.t_ns)
        in_turn = not isinstance(event, CardLaid) or self._goes_on_top(item)
        if isinstance(event, Hold):
            self._mute(event)
        if isinstance(event, Press):
            item.is_muted = (event.seat, event.t_ns) in self._held
        if self._has_lots or not in_turn:
            self.items.append(item)
            self._sort()
            return
        place = bisect_right(self._keys, item.key)
        self.items.insert(place, item)
        self._keys.insert(place, item.key)
        self._forget_from(place)
        if isinstance(event, Press):
            self.presses.insert(bisect_right(self.presses, item.key, key=lambda press: press.key), item)

    def replace(self, number: int, event: Event) -> None:
        """The event with that number is in truth `event`."""
        item = self.find(number)
        place = bisect_left(self._keys, item.key)
        is_moved = event.t_ns != item.event.t_ns or self._has_lots
        item.event = event
        if is_moved:
            self._sort()
        self._forget_from(place)

    def _goes_on_top(self, item: Standing) -> bool:
        assert isinstance(item.event, CardLaid)
        below = self.lays[-1] if self.lays else None
        if below is not None and getattr(below.event, "lay", 0) >= item.event.lay:
            return False
        t_ns = item.event.t_ns if below is None else max(item.event.t_ns, below.key[0])
        kind = key_of(item.event, t_ns)
        item.key = (t_ns, kind[1], len(self.lays), "", item.number)
        self.lays.append(item)
        return True

    def _note(self, event: Event) -> None:
        if isinstance(event, Hold):
            self._held.add((event.seat, event.pressed_ns))
        self._has_lots |= isinstance(event, Drawn) and event.lot.startswith(FIRST)

    def _mute(self, hold: Hold) -> None:
        for item in self.presses:
            if isinstance(item.event, Press) and item.event.seat == hold.seat and item.event.t_ns == hold.pressed_ns:
                item.is_muted = True
                self._forget_from(bisect_left(self._keys, item.key))

    def _forget_from(self, place: int) -> None:
        del self.states[place + 1 :]

    def _sort(self) -> None:
        before = list(self.items)
        self.lays = set_keys(self.items)
        self.items.sort(key=attrgetter("key"))
        self._keys = [item.key for item in self.items]
        self.presses = [item for item in self.items if isinstance(item.event, Press)]
        for item in self.presses:
            item.is_muted = (getattr(item.event, "seat", None), item.event.t_ns) in self._held
        same = next((i for i, (a, b) in enumerate(zip(before, self.items, strict=True)) if a is not b), len(before))
        self._forget_from(same)
