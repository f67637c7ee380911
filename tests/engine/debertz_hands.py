"""Where what the players of Debertz do becomes known in tests: at a table with buttons."""

from __future__ import annotations

import random

from engine.cards import Card
from engine.events import Call
from engine.games.debertz import Phase, State
from engine.rulings import Ruling
from engine.seats import Seat
from tests.engine.debertz import DebertzTable
from tests.engine.table import MS


class AtTable:
    """At a table: taps, holds, double taps, and slaps with the cards."""

    def __init__(self, table: DebertzTable, chance: random.Random) -> None:
        self.table, self.chance, self.setup = table, chance, table.setup

    @property
    def state(self) -> State:
        """What the referee knows."""
        return self.table.state

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie, its slap a little before it where it goes into the trick."""
        if seat is not None and self.state.phase is Phase.TRICK and self.chance.random() < 0.8:
            self.table.press(seat)
            self.table.at += self.chance.randint(40, 200)
        rulings = self.table.lay(str(card), hand=seat if is_seen and seat is not None else "")
        self.table.wait(600)
        return rulings

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat shows cards."""
        rulings = self.table.shown(seat, " ".join(map(str, cards)))
        self.table.later()
        return rulings

    def say(
        self, word: str, seat: str, *, card: Card | None = None, cards: tuple[Card, ...] = (), count: int | None = None
    ) -> tuple[Ruling, ...]:
        """By button where there is one for it."""
        before = len(self.table.referee.log.entries)
        button = self._button(word)
        if button is not None:
            getattr(self.table, button)(seat)
        else:
            at_ns = self.table.at * MS
            self.table.feed(Call(t_ns=at_ns, word=word, who="page", seat=Seat(seat), cards=cards, count=count))
        self.table.wait(200 if word == "bella" else 2000)
        new = (told for told in self.table.referee.history() if told.number > before)
        return tuple(ruling for told in new for ruling in told.rulings)

    def wait(self) -> tuple[Ruling, ...]:
        """Three seconds."""
        before = len(self.table.referee.log.entries)
        self.table.wait(3000)
        new = (told for told in self.table.referee.history() if told.number > before)
        return tuple(ruling for told in new for ruling in told.rulings)

    def _button(self, word: str) -> str | None:
        if self.chance.random() < 0.3:
            return None
        buttons = {"play": "press", "pass": "hold", "nothing-more": "hold", "shown": "hold"}
        if word == "drawn":
            return "press"
        return buttons.get(word) if word != "play" or self.state.phase is Phase.FIRST_ROUND else None
