"""From what a person writes after `--camera` to a source of frames."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from vision.cameras.any_system import NumberedCamera
from vision.cameras.files import Stills, Video
from vision.cameras.live import LiveCamera
from vision.cameras.network import PREFIXES, NetworkCamera
from vision.cameras.phone import PhoneCamera
from vision.cameras.pi import PiCamera
from vision.cameras.usb import UsbCamera, find_camera, names_of_cameras
from vision.frames import Clock, FrameSource
from vision.troubles import NoCamera, Trouble, tell_cameras

PHONE, PHOTOS = "phone", "photos"
"""A phone's browser as camera: moving pictures, or a photograph whenever somebody takes one."""


def open_camera(spec: str | Path, clock: Clock = time.monotonic_ns, *, mains_hz: int = 50) -> FrameSource:
    """Source for what a person writes after `--camera`.

    `0`, `/dev/video0`, `/dev/v4l/by-id/…` or a part of a USB camera's name; `pi` for a Raspberry Pi's; `http://…` or
    `rtsp://…`; `phone`, `photos`; a video file or a folder of pictures. Lamps pulse with twice `mains_hz` (50 or 60).
    Raises `NoCamera` or `UnreadablePicture` with what is wrong and what there is instead.
    """
    text = str(spec)
    if text.startswith(PREFIXES):
        return LiveCamera(text, NetworkCamera(text, clock), clock)
    if text in (PHONE, PHOTOS):
        return PhoneCamera(text, clock, stills=text == PHOTOS)
    if text == "pi" or text.startswith("pi:"):
        return LiveCamera(text, PiCamera(text, clock, mains_hz), clock)
    path = Path(text).expanduser()
    if path.is_dir():
        return Stills(path, clock)
    if path.is_file():
        return Video(path, clock)
    return LiveCamera(text, _local(text, clock, mains_hz), clock)


def what_there_is(language: str = "en") -> str:
    """The cameras of this machine as part of a sentence."""
    return tell_cameras(names_of_cameras(), language)


def _local(text: str, clock: Clock, mains_hz: int) -> UsbCamera | NumberedCamera:
    if sys.platform != "linux" and text.isdecimal():
        return NumberedCamera(int(text), clock)
    try:
        find_camera(text)
    except NoCamera as error:
        is_path = not text.isdecimal() and not text.startswith("/dev/")
        if is_path and error.trouble.code == "missing":
            raise NoCamera(Trouble("nothing-so-called", text, there=error.trouble.there)) from None
        raise
    return UsbCamera(text, clock, mains_hz)
