"""A program for tests: serves a live session whose buttons nobody has and whose camera is a phone, or a film of itself.

Run as `python filmed.py PORT phone|photos NOTE [CERTIFICATE]`. The file NOTE tells what the tracker was shown last.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from pathlib import Path

from cardtable.live import LiveDriver
from cardtable.page import serve
from cardtable.proof.ring import VideoRing
from cardtable.session import Session
from engine.events import Event
from tests.cardtable.helpers import SECOND, GreyWatcher, begin, lay, plan
from vision.cameras import PhoneCamera
from vision.frames import Frame


class Noting(GreyWatcher):
    """A watcher that also tells what came."""

    def see(self, frame: Frame) -> tuple[Event, ...]:
        told = {"shape": frame.picture.shape, "within_ms": frame.within_ns / 1e6, "t_ns": frame.t_ns}
        told["mean"] = float(frame.picture.mean())
        Path(sys.argv[3]).write_text(json.dumps(told))
        self.mark_ns = frame.t_ns
        return ()


def main(port: str, kind: str, _: str, certificate: str = "") -> None:
    """Serves until it is killed. Boris has laid a three, and it was filmed."""
    session = Session(plan(), tracker=GreyWatcher())
    session.proof = ring = VideoRing()
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    film(session, ring, range(24))
    lay(session, "3D", "B", session.now_ns + SECOND // 15)
    film(session, ring, range(24, 48))
    session.tracker = Noting()
    driver = LiveDriver(session, camera=PhoneCamera(kind, time.monotonic_ns, stills=kind == "photos"))
    driver.start()
    threading.Thread(target=sys.stdin.read, daemon=True).start()
    serve(driver, host="127.0.0.1", port=int(port), certificate=Path(certificate) if certificate else None)
    driver.stop()


def film(session: Session, ring: VideoRing, numbers: range) -> None:
    """Pictures at 15 a second, as time goes on."""
    for number in numbers:
        session.on_time(session.now_ns + SECOND // 15)
        session.on_frame(frame_of(number, session.now_ns))
        ring.drain()


def frame_of(number: int, t_ns: int) -> Frame:
    """The three of diamonds' grey, which a `GreyWatcher` has seen, with a number that wanders through it."""
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    picture = np.full((240, 320, 3), 255, np.uint8)
    cv2.putText(picture, str(number), (20 + number, 120), cv2.FONT_HERSHEY_SIMPLEX, 1, (0, 0, 255), 2)
    return Frame(picture, t_ns, 16_000_000, number)


if __name__ == "__main__":
    main(*sys.argv[1:])
