"""A deck learnt at the table: what its indices look like to the classifier, and what that changes in its answers.

Every index that was shown votes on how far the answer for one that looks like it must be moved: kernel ridge regression
of what was missing (C. Saunders et al., ICML 1998). Where nothing was missing the votes are nought, and they fade for
what looks like nothing that was shown. No network is trained.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from vision.reader.errors import BadDeck

RANKS, SUITS = 13, 4
FORMAT = 1
_SHARPNESSES = (0.1, 0.5, 2.0, 8.0)
_RIDGES = (0.1, 0.3, 1.0, 3.0)
_MARGIN = 4.0
"""Logits by which the right rank or suit should lead."""
_WORTH = 0.005
"""Nats an index by which ranks or suits must be read better before votes count: less is chance."""

Floats = NDArray[np.float32]
Labels = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What the classifier says about n indices, before it becomes probabilities."""

    rank: Floats
    """(n, 14) logits, the last of "no index", divided by the temperature."""
    suit: Floats
    """(n, 5) the same for suits."""
    features: Floats
    """(n, f) what the logits rest on, each row of length 1; f is 0 for weights that don't give them out."""

    def chances(self) -> Floats:
        """(n, 52) probabilities of the cards; what is missing to 1 in a row is "no index"."""
        ranks, suits = _softmax(self.rank), _softmax(self.suit)
        return np.asarray((suits[:, :SUITS, None] * ranks[:, None, :RANKS]).reshape(-1, RANKS * SUITS), np.float32)

    def part(self, rows: NDArray[np.intp]) -> Answers:
        """Only those rows."""
        return Answers(self.rank[rows], self.suit[rows], self.features[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """How the shown indices change one of the classifier's two answers."""

    moves: Floats
    """(m, c) in logits, for each shown index and class; all 0 where the deck reads as well without."""
    sharpness: float
    """How fast a vote counts less for what looks otherwise."""
    gain: float
    """By how much the right class's log probability rises, a photograph read with the others' votes; 0 if unused."""

    def heard(self, logits: Floats, features: Floats, shown: Floats) -> Floats:
        """The (n, c) logits of indices with (n, f) features after the (m, f) shown ones have voted."""
        return logits + _alike(features, shown, self.sharpness) @ self.moves if self.gain else logits


@dataclass(frozen=True, slots=True, eq=False)
class LearntDeck:
    """What the indices that were shown look like, and their votes."""

    features: Floats
    """(m, f) of the indices that were shown."""
    labels: Labels
    """(m,) their cards, as positions in `DECK_52`."""
    rank: Votes
    suit: Votes
    model: str
    """SHA-256 of the weights that the features come from; with others they mean nothing."""

    @property
    def cards(self) -> frozenset[Card]:
        """The cards of which an index was shown."""
        return frozenset(DECK_52[label] for label in self.labels.tolist())

    @property
    def changes_reading(self) -> bool:
        """Whether anything reads better for it."""
        return self.rank.gain > 0 or self.suit.gain > 0

    def heard(self, answers: Answers) -> Answers:
        """The answers after everything that was shown has voted."""
        if not self.changes_reading:
            return answers
        rank = self.rank.heard(answers.rank, answers.features, self.features)
        suit = self.suit.heard(answers.suit, answers.features, self.features)
        return Answers(rank, suit, answers.features)


def learn(samples: Answers, labels: Labels, groups: Labels, model: str) -> LearntDeck:
    """A deck from n samples with their cards (n,) and the photographs (n,) that they come from."""
    rank = _votes(samples.rank, labels % RANKS, samples.features, groups)
    suit = _votes(samples.suit, labels // RANKS, samples.features, groups)
    return LearntDeck(samples.features, labels, rank, suit, model)


def _votes(logits: Floats, labels: Labels, features: Floats, groups: Labels) -> Votes:
    """The votes under which every photograph is read best with what the others have taught; none if none helps."""
    lacking, before = _lacking(logits, labels), _worth(logits, labels)
    best = Votes(np.zeros_like(logits), 1.0, 0.0)
    for sharpness in _SHARPNESSES:
        alike = _alike(features, features, sharpness)
        for ridge in _RIDGES:
            inverse = np.asarray(np.linalg.inv(alike + ridge * np.eye(len(alike))), np.float32)
            moves = np.asarray(inverse @ lacking, np.float32)
            gain = _worth(logits + _foretold(inverse, moves, lacking, groups), labels) - before
            if gain > max(best.gain, _WORTH):
                best = Votes(moves, sharpness, gain)
    return best


def _lacking(logits: Floats, labels: Labels) -> Floats:
    """(n, c) by how much the right class must rise, and its strongest rival fall, to lead by the margin."""
    rows, rivals, lacking = np.arange(len(logits)), logits.copy(), np.zeros_like(logits)
    rivals[rows, labels] = -np.inf
    rival = rivals.argmax(axis=1)
    short = np.maximum(_MARGIN + logits[rows, rival] - logits[rows, labels], 0) / 2
    lacking[rows, labels], lacking[rows, rival] = short, -short
    return lacking


def _foretold(inverse: Floats, moves: Floats, lacking: Floats, groups: Labels) -> Floats:
    """(n, c) what each photograph's indices would be moved by, had they not been shown themselves."""
    moved = np.zeros_like(lacking)
    for group in np.unique(groups):
        own = np.flatnonzero(groups == group)
        moved[own] = lacking[own] - np.linalg.solve(inverse[np.ix_(own, own)], moves[own])
    return moved


def _worth(logits: Floats, labels: Labels) -> float:
    """Mean log probability of the right classes."""
    return float(np.log(np.maximum(_softmax(logits)[np.arange(len(labels)), labels], 1e-6)).mean())


def _alike(features: Floats, others: Floats, sharpness: float) -> Floats:
    """(n, m) likeness of n to m features of length 1; 1 is the same."""
    return np.asarray(np.exp(sharpness * (features @ others.T - 1)), np.float32)


def write_deck(deck: LearntDeck, path: Path) -> None:
    """Writes the deck as one file; raises `BadDeck` when it cannot."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            np.savez_compressed(
                file,
                format=np.array(FORMAT),
                features=deck.features.astype(np.float16),
                labels=deck.labels.astype(np.uint8),
                rank=deck.rank.moves,
                suit=deck.suit.moves,
                settings=np.array([[votes.sharpness, votes.gain] for votes in (deck.rank, deck.suit)]),
                model=np.array(deck.model),
            )
    except OSError as error:
        raise BadDeck(f"the deck cannot be written to {path}: {error.strerror}") from error


def read_deck(path: Path) -> LearntDeck:
    """The deck in a file; raises `BadDeck` when there is none or it is damaged."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as file:
            features, labels = file["features"].astype(np.float32), file["labels"].astype(np.int64)
            rank, suit = (
                Votes(file[name], *row) for name, row in zip(("rank", "suit"), file["settings"].tolist(), strict=True)
            )
            model, version = str(file["model"]), int(file["format"])
    except FileNotFoundError:
        raise BadDeck(
            f"no deck has been learnt into {path}; learn it with: cardtable learn NAME --photos DIR"
        ) from None
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise BadDeck(
            f"{path} is no learnt deck, or is damaged ({error}); delete it and learn the deck again"
        ) from error
    if version != FORMAT or len(features) != len(labels) or (labels >= len(DECK_52)).any():
        raise BadDeck(f"{path} comes from another version of cardtable; learn the deck again")
    return LearntDeck(features, labels, rank, suit, model)


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)
