"""Network cameras: MJPEG over HTTP, RTSP and whatever else FFmpeg can fetch."""

from __future__ import annotations

import av
import numpy as np

from vision.cameras.live import Shot
from vision.frames import Clock
from vision.troubles import NoCamera, Trouble

PREFIXES = ("http://", "https://", "rtsp://", "rtmp://", "udp://")
WITHIN_NS = 300_000_000
"""What lies between a network camera's shutter and us is not told by the stream."""
OPEN_S, READ_S = 5.0, 1.5
_LIVE = {"fflags": "nobuffer", "flags": "low_delay", "rtsp_transport": "tcp"}
"""FFmpeg must not gather pictures before it hands them out."""


class NetworkCamera:
    """Connects to one address again and again; a callable for `LiveCamera`."""

    def __init__(self, address: str, clock: Clock) -> None:
        self._address, self._clock = address, clock

    def __call__(self) -> NetworkDevice:
        """A connection; raises `NoCamera` when there is none to be had."""
        return NetworkDevice(self._address, self._clock)


class NetworkDevice:
    """A connection; pictures are stamped as they arrive, for a stream's own times are often invented.

    Not OpenCV's: that squeezes every later picture into the size of the first, so that a phone turned round would
    go unnoticed.
    """

    def __init__(self, address: str, clock: Clock) -> None:
        self._clock = clock
        try:
            self._stream = av.open(address, options=_LIVE, timeout=(OPEN_S, READ_S))
        except (av.FFmpegError, OSError, ValueError):
            raise NoCamera(Trouble("unreachable", address)) from None
        if not self._stream.streams.video:
            self._stream.close()
            raise NoCamera(Trouble("not-a-camera", address))
        self._pictures = self._stream.decode(video=0)

    def read(self) -> Shot | None:
        """The next picture; None when the other end has been silent for 1.5 s or has hung up."""
        try:
            picture = next(self._pictures, None)
        except (av.FFmpegError, OSError):
            return None
        if picture is None:
            return None
        return Shot(np.asarray(picture.to_ndarray(format="bgr24"), dtype=np.uint8), self._clock(), WITHIN_NS)

    def close(self) -> None:
        """Hangs up."""
        self._stream.close()
