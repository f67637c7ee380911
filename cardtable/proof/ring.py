"""The last minutes of the table as compressed video in memory."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

import av
import cv2
import numpy as np

from cardtable.proof.film import RATE, as_picture, as_video_frame, encoder_options
from vision.frames import Frame, Picture

KEPT_NS = 180_000_000_000
MOST_BYTES = 64 * 1024 * 1024
WIDTH = 1280
"""Wider pictures are shrunk: a person sees from these who was first, and the processor has cards to read."""
QUIET_NS = 200_000_000
"""While nothing moves, five pictures a second are kept."""
BACKLOG = 8
"""Pictures that may wait to be compressed; more are dropped, for proof must never hold up play."""
_CRF = 28
_LEAD_NS = 2_500_000_000
"""Older than that by so much a piece may be before it goes: the pictures between hang on it."""


class _Piece(NamedTuple):
    t_ns: int
    data: bytes
    is_key: bool


class VideoRing:
    """Takes every frame of a session in its own thread, compresses in another, gives any two seconds back."""

    def __init__(self, *, kept_ns: int = KEPT_NS, most_bytes: int = MOST_BYTES) -> None:
        self._kept_ns, self._most_bytes = kept_ns, most_bytes
        self._pieces: deque[_Piece] = deque()
        self._bytes, self._taken_ns = 0, -QUIET_NS
        self._lock = threading.Lock()
        self._waiting: queue.Queue[tuple[int, Picture] | None] = queue.Queue(BACKLOG)
        self._encoder: av.VideoCodecContext | None = None
        self._place = 0
        self._thread = threading.Thread(target=self._run, name="proof", daemon=True)
        self._thread.start()

    def add(self, frame: Frame, *, is_quiet: bool) -> None:
        """A frame of the session; costs the caller nothing but the passing on."""
        if is_quiet and frame.t_ns - self._taken_ns < QUIET_NS:
            return
        self._taken_ns = frame.t_ns
        with suppress(queue.Full):
            self._waiting.put_nowait((frame.t_ns, frame.picture))

    def drain(self) -> None:
        """Waits until everything that was added is compressed."""
        self._waiting.join()

    def close(self) -> None:
        """Ends the thread; what was kept can still be looked at."""
        self._waiting.put(None)
        self._thread.join()

    @property
    def size_bytes(self) -> int:
        """What the compressed pictures take up."""
        return self._bytes

    def frames(self, from_ns: int, to_ns: int) -> Iterator[tuple[int, Picture]]:
        """(t_ns, picture) of what is kept between those moments, in order; nothing where it is too long ago."""
        with self._lock:
            pieces = list(self._pieces)
        start = max((i for i, piece in enumerate(pieces) if piece.is_key and piece.t_ns <= from_ns), default=0)
        wanted = [piece for piece in pieces[start:] if piece.t_ns <= to_ns]
        for t_ns, picture in _decoded(wanted):
            if t_ns >= from_ns:
                yield t_ns, picture

    def _run(self) -> None:
        while True:
            item = self._waiting.get()
            try:
                if item is None:
                    return
                self._encode(*item)
            finally:
                self._waiting.task_done()

    def _encode(self, t_ns: int, picture: Picture) -> None:
        shrunk = _shrunk(picture)
        encoder = self._encoder
        if encoder is None or (encoder.height, encoder.width) != (shrunk.shape[0] & ~1, shrunk.shape[1] & ~1):
            self._encoder = encoder = _encoder(shrunk)
        for packet in encoder.encode(as_video_frame(shrunk, self._place)):
            self._keep(_Piece(t_ns, bytes(packet), packet.is_keyframe))
        self._place += 1

    def _keep(self, piece: _Piece) -> None:
        with self._lock:
            self._pieces.append(piece)
            self._bytes += len(piece.data)
            while self._is_too_much(piece.t_ns):
                self._bytes -= len(self._pieces.popleft().data)
                # What hangs on a picture that is gone cannot be shown any more.
                while self._pieces and not self._pieces[0].is_key:
                    self._bytes -= len(self._pieces.popleft().data)

    def _is_too_much(self, now_ns: int) -> bool:
        return len(self._pieces) > 1 and (
            self._bytes > self._most_bytes or now_ns - self._pieces[0].t_ns > self._kept_ns + _LEAD_NS
        )


def _shrunk(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    if width <= WIDTH:
        return picture
    size = (WIDTH, round(height * WIDTH / width))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def _encoder(picture: Picture) -> av.VideoCodecContext:
    encoder = av.VideoCodecContext.create("libx264", "w")
    encoder.width, encoder.height = picture.shape[1] & ~1, picture.shape[0] & ~1
    encoder.pix_fmt, encoder.framerate, encoder.thread_count = "yuv420p", Fraction(RATE), 1
    encoder.options = encoder_options(_CRF)
    return encoder


def _decoded(pieces: list[_Piece]) -> Iterator[tuple[int, Picture]]:
    """Every piece as a picture. A decoder of its own for each run of pictures that begins anew with another size."""
    decoder = av.VideoCodecContext.create("h264", "r")
    decoder.thread_count = 1
    times = deque(piece.t_ns for piece in pieces)
    for piece in [*pieces, None]:
        for frame in decoder.decode(None if piece is None else av.Packet(piece.data)):
            yield times.popleft(), as_picture(frame)
