"""From points seen in a picture to how the camera sees the table: homography, lens, and how well the points agree.

Either the points' places on the table are known (`fit_points`), or only the size of some flat rectangles is, wherever
they may lie (`fit_rectangles`: loose markers, cards).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import BadLayout, Homography, Points, as_homography, through
from vision.lens import Lens

Vector = NDArray[np.float64]
Residuals = Callable[[Vector], Vector]

MOST_RADIAL = 0.3
"""Lenses bend no more than this; a fisheye does."""
_STEPS, _GOLDEN = 40, 0.6180339887498949
_PRIOR = 0.1  # a lens bends about so much; without this, points that say nothing about it would make one up
_POINT_MM = 0.15  # how far a marker's corner is usually seen from where it is


@dataclass(frozen=True, slots=True)
class Fit:
    """How the camera sees the table."""

    px_from_mm: Homography
    """3 × 3, table mm to px without the lens."""
    lens: Lens | None
    residual_mm: float
    """Root mean square distance between where points are and where they were seen, on the table."""
    worst_mm: float
    """The largest such distance."""

    def to_mm(self, points_px: Points) -> Points:
        """(n, 2) picture px to (n, 2) table mm."""
        return _to_mm(np.array(self.px_from_mm), self.lens, points_px)


def fit_points(points_mm: Points, points_px: Points, size_px: tuple[int, int], *, lens: Lens | None = None) -> Fit:
    """The camera that sees points at known places, (n, 2) each; with more than four also its lens, unless given.

    Raises `BadLayout` if there is none.
    """
    if lens is None and len(points_mm) > 4:
        radial = _least(lambda bend: _cost(points_mm, points_px, size_px, bend), -MOST_RADIAL, MOST_RADIAL)
        lens = Lens.centred(size_px, radial)
    matrix = _homography(points_mm, points_px, lens)
    off = np.linalg.norm(_to_mm(matrix, lens, points_px) - points_mm, axis=1)
    return Fit(as_homography(matrix), lens, float(np.sqrt((off**2).mean())), float(off.max()))


def fit_rectangles(
    outlines_px: Sequence[Points], rectangle_mm: tuple[float, float], size_px: tuple[int, int], *, prior: float = _PRIOR
) -> tuple[Fit, tuple[Points, ...]]:
    """The camera that sees equal rectangles lying anywhere on one table, and their (4, 2) corners in mm.

    Outlines are clockwise from the rectangle's own upper left. The table's axes are those of the picture's middle.
    `prior` is how much a lens may be expected to bend.
    """
    model = _model(rectangle_mm)
    half = size_px[0] / 2

    def mapped(values: Vector) -> list[Points]:
        return [_plane(values, outline, size_px) for outline in outlines_px]

    def residuals(values: Vector) -> Vector:
        off = [_nearest(model, seen) - seen for seen in mapped(values)]
        return np.append(np.concatenate(off).ravel(), values[5] / prior * _POINT_MM)

    side = np.sqrt(np.mean([cv2.contourArea(outline.astype(np.float32)) for outline in outlines_px]))
    scale = float(np.sqrt(rectangle_mm[0] * rectangle_mm[1]) / side * half)
    values = least_squares(residuals, np.array([scale, 0.0, scale, 0.0, 0.0, 0.0]))
    lying = tuple(_nearest(model, seen) for seen in mapped(values))
    off = np.linalg.norm(np.concatenate(lying) - np.concatenate(mapped(values)), axis=1)
    lens = Lens.centred(size_px, float(values[5]))
    fit = Fit(_px_from(values, size_px), lens, float(np.sqrt((off**2).mean())), float(off.max()))
    return fit, lying


def least_squares(residuals: Residuals, start: Vector) -> Vector:
    """The values near `start` with the least sum of squares (Levenberg 1944, Marquardt 1963)."""
    values, damping = start, 1e-3
    now = residuals(values)
    for _ in range(_STEPS):
        slopes = _slopes(residuals, values, now)
        square = slopes.T @ slopes
        step = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-12), -slopes.T @ now)
        then = residuals(values + step)
        if then @ then < now @ now:
            is_done = now @ now - then @ then < 1e-12 * (now @ now)
            values, now, damping = values + step, then, damping / 10
            if is_done:
                break
        else:
            damping *= 10
    return values


def _slopes(residuals: Residuals, values: Vector, now: Vector) -> Vector:
    steps = 1e-6 * np.maximum(1.0, np.abs(values))
    columns = [
        (residuals(values + step * unit) - now) / step for step, unit in zip(steps, np.eye(len(values)), strict=True)
    ]
    return np.stack(columns, axis=1)


def _cost(points_mm: Points, points_px: Points, size_px: tuple[int, int], radial: float) -> float:
    lens = Lens.centred(size_px, radial)
    off = _to_mm(_homography(points_mm, points_px, lens), lens, points_px) - points_mm
    return float((off**2).sum() + (radial / _PRIOR * _POINT_MM) ** 2)


def _least(cost: Callable[[float], float], low: float, high: float) -> float:
    """Where `cost` is least, by golden section."""
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    costs = [cost(value) for value in inner]
    for _ in range(_STEPS):
        if costs[0] < costs[1]:
            high, inner, costs = inner[1], [inner[1] - _GOLDEN * (inner[1] - low), inner[0]], [0.0, costs[0]]
            costs[0] = cost(inner[0])
        else:
            low, inner, costs = inner[0], [inner[1], inner[0] + _GOLDEN * (high - inner[0])], [costs[1], 0.0]
            costs[1] = cost(inner[1])
    return (low + high) / 2


def _homography(points_mm: Points, points_px: Points, lens: Lens | None) -> Points:
    straight = lens.straight(points_px) if lens else points_px
    matrix, _ = cv2.findHomography(points_mm, straight)
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
        raise BadLayout("on-one-line")
    return np.asarray(matrix, dtype=np.float64)


def _to_mm(matrix: Points, lens: Lens | None, points_px: Points) -> Points:
    return through(np.asarray(np.linalg.inv(matrix), np.float64), lens.straight(points_px) if lens else points_px)


def _model(rectangle_mm: tuple[float, float]) -> Points:
    width, height = rectangle_mm
    return np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2


def _nearest(model: Points, seen: Points) -> Points:
    """The model turned and shifted onto what was seen as well as it can be (Kabsch 1976)."""
    middle = seen.mean(axis=0)
    left, _, right = np.linalg.svd(model.T @ (seen - middle))
    turn = left @ np.diag([1.0, np.sign(np.linalg.det(left @ right))]) @ right
    return np.asarray(model @ turn + middle, dtype=np.float64)


def _plane(values: Vector, points_px: Points, size_px: tuple[int, int]) -> Points:
    """Picture px onto the table for six values: three of a stretch, two of a tilt, one of the lens."""
    straight = Lens.centred(size_px, float(values[5])).straight(points_px)
    return through(_mm_from(values, size_px), straight)


def _mm_from(values: Vector, size_px: tuple[int, int]) -> Points:
    half = size_px[0] / 2
    across, shear, down, tilt_x, tilt_y, _ = values
    unit = np.array([[1 / half, 0.0, -size_px[0] / 2 / half], [0.0, 1 / half, -size_px[1] / 2 / half], [0.0, 0.0, 1.0]])
    return np.asarray(np.array([[across, shear, 0.0], [0.0, down, 0.0], [tilt_x, tilt_y, 1.0]]) @ unit, np.float64)


def _px_from(values: Vector, size_px: tuple[int, int]) -> Homography:
    return as_homography(np.asarray(np.linalg.inv(_mm_from(values, size_px)), dtype=np.float64))
