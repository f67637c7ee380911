"""A simulated party of Ochko: the referee agrees with the people's own book, and where it would not, that is told."""

from __future__ import annotations

import pytest

from cardtable.simulated.demo import NAMES
from cardtable.simulated.ochko.book import Book, Hand
from cardtable.simulated.ochko.demo import OchkoDemo
from engine.cards import read_cards
from engine.seats import Seat


def played(seed: int) -> OchkoDemo:
    """A party played to its end."""
    demo = OchkoDemo(NAMES, seed=seed)
    while not demo.is_over:
        demo.step()
    return demo


@pytest.mark.parametrize("seed", range(1, 11))
def test_every_duel_foul_and_point_is_as_the_people_counted(seed: int) -> None:
    demo = played(seed)
    assert demo.compare().differences == ()
    assert demo.people.book.verdicts


def test_a_party_has_doubts_fouls_and_both_winners() -> None:
    summaries = [demo.summary(demo.compare()) for demo in (played(seed) for seed in (1, 2, 3))]
    assert sum(one["questions"] for one in summaries) > 0
    assert sum(one["fouls"] for one in summaries) > 0
    assert {code for _, code, _ in played(1).people.book.verdicts} == {"punter-wins", "banker-wins"}


def test_whatever_is_ruled_otherwise_than_it_was_is_told() -> None:
    demo = played(2)
    book = demo.people.book
    seat, _, points = book.verdicts[0]
    book.verdicts[0] = (seat, "push", points)
    book.fouls["too-early", Seat("A")] += 1
    book.purses[Seat("A")] += 1
    assert sorted(difference.kind for difference in demo.compare().differences) == ["missed", "wrong", "wrong"]


def test_an_accusation_that_is_taken_back_still_counts() -> None:
    demo = played(2)
    demo._accused[10_000, "must-stand"] = Seat("A")
    assert [difference.kind for difference in demo.compare().differences] == ["wrong"]


@pytest.mark.parametrize(
    ("cards", "worth"),
    [("KC 7D 9S", 20), ("10H 6H KD", 16), ("10H 7D 9S", 0), ("AC AD", 22), ("AC AD KH", 0), ("9H 6C 7S", 0)],
)
def test_the_book_counts_as_the_rules_do(cards: str, worth: int) -> None:
    assert Hand(list(read_cards(cards))).worth() == worth


def test_the_book_pays_up_to_the_bank() -> None:
    book = Book(bank=5)
    book.settle(Seat("B"), 10, Hand(list(read_cards("10S 9S"))), Hand(list(read_cards("10D 8D"))), is_declared=False)
    assert (book.bank, book.purses[Seat("B")]) == (0, 5)
