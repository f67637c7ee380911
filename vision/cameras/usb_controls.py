"""Exposure, focus, white balance and mains flicker of a USB camera, through the kernel's V4L2 controls."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

try:
    from linuxpy.video import device as v4l2
    from linuxpy.video.raw import Capability, ControlID
except ImportError:  # no Linux: the camera keeps its own settings
    v4l2 = None

_MANUAL, _APERTURE_PRIORITY, _AUTO = 1, 3, 0
"""V4L2_EXPOSURE_*: webcams know 1 and 3, others 0 and 1."""
_UNIT_US = 100
"""Exposure times are counted in 100 µs."""


def is_capture(node: Path) -> bool:
    """Whether `node` gives pictures; one that cannot be asked is taken for a camera, opening it says what is wrong."""
    if v4l2 is None:
        return True
    with suppress(OSError):
        handle = os.open(node, os.O_RDWR | os.O_NONBLOCK)
        try:
            found = v4l2.read_capabilities(handle)
        finally:
            os.close(handle)
        return bool(Capability(found.device_caps or found.capabilities) & Capability.VIDEO_CAPTURE)
    return True


def is_taken(node: Path) -> bool:
    """Whether another program is taking pictures from it: the driver then refuses to give out buffers."""
    if v4l2 is None:
        return False
    handle = os.open(node, os.O_RDWR | os.O_NONBLOCK)
    try:
        v4l2.request_buffers(handle, v4l2.BufferType.VIDEO_CAPTURE, v4l2.Memory.MMAP, 1)
        v4l2.free_buffers(handle, v4l2.BufferType.VIDEO_CAPTURE, v4l2.Memory.MMAP)
    except BlockingIOError:
        return False
    except OSError as error:
        return error.errno == 16  # EBUSY
    finally:
        os.close(handle)
    return False


class UsbControls:
    """A camera's controls; those that it lacks are left alone."""

    def __init__(self, handle: int, mains_hz: int) -> None:
        self._handle, self._mains_hz = handle, mains_hz

    @classmethod
    def open(cls, node: Path, mains_hz: int) -> Self | None:
        """The controls of `node` for lamps on `mains_hz` (50 or 60); None where they cannot be reached."""
        if v4l2 is None:
            return None
        with suppress(OSError):
            return cls(os.open(node, os.O_RDWR | os.O_NONBLOCK), mains_hz)
        return None

    def start(self) -> None:
        """Lets the camera find exposure, white balance and focus by itself, without flicker and at its full rate."""
        self._set("POWER_LINE_FREQUENCY", 1 if self._mains_hz == 50 else 2)
        self._set("EXPOSURE_AUTO", _APERTURE_PRIORITY) or self._set("EXPOSURE_AUTO", _AUTO)
        self._set("EXPOSURE_AUTO_PRIORITY", 0)
        for name in ("AUTOGAIN", "AUTO_WHITE_BALANCE", "FOCUS_AUTO"):
            self._set(name, 1)

    def lock(self) -> None:
        """Keeps what the camera has found."""
        exposure = self.get("EXPOSURE_ABSOLUTE")
        if exposure is not None and self._set("EXPOSURE_AUTO", _MANUAL):
            self._set("EXPOSURE_ABSOLUTE", whole_periods(exposure * _UNIT_US, self._mains_hz) // _UNIT_US)
        for automatic, value in (
            ("AUTOGAIN", "GAIN"),
            ("AUTO_WHITE_BALANCE", "WHITE_BALANCE_TEMPERATURE"),
            ("FOCUS_AUTO", "FOCUS_ABSOLUTE"),
        ):
            self._keep(automatic, value)

    def close(self) -> None:
        """Lets go of the node."""
        os.close(self._handle)

    def _keep(self, automatic: str, value: str) -> None:
        found = self.get(value)
        if self._set(automatic, 0) and found is not None:
            self._set(value, found)

    def get(self, name: str) -> int | None:
        """The value of the control `V4L2_CID_<name>`; None where the camera has none."""
        with suppress(OSError):
            return int(v4l2.get_control(self._handle, _number(name)))
        return None

    def _set(self, name: str, value: int) -> bool:
        """Whether the camera has taken it: drivers refuse, or silently keep the old value (OpenCV 9738)."""
        with suppress(OSError):
            v4l2.set_control(self._handle, _number(name), value)
        return self.get(name) == value


def whole_periods(exposure_us: int, mains_hz: int) -> int:
    """The nearest exposure that sees whole pulses of a lamp (two a period); a much shorter one is daylight's, kept.

    >>> whole_periods(15_600, 50), whole_periods(3_000, 50)
    (20000, 3000)
    """
    pulse_us = 500_000 / mains_hz
    return exposure_us if exposure_us < pulse_us / 2 else round(max(1, round(exposure_us / pulse_us)) * pulse_us)


def _number(name: str) -> Any:
    return ControlID[name]
