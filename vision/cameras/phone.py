"""A phone's camera: its browser sends JPEG pictures over the local network."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import NamedTuple

import cv2
import numpy as np

from vision.cameras.inbox import Inbox
from vision.frames import Clock, Frame, Picture
from vision.troubles import Trouble


class _Sent(NamedTuple):
    data: bytes
    t_ns: int
    within_ns: int


def decode(data: bytes) -> Picture | None:
    """A JPEG or other picture turned upright; None when it is none."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


class PhoneCamera:
    """Takes what phones send; whoever sends last is the camera. `stills`: every picture is a settled pile by itself."""

    is_over = False

    def __init__(self, name: str = "phone", clock: Clock = time.monotonic_ns, *, stills: bool = False) -> None:
        """Waits for nothing: the phone comes later."""
        self.name, self.is_stills = name, stills
        self._clock, self._inbox = clock, Inbox(name, clock, silent="phone-gone")
        self._lock = threading.Lock()
        # A photograph is taken on purpose and none may be lost; of moving pictures only the newest counts.
        self._sent: deque[_Sent] = deque(maxlen=None if stills else 1)
        self._has_come, self._number = False, 0

    def put(self, data: bytes, t_ns: int, within_ns: int) -> None:
        """A JPEG picture taken at `t_ns` has come; called in any thread, decodes nothing."""
        with self._lock:
            self._sent.append(_Sent(data, t_ns, within_ns))
            self._has_come = True

    def newest(self) -> Frame | None:
        """The newest frame not handed out yet; what is no picture is passed over."""
        with self._lock:
            sent = self._sent.popleft() if self._sent else None
        frame = None if sent is None else decode(sent.data)
        if sent is None or frame is None:
            return None
        if self.is_stills:
            self._number += 1
            return Frame(frame, sent.t_ns, sent.within_ns, self._number)
        self._inbox.put(frame, sent.t_ns, sent.within_ns)
        return self._inbox.newest()

    @property
    def trouble(self) -> Trouble | None:
        """What is wrong with the pictures; who photographs by hand may take his time."""
        if not self._has_come:
            return Trouble("no-phone", self.name)
        return None if self.is_stills else self._inbox.trouble

    def close(self) -> None:
        """Hands out nothing more."""
        with self._lock:
            self._sent.clear()
