"""Bong as the referee sees it."""

from __future__ import annotations

from engine.events import Event
from engine.games.bong import apply, judge, view
from engine.games.bong.state import State, start
from engine.rules import Audience, Question, Scoreboard, Setup
from engine.rulings import Ruling
from engine.seats import Seat


class Bong:
    """The rules of Bong, every option of their §8 included."""

    name = "bong"
    version = 1

    def start(self, setup: Setup) -> State:
        """The state before the first event; raises `BadSetup`."""
        return start(setup)

    def judge(self, state: State, event: Event) -> tuple[Ruling, ...]:
        """What `event` proves or decides; of a laid card the first ruling is its verdict."""
        return judge.judge(state, event)

    def apply(self, state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
        """The state after `event` was ruled so."""
        return apply.apply(state, event, rulings)

    def options(self, state: State, event: Event) -> tuple[Ruling, ...]:
        """What a person may decide instead."""
        return judge.options(state, event)

    def deadline(self, state: State) -> int | None:
        """When the claims close, a slap has become bare, a short press is surely none, or the shot clock runs out."""
        return judge.deadline(state)

    def lot(self, state: State) -> tuple[str, tuple[Seat, ...]] | None:
        """`dealer`, `start` or `first-<lay>-<lay>`, with the seats it is drawn among."""
        return judge.lot(state)

    def questions(self, state: State) -> tuple[Question, ...]:
        """Whose lay it was, which card it is, and whether `last` can show."""
        return judge.questions(state)

    def view(self, state: State, audience: Audience) -> Scoreboard:
        """The scoreboard in the audience's language."""
        return view.view(state, audience)

    def window(self, state: State) -> tuple[int, int]:
        """How long before and after its touch a lay's slap may come, in ns (§8 row 14)."""
        return state.house.attribution_ns, state.house.late_slap_ns
