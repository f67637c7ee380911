"""Lays cards into a picture and keeps the truth: where each index is and how much of it can be seen.

World units are card px: 300 to a card's width. A camera is a 3 × 3 matrix from world to picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.decks import HEIGHT, WIDTH
from vision.training.shoe import Face

Picture = NDArray[np.uint8]
Matrix = NDArray[np.float64]

_COVERED = 255


@dataclass(frozen=True, slots=True)
class Laid:
    """A face and where it lies: `place` takes card px to world."""

    face: Face
    place: Matrix


@dataclass(frozen=True, slots=True)
class TrueIndex:
    """One index in the finished picture."""

    x: float
    y: float
    height_px: float
    up: tuple[float, float]
    seen: float
    """Share of its box that is neither covered nor outside the picture."""
    number: int
    card: int
    """Which of the scene's cards, in the order laid."""


@dataclass(slots=True)
class Canvas:
    """A picture being painted, and for each pixel which card is on top."""

    picture: Picture
    shadow: float = 0.0
    """How dark the shadow of a card is, 0 to 1."""
    owner: Picture = field(init=False)

    def __post_init__(self) -> None:
        self.owner = np.full(self.picture.shape[:2], _COVERED, np.uint8)


def placed(centre: Sequence[float] | NDArray[np.float64], turn: float) -> Matrix:
    """A card whose centre lies at world x, y, turned by `turn` radians."""
    cos, sin, (x, y) = np.cos(turn), np.sin(turn), centre
    to_centre = np.array([[1, 0, -WIDTH / 2], [0, 1, -HEIGHT / 2], [0, 0, 1]])
    return np.asarray(np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]]) @ to_centre, np.float64)


def _rounded_outline() -> NDArray[np.float64]:
    radius, points = 17.0, []
    for (x, y), start in (((WIDTH, HEIGHT), 0), ((0, HEIGHT), 90), ((0, 0), 180), ((WIDTH, 0), 270)):
        centre = (x - radius if x else radius, y - radius if y else radius)
        for step in (0, 30, 60, 90):
            angle = np.radians(start + step)
            points.append((centre[0] + radius * np.cos(angle), centre[1] + radius * np.sin(angle)))
    return np.array(points)


_OUTLINE = _rounded_outline()
_CORNERS = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], float)


def project(matrix: Matrix, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Takes (n, 2) points through a homography."""
    flat = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(flat[:, :2] / flat[:, 2:], np.float64)


def lay(canvas: Canvas, laid: Laid, camera: Matrix, rng: np.random.Generator, *, card: int) -> bool:
    """Paints one card with its shadow; says whether any of it is in the picture."""
    matrix = camera @ laid.place
    outline = project(matrix, _OUTLINE)
    height, width = canvas.owner.shape
    pad = 3 + 0.06 * float(np.ptp(outline[:, 0]))
    x0, y0 = np.maximum(np.floor(outline.min(0) - pad), 0).astype(int)
    x1, y1 = np.minimum(np.ceil(outline.max(0) + pad), (width, height)).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return False
    region, owner = canvas.picture[y0:y1, x0:x1], canvas.owner[y0:y1, x0:x1]
    local = outline - (x0, y0)
    mask = _filled(owner.shape, local)
    if canvas.shadow > 0:
        _darken(region, local, canvas.shadow, rng)
    picture = _warped(laid.face, matrix, outline, (x0, y0, x1, y1))
    gain = float(rng.normal(1, 0.05))
    cv2.copyTo(cv2.convertScaleAbs(picture, alpha=min(gain, 1.06)), mask, region)
    owner[mask > 127] = card
    return True


def _filled(shape: tuple[int, ...], outline: NDArray[np.float64]) -> Picture:
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, lineType=cv2.LINE_8, shift=4)
    return mask


def _darken(region: Picture, outline: NDArray[np.float64], strength: float, rng: np.random.Generator) -> None:
    reach = float(np.ptp(outline[:, 0])) * 0.03 + 0.6
    cover = _filled(region.shape[:2], outline + rng.normal(0, reach, 2))
    size = 2 * int(reach) + 3
    dark = cv2.multiply(region, cv2.merge([cv2.blur(cover, (size, size))] * 3), scale=strength / 255)
    cv2.subtract(region, dark, region)


def _warped(face: Face, matrix: Matrix, outline: NDArray[np.float64], window: tuple[int, int, int, int]) -> Picture:
    """The card's picture warped into a window of the canvas, from the level that suits its size."""
    x0, y0, x1, y1 = window
    area = cv2.contourArea(outline.astype(np.float32))
    scale = float(np.sqrt(area / (WIDTH * HEIGHT)))
    level = 0 if scale > 0.6 else 1 if scale > 0.3 else 2
    zoom = np.diag([2.0**level, 2.0**level, 1.0])
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    warped = cv2.warpPerspective(
        face.levels[level],
        shift @ matrix @ zoom,
        (x1 - x0, y1 - y0),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(warped, np.uint8)


def indices_of(canvas: Canvas, laid: Laid, camera: Matrix, *, card: int) -> list[TrueIndex]:
    """The card's indices as they now appear; those wholly outside the picture are left out."""
    matrix = camera @ laid.place
    found = []
    for x, y, wide, tall, way in laid.face.indices:
        box = np.array([(x - wide / 2, y - tall / 2), (x + wide / 2, y - tall / 2)])
        box = np.concatenate([box, box[::-1] + np.array((0, tall))])
        ends = np.array([(x, y + way * tall / 2), (x, y - way * tall / 2)])
        corners, (foot, top) = project(matrix, box), project(matrix, ends)
        seen = _share_seen(canvas.owner, corners, card)
        if seen is not None:
            span = top - foot
            length = max(float(np.hypot(*span)), 1e-3)
            middle = corners.mean(0)
            up = (float(span[0] / length), float(span[1] / length))
            found.append(TrueIndex(float(middle[0]), float(middle[1]), length, up, seen, laid.face.number, card))
    return found


def _share_seen(owner: Picture, corners: NDArray[np.float64], card: int) -> float | None:
    x0, y0 = np.floor(corners.min(0)).astype(int)
    x1, y1 = np.ceil(corners.max(0)).astype(int) + 1
    height, width = owner.shape
    if x1 <= 0 or y1 <= 0 or x0 >= width or y0 >= height or max(x1 - x0, y1 - y0) > 400:
        return None
    mask = _filled((y1 - y0, x1 - x0), corners - (x0, y0))
    total = int(np.count_nonzero(mask))
    inner = owner[max(y0, 0) : y1, max(x0, 0) : x1]
    part = mask[max(-y0, 0) :, max(-x0, 0) :][: inner.shape[0], : inner.shape[1]]
    return float(np.count_nonzero((inner == card) & (part > 0))) / max(total, 1)


def cover(canvas: Canvas, polygon: NDArray[np.float64], colour: tuple[int, int, int], *, shade: float = 0.0) -> None:
    """Paints an occluder over everything, with a soft shadow of strength `shade` around it."""
    if shade > 0:
        mask = _filled(canvas.owner.shape, polygon + 4)
        soft = cv2.blur(mask, (9, 9))
        cv2.subtract(
            canvas.picture, cv2.multiply(canvas.picture, cv2.merge([soft] * 3), scale=shade / 255), canvas.picture
        )
    mask = _filled(canvas.owner.shape, polygon)
    canvas.picture[mask > 0] = colour
    canvas.owner[mask > 0] = _COVERED


def paste(canvas: Canvas, cut_out: Picture, x: int, y: int) -> None:
    """Lays a cut-out object with alpha, its upper left corner at x, y."""
    height, width = canvas.owner.shape
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + cut_out.shape[1], width), min(y + cut_out.shape[0], height)
    if x1 <= x0 or y1 <= y0:
        return
    part = cut_out[y0 - y : y1 - y, x0 - x : x1 - x]
    solid = np.ascontiguousarray((part[:, :, 3] > 127).astype(np.uint8))
    cv2.copyTo(np.ascontiguousarray(part[:, :, :3]), solid, canvas.picture[y0:y1, x0:x1])
    canvas.owner[y0:y1, x0:x1][solid > 0] = _COVERED
