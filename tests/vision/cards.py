"""A card drawn for tests of the training, where no art is installed."""

import cv2
import numpy as np
from numpy.typing import NDArray


def plain_card() -> NDArray[np.uint8]:
    """A 300 × 420 px card with one letter and one round pip in two corners."""
    card = np.full((420, 300, 3), 250, np.uint8)
    cv2.putText(card, "7", (16, 62), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (20, 20, 20), 6)
    cv2.circle(card, (35, 88), 13, (20, 20, 20), -1)
    return np.maximum(np.minimum(card, card[::-1, ::-1]), 0)
