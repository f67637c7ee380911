"""Cards are values: each exists once and never changes; only a known one has rank and suit."""

from __future__ import annotations

import copy
import pickle

import pytest

from engine.cards import BACK, DECK_52, OF_SUIT, UNKNOWN, Card, Suit
from engine.errors import BadCard


@pytest.mark.parametrize("card", [UNKNOWN, BACK])
@pytest.mark.parametrize("part", ["rank", "suit"])
def test_a_card_that_is_not_known_has_neither_rank_nor_suit(card: Card, part: str) -> None:
    assert not card.is_known
    with pytest.raises(BadCard, match=f"has no {part}; ask is_known first"):
        getattr(card, part)


@pytest.mark.parametrize("name", ["rank", "suit", "is_known", "price"])
def test_a_card_stays_as_it_is(name: str) -> None:
    with pytest.raises(AttributeError, match="10H stays as it is"):
        setattr(Card("10H"), name, Suit.SPADES)
    assert Card("10H").suit is Suit.HEARTS


def test_what_a_card_does_not_have_is_an_ordinary_error() -> None:
    assert not hasattr(UNKNOWN, "price")


@pytest.mark.parametrize("card", [*DECK_52, UNKNOWN, BACK], ids=str)
def test_every_card_exists_once(card: Card) -> None:
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert Card(str(card)) is card


def test_the_suits_share_out_the_deck() -> None:
    assert sorted(map(str, DECK_52)) == sorted(str(card) for cards in OF_SUIT.values() for card in cards)
    assert all(card.suit is suit for suit, cards in OF_SUIT.items() for card in cards)
