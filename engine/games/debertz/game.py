"""Debertz as the referee sees it."""

from __future__ import annotations

from engine.events import CardLaid, Event
from engine.games.debertz import apply, judge, laying, view
from engine.games.debertz.state import Phase, State, start
from engine.rules import Audience, Question, Scoreboard, Setup
from engine.rulings import Ruling
from engine.seats import Seat
from engine.stepping import Stepping


class Debertz(Stepping[State]):
    """The rules of Debertz, every option of their §9 included."""

    name = "debertz"
    version = 1

    def start(self, setup: Setup) -> State:
        """The state before the first event; raises `BadSetup`."""
        return start(setup)

    def step(self, state: State, event: Event) -> tuple[State, tuple[Ruling, ...]]:
        """The state after `event`, and how it is ruled."""
        return apply.judge(state, event, judge.decide(state, event))

    def carry_out(self, state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
        """The state after `event` was ruled so."""
        return apply.apply(state, event, rulings)

    def options(self, state: State, event: Event) -> tuple[Ruling, ...]:
        """What a person may decide instead."""
        if isinstance(event, CardLaid) and state.phase is Phase.TRICK:
            return laying.options(state, event)
        return self.judge(state, event)

    def deadline(self, state: State) -> int | None:
        """When a press is surely a tap, or bella can be called no more."""
        return judge.deadline(state)

    def lot(self, state: State) -> tuple[str, tuple[Seat, ...]] | None:
        """`dealer`, with the seats it is drawn among."""
        return ("dealer", state.house.seats) if state.phase is Phase.LOBBY else None

    def questions(self, state: State) -> tuple[Question, ...]:
        """Which card it is, where a reading is not certain; and who exchanged, where nobody saw."""
        return state.asks

    def view(self, state: State, audience: Audience) -> Scoreboard:
        """The scoreboard in the audience's language."""
        return view.view(state, audience)
