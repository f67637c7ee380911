"""Cameras by number where there is no V4L2: macOS and Windows, as OpenCV sees them."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from vision.cameras.live import Shot
from vision.frames import Clock
from vision.troubles import NoCamera, Trouble

_WITHIN_NS = 66_666_667
"""Two frames at 30 a second: such systems tell no capture time."""


class NumberedCamera:
    """Opens a camera again and again; a callable for `LiveCamera`, and the opened device itself."""

    def __init__(self, number: int, clock: Clock) -> None:
        self._number, self._clock = number, clock
        self._capture: Any = None

    def __call__(self) -> NumberedCamera:
        """Opens it; raises `NoCamera`."""
        self._capture = cv2.VideoCapture(self._number)
        if not self._capture.isOpened():
            raise NoCamera(Trouble("missing", str(self._number)))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
        return self

    def read(self) -> Shot | None:
        """The next picture."""
        is_there, picture = self._capture.read()
        return Shot(np.asarray(picture, dtype=np.uint8), self._clock(), _WITHIN_NS) if is_there else None

    def close(self) -> None:
        """Lets go of it."""
        self._capture.release()
