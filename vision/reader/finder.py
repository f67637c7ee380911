"""Stage 1: finds corner indices in a picture."""

from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

CELL_PX = 4
STEP_PX = 32
"""The network takes sizes that are multiples of this."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that looks like an index, in px of the picture."""

    x: float
    y: float
    height_px: float
    up: tuple[float, float]
    score: float


class Finder(Protocol):
    """Finds places that look like indices."""

    def find(self, picture: NDArray[np.uint8], scale: float) -> list[Spot]:
        """Spots found when the (h, w, 3) BGR picture is looked at `scale` times its size, the likeliest first."""


@dataclass(frozen=True, slots=True)
class HeatFinder:
    """The project's own finder: a map of index centres."""

    session: ort.InferenceSession
    threshold: float

    def find(self, picture: NDArray[np.uint8], scale: float) -> list[Spot]:
        """Spots found when the (h, w, 3) BGR picture is looked at `scale` times its size, the likeliest first."""
        return find(self.session, picture, scale, self.threshold)


def find(session: ort.InferenceSession, picture: NDArray[np.uint8], scale: float, threshold: float) -> list[Spot]:
    """Spots found when the (h, w, 3) picture is looked at `scale` times its size, the likeliest first."""
    resized, step_x, step_y = fitted(picture, scale)
    (maps,) = session.run(None, {"picture": resized[None]})
    return without_doubles(_peaks(maps[0], step_x, step_y, threshold))


def fitted(
    picture: NDArray[np.uint8],
    scale: float,
    *,
    padding: tuple[int, int, int] | None = None,
    size: tuple[int, int] | None = None,
) -> tuple[NDArray[np.uint8], float, float]:
    """The picture at the wanted scale, padded to a size that a network takes, and the true scales of its axes.

    That is `size` (width, height), else the next multiples of 32. Without `padding`, a colour, the edge is drawn out.
    """
    height, width = picture.shape[:2]
    new_width, new_height = max(round(width * scale), 1), max(round(height * scale), 1)
    if (new_width, new_height) != (width, height):
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        picture = np.asarray(cv2.resize(picture, (new_width, new_height), interpolation=way), np.uint8)
    right, foot = (
        (-new_width % STEP_PX, -new_height % STEP_PX) if size is None else (size[0] - new_width, size[1] - new_height)
    )
    if right > 0 or foot > 0:
        way = cv2.BORDER_REPLICATE if padding is None else cv2.BORDER_CONSTANT
        picture = np.asarray(cv2.copyMakeBorder(picture, 0, foot, 0, right, way, value=padding or (0, 0, 0)), np.uint8)
    return np.ascontiguousarray(picture), new_width / width, new_height / height


def _peaks(maps: NDArray[np.float32], step_x: float, step_y: float, threshold: float) -> list[Spot]:
    """Local maxima of the centre map; the other maps say where exactly, how tall and which way up."""
    heat = np.ascontiguousarray(maps[0])
    summit = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > threshold)
    rows, columns = np.nonzero(summit)
    spots = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        score, off_x, off_y, tall, up_x, up_y = maps[:, row, column].tolist()
        x, y = (column + 0.5 + off_x) * CELL_PX / step_x, (row + 0.5 + off_y) * CELL_PX / step_y
        length = max(float(np.hypot(up_x, up_y)), 1e-6)
        height_px = float(np.exp(min(tall, 6.0))) * CELL_PX / (step_x * step_y) ** 0.5
        spots.append(Spot(x, y, height_px, (up_x / length, up_y / length), score))
    return spots


def without_doubles(spots: list[Spot]) -> list[Spot]:
    """Keeps the likeliest of spots that lie within half an index of each other."""
    kept: list[Spot] = []
    for spot in sorted(spots, key=lambda s: -s.score):
        if all(np.hypot(spot.x - k.x, spot.y - k.y) > 0.4 * max(spot.height_px, k.height_px) for k in kept):
            kept.append(spot)
    return kept
