"""Revokes in Ton that no single card shows (§8): something more is known of the taker's five cards.

Trump is hearts, B takes, A has 13 and so takes part.
"""

from __future__ import annotations

import pytest

from engine.cards import Card, read_cards
from engine.games.ton import Phase
from engine.seats import Seat
from tests.engine.table import codes
from tests.engine.ton import TonTable

A, B = Seat("A"), Seat("B")


def dealt(**options: str) -> TonTable:
    """A game whose cards are dealt."""
    table = TonTable(2, scores="13/0", options=options)
    table.deal("6H")
    return table


def with_right(**options: str) -> TonTable:
    """B has shown that he has no trump, and has taken one from the stock that nobody saw."""
    table = dealt(**options)
    table.shows("B", "6S 9S JC KD 7D")
    table.call("picked")
    assert table.state.phase is Phase.TRICK
    return table


def proven(table: TonTable, code: str) -> list[object]:
    """The kinds by which rulings of that code were given."""
    told = (ruling for told in table.referee.history() for ruling in told.rulings)
    return [ruling.get("kind") for ruling in told if ruling.code == code]


def test_s8_a_trump_taken_from_the_stock_unseen_is_in_the_hand_until_a_trump_is_laid() -> None:
    table = with_right()
    assert table.play("KC AC 10D 8S")[-1][:2] == ("ok", "revoke-counted")
    assert proven(table, "revoke-counted") == ["not-trumping"]


def test_s8_once_he_has_laid_a_trump_it_may_have_been_that_one() -> None:
    table = with_right()
    table.play("7H 9H 10D 8S")
    assert not proven(table, "revoke-counted")


@pytest.mark.parametrize("pickable", ["true", "false"])
def test_s9_5_it_can_be_the_turned_up_card_where_that_may_be_taken(pickable: str) -> None:
    table = with_right(upcard_pickable=pickable)
    assert (Card("6H") in table.state.hidden(B).cards) == (pickable == "true")
    trumps = read_cards("7H 8H 9H 10H JH QH KH AH")
    others = table.state.hidden(A)
    assert others.special == (frozenset(trumps) if pickable == "false" else frozenset())
    assert others.most == (len(trumps) - 1 if pickable == "false" else 0)


def test_s8_of_five_cards_shown_too_early_the_taker_has_kept_one() -> None:
    """Whichever he kept, he could follow spades or trump."""
    table = dealt()
    assert "false-no-trump" in codes(table.shows("B", "7H 8H 9H 6S 7S"))
    table.take("B")
    table.play("KC AC 10S 8D")
    assert proven(table, "revoke-counted") == ["not-trumping"]


def test_s8_and_none_of_the_others_holds_any_of_them() -> None:
    table = dealt()
    table.shows("B", "7H 8H 9H 6S 7S")
    table.take("B")
    given = set(read_cards("7H 8H 9H 6S 7S"))
    assert not given & table.state.hidden(A).cards
    table.play("6S")
    assert not given & table.state.hidden(B).cards


def test_s4_whoever_shows_five_cards_without_the_right_has_shown_them() -> None:
    table = dealt()
    assert codes(table.shows("A", "AC KC 6D 7D 8D")) == ["not-entitled"]
    table.take("B")
    assert table.play("10C 6D")[-1][:2] == ("ok", "revoke")
    assert proven(table, "revoke") == ["not-following"]


def test_s5_a_card_laid_by_one_who_sits_out_is_in_no_other_hand() -> None:
    table = TonTable(3, scores="13/0/0")
    table.deal("6H")
    table.take("B")
    table.play("KC")
    assert codes(table.lay("9D", hand="C")) == ["wrong-seat"]
    assert Card("9D") not in table.state.hidden(A).cards
    assert "deck-fault" in codes(table.lay("9D", hand="A"))
