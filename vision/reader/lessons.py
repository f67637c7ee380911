"""Learning a deck: pictures of its cards come in, in any order; prototypes come out."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from vision.reader.errors import BadDeck, BadModel
from vision.reader.prototypes import RANKS, SUITS, Answers, Floats, LearntDeck, learn
from vision.reader.reader import Reader
from vision.reader.values import Corner, Reading

SURE = 0.9
"""Certainty from which a card is taken for what it is read as; below, a person is asked."""
_FLOOR = 0.01
_CLEARER = 3.0
"""By how much a card must fit better than the picture's other cards together."""
_INDEX = 0.5
"""Chance of "no index" up to which something counts as an index."""
_MOST_A_CARD = 24
"""Samples kept of one card; a camera that looks on for long must not outweigh the rest."""


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What one picture shows to whoever learns a deck."""

    corners: tuple[Corner, ...]
    answers: Answers
    readings: tuple[Reading, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that were read, the surest first."""
        return tuple(reading.card for reading in self.readings)

    @property
    def is_sure(self) -> bool:
        """Whether something was read, and all of it with certainty."""
        return bool(self.readings) and all(reading.sure >= SURE for reading in self.readings)


class Lessons:
    """Collects what the cards of one deck look like."""

    def __init__(self, reader: Reader, deck: Collection[Card] = DECK_52) -> None:
        """Lessons about the cards of `deck`, read with `reader`, which must be without learnt prototypes."""
        self._reader, self._deck = reader, frozenset(deck)
        self._rows: list[tuple[Floats, Floats, Floats]] = []
        self._labels: list[int] = []
        self._groups: list[int] = []
        self._pictures = 0

    @property
    def missing(self) -> tuple[Card, ...]:
        """Cards of the deck of which no index has been taken yet."""
        taken = set(self._labels)
        return tuple(card for number, card in enumerate(DECK_52) if card in self._deck and number not in taken)

    @property
    def pictures(self) -> int:
        """How many pictures something was taken from."""
        return self._pictures

    def look(self, picture: NDArray[np.uint8]) -> Shown:
        """What a (h, w, 3) BGR picture shows, and which cards of the deck that seems to be."""
        corners, answers = self._reader.study(picture)
        if len(corners) and not answers.features.shape[1]:
            raise BadModel("these weights give out no features, so that no deck can be learnt; use the released ones")
        return Shown(corners, answers, self._reader.assembled(corners, self._deck))

    def take(self, shown: Shown, cards: Iterable[Card], *, are_all: bool) -> frozenset[Card]:
        """Takes in what a picture shows, given cards that lie in it; returns those of which an index was found.

        If they `are_all` that lie there, an index that reads otherwise is taken for the one that it resembles most.
        """
        numbers = sorted(DECK_52.index(card) for card in set(cards))
        found = _assigned(shown.answers.chances(), numbers) if are_all else _read(shown.answers.chances(), numbers)
        for row, number in found:
            if self._labels.count(number) < _MOST_A_CARD:
                self._rows.append((shown.answers.rank[row], shown.answers.suit[row], shown.answers.features[row]))
                self._labels.append(number)
                self._groups.append(self._pictures)
        self._pictures += bool(found)
        return frozenset(DECK_52[number] for _, number in found)

    def deck(self) -> LearntDeck:
        """What has been learnt; raises `BadDeck` when nothing was shown."""
        if not self._rows:
            raise BadDeck("no index of a card was found in what was shown; show the cards closer and in better light")
        ranks, suits, features = (np.stack(part) for part in zip(*self._rows, strict=True))
        labels, groups = np.array(self._labels, np.int64), np.array(self._groups, np.int64)
        return learn(Answers(ranks, suits, features), labels, groups, self._reader.identity)


def _read(chances: Floats, numbers: list[int]) -> list[tuple[int, int]]:
    """Pairs of row and card where one of the cards `numbers` was read, be it unsurely."""
    best = chances.argmax(axis=1)
    return [(row, card) for row, card in enumerate(best.tolist()) if card in numbers and chances[row, card] > _INDEX]


def _assigned(chances: Floats, numbers: list[int]) -> list[tuple[int, int]]:
    """Pairs of row and card for the (n, 52) chances of which one of the cards `numbers` explains more than "no index".

    Rank and suit count each for themselves, so that a card whose rank is misread is still known by its suit.
    """
    if not numbers:
        return []
    table = chances.reshape(-1, SUITS, RANKS)
    ranks, suits, nothing = table.sum(axis=1), table.sum(axis=2), 1 - chances.sum(axis=1)
    wanted = np.array(numbers)
    fits = np.maximum(ranks[:, wanted % RANKS], _FLOOR) * np.maximum(suits[:, wanted // RANKS], _FLOOR)
    best = fits.argmax(axis=1)
    clear = fits.max(axis=1) > _CLEARER * (fits.sum(axis=1) - fits.max(axis=1))
    rows = np.flatnonzero((nothing < _INDEX) & clear)
    return [(int(row), int(wanted[best[row]])) for row in rows]
