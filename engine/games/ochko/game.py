"""Ochko as the referee sees it."""

from __future__ import annotations

from engine.events import Event
from engine.games.ochko import apply, judge, settling, view
from engine.games.ochko.settling import VERDICTS
from engine.games.ochko.state import Phase, State, start
from engine.rules import Audience, Question, Scoreboard, Setup
from engine.rulings import Ruling
from engine.seats import Seat
from engine.stepping import Stepping


class Ochko(Stepping[State]):
    """The rules of Ochko, every option of their §8 included."""

    name = "ochko"
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
        """What a person may decide instead; where a duel ended, each of the three verdicts."""
        ruled = self.judge(state, event)
        if any(ruling.code in VERDICTS for ruling in ruled):
            return settling.choices(state, event.number)
        return ruled

    def deadline(self, state: State) -> int | None:
        """When a press is surely a tap."""
        return judge.deadline(state)

    def lot(self, state: State) -> tuple[str, tuple[Seat, ...]] | None:
        """`banker`, with the seats it is drawn among."""
        return ("banker", state.house.seats) if state.phase is Phase.LOBBY else None

    def questions(self, state: State) -> tuple[Question, ...]:
        """Which card it is, or whose, where that is not certain."""
        return state.asks

    def view(self, state: State, audience: Audience) -> Scoreboard:
        """The scoreboard in the audience's language."""
        return view.view(state, audience)
