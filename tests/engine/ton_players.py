"""Players who know their hands play Ton, err on purpose, and remember what is due.

Cards and words go straight into the rules (`Straight`, fast), or to a table with buttons and a referee (`AtTable`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import ClassVar

from cardtable.simulated.ton.people import People
from engine.cards import Card
from engine.games.ton import Phase, State, Ton
from engine.rules import Option, Setup
from engine.rulings import Ruling
from engine.seats import seats
from tests.engine.ton import TonFrom, TonTable
from tests.engine.trick_table import Straight

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dora", "Egor")


class AtTable:
    """At a table: taps, holds, and slaps with the cards."""

    BUTTONS: ClassVar = {"take": "press", "staked": "press", "in": "press", "out": "hold"}

    def __init__(self, table: TonTable, chance: random.Random) -> None:
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
        self.table.later()
        return rulings

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat shows cards."""
        return self.table.shows(seat, " ".join(map(str, cards)))

    def say(
        self, word: str, seat: str, *, card: Card | None = None, cards: tuple[Card, ...] = (), count: int | None = None
    ) -> tuple[Ruling, ...]:
        """By button where there is one for it."""
        before = len(self.table.referee.log.entries)
        if word in self.BUTTONS:
            getattr(self.table, self.BUTTONS[word])(seat)
        else:
            self.table.call(word, seat, card=None if card is None else str(card), count=count)
        self.table.later()
        new = (told for told in self.table.referee.history() if told.number > before)
        return tuple(ruling for told in new for ruling in told.rulings)

    def wait(self) -> tuple[Ruling, ...]:
        """Two seconds."""
        self.table.later()
        return ()


def straight_deals(seed: int, *, deals: int, mischief: float, options: Mapping[str, Option]) -> People:
    """So many deals straight through the rules, begun with random totals so that many take part."""
    chance = random.Random(seed)
    players = 2 + seed % 5
    setup = Setup(seats(players), NAMES[:players], seats(players)[seed % players], options)
    people = People(Straight(Ton(), setup), chance, mischief)
    for _ in range(deals):
        scores = tuple(chance.choice((0, 7, 9, 12, 13, 13, 14)) for _ in range(players))
        people.at = Straight(TonFrom(scores), setup)
        people.play(deals=1)
    assert not people.differences
    return people


class TonParty(People):
    """A game at a table, compared with what the players know to be due."""

    def __init__(self, table: TonTable, seed: int, mischief: float) -> None:
        chance = random.Random(seed)
        super().__init__(AtTable(table, chance), chance, mischief)
        self.table, self.found, self.judged = table, table.found, table.judged


def ton_party(seed: int, *, players: int = 4, mischief: float = 0.0, moves: int = 2000, **options: Option) -> TonParty:
    """A game played to its end, or for about so many cards."""
    party = TonParty(TonTable(players, dealer="ABCDEF"[seed % players], options=options), seed, mischief)
    party.play(deals=max(1, moves // 30))
    return party
