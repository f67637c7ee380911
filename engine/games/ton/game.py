"""Ton as the referee sees it."""

from __future__ import annotations

from engine.events import Event
from engine.games.ton import rounds, view
from engine.games.ton.apply import EFFECTS, hear
from engine.games.ton.judge import CALLS, JUDGES, deadline
from engine.games.ton.state import Phase, State, start
from engine.rules import Audience, Scoreboard, Setup
from engine.seats import Seat
from engine.stepping import Next
from engine.trick_game import TrickGame


class Ton(TrickGame[State]):
    """The rules of Ton, every option of their §9 included."""

    name = "ton"
    version = 2
    judges, calls, effects = JUDGES, CALLS, EFFECTS

    def start(self, setup: Setup) -> State:
        """The state before the first event; raises `BadSetup`."""
        return start(setup)

    def hear(self, state: State, event: Event) -> State:
        """A press is kept until it is known whether it was a tap."""
        return hear(state, event)

    def due(self, state: State) -> Next[State] | None:
        """What follows by itself."""
        return rounds.due(state)

    def deadline(self, state: State) -> int | None:
        """When a press is surely a tap."""
        return deadline(state)

    def lot(self, state: State) -> tuple[str, tuple[Seat, ...]] | None:
        """`dealer`, with the seats it is drawn among."""
        return ("dealer", state.house.seats) if state.phase is Phase.LOBBY else None

    def view(self, state: State, audience: Audience) -> Scoreboard:
        """The scoreboard in the audience's language."""
        return view.view(state, audience)
