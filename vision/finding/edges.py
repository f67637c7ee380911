"""Brings the corners of a seen quadrangle to where its straight edges meet, to a fraction of a px."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Points

_ALONG = np.linspace(0.08, 0.92, 40)
_STEP_PX = 0.5
_LEAST_SLOPE = 3.0
"""Brightness a px: less is no edge."""
_LEAST_SEEN = 0.4
"""Share of an edge that must be seen."""


def sharpened(grey: NDArray[np.uint8], corners: Points, reach_px: float, *, is_bright: bool) -> Points | None:
    """The (4, 2) corners brought to the edges within `reach_px` of them; None where the edges can't be made out.

    Corners go clockwise; `is_bright`: the inside is brighter than what is around it.
    """
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        points = _edge(grey, start, end, reach_px, is_bright=is_bright)
        if len(points) < _LEAST_SEEN * len(_ALONG):
            return None
        along_x, along_y, x, y = np.ravel(cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 1e-3, 1e-3))
        lines.append(np.array([-along_y, along_x, along_y * x - along_x * y], dtype=np.float64))
    met = [np.cross(before, after) for before, after in zip(np.roll(lines, 1, axis=0), lines, strict=True)]
    if any(abs(point[2]) < 1e-9 for point in met):
        return None
    return np.array([point[:2] / point[2] for point in met])


def _edge(grey: NDArray[np.uint8], start: Points, end: Points, reach_px: float, *, is_bright: bool) -> Points:
    """(n, 2) px where brightness changes most across the line from `start` to `end`."""
    along = end - start
    # Corners go clockwise with y down: the outside is to the left of the way.
    outward = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    steps = np.arange(-reach_px - 1, reach_px + 1.01, _STEP_PX)
    spots = start + _ALONG[:, None, None] * along + steps[None, :, None] * outward
    seen = cv2.remap(grey, spots[:, :, 0].astype(np.float32), spots[:, :, 1].astype(np.float32), cv2.INTER_LINEAR)
    slope = np.gradient(seen.astype(np.float64), _STEP_PX, axis=1)
    slope = cv2.GaussianBlur(-slope if is_bright else slope, (5, 1), 1.0)
    best = slope[:, 1:-1].argmax(axis=1) + 1
    rows = np.arange(len(best))
    before, peak, after = slope[rows, best - 1], slope[rows, best], slope[rows, best + 1]
    bend = np.where(np.abs(before - 2 * peak + after) < 1e-9, 1.0, before - 2 * peak + after)
    at = steps[best] + np.clip(0.5 * (before - after) / bend, -1, 1) * _STEP_PX
    found: Points = (start + _ALONG[:, None] * along + at[:, None] * outward)[peak > _LEAST_SLOPE]
    return found
