"""Stage 2: reads each found index from an upright crop."""

from collections.abc import Sequence

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.reader.finder import Spot

CROP_PX = 64
RANKS, SUITS = 13, 4
SURE = 0.95
SECOND_LOOKS = (0.85, 1.25)
"""Factors of the crop's side for the second look."""


def classify(
    session: ort.InferenceSession, picture: NDArray[np.uint8], spots: Sequence[Spot], *, span: float, temperature: float
) -> NDArray[np.float32]:
    """Probabilities (n, 52) of the cards at the spots; what is missing to 1 in a row is "no index".

    Spots that aren't read with certainty are looked at again, a little closer and a little wider, and the mean counts:
    the finder's idea of their height may be off.
    """
    if not spots:
        return np.zeros((0, RANKS * SUITS), np.float32)
    levels = [picture]
    chances = _read(session, [crop_at(levels, spot, span) for spot in spots], temperature)
    unsure = np.flatnonzero(chances.max(axis=1) < SURE).tolist()
    if unsure:
        again = [crop_at(levels, spots[i], span * zoom) for zoom in SECOND_LOOKS for i in unsure]
        looks = _read(session, again, temperature).reshape(len(SECOND_LOOKS), len(unsure), -1)
        chances[unsure] = (chances[unsure] + looks.sum(axis=0)) / (1 + len(SECOND_LOOKS))
    return chances


def _read(session: ort.InferenceSession, crops: list[NDArray[np.uint8]], temperature: float) -> NDArray[np.float32]:
    rank, suit = session.run(None, {"crops": np.stack(crops)})
    ranks, suits = _softmax(rank / temperature), _softmax(suit / temperature)
    return np.asarray((suits[:, :SUITS, None] * ranks[:, None, :RANKS]).reshape(len(crops), -1), np.float32)


def crop_at(levels: list[NDArray[np.uint8]], spot: Spot, span: float) -> NDArray[np.uint8]:
    """The index upright in the middle of a 64 px square; shrunk pictures are made as they are needed."""
    zoom, level = CROP_PX / (span * spot.height_px), 0
    while zoom < 0.7 and level < 5:
        zoom, level = zoom * 2, level + 1
        if level == len(levels):
            levels.append(
                np.asarray(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            )
    up_x, up_y = spot.up
    turn = np.array([[-up_y, up_x], [-up_x, -up_y]]) * zoom
    centre = np.array([spot.x, spot.y]) / 2**level
    matrix = np.column_stack([turn, CROP_PX / 2 - turn @ centre])
    crop = cv2.warpAffine(
        levels[level], matrix, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


def _softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)
