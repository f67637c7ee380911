"""Ochko as the referee sees it."""

from __future__ import annotations

from engine.events import Event
from engine.games.ochko import apply, judge, settling, view
from engine.games.ochko.settling import VERDICTS
from engine.games.ochko.state import Phase, State, start
from engine.rules import Audience, Question, Scoreboard, Setup
from engine.rulings import Ruling
from engine.seats import Seat


class Ochko:
    """The rules of Ochko, every option of their §8 included."""

    name = "ochko"
    version = 1

    def start(self, setup: Setup) -> State:
        """The state before the first event; raises `BadSetup`."""
        return start(setup)

    def __init__(self) -> None:
        self._judged: tuple[State, Event, tuple[Ruling, ...], State] | None = None

    def judge(self, state: State, event: Event) -> tuple[Ruling, ...]:
        """What `event` proves or decides and what follows; of a laid card the first ruling is its verdict."""
        after, rulings = apply.judge(state, event, judge.decide(state, event))
        self._judged = (state, event, rulings, after)
        return rulings

    def apply(self, state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
        """The state after `event` was ruled so."""
        last = self._judged
        # Judging has gone all the way already: what it found is not looked for twice.
        if last is not None and last[0] is state and last[1] is event and last[2] is rulings:
            return last[3]
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
