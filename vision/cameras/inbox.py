"""Where a live camera's pictures arrive: only the newest is kept, and what is wrong with them is noticed."""

from __future__ import annotations

import threading

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Clock, Frame, Picture
from vision.troubles import Trouble

STALE_NS = 500_000_000
"""An older picture is no longer handed out: play would be judged by what the table was."""
SILENT_NS = 1_500_000_000
FROZEN_NS = 1_500_000_000
"""A sensor is never without noise for this long."""
BLACK_NS = 1_000_000_000
"""So that the moment between two lamps is no trouble."""
_BLACK_MEAN, _BLACK_MOST = 12, 60
_STEP = 16


class Inbox:
    """Takes pictures from any thread, hands the newest out once, and knows what ails them."""

    def __init__(self, name: str, clock: Clock, *, silent: str = "stopped") -> None:
        """`silent` is the trouble told when pictures stop coming."""
        self._name, self._clock, self._silent = name, clock, silent
        self._lock = threading.Lock()
        self._frame: Frame | None = None
        self._number = 0
        self._came_ns = clock()
        self._last_ns = -(2**62)
        self._size: tuple[int, int] | None = None
        self._wrong_size: tuple[int, int] | None = None
        self._sample: NDArray[np.uint8] | None = None
        self._changed_ns = self._lit_ns = self._timely_ns = self._came_ns
        self._is_black = False

    @property
    def has_good(self) -> bool:
        """Whether a picture is waiting that can be used."""
        return self._frame is not None

    def put(self, picture: Picture, t_ns: int, within_ns: int) -> None:
        """A picture taken at `t_ns` has come; one whose time doesn't advance is the old one again and passed over."""
        if t_ns <= self._last_ns:
            return
        self._last_ns, self._came_ns = t_ns, self._clock()
        if self._came_ns - t_ns <= STALE_NS + within_ns:
            self._timely_ns = self._came_ns
        fitting = self._fit(picture)
        if fitting is None:
            return
        self._look_at(fitting[::_STEP, ::_STEP])
        self._number += 1
        is_good = not self._is_black and not self._is_frozen()
        with self._lock:
            self._frame = Frame(fitting, t_ns, within_ns, self._number) if is_good else None

    def newest(self) -> Frame | None:
        """The newest frame not handed out yet, if it is fresh."""
        with self._lock:
            frame, self._frame = self._frame, None
        if frame is None or self._clock() - frame.t_ns > STALE_NS + frame.within_ns:
            return None
        return frame

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the pictures at present."""
        now_ns = self._clock()
        if now_ns - self._came_ns >= SILENT_NS:
            return self._trouble(self._silent)
        if self._came_ns - self._timely_ns >= SILENT_NS:
            return self._trouble("late")
        if self._wrong_size is not None and self._size is not None:
            return self._trouble("size", now=_pixels(self._wrong_size), before=_pixels(self._size))
        if self._is_black and now_ns - self._lit_ns >= BLACK_NS:
            return self._trouble("black")
        return self._trouble("frozen") if not self._is_black and self._is_frozen() else None

    def _trouble(self, code: str, **details: object) -> Trouble:
        return Trouble(code, self._name, details)

    def _fit(self, picture: Picture) -> Picture | None:
        """The picture in the size that came first: the same view in other pixels is scaled, another view is refused."""
        height, width = picture.shape[:2]
        size = (width, height)
        self._size = self._size or size
        if size == self._size:
            self._wrong_size = None
            return picture
        if abs(width * self._size[1] - height * self._size[0]) > 0.01 * width * self._size[1]:
            self._wrong_size = size
            return None
        self._wrong_size = None
        return np.asarray(cv2.resize(picture, self._size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)

    def _look_at(self, sample: NDArray[np.uint8]) -> None:
        if self._sample is None or not np.array_equal(sample, self._sample):
            self._changed_ns = self._came_ns
        self._sample = sample.copy()
        self._is_black = bool(sample.max() < _BLACK_MOST and sample.mean() < _BLACK_MEAN)
        if not self._is_black:
            self._lit_ns = self._came_ns

    def _is_frozen(self) -> bool:
        return self._came_ns - self._changed_ns >= FROZEN_NS


def _pixels(size: tuple[int, int]) -> str:
    return f"{size[0]}×{size[1]}"
