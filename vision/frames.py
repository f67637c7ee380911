"""Pictures with their capture times, and what every source of them offers; the sources are in `vision.cameras`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import UnreadablePicture
from vision.troubles import Trouble

Picture = NDArray[np.uint8]
"""(h, w, 3) BGR."""
Clock = Callable[[], int]
"""Gives the table's monotonic time in ns."""

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


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

    @property
    def trouble(self) -> Trouble | None:
        """Why no good pictures come at present; None while they do."""

    def close(self) -> None:
        """Lets go of the device or file."""


def read_picture(path: Path) -> Picture:
    """The picture in `path`, turned upright as its EXIF says; raises `UnreadablePicture`."""
    try:
        picture = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR)
    except (OSError, cv2.error):
        picture = None
    if picture is None:
        raise UnreadablePicture(f"{path} cannot be read as a picture; give a JPEG, PNG, WebP or BMP file")
    return np.asarray(picture, dtype=np.uint8)


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
