"""Ochko as the referee sees it."""

from __future__ import annotations

from engine.events import Event
from engine.games.ochko import rounds, settling, view
from engine.games.ochko.apply import EFFECTS, hear, remember
from engine.games.ochko.judge import CALLS, JUDGES, deadline
from engine.games.ochko.settling import VERDICTS
from engine.games.ochko.state import Phase, State, start
from engine.rules import Audience, Scoreboard, Setup
from engine.rulings import Ruling
from engine.seats import Seat
from engine.stepping import Next, Stepping


class Ochko(Stepping[State]):
    """The rules of Ochko, every option of their §8 included."""

    name = "ochko"
    version = 1
    judges, calls, effects = JUDGES, CALLS, EFFECTS

    def start(self, setup: Setup) -> State:
        """The state before the first event; raises `BadSetup`."""
        return start(setup)

    def hear(self, state: State, event: Event) -> State:
        """Presses are kept until it is known whether they were taps."""
        return hear(state, event)

    def take_in(self, state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
        """What was tapped is remembered: a second tap may still turn it into "I show"."""
        after = super().take_in(state, event, rulings)
        return remember(state, after, event, rulings) if rulings and state.taps else after

    def due(self, state: State) -> Next[State] | None:
        """What follows by itself."""
        return rounds.due(state)

    def options(self, state: State, event: Event) -> tuple[Ruling, ...]:
        """What a person may decide instead; where a duel ended, each of the three verdicts."""
        ruled = self.judge(state, event)
        if any(ruling.code in VERDICTS for ruling in ruled):
            return settling.choices(state, event.number)
        return ruled

    def deadline(self, state: State) -> int | None:
        """When a press is surely a tap."""
        return deadline(state)

    def lot(self, state: State) -> tuple[str, tuple[Seat, ...]] | None:
        """`banker`, with the seats it is drawn among."""
        return ("banker", state.house.seats) if state.phase is Phase.LOBBY else None

    def view(self, state: State, audience: Audience) -> Scoreboard:
        """The scoreboard in the audience's language."""
        return view.view(state, audience)
