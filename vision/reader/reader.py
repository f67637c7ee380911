"""The reader itself: a finder and a classifier, and how they are used together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.reader.assembly import assemble, masked, without_nested
from vision.reader.classifier import classify
from vision.reader.finder import Finder, HeatFinder
from vision.reader.pose import open_detector
from vision.reader.values import Corner, Reading
from vision.reader.weights import Weights, load_weights, released_models

PHOTO_SIDES_PX = (160, 320, 640, 1280)
"""Longer sides at which a photograph of unknown distance is searched, in octaves.

Indices of 8 to 60 px are found; a jumbo index of a card that fills the picture is 0.4 of it, one on a far table 0.01.
"""


class Reader:
    """Reads cards in pictures with the weights of one model folder; safe to use from one thread at a time."""

    def __init__(self, weights: Weights, *, finder: Finder | None = None) -> None:
        """Reader with these weights, and with `finder` in place of theirs."""
        self._weights = weights
        self._finder = finder or HeatFinder(weights.finder, weights.settings.threshold)

    @classmethod
    def load(cls, models: Path | None = None, *, detector: Path | None = None, threads: int = 2) -> Reader:
        """Reader with the weights in `models` (default: the released ones), and `detector` in place of their finder.

        Raises `BadModel` when a file is missing, isn't as released, or is no detector of indices.
        """
        weights = load_weights(models or released_models(), threads=threads)
        if detector is None:
            return cls(weights)
        return cls(weights, finder=open_detector(detector, threads=threads, threshold=weights.settings.threshold))

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
        if scales is None:
            scales = [side / max(picture.shape[:2]) for side in PHOTO_SIDES_PX]
        found = [corner for scale in scales for corner in self.corners(picture, scale)]
        return assemble(masked(found, deck), self._weights.settings.least_sure)

    def corners(self, picture: NDArray[np.uint8], scale: float = 1.0) -> tuple[Corner, ...]:
        """Indices found and read at one scale, before corners of one card are joined; px of `picture`.

        The finder expects indices of 8 to 60 px: choose `scale` so that they come out there, best at 16 to 32 px.
        """
        settings = self._weights.settings
        spots = self._finder.find(picture, scale)
        chances = classify(
            self._weights.classifier, picture, spots, span=settings.crop_span, temperature=settings.temperature
        )
        corners = [Corner(s.x, s.y, s.height_px, s.up, s.score, row) for s, row in zip(spots, chances, strict=True)]
        return tuple(without_nested(corners))
