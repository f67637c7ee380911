"""Judges and applies in one go: for games whose judging has to carry an event out to see what follows from it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from engine.events import Event
from engine.rulings import Ruling

S = TypeVar("S")


class Stepping(ABC, Generic[S]):
    """`judge` and `apply` of a game that says how an event is judged and carried out (`step`, `carry_out`).

    What the last judging found is kept, so that applying those very rulings to that very state is no work; any other
    call works everything out, with the same result.
    """

    _last: tuple[S, Event, tuple[Ruling, ...], S] | None = None

    @abstractmethod
    def step(self, state: S, event: Event) -> tuple[S, tuple[Ruling, ...]]:
        """The state after `event`, and how it is ruled; pure."""

    @abstractmethod
    def carry_out(self, state: S, event: Event, rulings: tuple[Ruling, ...]) -> S:
        """The state after `event` was ruled so, by the rules or by a person; pure."""

    def judge(self, state: S, event: Event) -> tuple[Ruling, ...]:
        """What `event` proves or decides and what follows; of a laid card the first ruling is its verdict."""
        after, rulings = self.step(state, event)
        self._last = (state, event, rulings, after)
        return rulings

    def apply(self, state: S, event: Event, rulings: tuple[Ruling, ...]) -> S:
        """The state after `event` was ruled so."""
        last = self._last
        if last is not None and last[0] is state and last[1] is event and last[2] is rulings:
            return last[3]
        return self.carry_out(state, event, rulings)
