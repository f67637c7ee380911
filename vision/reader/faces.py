"""Looks at whole cards: pips and pictures tell where an index says too little, and backs are told from faces."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.reader.values import Outline

WIDTH_PX, HEIGHT_PX, MARGIN_PX = 72, 96, 4
"""Size of the upright picture of a card that the network sees, and what of it lies outside the card on each side."""
CARDS, BACK, NOTHING = 52, 52, 53
"""Columns of what `Reader.faces` returns: the cards in the order of `DECK_52`, a back, and neither."""

_PLACE = np.array(
    [
        (MARGIN_PX, MARGIN_PX),
        (WIDTH_PX - MARGIN_PX, MARGIN_PX),
        (WIDTH_PX - MARGIN_PX, HEIGHT_PX - MARGIN_PX),
        (MARGIN_PX, HEIGHT_PX - MARGIN_PX),
    ],
    np.float32,
)


def look_at(
    session: ort.InferenceSession, picture: NDArray[np.uint8], outlines: Sequence[Outline]
) -> NDArray[np.float32]:
    """(n, 54) probabilities of what lies in the outlines: one of 52 cards, a back, nothing of the kind."""
    if not outlines:
        return np.zeros((0, NOTHING + 1), np.float32)
    levels = [picture]
    crops = np.stack([card_at(levels, outline) for outline in outlines])
    (logits,) = session.run(None, {"cards": crops})
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


def card_at(levels: list[NDArray[np.uint8]], outline: Outline) -> NDArray[np.uint8]:
    """The card in an outline, upright (96, 72, 3); `levels` is the picture and its halvings, made as needed."""
    corners, level = np.array(outline, np.float32), 0
    tall = float(np.linalg.norm(corners[0] - corners[3]) + np.linalg.norm(corners[1] - corners[2])) / 2
    while tall > 1.6 * HEIGHT_PX and level < 6:
        tall, level = tall / 2, level + 1
        if level == len(levels):
            levels.append(
                np.asarray(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            )
    matrix = cv2.getPerspectiveTransform(corners / 2**level, _PLACE)
    return np.asarray(
        cv2.warpPerspective(levels[level], matrix, (WIDTH_PX, HEIGHT_PX), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
