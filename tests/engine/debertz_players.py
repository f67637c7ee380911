"""Simulated people play Debertz in tests: many deals straight through the rules, or a party at a table."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from cardtable.simulated.debertz.people import People
from engine.events import CardLaid
from engine.games.debertz import Debertz, Phase
from engine.rules import Option, Setup
from engine.seats import Seat, seats
from tests.engine.debertz import DebertzTable
from tests.engine.debertz_hands import AtTable, Straight


def straight_deals(seed: int, *, deals: int, mischief: float, options: Mapping[str, Option]) -> People:
    """So many deals straight through the rules; a game that is won is followed by the next."""
    chance = random.Random(seed)
    setup = Setup(seats(2), ("Anna", "Boris"), Seat("AB"[seed % 2]), {"target": 1_000_000, **options})
    people = People(Straight(Debertz(), setup), chance, mischief)
    people.play(deals=deals)
    assert not people.differences
    return people


class DebertzParty(People):
    """A game at a table, compared with what the players know to be due."""

    def __init__(self, table: DebertzTable, seed: int, mischief: float) -> None:
        chance = random.Random(seed)
        super().__init__(AtTable(table, chance), chance, mischief)
        self.table = table

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.phase() is Phase.GAME_OVER

    def found(self) -> Counter[tuple[str, str]]:
        """Code and seat of everything that is ruled a foul."""
        told = (ruling for told in self.table.referee.history() for ruling in told.rulings)
        return Counter((ruling.code, ruling.seat or "") for ruling in told if ruling.is_foul)

    def judged(self) -> list[tuple[str, str, str]]:
        """Card, seat and code of every card laid, as the referee rules it."""
        return [
            (str(told.event.card), told.rulings[0].seat or "", told.rulings[0].code)
            for told in self.table.laid()
            if isinstance(told.event, CardLaid)
        ]


def debertz_party(
    seed: int, *, players: int = 2, mischief: float = 0.0, moves: int = 2000, **options: Option
) -> DebertzParty:
    """A game played to its end, or for about so many cards."""
    party = DebertzParty(DebertzTable(dealer="AB"[seed % 2], options=options), seed, mischief)
    party.play(deals=max(1, moves // 20))
    return party
