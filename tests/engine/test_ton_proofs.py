"""Hidden hands, honest proof (§8): a simulator that knows every hand plants revokes and watches each ruling.

Checked at every single card: what is ruled is what is provable then, no revoke earlier, later or missing. At the end of
each deal every revoke made has been found with its true kind, and nobody else is accused.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from cardtable.simulated.ton.people import People
from cardtable.simulated.tricks.people import PROVEN, Proof
from engine.cards import DECK_36, Card
from engine.events import CardLaid
from engine.games.ton import Phase
from engine.rules import Option
from engine.rulings import Ruling
from tests.engine.ton import TonTable
from tests.engine.ton_players import AtTable, straight_deals

HOUSES: list[dict[str, Option]] = [
    {"others": "optional"},
    {},
    {"others": "optional", "beat_after_trump": "true", "overtrump": "true"},
    {"others": "optional", "upcard_pickable": "false"},
    {"others": "optional", "end_check": "deal", "revoke": "mark"},
    {"others": "optional", "revoke": "replay", "direction": "clockwise"},
]


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_honest_players_are_never_accused(house: int) -> None:
    for seed in range(5):
        people = straight_deals(seed, deals=60, mischief=0.0, options=HOUSES[house])
        assert not people.revokes
        assert not any(people.due.values())


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_every_planted_revoke_is_found_at_the_earliest_provable_moment(house: int) -> None:
    found: Counter[str] = Counter()
    for seed in range(5):
        found += straight_deals(100 + seed, deals=120, mischief=0.2, options=HOUSES[house]).revokes
    assert found["revoke"] > 50


class Blurred(AtTable):
    """A table whose camera now and then takes a card for another, is not sure, and is told right later."""

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """One card in six of a trick is misread."""
        if self.state.phase is not Phase.TRICK or self.chance.random() > 1 / 6:
            return super().lay(seat, card, is_seen=is_seen)
        wrong = self.chance.choice([other for other in DECK_36 if other is not card])
        hand = seat if is_seen and seat is not None else ""
        self.table.lay(str(wrong), hand=hand, sure=0.6, likely=(wrong, card))
        self.table.later()
        if self.chance.random() < 0.3:
            self.answer()
        return ()

    def answer(self) -> None:
        """Every question is answered truly."""
        while self.table.referee.questions():
            question = self.table.referee.questions()[0]
            self.table.news += self.table.referee.answer(question, card=self.truth(question.about), who="host")

    def truth(self, number: int) -> Card:
        """Which card that lay truly was."""
        event = self.table.referee.event(number).event
        assert isinstance(event, CardLaid)
        return event.likely[1] if event.likely else event.card


class Honest(People):
    """Nobody errs but the camera; whatever is ruled in between is looked at as a whole."""

    def lay(
        self, seat: str | None, card: Card, code: str, *, proofs: list[Proof] | None = None, is_seen: bool = True
    ) -> None:
        """A card comes to lie, however it is read."""
        self.at.lay(seat, card, is_seen=is_seen)

    def check(self, rulings: tuple[Ruling, ...], proofs: list[Proof]) -> None:
        """Nothing is due."""


def test_misread_cards_never_accuse_an_honest_player_not_even_for_a_moment() -> None:
    asked = 0
    for seed in range(15):
        chance = random.Random(seed)
        table = TonTable(2 + seed % 5, options={"others": "optional"})
        at = Blurred(table, chance)
        Honest(at, chance, 0.0).play(deals=1)
        asked += len(table.referee.questions())
        at.answer()
        accused = [(told.number, ruling) for told in table.news for ruling in told.rulings if ruling.is_foul]
        assert not accused, f"seed {seed}: {accused}"
    assert asked


@pytest.mark.proof
@pytest.mark.parametrize("mischief", [0.0, 0.2])
def test_a_hundred_thousand_deals(mischief: float) -> None:
    """Slow: 100,000 deals, half of them honest."""
    found: Counter[str] = Counter()
    for seed in range(100):
        found += straight_deals(1000 + seed, deals=500, mischief=mischief, options=HOUSES[seed % len(HOUSES)]).revokes
    assert set(found) == (set(PROVEN) if mischief else set())
