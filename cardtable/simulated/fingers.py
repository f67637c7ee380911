"""Fingers on buttons: the words that a button knows, as edges that bounce."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

from engine.seats import Seat
from hardware.records import Edge, Kind

SOURCE = "simulated"
_TAP_MS, _HOLD_MS, _DOUBLE_MS = 70, 950, 220


class Fingers(ABC):
    """Everybody's fingers at one table; the table says how an edge comes to the session, and how time passes."""

    def __init__(self, rng: random.Random) -> None:
        self._fingers_rng, self._edges = rng, 0

    def tap(self, seat: Seat) -> None:
        """A short press."""
        self._press(seat, _TAP_MS)

    def hold(self, seat: Seat) -> None:
        """A long press."""
        self._press(seat, _HOLD_MS)

    def double(self, seat: Seat) -> None:
        """Two short presses."""
        self._press(seat, _TAP_MS)
        self.wait(_DOUBLE_MS - _TAP_MS)
        self._press(seat, _TAP_MS)

    @abstractmethod
    def wait(self, ms: float) -> None:
        """So much time passes."""

    @abstractmethod
    def _press(self, seat: Seat, ms: int) -> None:
        """Down, and up after `ms`."""

    @abstractmethod
    def _give(self, edge: Edge) -> None:
        """An edge of a button, on its way to the session."""

    def _bounce(self, seat: Seat, to: Kind, back: Kind, t_ns: int) -> None:
        """A contact that changes at `t_ns`, and bounces a little after."""
        self._edge(seat, to, t_ns)
        for k in range(self._fingers_rng.randint(0, 2)):
            start_ns = t_ns + (2 * k + 1) * self._fingers_rng.randint(100_000, 600_000)
            self._edge(seat, back, start_ns)
            self._edge(seat, to, start_ns + 80_000)

    def _edge(self, seat: Seat, kind: Kind, t_ns: int) -> None:
        self._edges += 1
        self._give(Edge(seat=seat, source=SOURCE, kind=kind, t_ns=t_ns, within_ns=50_000, number=self._edges))
