"""Where a card lies, to a millimetre: its outline is sought in the picture around the pose that an index gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evidence import Pose
from vision.frames import Picture
from vision.layout import Layout, Points

_EVERY_MM = 2.0
_ROUNDED_MM = 5.0  # corners are round: the sides' ends bend away
_FULL_STEP = 60.0  # Sobel response from which an edge counts as fully seen
_MARGIN_MM = 20.0
_COSTS_AT_TEN_DEGREES, _COSTS_PER_MM = 0.02, 0.012
_NEAR_MM = 40.0  # about the index that was read the outline is hidden least: from here on it counts half and less

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fit:
    """A pose, and how much of the outline there shows as an edge, 0 to 1."""

    pose: Pose
    shown: float


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """Which poses are tried around the one that is known best."""

    turns: Floats
    shifts_mm: Floats


_COARSE = _Steps(np.arange(-20.0, 20.1, 2.0), np.arange(-3.0, 3.1, 1.5))
_COARSE_OF_TWO = _Steps(np.arange(-6.0, 6.1, 2.0), np.arange(-3.0, 3.1, 1.5))
_FINE = _Steps(np.arange(-1.5, 1.6, 0.5), np.arange(-1.0, 1.1, 0.5))


@dataclass(frozen=True, slots=True, eq=False)
class _Outline:
    """Points along a card's sides, the card upright, what each counts, and about which point the card is turned."""

    points: Points
    normals: Points
    weights: Floats
    pivot: Points

    def thinned(self) -> _Outline:
        """Half of the points, for a first look."""
        weights = self.weights[::2]
        return _Outline(self.points[::2], self.normals[::2], weights / weights.sum(), self.pivot)


class Edges:
    """Brightness steps in a camera picture around one place of the table."""

    def __init__(self, picture: Picture, layout: Layout, x_mm: float, y_mm: float) -> None:
        reach = math.hypot(*layout.card_mm) + _MARGIN_MM
        around = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * reach
        square = around + np.array([x_mm, y_mm])
        corners = layout.to_px(square)
        height, width = picture.shape[:2]
        low = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (width - 2, height - 2))
        high = np.clip(np.ceil(corners.max(axis=0)).astype(int), low + 2, (width, height))
        grey = cv2.cvtColor(picture[low[1] : high[1], low[0] : high[0]], cv2.COLOR_BGR2GRAY)
        grey = cv2.GaussianBlur(grey, (3, 3), 0)
        self._steps = np.stack([cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)], axis=2)
        # Over one card a homography and its lens are as good as straight.
        probe = layout.to_px(np.array([(x_mm, y_mm), (x_mm + 30, y_mm), (x_mm, y_mm + 30)]))
        self._turn: Floats = np.stack([(probe[1] - probe[0]) / 30, (probe[2] - probe[0]) / 30])
        self._origin: Floats = probe[0] - low - np.array([x_mm, y_mm]) @ self._turn

    def shown(self, points_mm: Floats, normals_mm: Floats) -> Floats:
        """(k, n) for (k, n, 2) points in mm and (n, 2) normals: the strength of the edges there, 0 to 1."""
        points = np.round(points_mm @ self._turn + self._origin).astype(np.intp)
        height, width = self._steps.shape[:2]
        inside = ((points >= 0) & (points < (width, height))).all(axis=2)
        columns, rows = np.clip(points[..., 0], 0, width - 1), np.clip(points[..., 1], 0, height - 1)
        normals = normals_mm @ self._turn
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        across = np.abs((self._steps[rows, columns] * normals).sum(axis=2)) * inside
        return np.asarray(np.minimum(across / _FULL_STEP, 1.0), dtype=np.float64)


def fitted(edges: Edges, pose: Pose, indices_mm: Sequence[tuple[float, float]], card_mm: tuple[float, float]) -> Fit:
    """The pose near `pose` whose outline shows best; `indices_mm`: the card's indices that were read, one or both.

    It turns about an only index, which alone says little of the direction; both say where the middle lies.
    """
    is_both = len(indices_mm) > 1
    pivot = (pose.x, pose.y) if is_both else indices_mm[0]
    own = pose.own(np.array([pivot]))
    points, normals = _outline(card_mm, _EVERY_MM)
    weights = np.ones(len(points)) if is_both else 1.0 / (1.0 + ((points - own) ** 2).sum(axis=1) / _NEAR_MM**2)
    outline = _Outline(points, normals, weights / weights.sum(), own)
    coarse = _best(edges, pose, outline.thinned(), _COARSE_OF_TWO if is_both else _COARSE, around=pose)
    return _best(edges, coarse.pose, outline, _FINE, around=pose)


def _best(edges: Edges, pose: Pose, outline: _Outline, steps: _Steps, *, around: Pose) -> Fit:
    shifts = np.stack(np.meshgrid(steps.shifts_mm, steps.shifts_mm), axis=-1).reshape(-1, 1, 2)
    far = _COSTS_PER_MM * np.hypot(shifts[:, 0, 0], shifts[:, 0, 1])
    pivot, fits = pose.points(outline.pivot)[0], []
    for turn in (pose.turn + steps.turns).tolist():
        turned = Pose(0.0, 0.0, turn)
        middle = pivot - turned.points(outline.pivot)[0]
        shown = edges.shown(turned.points(outline.points) + middle + shifts, turned.points(outline.normals))
        worth = shown @ outline.weights - far - _COSTS_AT_TEN_DEGREES * ((turn - around.turn) / 10.0) ** 2
        k = int(worth.argmax())
        x, y = middle + shifts[k, 0]
        fits.append((float(worth[k]), Fit(Pose(float(x), float(y), turn), float(shown[k].mean()))))
    return max(fits, key=lambda fit: fit[0])[1]


def _outline(card_mm: tuple[float, float], every_mm: float) -> tuple[Points, Points]:
    """(n, 2) points along a card's four sides, the card upright, and (n, 2) directions across the sides."""
    half_width, half_height = card_mm[0] / 2, card_mm[1] / 2
    along = np.arange(-half_width + _ROUNDED_MM, half_width - _ROUNDED_MM + 0.1, every_mm)
    down = np.arange(-half_height + _ROUNDED_MM, half_height - _ROUNDED_MM + 0.1, every_mm)
    sides = [np.stack([along, np.full_like(along, y)], axis=1) for y in (-half_height, half_height)]
    sides += [np.stack([np.full_like(down, x), down], axis=1) for x in (-half_width, half_width)]
    across = [np.tile((0.0, 1.0), (len(along), 1))] * 2 + [np.tile((1.0, 0.0), (len(down), 1))] * 2
    return np.concatenate(sides), np.concatenate(across)
