"""Tricks and the duties of a reply, for any trick game."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.simulated.ton.book import Ways, kind_of, legal, takes
from engine.cards import DECK_36, Card, Rank, Suit, read_cards
from engine.pots import Pot
from engine.seats import Seat, in_turn, seats
from engine.tricks import Duties, Play, breach, demand, winner

JASS = Duties(
    plain={Rank(rank): place for place, rank in enumerate((7, 8, 9, 11, 12, 13, 10, 14), start=1)},
    trump={Rank(rank): place for place, rank in enumerate((7, 8, 12, 13, 10, 14, 9, 11), start=1)},
    beat_plain=False,
)
"""Ranks and duties of another trick game: jack and nine high in trumps, higher only on a led trump."""


def trick(cards: Iterable[Card]) -> tuple[Play, ...]:
    """The cards as laid by A, B, C …"""
    return tuple(Play(Seat("ABCDEF"[place]), card, place + 1) for place, card in enumerate(cards))


@pytest.mark.parametrize(
    ("led", "hand", "fine"),
    [
        ("10H", "9H 8H AS", "9H"),
        ("JH", "9H 7H", "9H 7H"),
        ("KS", "8S AH", "8S"),
        ("KS", "7H AD", "7H"),
        ("KS", "AD 9C", "AD 9C"),
        ("9H", "AH 8H KS", "AH 8H"),
    ],
)
def test_ranks_and_duties_of_another_game(led: str, hand: str, fine: str) -> None:
    asked = demand(trick(read_cards(led)), Suit.HEARTS, JASS)
    assert asked is not None
    cards = read_cards(hand)
    kept = [card for card in cards if not any(breach(asked, card, other, JASS) for other in cards)]
    assert " ".join(map(str, kept)) == fine


def test_a_trick_knows_who_takes_it() -> None:
    assert winner(trick(read_cards("9S AS KH")), Suit.DIAMONDS, Duties()).seat == "B"
    assert winner(trick(read_cards("9S AS 6D")), Suit.DIAMONDS, Duties()).seat == "C"
    assert winner(trick(read_cards("9H JH AH")), Suit.HEARTS, JASS).seat == "B"


def test_a_lead_and_a_lead_that_could_not_be_read_ask_for_nothing() -> None:
    assert demand((), Suit.HEARTS, Duties()) is None
    assert demand(trick((Card("??"),)), Suit.HEARTS, Duties()) is None
    assert winner(trick((Card("??"), Card("6S"))), Suit.HEARTS, Duties()).card is Card("6S")


DEALT = st.permutations(DECK_36).map(lambda cards: (cards[:5], cards[5:10], cards[10].suit))


@given(DEALT, st.integers(1, 4), st.booleans(), st.booleans())
def test_one_held_card_at_a_time_proves_what_the_whole_hand_does(
    dealt: tuple[list[Card], list[Card], Suit], laid: int, after: bool, over: bool
) -> None:
    hand, others, trump = dealt
    before, ways = others[:laid], Ways(after, over)
    duties = Duties(beat_after_trump=after, overtrump=over)
    asked = demand(trick(before), trump, duties)
    assert asked is not None
    for card in hand:
        kinds = {breach(asked, card, other, duties) for other in hand} - {None}
        assert bool(kinds) == (card not in legal(set(hand), before, trump, ways))
        assert not kinds or kind_of(card, set(hand), before, trump, ways) in kinds


@given(DEALT, st.integers(1, 5))
def test_the_trick_goes_to_whom_the_rules_name(dealt: tuple[list[Card], list[Card], Suit], laid: int) -> None:
    cards, _, trump = dealt
    played = trick(cards[:laid])
    assert winner(played, trump, Duties()).seat == takes([(play.seat, play.card) for play in played], trump)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 1000) | st.none())))
def test_what_is_in_the_pot_is_what_the_purses_lack(payments: list[tuple[int, int | None]]) -> None:
    pot = Pot.empty(4)
    for place, amount in payments:
        pot = pot.taken_by(place) if amount is None else pot.paid_by(place, amount)
        assert pot.holds + sum(pot.purses) == 0


def test_turns_go_round_in_the_direction_of_play() -> None:
    around = seats(4)
    assert in_turn(around, around[2], around) == ("D", "A", "B", "C")
    assert in_turn(around[::-1], around[2], (around[0], around[2])) == ("A", "C")
