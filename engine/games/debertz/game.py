"""Debertz as the referee sees it."""

from __future__ import annotations

from engine.events import Event
from engine.games.debertz import rounds, view
from engine.games.debertz.apply import EFFECTS, hear
from engine.games.debertz.judge import CALLS, JUDGES, deadline
from engine.games.debertz.state import Phase, State, start
from engine.rules import Audience, Scoreboard, Setup
from engine.seats import Seat
from engine.stepping import Next
from engine.trick_game import TrickGame


class Debertz(TrickGame[State]):
    """The rules of Debertz, every option of their §9 included."""

    name = "debertz"
    version = 1
    judges, calls, effects = JUDGES, CALLS, EFFECTS

    def start(self, setup: Setup) -> State:
        """The state before the first event; raises `BadSetup`."""
        return start(setup)

    def hear(self, state: State, event: Event) -> State:
        """Presses are kept, for taps, holds and double taps."""
        return hear(state, event)

    def due(self, state: State) -> Next[State] | None:
        """What follows by itself."""
        return rounds.due(state)

    def deadline(self, state: State) -> int | None:
        """When a press is surely a tap, or bella can be called no more."""
        return deadline(state)

    def lot(self, state: State) -> tuple[str, tuple[Seat, ...]] | None:
        """`dealer`, with the seats it is drawn among."""
        return ("dealer", state.house.seats) if state.phase is Phase.LOBBY else None

    def view(self, state: State, audience: Audience) -> Scoreboard:
        """The scoreboard in the audience's language."""
        return view.view(state, audience)
