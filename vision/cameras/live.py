"""A live camera: a thread of its own always takes the next picture, notices what is wrong and opens it again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from vision.cameras.inbox import Inbox
from vision.frames import Clock, Frame, Picture
from vision.troubles import NoCamera, Trouble

FIRST_PICTURE_S = 5.0
_BREATHER_S, _LONGEST_S = 0.25, 2.0
_THAW_NS = 10_000_000_000
"""A frozen camera is opened again at most this often."""


class Shot(NamedTuple):
    """A picture as a device gives it."""

    picture: Picture
    t_ns: int
    """On CLOCK_MONOTONIC."""
    within_ns: int


class Device(Protocol):
    """An opened camera."""

    def read(self) -> Shot | None:
        """The next picture; waits for it, a few seconds at the most. None: none came, the device should be reopened."""

    def close(self) -> None:
        """Lets go of it."""


class LiveCamera:
    """Keeps the newest picture of a device that is opened again whenever it fails."""

    is_over = False

    def __init__(
        self,
        name: str,
        open_device: Callable[[], Device],
        clock: Clock = time.monotonic_ns,
        first_picture_s: float = FIRST_PICTURE_S,
    ) -> None:
        """Opens the device and waits for its first good picture; raises `NoCamera`."""
        self.name = name
        self._open_device, self._clock = open_device, clock
        self._inbox = Inbox(name, clock)
        self._refusal: Trouble | None = None
        self._thawed_ns = clock()
        self._closing, self._seen = threading.Event(), threading.Event()
        device = open_device()
        self._thread = threading.Thread(target=self._run, args=(device,), name=f"camera {name}", daemon=True)
        self._thread.start()
        if not self._seen.wait(first_picture_s):
            trouble = self.trouble
            self.close()
            is_told = trouble is not None and trouble.code != "stopped"
            raise NoCamera(trouble if is_told and trouble is not None else Trouble("silent", name))

    def newest(self) -> Frame | None:
        """The newest frame not handed out yet."""
        return self._inbox.newest()

    @property
    def trouble(self) -> Trouble | None:
        """Why no good pictures come at present."""
        return self._refusal or self._inbox.trouble

    def close(self) -> None:
        """Stops the thread, which lets go of the device; one that hangs in its driver is left behind."""
        self._closing.set()
        self._thread.join(timeout=2)

    def _run(self, device: Device | None) -> None:
        while not self._closing.is_set():
            device = device or self._reopen()
            if device is not None:
                self._take(device)
                device.close()
                device = None

    def _take(self, device: Device) -> None:
        """Takes pictures until the device fails, is frozen, or nobody wants them any more."""
        while not self._closing.is_set() and not self._is_frozen():
            shot = device.read()
            if shot is None:
                return
            self._inbox.put(*shot)
            self._refusal = None
            if self._inbox.has_good:
                self._seen.set()

    def _is_frozen(self) -> bool:
        trouble, now_ns = self._inbox.trouble, self._clock()
        if trouble is None or trouble.code != "frozen" or now_ns - self._thawed_ns < _THAW_NS:
            return False
        self._thawed_ns = now_ns
        return True

    def _reopen(self) -> Device | None:
        breather_s = _BREATHER_S
        while not self._closing.wait(breather_s):
            try:
                return self._open_device()
            except NoCamera as error:
                self._refusal = _while_playing(error.trouble)
                breather_s = min(2 * breather_s, _LONGEST_S)
        return None


def _while_playing(trouble: Trouble) -> Trouble:
    """A camera that was there and is not there now has not been named wrongly: it was pulled out."""
    return Trouble("unplugged", trouble.camera) if trouble.code == "missing" else trouble
