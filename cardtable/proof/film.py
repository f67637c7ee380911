"""Pictures as one compressed video file, found again by their place in it; their times stand in a table elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from vision.errors import UnreadablePicture
from vision.frames import Picture

RATE = 30
_AT_ONCE = {"cluster_time_limit": "30", "flush_packets": "1"}
"""Every picture goes to the file when it comes."""
_CODEC = "libx264"
_KEY_EVERY = 60
"""Places between pictures that stand for themselves: a reader that starts in the middle decodes no more than these."""


def encoder_options(crf: int) -> dict[str, str]:
    """For `libx264`: one picture in, one out, quick enough for a live table; a lower `crf` keeps more."""
    return {"preset": "ultrafast", "tune": "zerolatency", "crf": str(crf), "g": str(_KEY_EVERY)}


def as_video_frame(picture: Picture, place: int) -> av.VideoFrame:
    """The picture as FFmpeg takes it; both sides must be even."""
    height, width = picture.shape[:2]
    even = np.ascontiguousarray(picture[: height & ~1, : width & ~1])
    # OpenCV's conversion gives back what went in; FFmpeg's own makes everything a little darker.
    planes = np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420), dtype=np.uint8)
    frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
    frame.pts = place
    return frame


def as_picture(frame: av.VideoFrame) -> Picture:
    """The other way round."""
    return np.asarray(cv2.cvtColor(frame.to_ndarray(format="yuv420p"), cv2.COLOR_YUV2BGR_I420), dtype=np.uint8)


class FilmWriter:
    """Writes pictures of one size into a Matroska file; what is written can be read although the program was killed."""

    def __init__(self, path: Path, size: tuple[int, int], *, crf: int) -> None:
        """Begins `path` for pictures of `size` (width, height); raises `OSError`."""
        self.size, self.path, self.places = size, path, 0
        file: Any = av.open(str(path), "w", format="matroska", options=_AT_ONCE)
        stream: Any = file.add_stream(_CODEC, rate=RATE, options=encoder_options(crf))
        stream.width, stream.height, stream.pix_fmt = size[0] & ~1, size[1] & ~1, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.time_base = Fraction(1, RATE)
        self._file, self._stream = file, stream

    def write(self, picture: Picture) -> int:
        """Adds a picture; returns its place."""
        place, self.places = self.places, self.places + 1
        self._file.mux(self._stream.encode(as_video_frame(picture, place)))
        return place

    def close(self) -> None:
        """Ends the file."""
        self._file.mux(self._stream.encode(None))
        self._file.close()


class Film:
    """A film to read in order; going back begins anew."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pictures: Iterator[Picture] = iter(())
        self._next = -1

    def count(self) -> int:
        """How many pictures it holds; raises `UnreadablePicture` when it is no film."""
        try:
            with av.open(str(self.path)) as file:
                return sum(packet.size > 0 for packet in file.demux(video=0))
        except (av.FFmpegError, OSError, IndexError) as error:
            raise UnreadablePicture(f"{self.path} cannot be read as a film ({_reason(error)}); restore it") from None

    def picture(self, place: int) -> Picture:
        """The picture at `place`; raises `UnreadablePicture`."""
        if place < self._next or self._next < 0:
            self._pictures, self._next = self._decoded(), 0
        picture = None
        while self._next <= place:
            picture, self._next = next(self._pictures, None), self._next + 1
            if picture is None:
                break
        if picture is None:
            raise UnreadablePicture(f"{self.path} has no picture {place}; restore the whole file")
        return picture

    def _decoded(self) -> Iterator[Picture]:
        try:
            with av.open(str(self.path)) as file:
                for frame in file.decode(video=0):
                    yield as_picture(frame)
        except (av.FFmpegError, OSError, IndexError) as error:
            raise UnreadablePicture(f"{self.path} cannot be read as a film ({_reason(error)}); restore it") from None


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)
