"""What the reader says about a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import Card

Outline = tuple[tuple[float, float], ...]
"""Points (x, y) in px around something, in order."""


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """One corner index as found and read, before corners of one card are joined."""

    x: float
    """Centre of the index in the picture, px."""
    y: float
    height_px: float
    """From the top of the rank letter to the foot of the small pip, px."""
    up: tuple[float, float]
    """Unit vector from pip to letter in picture axes (x right, y down)."""
    score: float
    """How certain the finder is that an index is here, 0 to 1."""
    probabilities: NDArray[np.float32]
    """(52,) in the order of `engine.cards.DECK_52`; what is missing to 1 is the chance that this is no index."""

    @property
    def label(self) -> int:
        """Position of the likeliest card in `DECK_52`."""
        return int(self.probabilities.argmax())

    @property
    def sure(self) -> float:
        """Probability of the likeliest card."""
        return float(self.probabilities.max())


@dataclass(frozen=True, slots=True)
class Reading:
    """One card read in a picture, all of its visible corners joined."""

    card: Card
    sure: float
    """Calibrated probability that this card lies here."""
    box: tuple[float, float, float, float]
    """x, y, width, height in px: the card as far as its indices tell; at least the union of the indices."""
    corners: tuple[Corner, ...]
    """Corners that show this card; its two ends come first where both are seen."""
    distribution: tuple[tuple[Card, float], ...]
    """The likeliest cards with their probabilities, best first, at most five: who may ask "which of these?"."""
    outline: Outline = ()
    """The card's four corners, clockwise from the one beside its first index, as far as its indices tell."""
