"""A network camera for tests: a real MJPEG server over HTTP whose pictures and silences a test decides."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

FPS = 25


class NetworkTable:
    """Sends a numbered picture 25 times a second to whoever connects, unless it is mute."""

    def __init__(self, *, is_mute: bool = False, port: int = 0) -> None:
        self.is_mute, self.is_over = is_mute, False
        self.size = (320, 240)
        self.level: int | None = None
        """Every pixel has it; None: noise around grey, and a stripe code of the picture's number."""
        self.sent = 0
        """The number of the last picture that was sent."""
        self.is_frozen = False
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        self.port: int = self._server.server_port
        self.address = f"http://127.0.0.1:{self.port}/stream.mjpg"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._rng = np.random.default_rng(1)
        self._last: bytes = b""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over = True
        self._server.shutdown()
        self._server.server_close()

    def jpeg(self) -> bytes:
        """The next picture."""
        self.sent += 1
        if not (self.is_frozen and self._last):
            picture = self._picture()
            self._last = cv2.imencode(".jpg", picture)[1].tobytes()
        return self._last

    def _picture(self) -> NDArray[np.uint8]:
        width, height = self.size
        if self.level is not None:
            return np.full((height, width, 3), self.level, np.uint8)
        picture = self._rng.integers(90, 160, (height, width, 3)).astype(np.uint8)
        return stamped(picture, self.sent)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        table = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
                self.end_headers()
                try:
                    while not table.is_over:
                        self._send_one()
                        time.sleep(1 / FPS)
                except OSError:
                    return

            def _send_one(self) -> None:
                if table.is_mute:
                    return
                data = table.jpeg()
                head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                self.wfile.write(head.encode() + data + b"\r\n")

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        return Handler


BITS = 20


def stamped(picture: NDArray[np.uint8], number: int) -> NDArray[np.uint8]:
    """The picture with the low bits of `number` as black and white stripes at its top."""
    width = picture.shape[1] // BITS
    for bit in range(BITS):
        picture[:16, bit * width : (bit + 1) * width] = 255 if number >> bit & 1 else 0
    return picture


def read_stamp(picture: NDArray[np.uint8]) -> int:
    """What `stamped` has written, modulo 2**20."""
    width = picture.shape[1] // BITS
    stripes = (picture[2:14, bit * width + 4 : (bit + 1) * width - 4].mean() > 128 for bit in range(BITS))
    return sum(1 << bit for bit, is_white in enumerate(stripes) if is_white)
