"""The reader itself: a finder and a classifier, and how they are used together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.reader.assembly import assemble, masked, without_nested
from vision.reader.classifier import answer, classify, crop_at
from vision.reader.errors import BadDeck, BadModel
from vision.reader.faces import look_at
from vision.reader.finder import Finder, HeatFinder, Spot
from vision.reader.pose import open_detector
from vision.reader.prototypes import Answers, LearntDeck
from vision.reader.values import Corner, Outline, Reading
from vision.reader.weights import Weights, load_weights, released_models

PHOTO_SIDES_PX = (160, 320, 640, 1280)
"""Longer sides at which a photograph of unknown distance is searched, in octaves.

Indices of 8 to 60 px are found; a jumbo index of a card that fills the picture is 0.4 of it, one on a far table 0.01.
"""

_FINER_SIDE_PX = 2560
"""Searched too in larger photographs whose cards are far off, or where none is found."""
_SMALL_PX, _LIKELY = 12.0, 0.5
"""Height at the last usual scale below which an index that is likely one counts as far off."""


class Reader:
    """Reads cards in pictures with the weights of one model folder; safe to use from one thread at a time."""

    def __init__(self, weights: Weights, *, finder: Finder | None = None, learnt: LearntDeck | None = None) -> None:
        """Reader with these weights, with `finder` in place of theirs, and with the prototypes of a `learnt` deck.

        Raises `BadDeck` when the deck was learnt with other weights.
        """
        if learnt is not None and learnt.model != weights.identity:
            raise BadDeck("the deck was learnt with other weights than these; learn it again with: cardtable learn")
        self._weights, self._learnt = weights, learnt
        self._finder = finder or HeatFinder(weights.finder, weights.settings.threshold)

    @classmethod
    def load(
        cls,
        models: Path | None = None,
        *,
        detector: Path | None = None,
        learnt: LearntDeck | None = None,
        threads: int = 2,
    ) -> Reader:
        """Reader with the weights in `models` (default: the released ones), and `detector` in place of their finder.

        Raises `BadModel` when a file is missing, isn't as released, or is no detector of indices; `BadDeck` when the
        `learnt` deck does not go with the weights.
        """
        weights = load_weights(models or released_models(), threads=threads)
        if detector is None:
            return cls(weights, learnt=learnt)
        finder = open_detector(detector, threads=threads, threshold=weights.settings.threshold)
        return cls(weights, finder=finder, learnt=learnt)

    @property
    def identity(self) -> str:
        """SHA-256 of the classifier's weights: what is learnt with them goes with no others."""
        return self._weights.identity

    @property
    def knows_faces(self) -> bool:
        """Whether `faces` can be asked."""
        return self._weights.faces is not None

    def read(
        self,
        picture: NDArray[np.uint8],
        *,
        scales: Sequence[float] | None = None,
        deck: frozenset[Card] | None = None,
    ) -> tuple[Reading, ...]:
        """Cards in a (h, w, 3) BGR picture, the surest first.

        `scales` are the sizes at which indices are looked for, as factors of the picture's own size; by default some
        that suit a photograph of unknown distance. `deck` names the cards that can occur; by default all 52.
        """
        usual = _photo_scales(picture)
        found = [corner for scale in scales or usual for corner in self.corners(picture, scale)]
        finer = _FINER_SIDE_PX / max(picture.shape[:2])
        if scales is None and finer <= 1 and _are_far(found, usual[-1]):
            found += self.corners(picture, finer)
        return self.assembled(found, deck, picture=picture)

    def assembled(
        self,
        corners: Sequence[Corner],
        deck: frozenset[Card] | None = None,
        *,
        picture: NDArray[np.uint8] | None = None,
    ) -> tuple[Reading, ...]:
        """Cards that the corners of one picture add up to, the surest first.

        In the `picture`, where it is given, cards whose indices say too little are looked at whole.
        """
        look = None if picture is None or self._weights.faces is None else partial(self.faces, picture)
        return assemble(masked(corners, deck), self._weights.settings.least_sure, look)

    def faces(self, picture: NDArray[np.uint8], outlines: Sequence[Outline]) -> NDArray[np.float32]:
        """(n, 54) probabilities of what lies in each outline, the card's four corners in px, clockwise, either way up.

        Columns: the 52 cards in the order of `DECK_52`, a back (`faces.BACK`), no card (`faces.NOTHING`). Read from
        the whole card, its pips or picture, so partly covered ones are read less surely than by an index that shows.
        Raises `BadModel` where the weights are without that network.
        """
        if self._weights.faces is None:
            raise BadModel("these weights cannot read whole cards; use the released ones")
        return look_at(self._weights.faces, picture, outlines)

    def corners(self, picture: NDArray[np.uint8], scale: float = 1.0) -> tuple[Corner, ...]:
        """Indices found and read at one scale, before corners of one card are joined; px of `picture`.

        The finder expects indices of 8 to 60 px: choose `scale` so that they come out there, best at 16 to 32 px.
        """
        spots = self._finder.find(picture, scale)
        chances = classify(self._weights.classifier, picture, spots, settings=self._weights.settings, deck=self._learnt)
        return tuple(without_nested(_corner(spot, row) for spot, row in zip(spots, chances, strict=True)))

    def study(self, picture: NDArray[np.uint8]) -> tuple[tuple[Corner, ...], Answers]:
        """All that looks like an index in a photograph, at every scale, and what the classifier itself says of each.

        For learning a deck: nothing is looked at twice, and no prototypes have a say.
        """
        spots = [spot for scale in _photo_scales(picture) for spot in self._finder.find(picture, scale)]
        settings, levels = self._weights.settings, [picture]
        side = int(self._weights.classifier.get_inputs()[0].shape[1])
        crops = [crop_at(levels, spot, settings.crop_span, side) for spot in spots]
        answers = answer(self._weights.classifier, crops, settings.temperature)
        return tuple(map(_corner, spots, answers.chances())), answers


def _are_far(corners: Sequence[Corner], scale: float) -> bool:
    """Whether there are likely indices that come out small at `scale`, or none at all."""
    heights = [corner.height_px * scale for corner in corners if corner.sure > _LIKELY]
    return not heights or min(heights) < _SMALL_PX


def _photo_scales(picture: NDArray[np.uint8]) -> list[float]:
    return [side / max(picture.shape[:2]) for side in PHOTO_SIDES_PX]


def _corner(spot: Spot, chances: NDArray[np.float32]) -> Corner:
    return Corner(spot.x, spot.y, spot.height_px, spot.up, spot.score, chances)
