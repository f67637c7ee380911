"""Network cameras: MJPEG over HTTP, RTSP and whatever else FFmpeg can fetch."""

from __future__ import annotations

import time

import av
import numpy as np

from vision.cameras.live import Shot
from vision.frames import Clock
from vision.troubles import NoCamera, Trouble

PREFIXES = ("http://", "https://", "rtsp://", "rtmp://", "udp://")
WITHIN_NS = 300_000_000
"""What lies between a network camera's shutter and us is not told by the stream."""
OPEN_S, READ_S = 5.0, 1.5
_LIVE = {
    "fflags": "nobuffer",
    "flags": "low_delay",
    "rtsp_transport": "tcp",
    "use_wallclock_as_timestamps": "1",
}
"""FFmpeg must not gather pictures before it hands them out, and says when each came."""
_HELD_NS = round(0.9 * READ_S * 1e9)


class NetworkCamera:
    """Connects to one address again and again; a callable for `LiveCamera`."""

    def __init__(self, address: str, clock: Clock) -> None:
        self._address, self._clock = address, clock

    def __call__(self) -> NetworkDevice:
        """A connection; raises `NoCamera` when there is none to be had."""
        return NetworkDevice(self._address, self._clock)


class NetworkDevice:
    """A connection; pictures are stamped as they arrive, for a stream's own times are often invented.

    FFmpeg holds the last picture of a video stream back until the next begins. When none does, it comes out as the
    silence has lasted for `READ_S`: that is no news from the table but the news that there is none.

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
        if picture is None or (held_ns := _held_ns(picture)) >= _HELD_NS:
            return None
        t_ns = self._clock() - held_ns
        return Shot(np.asarray(picture.to_ndarray(format="bgr24"), dtype=np.uint8), t_ns, WITHIN_NS)

    def close(self) -> None:
        """Hangs up."""
        self._stream.close()


def _held_ns(picture: av.VideoFrame) -> int:
    """How long ago the picture's first part came in; 0 where FFmpeg doesn't say or the wall clock was set meanwhile."""
    return 0 if picture.time is None else max(0, time.time_ns() - round(picture.time * 1e9))
