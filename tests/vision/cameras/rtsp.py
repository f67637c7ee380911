"""An RTSP camera for tests: one client, H.264 over the RTSP connection itself (RFC 2326 §10.12, RFC 6184 §5.6)."""

from __future__ import annotations

import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import Self

import av
import numpy as np

from tests.vision.cameras.stream import stamped

FPS, CLOCK_HZ = 25, 90_000
SIZE = (320, 240)
_SDP = (
    "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\n"
    "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1\r\na=control:track1\r\n"
)


class RtspTable:
    """Sends noise with a stripe code of the picture's number, until it is mute."""

    def __init__(self) -> None:
        self.is_mute = self.is_over = False
        self.sent = 0
        """The number of the last picture that was sent."""
        self._server = socket.create_server(("127.0.0.1", 0))
        self.address = f"rtsp://127.0.0.1:{self._server.getsockname()[1]}/table"
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_over = True
        self._server.close()

    def _serve(self) -> None:
        while not self.is_over:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        with client:
            try:
                for method, number in _requests(client):
                    client.sendall(_answer(method, number))
                    if method == "PLAY":
                        self._play(client)
            except OSError:
                return

    def _play(self, client: socket.socket) -> None:
        pictures = 0
        for number, (is_last, unit) in enumerate(self._units()):
            stamp = (pictures * CLOCK_HZ // FPS) & 0xFFFFFFFF
            pictures += is_last
            head = struct.pack(">BBHII", 0x80, 96 | 0x80 * is_last, number & 0xFFFF, stamp, 1)
            client.sendall(struct.pack(">cBH", b"$", 0, len(head) + len(unit)) + head + unit)

    def _units(self) -> Iterator[tuple[bool, bytes]]:
        """NAL units, each small enough for one packet; True with the last of a picture."""
        encoder = av.VideoCodecContext.create("libx264", "w")
        encoder.width, encoder.height, encoder.pix_fmt = *SIZE, "yuv420p"
        encoder.framerate, encoder.thread_count = Fraction(FPS), 1
        encoder.options = {"preset": "ultrafast", "tune": "zerolatency", "crf": "30", "g": "10"}
        rng = np.random.default_rng(2)
        while not self.is_over:
            time.sleep(1 / FPS)
            if self.is_mute:
                continue
            picture = rng.integers(110, 140, (SIZE[1], SIZE[0], 3)).astype(np.uint8)
            self.sent += 1
            frame = av.VideoFrame.from_ndarray(stamped(picture, self.sent), format="bgr24")
            for packet in encoder.encode(frame):
                units = [unit.rstrip(b"\0") for unit in re.split(b"\0\0\1", bytes(packet)) if unit.rstrip(b"\0")]
                yield from ((i == len(units) - 1, unit) for i, unit in enumerate(units))


def _requests(client: socket.socket) -> Iterator[tuple[str, str]]:
    waiting = b""
    while data := client.recv(4096):
        waiting += data
        while b"\r\n\r\n" in waiting:
            text, _, waiting = waiting.partition(b"\r\n\r\n")
            number = re.search(rb"CSeq: *(\d+)", text, re.IGNORECASE)
            yield text.split(b" ", 1)[0].decode(), number[1].decode() if number else "0"


def _answer(method: str, number: str) -> bytes:
    lines = [f"RTSP/1.0 200 OK\r\nCSeq: {number}"]
    body = _SDP if method == "DESCRIBE" else ""
    if method == "OPTIONS":
        lines.append("Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN")
    if method == "SETUP":
        lines.append("Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1")
    if body:
        lines.append(f"Content-Type: application/sdp\r\nContent-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()
