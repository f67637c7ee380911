"""Hidden totals, honest proof (§5, §7): a simulator that knows every card plants fouls and watches each ruling.

At the end of every duel verdict, payment and everything found are compared with a book of its own; after every round
bank, purses and pack are counted. Only what was planted is called, and all of it.
"""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import DECK_36, Card
from engine.events import CardLaid
from engine.games.ochko.hands import NEVER, Audit, Count, audit, audit_mixed
from engine.games.ochko.state import CHOICES
from engine.rules import Option
from engine.seats import Seat
from tests.engine.ochko import OchkoTable
from tests.engine.ochko_hands import AtTable, Rulings
from tests.engine.ochko_party import CountingFouls, straight_rounds
from tests.engine.ochko_players import Evening

HOUSES: list[dict[str, Option]] = [
    {},
    {"first_deal": "one", "pot_mode": "common_pot", "natural_scope": "all", "tie": "push", "natural_pays": "2"},
    {
        "punter_stand": "free",
        "punter21": "compare",
        "late_natural": "stands",
        "banker_rule": "draw_to_17",
        "deck_out": "reshuffle_discard",
    },
    {
        "illegal_hit": "dead",
        "max_extra": "3",
        "bank_limit": "false",
        "banker_rule": "draw_to_16",
        "deck": "52",
        "hidden_bust_double": "true",
    },
    {"illegal_hit": "lose", "ace_low": "true", "gold_punter": "false", "deck": "2x52", "banker_rule": "draw_to_17"},
    {"ace_low": "true", "deck": "32", "hidden_bust_double": "true", "natural_pays": "2", "max_extra": "3"},
]


def check(evening: Evening) -> None:
    """Exactly what was planted was called."""
    assert isinstance(evening.at, CountingFouls)
    assert evening.at.found == evening.due


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_honest_players_are_never_accused(house: int) -> None:
    for seed in range(5):
        evening = straight_rounds(seed, rounds=20, mischief=0.0, options=HOUSES[house])
        assert not evening.due
        check(evening)


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_planted_fouls_are_called_all_and_only_they(house: int) -> None:
    found = 0
    for seed in range(5):
        evening = straight_rounds(100 + seed, rounds=20, mischief=0.35, options=HOUSES[house])
        check(evening)
        found += evening.due.total()
    assert found > 100


ANY_HOUSE = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})


@settings(max_examples=60, deadline=None)
@given(ANY_HOUSE, st.integers(0, 9999))
def test_stakes_and_bank_always_add_up(house: dict[str, str], seed: int) -> None:
    """Under any house rules purses and bank make nothing together, and are what the players have counted themselves."""
    check(straight_rounds(seed, rounds=4, mischief=0.25, options=house))


COUNTS = (
    Count(16, ace_low=False, has_gold=True),
    Count(21, ace_low=True, has_gold=True),
    Count(17, ace_low=True, has_gold=False),
    Count(NEVER, ace_low=False, has_gold=False),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(DECK_36), min_size=2, max_size=6, unique=True), st.sampled_from(COUNTS))
def test_7_a_row_without_its_order_is_judged_as_by_trying_every_order(cards: list[Card], count: Count) -> None:
    asked = (True,) * len(cards)
    found = [audit(order, asked, count) for order in permutations(cards)]
    stops = [one.stop for one in found if one.stop is not None]
    expected = Audit(is_open=bool(stops)) if len(stops) < len(found) else Audit(min(stops))
    mixed = audit_mixed(tuple(cards), count)
    assert (mixed.stop, mixed.is_open) == (expected.stop, expected.is_open)


class Blurred(AtTable):
    """A table whose camera now and then takes a card that is turned up for another, is not sure, and is told later."""

    def lay(self, seat: str, card: str, place: int) -> Rulings:
        """One face in four is misread; its question is answered at once or after the next card."""
        is_asked = bool(self.table.referee.questions())
        if card == "##" or is_asked or self.chance.random() > 1 / 4:
            rulings = super().lay(seat, card, place)
            return rulings + self.answer()
        wrong = self.chance.choice([str(other) for other in DECK_36 if str(other) != card])
        closed = sum(not one.is_known for one in self.state.hand(Seat(seat)).cards)
        self.table.at_seat(seat, wrong, place, sure=0.6, likely=(Card(wrong), Card(card)))
        return self.answer() if closed == 1 or self.chance.random() < 0.5 else ()

    def answer(self) -> Rulings:
        """Every question is answered truly; what is ruled then."""
        rulings: Rulings = ()
        while self.table.referee.questions():
            question = self.table.referee.questions()[0]
            event = self.table.referee.event(question.about).event
            assert isinstance(event, CardLaid)
            told = self.table.referee.answer(question, card=event.likely[1], who="host")
            self.table.news += told
            rulings += tuple(ruling for one in told for ruling in one.rulings)
        return rulings


class HonestEvening(Evening):
    """Nobody errs but the camera."""

    def lay(self, seat: str, card: str, code: str, *, place: int = 0) -> Rulings:
        """A card comes to lie, however it is read."""
        rulings = self.at.lay(seat, card, place)
        self.told += rulings
        return rulings


def test_misread_cards_never_accuse_an_honest_player_not_even_for_a_moment() -> None:
    asked = 0
    for seed in range(8):
        chance = random.Random(seed)
        table = OchkoTable(2 + seed % 3, dealer="A", options={})
        HonestEvening(Blurred(table, chance), chance, 0.0).play(rounds=2)
        codes = [ruling for told in table.news for ruling in told.rulings]
        asked += sum(ruling.code == "unsure" for ruling in codes)
        assert not [ruling for ruling in codes if ruling.is_foul], f"seed {seed}"
    assert asked


@pytest.mark.proof
@pytest.mark.parametrize("mischief", [0.0, 0.25])
def test_a_hundred_thousand_deals(mischief: float) -> None:
    """Slow: 100,000 deals, half of them honest, among two to four players."""
    found = 0
    for seed in range(250):
        house, players = HOUSES[seed % len(HOUSES)], 2 + seed % 3
        evening = straight_rounds(1000 + seed, rounds=200, mischief=mischief, options=house, players=players)
        check(evening)
        found += evening.due.total()
    assert (found == 0) == (mischief == 0)
