"""A simulated slap box at a real pty, kept alive by a thread of its own, as a board keeps itself alive."""

from __future__ import annotations

import os
import select
import threading
import time
from contextlib import suppress

from hardware.simulated_box import Box
from tests.hardware.boxes import Plug

BEAT_S = 0.02
TAP_NS = 60_000_000


class LiveBox:
    """Beats, answers pings, and taps when told; its lamps are in `box.lit`."""

    def __init__(self, plug: Plug) -> None:
        assert plug._box_end is not None
        self.box, self._port = Box(), plug._box_end
        self._lock, self._is_over = threading.Lock(), threading.Event()
        self.lit_ns: dict[int, int] = {}
        """When each lamp was lit last."""
        os.set_blocking(self._port, False)
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def change(self, *bits: int) -> int:
        """Buttons go down or up; gives the moment."""
        with self._lock:
            t_ns = time.monotonic_ns()
            self._send(self.box.changes(t_ns, *bits))
        return t_ns

    def tap(self, bit: int) -> int:
        """A button goes down and up; gives the moment. It is a tap by the box's stamps, however late they are sent."""
        with self._lock:
            t_ns = time.monotonic_ns()
            self._send(self.box.changes(t_ns, bit))
            self._is_over.wait(TAP_NS / 1e9)
            self._send(self.box.changes(t_ns + TAP_NS, bit))
        return t_ns

    def close(self) -> None:
        """The board is switched off."""
        self._is_over.set()
        self._thread.join()

    def _live(self) -> None:
        with self._lock:
            self._send(self.box.boots())
        while not self._is_over.is_set():
            ready = select.select([self._port], [], [], BEAT_S)[0]
            with self._lock:
                if ready:
                    self._hear(os.read(self._port, 4096))
                self._send(self.box.beats(time.monotonic_ns()))

    def _hear(self, sent: bytes) -> None:
        now_ns, before = time.monotonic_ns(), set(self.box.lit)
        self._send(self.box.hears(sent, now_ns))
        self.lit_ns |= dict.fromkeys(self.box.lit - before, now_ns)

    def _send(self, data: bytes) -> None:
        # Nobody reads before a program has opened the port: what does not fit is lost, as on a real wire.
        with suppress(BlockingIOError):
            os.write(self._port, data)
