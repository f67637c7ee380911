"""Simulated people play Debertz in tests: many deals straight through the rules, or a party at a table."""

from __future__ import annotations

import random
from collections.abc import Mapping

from cardtable.simulated.debertz.people import People
from engine.games.debertz import Debertz
from engine.rules import Option, Setup
from engine.seats import Seat, seats
from tests.engine.debertz import DebertzTable
from tests.engine.debertz_hands import AtTable
from tests.engine.trick_table import Straight


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
        self.table, self.found, self.judged = table, table.found, table.judged


def debertz_party(
    seed: int, *, players: int = 2, mischief: float = 0.0, moves: int = 2000, **options: Option
) -> DebertzParty:
    """A game played to its end, or for about so many cards."""
    party = DebertzParty(DebertzTable(dealer="AB"[seed % 2], options=options), seed, mischief)
    party.play(deals=max(1, moves // 20))
    return party
