"""How a game is put together: what events decide, what rulings do, and what follows by itself.

Judging has to carry an event out to see what follows from it, so both go one way here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from engine.events import Call, Drawn, Event, Shown
from engine.rules import Audience, Question, Scoreboard, Setup
from engine.rulings import Ruling
from engine.seats import Seat


class Seated(Protocol):
    """The part of a game's house that every game has."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Clockwise."""
        ...

    @property
    def places(self) -> Mapping[Seat, int]:
        """Where each seat stands in counts of all seats."""
        ...


class Remembered(Protocol):
    """The part of a game's state that every game has."""

    @property
    def house(self) -> Seated:
        """Who sits where, and the house rules."""
        ...

    @property
    def asks(self) -> tuple[Question, ...]:
        """What the table should ask a person now."""
        ...


S = TypeVar("S", bound=Remembered)
Judge = Callable[[S, Any], tuple[Ruling, ...]]
"""What an event of one kind, or one word, proves or decides."""
Effect = Callable[[S, Event, Ruling], S]
"""The state after an event was ruled so."""
Step = tuple[S, tuple[Ruling, ...]]
"""A state, and what is told on the way there."""
Next = Callable[[S, int], Step[S]]
"""Something that follows by itself; the number is that of the event that brought it about."""


def progress(state: S, number: int, due: Callable[[S], Next[S] | None]) -> Step[S]:
    """Everything that is `due` now, one after another."""
    told: tuple[Ruling, ...] = ()
    follows = due(state)
    while follows is not None:
        state, more = follows(state, number)
        told += more
        follows = due(state)
    return state, told


class Stepping(ABC, Generic[S]):
    """The rules of a game as tables: `judges` and `calls` by event, `effects` by ruling, and `due`.

    What the last judging found is kept, so that applying those very rulings to that very state is no work; any other
    call works everything out, with the same result. The states are immutable and every table's functions are pure.
    """

    name: str
    version: int
    judges: Mapping[type[Event], Judge[S]]
    """What each kind of event decides; calls and lots are looked up by their word."""
    calls: Mapping[str, Judge[S]]
    """What somebody's saying the word decides."""
    effects: Mapping[str, Effect[S]]
    """How the ruling of each code changes the state; a code without one only tells."""
    _last: tuple[S, Event, tuple[Ruling, ...], S] | None = None

    # What a game must say

    @abstractmethod
    def start(self, setup: Setup) -> S:
        """The state before the first event; raises `BadSetup` with a sentence."""

    @abstractmethod
    def view(self, state: S, audience: Audience) -> Scoreboard:
        """The scoreboard in the audience's language."""

    # What it may say

    def hear(self, state: S, event: Event) -> S:
        """What a button leaves behind, however it is ruled."""
        return state

    def finds(self, state: S, event: Event, decided: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
        """What is proven besides, now that `decided` has been carried out."""
        return ()

    def due(self, state: S) -> Next[S] | None:
        """What follows by itself in that state, if anything does."""
        return None

    def deadline(self, state: S) -> int | None:
        """The `t_ns` at which the passing of time next matters."""
        return None

    def lot(self, state: S) -> tuple[str, tuple[Seat, ...]] | None:
        """The lot to be drawn now: its name and the seats it is drawn among."""
        return None

    def questions(self, state: S) -> tuple[Question, ...]:
        """What the table should ask a person now."""
        return state.asks

    def options(self, state: S, event: Event) -> tuple[Ruling, ...]:
        """What a person may decide instead."""
        return self.judge(state, event)

    # How it goes

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

    def step(self, state: S, event: Event) -> Step[S]:
        """The state after `event`, and how it is ruled; pure."""
        decided = self.decide(state, event)
        state = self.take_in(state, event, decided)
        if not decided:
            return state, decided
        found = self.finds(state, event, decided)
        state, told = progress(self._do(state, event, found) if found else state, event.number, self.due)
        return state, decided + found + told

    def carry_out(self, state: S, event: Event, rulings: tuple[Ruling, ...]) -> S:
        """The state after `event` was ruled so, by the rules or by a person; pure."""
        state = self.take_in(state, event, rulings)
        return progress(state, event.number, self.due)[0] if rulings else state

    def decide(self, state: S, event: Event) -> tuple[Ruling, ...]:
        """What the event itself proves or decides."""
        kind = type(event)
        if kind is Call:
            return self._called(state, event)  # type: ignore[arg-type]
        if kind is Drawn:
            return self._drawn(state, event)  # type: ignore[arg-type]
        judged_by = self.judges.get(kind)
        is_strangers = kind is Shown and event.seat not in state.house.places  # type: ignore[attr-defined]
        return () if judged_by is None or is_strangers else judged_by(state, event)

    def take_in(self, state: S, event: Event, rulings: tuple[Ruling, ...]) -> S:
        """The state after `event` and these rulings, before anything follows."""
        return self._do(self.hear(state, event), event, rulings)

    def _do(self, state: S, event: Event, rulings: tuple[Ruling, ...]) -> S:
        for ruling in rulings:
            effect = self.effects.get(ruling.code)
            if effect is not None:
                state = effect(state, event, ruling)
        return state

    def _called(self, state: S, event: Call) -> tuple[Ruling, ...]:
        judged_by = self.calls.get(event.word)
        is_stranger = event.seat is not None and event.seat not in state.house.places
        return () if judged_by is None or is_stranger else judged_by(state, event)

    def _drawn(self, state: S, event: Drawn) -> tuple[Ruling, ...]:
        asked = self.lot(state)
        if asked is None or event.lot != asked[0] or event.seat not in asked[1]:
            return ()
        return (Ruling(f"lot-{event.lot}", event.seat, 0, (event.number,), (), "§3"),)
