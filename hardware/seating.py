"""Seats by slapping: at set-up everybody slaps in the order of the seats, and nobody has to know a pin's number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.events import Press
from engine.seats import Seat
from hardware.records import Edge
from hardware.sources import EdgeSource

Button = tuple[str, Seat]
"""A source's name, and the seat for which that source holds the button."""


class Seating:
    """Gives the next free seat to whichever button is pressed that has none yet. Pure."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self._free = list(seats)
        self.seated: dict[Button, Seat] = {}

    @property
    def next_seat(self) -> Seat | None:
        """Who is to slap now; None when everybody sits."""
        return self._free[0] if self._free else None

    def take(self, press: Press) -> Seat | None:
        """The seat that this press has won for its button; None if the button has one or no seat is left."""
        button = (press.source, press.seat)
        if button in self.seated or not self._free:
            return None
        self.seated[button] = self._free.pop(0)
        return self.seated[button]

    def undo(self) -> Seat | None:
        """Takes the seat last given back, as when the wrong one slapped; gives it."""
        if not self.seated:
            return None
        _, seat = self.seated.popitem()
        self._free.insert(0, seat)
        return seat


class SeatedSource:
    """A source whose buttons sit where they were seated; buttons that were not are nobody's and not heard."""

    def __init__(self, source: EdgeSource, seated: dict[Button, Seat]) -> None:
        self._source = source
        self._seats = {seat: seated_at for (name, seat), seated_at in seated.items() if name == source.name}

    @property
    def name(self) -> str:
        """The source's own."""
        return self._source.name

    def edges(self) -> tuple[Edge, ...]:
        """The source's edges, under their new seats."""
        return tuple(
            replace(edge, seat=None if edge.seat is None else self._seats[edge.seat])
            for edge in self._source.edges()
            if edge.seat is None or edge.seat in self._seats
        )

    def mark_ns(self, now_ns: int) -> int:
        """The source's own."""
        return self._source.mark_ns(now_ns)

    def close(self) -> None:
        """Lets go of the device."""
        self._source.close()
