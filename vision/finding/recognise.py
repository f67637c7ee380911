"""Knows a table again, without markers, by what is printed on it or lies on it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.layout import BadLayout, Layout, Points, as_homography

_SHRINK = 2
_MOST = 2000
_AROUND_PILE_MM = 20.0
_RATIO, _APART_PX = 0.8, 3.0
_LEAST_POINTS, _LEAST_SHARE, _LEAST_AREA = 25, 0.3, 0.08


class Memory:
    """The table's look when its layout was known for certain."""

    def __init__(self, picture: Picture, layout: Layout) -> None:
        self._layout = layout
        self._points, self._looks = _features(picture, _mask(layout))

    def find(self, picture: Picture) -> Layout | None:
        """The same table in a later (h, w, 3) picture; None when too little of it is known again."""
        points, looks = _features(picture, None)
        if self._looks is None or looks is None:
            return None
        before, now = _matched(self._points, self._looks, points, looks)
        if len(before) < _LEAST_POINTS:
            return None
        move, kept = cv2.findHomography(self._straight(before), self._straight(now), cv2.RANSAC, _APART_PX)
        if move is None or not self._is_enough(now[np.ravel(kept) > 0], len(now)):
            return None
        try:
            return replace(self._layout, px_from_mm=as_homography(move @ np.array(self._layout.px_from_mm)))
        except BadLayout:
            return None

    def _straight(self, points: Points) -> Points:
        return self._layout.lens.straight(points) if self._layout.lens else points

    def _is_enough(self, kept: Points, matched: int) -> bool:
        """Whether the points that agree are many and lie over much of the picture: few in a corner fit anything."""
        if len(kept) < max(_LEAST_POINTS, _LEAST_SHARE * matched):
            return False
        width, height = self._layout.size_px
        return cv2.contourArea(cv2.convexHull(kept.astype(np.float32))) > _LEAST_AREA * width * height


def _features(picture: Picture, mask: NDArray[np.uint8] | None) -> tuple[Points, NDArray[np.uint8] | None]:
    grey = cv2.cvtColor(picture[::_SHRINK, ::_SHRINK], cv2.COLOR_BGR2GRAY)
    points, looks = cv2.ORB.create(nfeatures=_MOST, fastThreshold=8).detectAndCompute(grey, mask)
    places = np.array([point.pt for point in points], dtype=np.float64).reshape(-1, 2) * _SHRINK
    return places, None if looks is None or len(places) < 2 else np.asarray(looks, dtype=np.uint8)


def _matched(
    points: Points, looks: NDArray[np.uint8], others: Points, other_looks: NDArray[np.uint8]
) -> tuple[Points, Points]:
    pairs = cv2.BFMatcher(cv2.NORM_HAMMING).knnMatch(looks, other_looks, k=2)
    good = [pair[0] for pair in pairs if len(pair) == 2 and pair[0].distance < _RATIO * pair[1].distance]
    return points[[match.queryIdx for match in good]], others[[match.trainIdx for match in good]]


def _mask(layout: Layout) -> NDArray[np.uint8]:
    """The table without the pile, where everything changes, in the shrunk picture."""
    width, height = layout.size_px
    mask = np.full((height, width), 255 if layout.table is None else 0, dtype=np.uint8)
    if layout.table is not None:
        _fill(mask, layout.to_px(layout.table.corners()), 255)
    _fill(mask, layout.to_px(layout.pile.grown(_AROUND_PILE_MM).corners()), 0)
    return mask[::_SHRINK, ::_SHRINK].copy()


def _fill(mask: NDArray[np.uint8], corners: Points, value: int) -> None:
    if np.isfinite(corners).all() and np.abs(corners).max() < 30_000:
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), value)
