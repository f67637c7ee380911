"""At the end of a deal nothing is undecided: every duty was kept or its breach is ruled, every duel has its verdict."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from cardtable.simulated.debertz.people import People as DebertzPeople
from cardtable.simulated.ton.people import People as TonPeople
from cardtable.simulated.tricks.people import PROVEN, TrickPeople
from engine.events import CardLaid, Event
from engine.games import find_game
from engine.games.ochko.settling import VERDICTS
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import seats
from tests.engine.conformance import PARTIES
from tests.engine.ton import TonFrom
from tests.engine.trick_table import Straight

Found = dict[tuple[str, object], object]


class Noting(Straight[object]):
    """Remembers every revoke as it was ruled last."""

    def __init__(self, rules: object, setup: Setup) -> None:
        super().__init__(rules, setup)  # type: ignore[arg-type]
        self.found: Found = {}

    def _feed(self, event: Event) -> tuple[Ruling, ...]:
        rulings = super()._feed(event)
        proven = [ruling for ruling in rulings if ruling.code in PROVEN]
        self.found.update({(str(ruling.seat), ruling.get("trick")): ruling.get("kind") for ruling in proven})
        return rulings


def made(people: TrickPeople) -> Found:
    """Every revoke of the deal, by the hands as they truly were."""
    book = people.book  # type: ignore[attr-defined]
    return {(seat, trick): kind for seat, trick, kind in book.truth()}


def ton_deals(seed: int) -> Iterator[tuple[Found, Found]]:
    """What was made and what was found in each of a hundred deals of Ton, also where one ends in its midst."""
    chance, players = random.Random(seed), 2 + seed % 5
    setup = Setup(seats(players), ("Anna", "Boris", "Vera", "Gleb", "Dora", "Egor")[:players], seats(players)[0])
    for _ in range(100):
        at = Noting(TonFrom(tuple(chance.choice((9, 13, 14)) for _ in range(players))), setup)
        people = TonPeople(at, chance, 0.3)
        people.play(deals=1)
        yield made(people), at.found


def debertz_deals(seed: int) -> Iterator[tuple[Found, Found]]:
    """Fifty deals of Debertz."""
    setup = Setup(seats(2), ("Anna", "Boris"), seats(2)[seed % 2], {"target": 1_000_000})
    at = Noting(find_game("debertz"), setup)
    people = DebertzPeople(at, random.Random(seed), 0.3)
    for _ in range(50):
        people.book = None  # type: ignore[assignment]
        at.found.clear()
        people.play(deals=1)
        if people.book is not None:  # not thrown in
            yield made(people), at.found


@pytest.mark.parametrize("deals", [ton_deals, debertz_deals], ids=["ton", "debertz"])
def test_s8_at_the_end_of_a_deal_every_revoke_is_found_with_its_kind_and_no_other(deals: object) -> None:
    assert callable(deals)
    found = 0
    for seed in range(6):
        for true, ruled in deals(seed):
            assert ruled == true
            found += len(true)
    assert found > 100


def test_s5_every_duel_of_ochko_ends_with_a_verdict() -> None:
    for seed in range(6):
        history = PARTIES["ochko"](seed, players=3 + seed % 4, mischief=0.0).table.referee.history()
        codes = [ruling.code for told in history for ruling in told.rulings]
        told = ["duel" if code == "duel" else "verdict" for code in codes if code in ("duel", *VERDICTS)]
        assert told == ["duel", "verdict"] * (len(told) // 2)
        assert told


def test_at_the_end_of_a_game_of_bong_every_card_has_its_seat_and_its_verdict() -> None:
    for seed in range(6):
        party = PARTIES["bong"](seed, players=3 + seed % 4, mischief=0.2)
        assert party.is_over
        assert not party.table.referee.questions()
        for told in party.table.laid():
            assert isinstance(told.event, CardLaid)
            assert told.rulings
            assert len(told.event.seats) == 1
