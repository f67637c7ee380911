"""Folders of pictures and video files in place of a camera."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.errors import UnreadablePicture
from vision.frames import Clock, Frame, list_stills, read_picture

USUAL_GAP_NS = 33_333_333


class Stills:
    """A folder of pictures named by their capture time in ms, shown again at their own pace; none is dropped."""

    trouble = None

    def __init__(self, folder: Path, clock: Clock = time.monotonic_ns, within_ns: int = USUAL_GAP_NS) -> None:
        """`folder` with files like `0005690.jpg`; raises `UnreadablePicture` where there are none."""
        self.name = str(folder)
        self._paths = list_stills(folder)
        self._clock, self._within_ns = clock, within_ns
        self._next, self._start_ns = 0, clock()

    def __iter__(self) -> Iterator[Frame]:
        """All frames in order without waiting; `t_ns` counts from the recording's own zero."""
        for number, (t_ms, path) in enumerate(self._paths):
            yield Frame(read_picture(path), round(t_ms * 1e6), self._within_ns, number)

    def newest(self) -> Frame | None:
        """The next picture, once its time has come."""
        if self.is_over:
            return None
        t_ms, path = self._paths[self._next]
        t_ns = self._start_ns + round(t_ms * 1e6)
        if self._clock() < t_ns:
            return None
        self._next += 1
        return Frame(read_picture(path), t_ns, self._within_ns, self._next - 1)

    @property
    def is_over(self) -> bool:
        """Whether the last picture has been handed out."""
        return self._next >= len(self._paths)

    def close(self) -> None:
        """Hands out nothing more."""
        self._next = len(self._paths)


class Video:
    """A video file in real time: the frame that is due now; those that fell due meanwhile are skipped."""

    trouble = None

    def __init__(self, path: Path, clock: Clock = time.monotonic_ns) -> None:
        """Opens `path`; raises `UnreadablePicture` when it is no video."""
        self.name = str(path)
        self._capture = cv2.VideoCapture(str(path))
        self._ahead = self._decode(0)
        if self._ahead is None:
            raise UnreadablePicture(f"{path} cannot be played as a video; give an MP4, AVI, MKV or MJPEG file")
        self._clock, self._start_ns = clock, clock()

    def __iter__(self) -> Iterator[Frame]:
        """All frames that are left, in order without waiting; `t_ns` counts from the file's own zero."""
        while (frame := self._ahead) is not None:
            yield frame
            self._ahead = self._decode(frame.number + 1)

    def newest(self) -> Frame | None:
        """The latest frame whose time has come."""
        due, now_ns = None, self._clock() - self._start_ns
        while self._ahead is not None and self._ahead.t_ns <= now_ns:
            due, self._ahead = self._ahead, self._decode(self._ahead.number + 1)
        return None if due is None else Frame(due.picture, due.t_ns + self._start_ns, due.within_ns, due.number)

    def _decode(self, number: int) -> Frame | None:
        is_there, picture = self._capture.read()
        if not is_there:
            return None
        t_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
        gap_ns = round(1e9 / (self._capture.get(cv2.CAP_PROP_FPS) or 30.0))
        # Containers without times of their own report 0 for every frame.
        t_ns = round(t_ms * 1e6) if t_ms > 0 else number * gap_ns
        return Frame(np.asarray(picture, dtype=np.uint8), t_ns, gap_ns, number)

    @property
    def is_over(self) -> bool:
        """Whether the last frame has been handed out."""
        return self._ahead is None

    def close(self) -> None:
        """Closes the file."""
        self._ahead = None
        self._capture.release()
