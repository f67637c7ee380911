"""Pictures with their capture times, from a camera, a stream, a video file or a folder.

    source = open_camera("0")
    while (frame := source.newest()) is None:
        ...

Every source hands out a frame once and never an old one in place of a newer; what nobody fetched in time is dropped.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import TableError
from vision.reader.errors import UnreadablePicture

Picture = NDArray[np.uint8]
"""(h, w, 3) BGR."""
Clock = Callable[[], int]
"""Gives the table's monotonic time in ns."""

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")
_STREAM_PREFIXES = ("http://", "https://", "rtsp://", "rtmp://", "udp://")
_USUAL_GAP_NS = 33_333_333
_STREAM_WITHIN_NS = 300_000_000  # what lies between a network camera's shutter and us is not told by the stream
_DEAD_AFTER_NS = 2_000_000_000
_FIRST_PICTURE_S = 5.0


class NoCamera(TableError):
    """There is no picture to be had from what was named as camera."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of the table and when it was taken."""

    picture: Picture
    t_ns: int
    """When it was taken, on the table's monotonic clock."""
    within_ns: int
    """The true moment lies at most this far from `t_ns`."""
    number: int
    """Counts what the source has captured; a gap means that frames were dropped."""


class FrameSource(Protocol):
    """Where frames come from."""

    name: str

    def newest(self) -> Frame | None:
        """The newest frame not handed out yet; None while there is none. Never blocks."""

    @property
    def is_over(self) -> bool:
        """Whether no frame will come any more (the end of a file)."""

    def close(self) -> None:
        """Lets go of the device or file."""


def open_camera(spec: str | Path, clock: Clock = time.monotonic_ns) -> FrameSource:
    """Source for what a person writes after `--camera`: `0`, `/dev/video0`, a video file, a folder, `http://…`.

    Raises `NoCamera` or `UnreadablePicture` with what is wrong and what there is instead.
    """
    text = str(spec)
    if text.startswith(_STREAM_PREFIXES):
        return Camera(text, clock)
    if text.isdecimal() or text.startswith("/dev/"):
        return Camera(text, clock)
    path = Path(text).expanduser()
    if path.is_dir():
        return Stills(path, clock)
    if path.is_file():
        return Video(path, clock)
    raise NoCamera(f"there is no camera, file or folder called {text!r}; {what_there_is()}")


def what_there_is() -> str:
    """The cameras of this machine as part of a sentence."""
    found = [str(path) for path in sorted(Path("/dev").glob("video*"))]
    return f"cameras here: {', '.join(found)}" if found else "this machine shows no camera; plug one in or name a file"


def read_picture(path: Path) -> Picture:
    """The picture in `path`, turned upright as its EXIF says; raises `UnreadablePicture`."""
    try:
        picture = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR)
    except (OSError, cv2.error):
        picture = None
    if picture is None:
        raise UnreadablePicture(f"{path} cannot be read as a picture; give a JPEG, PNG, WebP or BMP file")
    return np.asarray(picture, dtype=np.uint8)


class Stills:
    """A folder of pictures named by their capture time in ms, shown again at their own pace; none is dropped."""

    def __init__(self, folder: Path, clock: Clock = time.monotonic_ns, within_ns: int = _USUAL_GAP_NS) -> None:
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


def list_stills(folder: Path) -> tuple[tuple[float, Path], ...]:
    """(capture time in ms, path) of every picture in `folder`, by time; raises `UnreadablePicture`."""
    found = [path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES]
    if not found:
        raise UnreadablePicture(
            f"the folder {folder} holds no pictures; put JPEG or PNG files there, named by time in ms"
        )
    return tuple(sorted((_time_of(path), path) for path in found))


def _time_of(path: Path) -> float:
    try:
        return float(path.stem)
    except ValueError:
        raise UnreadablePicture(f"{path} is not named by its time in ms; rename it like 0005690.jpg") from None


class Video:
    """A video file in real time: the frame that is due now; those that fell due meanwhile are skipped."""

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


class Camera:
    """A camera or network stream, read by a thread of its own so that only the newest frame is ever kept."""

    is_over = False

    def __init__(self, spec: str, clock: Clock = time.monotonic_ns, first_picture_s: float = _FIRST_PICTURE_S) -> None:
        """Opens `spec` (`0`, `/dev/video0`, a URL) and waits for its first picture; raises `NoCamera`."""
        self.name = spec
        self._clock = clock
        self._is_stream = spec.startswith(_STREAM_PREFIXES)
        self._capture = self._open()
        self._lock, self._fresh = threading.Lock(), threading.Event()
        self._frame: Frame | None = None
        self._number, self._last_ns, self._gap_ns = 0, 0, _USUAL_GAP_NS
        self._is_closing = False
        self._thread = threading.Thread(target=self._run, name=f"camera {spec}", daemon=True)
        self._thread.start()
        if not self._fresh.wait(first_picture_s):
            self.close()
            raise NoCamera(f"the camera {spec} sends no picture; close other programs that may use it, then try again")

    def newest(self) -> Frame | None:
        """The newest frame not handed out yet."""
        with self._lock:
            frame, self._frame = self._frame, None
        return frame

    @property
    def trouble(self) -> str | None:
        """One sentence while no picture has come for two seconds, else None."""
        silent_ns = self._clock() - self._last_ns
        if silent_ns < _DEAD_AFTER_NS:
            return None
        return f"the camera {self.name} has sent no picture for {silent_ns / 1e9:.0f} s; check its cable"

    def close(self) -> None:
        """Stops the thread and lets go of the device."""
        self._is_closing = True
        self._thread.join(timeout=2)
        if not self._thread.is_alive():
            self._capture.release()

    def _open(self) -> Any:
        if not self._is_stream:
            _refuse_unusable(self.name)
        capture = cv2.VideoCapture(int(self.name) if self.name.isdecimal() else self.name)
        if not capture.isOpened():
            why = "check the address and that the other end is sending" if self._is_stream else what_there_is()
            raise NoCamera(f"the camera {self.name} cannot be opened; {why}")
        if not self._is_stream:
            _ask_for_full_hd(capture)
        return capture

    def _run(self) -> None:
        while not self._is_closing:
            if self._capture.grab():
                self._keep(self._clock())
            else:
                self._reopen()

    def _keep(self, now_ns: int) -> None:
        is_there, picture = self._capture.retrieve()
        if not is_there:
            return
        if self._last_ns:
            self._gap_ns = (7 * self._gap_ns + min(now_ns - self._last_ns, 1_000_000_000)) // 8
        self._last_ns, self._number = now_ns, self._number + 1
        t_ns, within_ns = self._stamp(now_ns)
        with self._lock:
            self._frame = Frame(np.asarray(picture, dtype=np.uint8), t_ns, within_ns, self._number)
        self._fresh.set()

    def _stamp(self, now_ns: int) -> tuple[int, int]:
        if self._is_stream:
            return now_ns, _STREAM_WITHIN_NS
        # V4L2 gives the driver's own stamp of the buffer on the monotonic clock; other backends something else.
        driver_ns = round(self._capture.get(cv2.CAP_PROP_POS_MSEC) * 1e6)
        if 0 <= now_ns - driver_ns < 500_000_000:
            return driver_ns, self._gap_ns
        return now_ns, 2 * self._gap_ns

    def _reopen(self) -> None:
        self._capture.release()
        time.sleep(0.5)
        try:
            self._capture = self._open()
        except NoCamera:
            return


def _refuse_unusable(spec: str) -> None:
    device = Path(f"/dev/video{spec}" if spec.isdecimal() else spec)
    if not Path("/dev").is_dir() or (spec.isdecimal() and not Path("/sys/class").is_dir()):
        return  # not Linux: the system's own numbering says nothing about files
    if not device.exists():
        raise NoCamera(f"there is no camera {spec}; {what_there_is()}")
    try:
        with device.open("rb"):
            pass
    except PermissionError:
        group = device.group()
        raise NoCamera(
            f"no permission to use the camera {device}; add yourself to the group: sudo usermod -aG {group} $USER"
        ) from None
    except OSError as error:
        raise NoCamera(f"the camera {device} cannot be opened ({error.strerror}); {what_there_is()}") from None


def _ask_for_full_hd(capture: Any) -> None:
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
    capture.set(cv2.CAP_PROP_FPS, 30)
