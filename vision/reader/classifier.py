"""Stage 2: reads each found index from an upright crop."""

from collections.abc import Sequence

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.reader.finder import Spot
from vision.reader.prototypes import RANKS, SUITS, Answers, LearntDeck
from vision.reader.weights import Settings

SURE = 0.95
SECOND_LOOKS = (0.85, 1.25)
"""Factors of the crop's side for the second look."""


def classify(
    session: ort.InferenceSession,
    picture: NDArray[np.uint8],
    spots: Sequence[Spot],
    *,
    settings: Settings,
    deck: LearntDeck | None = None,
) -> NDArray[np.float32]:
    """Probabilities (n, 52) of the cards at the spots; what is missing to 1 in a row is "no index".

    Spots that aren't read with certainty are looked at again, a little closer and a little wider, and the mean counts:
    the finder's idea of their height may be off. The prototypes of `deck` have a say in every look.
    """
    if not spots:
        return np.zeros((0, RANKS * SUITS), np.float32)
    levels, side = [picture], int(session.get_inputs()[0].shape[1])

    def look(seen: Sequence[Spot], zooms: Sequence[float]) -> NDArray[np.float32]:
        crops = [crop_at(levels, spot, settings.crop_span * zoom, side) for zoom in zooms for spot in seen]
        answers = answer(session, crops, settings.temperature)
        chances = (answers if deck is None else deck.heard(answers)).chances()
        return np.asarray(chances.reshape(len(zooms), len(seen), -1), np.float32)

    chances = look(spots, (1.0,))[0]
    unsure = np.flatnonzero(chances.max(axis=1) < SURE).tolist()
    if unsure:
        looks = look([spots[i] for i in unsure], SECOND_LOOKS)
        chances[unsure] = (chances[unsure] + looks.sum(axis=0)) / (1 + len(SECOND_LOOKS))
    return np.asarray(chances, np.float32)


def answer(session: ort.InferenceSession, crops: list[NDArray[np.uint8]], temperature: float) -> Answers:
    """What the network says about upright crops (side, side, 3)."""
    if not crops:
        return Answers(*(np.zeros((0, width), np.float32) for width in (RANKS + 1, SUITS + 1, 0)))
    names = [output.name for output in session.get_outputs()]
    found = dict(zip(names, session.run(names, {"crops": np.stack(crops)}), strict=True))
    features = np.asarray(found.get("features", np.zeros((len(crops), 0))), np.float32)
    length = np.linalg.norm(features, axis=1, keepdims=True)
    return Answers(found["rank"] / temperature, found["suit"] / temperature, features / np.maximum(length, 1e-6))


def crop_at(levels: list[NDArray[np.uint8]], spot: Spot, span: float, side: int) -> NDArray[np.uint8]:
    """The index upright in the middle of a square of `side` px that shows `span` index heights.

    `levels` is the picture and its halvings, made here as they are needed.
    """
    zoom, level = side / (span * spot.height_px), 0
    while zoom < 0.7 and level < 5:
        zoom, level = zoom * 2, level + 1
        if level == len(levels):
            levels.append(
                np.asarray(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
            )
    up_x, up_y = spot.up
    turn = np.array([[-up_y, up_x], [-up_x, -up_y]]) * zoom
    centre = np.array([spot.x, spot.y]) / 2**level
    matrix = np.column_stack([turn, side / 2 - turn @ centre])
    crop = cv2.warpAffine(levels[level], matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(crop, np.uint8)
