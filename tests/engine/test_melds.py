"""Sequences: what can be declared, what cards bear out, for any order of ranks."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK_32, Card, Rank, Suit, read_cards
from engine.melds import Run, cards_of, fits, is_possible, proven

ORDER = tuple(Rank(rank) for rank in (14, 10, 13, 12, 11, 9, 8, 7))
RUNS = st.builds(Run, st.sampled_from(ORDER), st.integers(3, 4), st.sampled_from((None, *Suit))).filter(
    lambda run: is_possible(run, ORDER)
)


def test_a_run_needs_as_many_ranks_from_its_top_down() -> None:
    assert is_possible(Run(Rank.NINE, 3), ORDER)
    assert not is_possible(Run(Rank.EIGHT, 3), ORDER)
    assert not is_possible(Run(Rank.SIX, 3), ORDER)


def test_each_card_serves_in_one_run_only() -> None:
    kings = Run(Rank.KING, 3, Suit.SPADES)
    assert proven([(kings, read_cards("KS QS JS")), (kings, read_cards("KS QS JS"))], ORDER) == (True, False)


def test_a_suit_that_was_not_said_is_found() -> None:
    cards = read_cards("KS QS JS KH QH JH")
    hidden, hearts = Run(Rank.KING, 3), Run(Rank.KING, 3, Suit.HEARTS)
    assert proven([(hidden, cards), (hearts, cards), (hidden, cards)], ORDER) == (True, True, False)


def test_a_run_that_is_not_there_takes_no_cards_from_the_true_ones() -> None:
    cards = read_cards("KS QS JS 8C")
    assert proven([(Run(Rank.KING, 4, Suit.SPADES), cards), (Run(Rank.KING, 3, Suit.SPADES), cards)], ORDER) == (
        False,
        True,
    )


def by_trying(runs: list[Run], cards: list[Card]) -> bool:
    """Whether some choice of suits lays all runs side by side: every choice is tried."""
    for suits in product(*[[run.suit] if run.suit else list(Suit) for run in runs]):
        laid = [card for run, suit in zip(runs, suits, strict=True) for card in cards_of(run, suit, ORDER)]
        if len(set(laid)) == len(laid) and set(laid) <= set(cards):
            return True
    return False


@given(st.lists(st.sampled_from(DECK_32), max_size=16, unique=True), st.lists(RUNS, max_size=3))
def test_runs_fit_where_any_choice_of_suits_does(cards: list[Card], runs: list[Run]) -> None:
    assert fits([(run, cards) for run in runs], ORDER) == by_trying(runs, cards)
