"""USB cameras under Linux (V4L2): found again by what they are, wherever the kernel puts them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.cameras.live import Shot
from vision.cameras.settling import Settling
from vision.cameras.usb_controls import UsbControls, is_capture, is_taken
from vision.frames import Clock
from vision.troubles import NoCamera, Trouble

DEV, SYS, LINKS = Path("/dev"), Path("/sys/class/video4linux"), Path("/dev/v4l/by-id")
USUAL_GAP_NS = 33_333_333
_LATE_NS = 2_000_000_000
_BUFFERS = 8
"""No driver keeps more pictures for us than this; OpenCV asks for four."""
_SIZES = ((1920, 1080), (1280, 720), (640, 480))
_RATE, _LEAST_RATE = 30, 24

# OpenCV waits ten seconds for a starved camera unless told otherwise before its first capture.
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")


@dataclass(frozen=True, slots=True)
class Identity:
    """What a camera is, whichever node it has at present."""

    name: str
    """As the driver gives it, e.g. `HD Pro Webcam C920`."""
    vendor: str = ""
    product: str = ""
    serial: str = ""
    """Empty where it has none or is no USB device."""
    index: str = "0"
    """Which of the nodes of one device: a webcam has one for pictures and one for metadata."""


@dataclass(frozen=True, slots=True)
class Found:
    """A camera that is plugged in."""

    node: Path
    """`/dev/video0`; another one after it was plugged in again."""
    identity: Identity
    port: str
    """Where it is plugged in: tells twins without serial numbers apart."""
    link: Path | None
    """Its lasting name in `/dev/v4l/by-id`, where udev makes one."""

    def __str__(self) -> str:
        return f"{self.link or self.node} ({self.identity.name})"


def list_cameras() -> tuple[Found, ...]:
    """Every node that gives pictures, by number."""
    nodes = sorted(SYS.glob("video*"), key=lambda path: int(path.name.removeprefix("video")))
    links = {link.resolve(): link for link in sorted(LINKS.glob("*"))} if LINKS.is_dir() else {}
    found = (_found(node, links) for node in nodes if is_capture(DEV / node.name))
    return tuple(camera for camera in found if camera.node.exists())


def names_of_cameras() -> tuple[str, ...]:
    """The cameras of this machine as a person may name them."""
    if SYS.is_dir():
        return tuple(map(str, list_cameras()))
    return tuple(str(path) for path in sorted(DEV.glob("video*")))


def find_camera(spec: str) -> Found:
    """The camera that a person calls `spec`: `0`, `/dev/video0`, a link to it, or a part of its name.

    Raises `NoCamera`, which lists what there is.
    """
    cameras = list_cameras()
    node = _node_of(spec)
    if node is not None:
        named = [camera for camera in cameras if camera.node == node]
    else:
        named = [camera for camera in cameras if spec.casefold() in str(camera).casefold()]
    if len(named) > 1:
        raise NoCamera(Trouble("several", spec, there=names_of_cameras()))
    if not named:
        code = "not-a-camera" if node is not None and node.exists() else "missing"
        raise NoCamera(Trouble(code, spec, there=names_of_cameras()))
    return named[0]


class UsbCamera:
    """Opens one camera again and again; a callable for `LiveCamera`."""

    def __init__(self, spec: str, clock: Clock, mains_hz: int) -> None:
        """Remembers what `spec` is at present; raises `NoCamera`."""
        self._spec, self._clock, self._mains_hz = spec, clock, mains_hz
        self._first = find_camera(spec)

    def __call__(self) -> UsbDevice:
        """The camera, wherever it is now; raises `NoCamera` with what is in the way."""
        found = self.find()
        _refuse_unusable(found.node, self._spec)
        return UsbDevice(found.node, self._spec, self._clock, self._mains_hz)

    def find(self) -> Found:
        """The same camera: by what it is, of twins the one in the same port, else the one with the same node."""
        same = [camera for camera in list_cameras() if camera.identity == self._first.identity]
        if not same:
            raise NoCamera(Trouble("missing", self._spec, there=names_of_cameras()))
        return max(same, key=lambda camera: (camera.port == self._first.port, camera.node == self._first.node))


class Stamps:
    """What a driver's stamps are worth: some are of another clock, some are no stamps at all."""

    def __init__(self) -> None:
        self._gap_ns, self._last_ns = USUAL_GAP_NS, 0
        self._is_trusted, self._odd = False, 0

    def read(self, driver_ns: int, now_ns: int) -> tuple[int, int]:
        """When the picture was taken and within what, both CLOCK_MONOTONIC in ns, whatever the clock of the table is.

        A picture that waited for seconds in the driver has an old stamp. It is believed, for it shows what was, as
        long as the driver has been right before and no more such pictures come than it has buffers.
        """
        if -self._gap_ns <= now_ns - driver_ns < _LATE_NS:
            self._is_trusted, self._odd = True, 0
        else:
            self._odd += 1
            if not self._is_trusted or driver_ns > now_ns or self._odd > _BUFFERS:
                return now_ns, 2 * self._gap_ns
        if 0 < driver_ns - self._last_ns < 1_000_000_000:
            self._gap_ns += (driver_ns - self._last_ns - self._gap_ns) // 8
        self._last_ns = driver_ns
        return driver_ns, self._gap_ns


class UsbDevice:
    """An opened node; pictures carry the driver's own stamps."""

    def __init__(self, node: Path, spec: str, clock: Clock, mains_hz: int) -> None:
        self._clock = clock
        self._capture: Any = cv2.VideoCapture(int(node.name.removeprefix("video")), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise NoCamera(Trouble("unopened", spec, {"reason": "the driver refuses"}, names_of_cameras()))
        self._ask_for_detail()
        self._stamps = Stamps()
        self._settling = Settling(UsbControls.open(node, mains_hz))

    def read(self) -> Shot | None:
        """The next picture; None when the device is gone or has sent nothing for two seconds."""
        is_there, picture = self._capture.read()
        if not is_there:
            return None
        driver_ns = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        shot = Shot(np.asarray(picture, dtype=np.uint8), *self._stamps.read(driver_ns, self._clock()))
        self._settling.see(shot.picture, shot.t_ns)
        return shot

    def close(self) -> None:
        """Lets go of the node."""
        self._settling.close()
        self._capture.release()

    def _ask_for_detail(self) -> None:
        """The largest pictures that still come fast enough: without MJPEG many cameras send few large ones."""
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        for width, height in _SIZES:
            self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            self._capture.set(cv2.CAP_PROP_FPS, _RATE)
            if self._capture.get(cv2.CAP_PROP_FPS) >= _LEAST_RATE:
                return


def _node_of(spec: str) -> Path | None:
    if spec.isdecimal():
        return DEV / f"video{spec}"
    return Path(spec).resolve() if spec.startswith("/") else None


def _found(node: Path, links: dict[Path, Path]) -> Found:
    device = (node / "device").resolve()
    usb = next((place for place in (device, *device.parents) if (place / "idVendor").is_file()), None)
    vendor, product, serial = (_text(usb / name) if usb else "" for name in ("idVendor", "idProduct", "serial"))
    identity = Identity(_text(node / "name"), vendor, product, serial, _text(node / "index"))
    return Found(DEV / node.name, identity, str(usb or device), links.get(DEV / node.name))


def _text(path: Path) -> str:
    with suppress(OSError):
        return path.read_text("utf-8", errors="replace").strip()
    return ""


def _refuse_unusable(node: Path, spec: str) -> None:
    try:
        os.close(os.open(node, os.O_RDWR | os.O_NONBLOCK))
    except PermissionError:
        raise NoCamera(Trouble("denied", str(node), {"group": node.group()})) from None
    except FileNotFoundError:
        raise NoCamera(Trouble("missing", spec, there=names_of_cameras())) from None
    except OSError as error:
        raise NoCamera(Trouble("unopened", spec, {"reason": error.strerror}, names_of_cameras())) from None
    if is_taken(node):
        holder = next(_holders(node), None)
        raise NoCamera(Trouble("busy", spec, {"program": holder}) if holder else Trouble("busy-unknown", spec))


def _holders(node: Path) -> Iterator[str]:
    """Names of the programs that have `node` open, as far as this user may know."""
    own = str(os.getpid())
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if process.name != own and any(_points_to(link, node) for link in (process / "fd").iterdir()):
                yield f"{_text(process / 'comm')} (process {process.name})"


def _points_to(link: Path, node: Path) -> bool:
    with suppress(OSError):
        return link.readlink() == node
    return False
