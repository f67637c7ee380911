"""A simulated slap box at the end of a wire, and a real pty that it can be plugged into."""

from __future__ import annotations

import os
import pty
import select
import tty
from collections.abc import Sequence
from pathlib import Path

from engine.seats import Seat, seats
from hardware.box_ports import Address
from hardware.box_reader import BoxReader
from hardware.records import Edge, Kind
from hardware.simulated_box import Box
from hardware.sources import QueuedSource

__all__ = ["MS", "US", "Box", "Plug", "S", "Wire", "told"]

US = 1_000
MS = 1_000_000
S = 1_000 * MS


class Wire:
    """A box and the reader at the other end, without a port between them; every way takes `way_ns`."""

    def __init__(self, box: Box | None = None, *, players: int = 3, way_ns: int = 500 * US) -> None:
        self.box = box or Box()
        self.way_ns = way_ns
        self.now_ns = 1_000 * S
        self._source = QueuedSource("box", lag_ns=0)
        self.reader = BoxReader(seats(players), self._source.put, now_ns=self.now_ns)

    def says(self, data: bytes) -> None:
        """The box sends `data`; it arrives one way later."""
        self.now_ns += self.way_ns
        self.reader.take(data, self.now_ns)

    def ping(self) -> None:
        """One exchange, if it is time."""
        sent = self.reader.ping(self.now_ns)
        if sent:
            self.now_ns += self.way_ns
            self.says(self.box.hears(sent, self.now_ns))

    def begin(self) -> Wire:
        """Boots, gets into step, and fetches the levels of the start."""
        self.says(self.box.boots())
        self.ping()
        self.beat()
        self.fetch()
        return self

    def beat(self) -> None:
        """A heartbeat of now."""
        self.says(self.box.beats(self.now_ns))

    def change(self, *bits: int, drops: int = 0) -> int:
        """An edge of now; gives its true time."""
        t_ns = self.now_ns
        self.says(self.box.changes(t_ns, *bits, drops=drops))
        return t_ns

    def wait(self, span_ns: int) -> None:
        """Time passes with heartbeats and pings."""
        until_ns = self.now_ns + span_ns
        while self.now_ns < until_ns:
            self.now_ns += 20 * MS
            self.beat()
            self.ping()

    def fetch(self) -> tuple[Edge, ...]:
        """What the reader put since the last call."""
        return self._source.edges()


def told(edges: Sequence[Edge]) -> list[tuple[Kind, Seat | None]]:
    """Kinds and seats alone."""
    return [(edge.kind, edge.seat) for edge in edges]


class Plug:
    """A real pty that a box can be plugged into, out of and again, found under the same path."""

    def __init__(self, path: Path) -> None:
        self.address = Address(str(path))
        self._path = path
        self._box_end: int | None = None

    def push_in(self) -> None:
        """Plugs the box in."""
        self._box_end, host_end = pty.openpty()
        tty.setraw(host_end)
        self._path.symlink_to(os.ttyname(host_end))
        self._host_end = host_end

    def pull_out(self) -> None:
        """Unplugs it, whoever is reading."""
        if self._box_end is not None:
            self._path.unlink()
            os.close(self._box_end)
            os.close(self._host_end)
            self._box_end = None

    def send(self, data: bytes) -> None:
        """The box sends `data`."""
        assert self._box_end is not None
        os.write(self._box_end, data)

    def heard(self, *, within_s: float = 10) -> bytes:
        """What the host has sent since the last call, waiting until there is something."""
        assert self._box_end is not None
        ready = select.select([self._box_end], [], [], within_s)[0]
        return os.read(self._box_end, 4096) if ready else b""
