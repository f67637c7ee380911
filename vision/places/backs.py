"""Cards face down: a changed patch in the shape of a card on which no index is read."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.evidence import Pose
from vision.window import PX_PER_MM, Mask, Window

_LESS_MM, _MORE_MM = 5.0, 8.0
"""How far the sides of a patch may differ from a card's: a shadow makes it larger."""
_LEAST_PX = 12
_LEAST_FILLED = 0.35
"""How much of the patch must have changed: backs lie on backs, and there much of the print stays as it was."""


def card_shapes(changed: Mask, window: Window) -> list[Pose]:
    """Where patches of changed pixels are as large as one card; several that are only together so large count too."""
    closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), dtype=np.uint8))
    # Specks along the rim, e.g. of the print of a neighbour, would make the patch larger than it is.
    plain = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), dtype=np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(plain)
    sizes = stats[:, cv2.CC_STAT_AREA]
    patches = [labels == label for label in range(1, count) if sizes[label] >= _LEAST_PX]
    found = [pose for patch in patches if (pose := _card_shape(patch, window)) is not None]
    if found or len(patches) < 2:
        return found
    whole = _card_shape(np.logical_or.reduce(patches), window)
    return [whole] if whole is not None else []


def _card_shape(patch: Mask, window: Window) -> Pose | None:
    """The card that fits around the pixels, if one does."""
    rows, columns = np.nonzero(patch)
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.float32))
    (x, y), (one, other), angle = cv2.minAreaRect(hull)
    short, long = sorted((one + 1, other + 1))
    width, height = (side * PX_PER_MM for side in window.layout.card_mm)
    less, more = _LESS_MM * PX_PER_MM, _MORE_MM * PX_PER_MM
    if not (-less <= short - width <= more and -less <= long - height <= more):
        return None
    if len(rows) < _LEAST_FILLED * width * height:
        return None
    upright = angle if other >= one else angle + 90.0
    middle = window.to_mm(np.array([(x, y)], dtype=np.float64))[0]
    return Pose(float(middle[0]), float(middle[1]), math.fmod(upright, 180.0) % 180.0)
