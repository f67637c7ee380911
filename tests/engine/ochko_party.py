"""Evenings of Ochko: straight through the rules by the thousand, or at a table as the conformance suite wants them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from engine.events import CardLaid, Event
from engine.games.ochko import Phase
from engine.rules import Option, Setup
from engine.rulings import Ruling
from engine.seats import seats
from tests.engine.ochko import OchkoTable
from tests.engine.ochko_hands import AtTable, Straight
from tests.engine.ochko_players import Evening

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dora", "Egor")


def straight_rounds(
    seed: int, *, rounds: int, mischief: float, options: Mapping[str, Option], players: int = 0
) -> Evening:
    """So many rounds straight through the rules; two to six players, unless said otherwise."""
    chance = random.Random(seed)
    players = players or 2 + seed % 5
    setup = Setup(seats(players), NAMES[:players], seats(players)[seed % players], options)
    evening = Evening(CountingFouls(setup), chance, mischief)
    evening.play(rounds=rounds)
    return evening


class CountingFouls(Straight):
    """Remembers every foul that was ruled."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.found: Counter[tuple[str, str]] = Counter()

    def _feed(self, event: Event) -> tuple[Ruling, ...]:
        rulings = super()._feed(event)
        self.found.update((ruling.code, str(ruling.seat)) for ruling in rulings if ruling.is_foul)
        return rulings


class OchkoParty(Evening):
    """A game at a table, compared with what the players know to be due."""

    def __init__(self, table: OchkoTable, seed: int, mischief: float) -> None:
        chance = random.Random(seed)
        super().__init__(AtTable(table, chance), chance, mischief)
        self.table = table

    @property
    def is_over(self) -> bool:
        """Whether the players have stopped."""
        return self.at.state.phase is Phase.GAME_OVER

    def found(self) -> Counter[tuple[str, str]]:
        """Code and seat of everything that is ruled a foul."""
        told = (ruling for told in self.table.referee.history() for ruling in told.rulings)
        return Counter((ruling.code, str(ruling.seat)) for ruling in told if ruling.is_foul)

    def judged(self) -> list[tuple[str, str, str]]:
        """Card, seat and code of every card laid, as the referee rules it."""
        return [
            (str(told.event.card), str(told.rulings[0].seat), told.rulings[0].code)
            for told in self.table.laid()
            if isinstance(told.event, CardLaid)
        ]


def ochko_party(
    seed: int, *, players: int = 4, mischief: float = 0.0, moves: int = 2000, **options: Option
) -> OchkoParty:
    """Some rounds, then the players stop; `moves` is about how many cards are laid."""
    table = OchkoTable(players, dealer="ABCDEF"[seed % players], options=options)
    party = OchkoParty(table, seed, mischief)
    party.play(rounds=max(2, min(8, moves // 30)))
    return party
