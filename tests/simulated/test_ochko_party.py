"""A simulated party of Ochko: the people's own book is right, and where the referee rules otherwise, that is told."""

from __future__ import annotations

import pytest

from cardtable.simulated.demo import NAMES
from cardtable.simulated.ochko.book import Book, Hand
from cardtable.simulated.ochko.demo import OchkoDemo
from engine.cards import read_cards
from engine.seats import Seat


def unplayed() -> OchkoDemo:
    """A party at which nothing has happened."""
    return OchkoDemo(NAMES, seed=2)


@pytest.mark.slow  # loads the weights
def test_whatever_is_ruled_otherwise_than_it_was_is_told() -> None:
    demo = unplayed()
    book = demo.people.book
    assert demo.compare().differences == ()
    book.verdicts.append((Seat("B"), "punter-wins", 10))
    book.fouls["too-early", Seat("A")] += 1
    book.purses[Seat("A")] += 1
    assert sorted(difference.kind for difference in demo.compare().differences) == ["missed", "missed", "wrong"]


@pytest.mark.slow  # loads the weights
def test_an_accusation_that_is_taken_back_still_counts() -> None:
    demo = unplayed()
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
