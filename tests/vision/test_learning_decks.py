"""Learning a deck: what is shown becomes prototypes, which help where the reading errs and nowhere get in the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.cards import DECK_52, Card
from vision.reader import BadDeck, LearntDeck, Reader, read_deck, write_deck
from vision.reader.lessons import Lessons
from vision.reader.prototypes import Answers, learn

FEATURES = 24
MODEL = "0" * 64


def samples(confused: float, *, seed: int = 1, each: int = 3) -> tuple[Answers, np.ndarray, np.ndarray]:
    """Views of all cards by a classifier that takes a share of the eights for sixes but sees a difference."""
    rng = np.random.default_rng(seed)
    marks = np.random.default_rng(0).normal(size=(13, FEATURES)) + 0.1
    labels = np.repeat(np.arange(52), each)
    rank, suit = np.full((len(labels), 14), -2.0), np.full((len(labels), 5), -3.0)
    rank[np.arange(len(labels)), labels % 13] = 4
    suit[np.arange(len(labels)), labels // 13] = 4
    wrong = (labels % 13 == 6) & (rng.random(len(labels)) < confused)
    rank[wrong, 4], rank[wrong, 6] = 4, 1.5
    features = marks[labels % 13] + rng.normal(scale=0.2, size=(len(labels), FEATURES))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    rows = (np.asarray(part, np.float32) for part in (rank, suit, features))
    return Answers(*rows), labels, np.tile(np.arange(each), 52)


def right(deck: LearntDeck | None, answers: Answers, labels: np.ndarray) -> float:
    """Share of the views that are read as what they are."""
    heard = answers if deck is None else deck.heard(answers)
    return float((heard.chances().argmax(axis=1) == labels).mean())


def test_prototypes_mend_what_the_classifier_confuses() -> None:
    deck = learn(*samples(0.9), MODEL)
    fresh, labels, _ = samples(0.9, seed=2)
    assert right(None, fresh, labels) < 0.95
    assert right(deck, fresh, labels) == 1.0


def test_a_deck_that_reads_well_is_left_alone() -> None:
    deck = learn(*samples(0.0), MODEL)
    fresh, *_ = samples(0.5, seed=3)
    assert not deck.changes_reading
    assert deck.heard(fresh) is fresh


def test_cards_never_shown_do_not_suffer() -> None:
    """Only cards of two suits are shown; the others are read at least as well as before."""
    answers, labels, groups = samples(0.9)
    shown = np.flatnonzero(labels < 26)
    deck = learn(answers.part(shown), labels[shown], groups[shown], MODEL)
    fresh, labels, _ = samples(0.9, seed=4)
    unseen = np.flatnonzero(labels >= 26)
    assert right(deck, fresh.part(unseen), labels[unseen]) > right(None, fresh.part(unseen), labels[unseen])


def test_a_deck_survives_its_file(tmp_path: Path) -> None:
    deck = learn(*samples(0.9), MODEL)
    write_deck(deck, tmp_path / "new" / "deck.npz")
    again = read_deck(tmp_path / "new" / "deck.npz")
    fresh, *_ = samples(0.9, seed=5)
    assert again.cards == frozenset(DECK_52)
    assert again.heard(fresh).chances() == pytest.approx(deck.heard(fresh).chances(), abs=0.01)


def test_damaged_and_foreign_files_are_told_in_a_sentence(tmp_path: Path) -> None:
    deck = learn(*samples(0.9), MODEL)
    path = tmp_path / "deck.npz"
    write_deck(deck, path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadDeck, match="is damaged"):
        read_deck(path)
    with pytest.raises(BadDeck, match="no deck has been learnt"):
        read_deck(tmp_path / "absent.npz")
    with pytest.raises(BadDeck, match="other weights"):
        Reader.load(learnt=deck)


def test_a_named_picture_teaches_both_indices_of_its_card() -> None:
    from tests.vision.test_reader import table  # noqa: PLC0415

    lessons = Lessons(Reader.load())
    shown = lessons.look(table(("9S", 240, 240, 15)))
    assert shown.cards == (Card("9S"),)
    assert shown.is_sure
    assert lessons.take(shown, shown.cards, are_all=True) == {Card("9S")}
    assert len(lessons.missing) == 51
    deck = lessons.deck()
    assert deck.cards == {Card("9S")}
    assert len(deck.labels) >= 2


def test_a_card_named_otherwise_than_it_reads_is_believed() -> None:
    """A person knows better: what reads as a nine of spades is this deck's six of spades."""
    from tests.vision.test_reader import table  # noqa: PLC0415

    lessons = Lessons(Reader.load())
    shown = lessons.look(table(("9S", 240, 240, 15)))
    assert lessons.take(shown, [Card("6S")], are_all=True) == {Card("6S")}
    assert lessons.take(shown, [Card("6S")], are_all=False) == frozenset()


def test_nothing_shown_is_told() -> None:
    with pytest.raises(BadDeck, match="no index of a card was found"):
        Lessons(Reader.load()).deck()
