"""The reader itself: a finder and a classifier, and how they are used together."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card
from vision.reader.values import Corner, Reading


class Reader:
    """Reads cards in pictures with the weights of one model folder; safe to use from one thread at a time."""

    @classmethod
    def load(cls, models: Path | None = None) -> Reader:
        """Reader with the weights in `models` (default: the released ones); raises `BadModel` if they aren't as released."""
        raise NotImplementedError

    def read(
        self,
        picture: NDArray[np.uint8],
        *,
        scales: Sequence[float] | None = None,
        deck: frozenset[Card] | None = None,
    ) -> tuple[Reading, ...]:
        """Cards in a (h, w, 3) BGR picture, the surest first.

        `scales` are the sizes at which indices are looked for, as factors of the picture's own size; by default two that
        suit a photograph of unknown distance. `deck` names the cards that can occur; by default all 52.
        """
        raise NotImplementedError

    def corners(self, picture: NDArray[np.uint8], scale: float = 1.0) -> tuple[Corner, ...]:
        """Indices found and read at one scale, before corners of one card are joined; px of `picture`."""
        raise NotImplementedError
