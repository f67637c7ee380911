"""Finding the markers in a picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.edges import sharpened
from vision.finding.mat import is_ours
from vision.frames import Picture
from vision.layout import Points

FAMILY = cv2.aruco.DICT_APRILTAG_36h11


@lru_cache(maxsize=1)
def dictionary() -> cv2.aruco.Dictionary:
    """The family of markers that the mats carry."""
    return cv2.aruco.getPredefinedDictionary(FAMILY)


def cells(number: int) -> Picture:
    """(8, 8) the marker of that number as it is printed, one px a cell, 0 black and 255 white."""
    return np.asarray(cv2.aruco.generateImageMarker(dictionary(), number, 8), dtype=np.uint8)


def find_markers(picture: Picture) -> Mapping[int, Points]:
    """Our markers in a (h, w, 3) picture by number: their (4, 2) corners in px, clockwise from their own upper left.

    A number seen twice is left out: it cannot be said which of the two is meant.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    outlines, numbers, _ = _detector().detectMarkers(grey)
    seen = [] if numbers is None else [int(number) for number in np.ravel(numbers)]
    return {
        number: _exact(np.asarray(grey, dtype=np.uint8), np.asarray(outline, dtype=np.float64).reshape(4, 2))
        for number, outline in zip(seen, outlines, strict=True)
        if is_ours(number) and seen.count(number) == 1
    }


def _exact(grey: NDArray[np.uint8], corners: Points) -> Points:
    cell = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))) / 8
    found = sharpened(grey, corners, max(1.5, 0.4 * cell), is_bright=False)
    return corners if found is None else found


@lru_cache(maxsize=1)
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(dictionary(), parameters)
