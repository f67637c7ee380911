"""What every source of button edges offers, and the half that most of them share."""

from __future__ import annotations

from itertools import count
from queue import Empty, SimpleQueue
from typing import Protocol

from engine.seats import Seat
from hardware.records import Edge, Kind


class EdgeSource(Protocol):
    """Where button edges come from: pins, a box, a keyboard, a phone, a recording."""

    @property
    def name(self) -> str:
        """What its edges carry as `source`."""
        ...

    def edges(self) -> tuple[Edge, ...]:
        """What has come since the last call, sorted by stamp. Never blocks."""
        ...

    def mark_ns(self, now_ns: int) -> int:
        """The moment before which nothing is in flight any more, seen from `now_ns`.

        Ask before calling `edges()` and use it after: then every edge older than the mark has been fetched.
        """
        ...

    def close(self) -> None:
        """Let go of the device. Nothing may be asked of the source afterwards."""
        ...


class QueuedSource:
    """A source whose edges are put in by one thread and fetched by another.

    `lag_ns` is the longest that an edge takes from its moment to the queue; what is slower comes late and still counts.
    """

    def __init__(self, name: str, *, lag_ns: int) -> None:
        self.name = name
        self.lag_ns = lag_ns
        self._queue: SimpleQueue[Edge] = SimpleQueue()
        self._numbers = count(1)

    def put(  # noqa: PLR0913  # all by keyword
        self,
        kind: Kind,
        seat: Seat | None,
        *,
        t_ns: int,
        within_ns: int,
        is_down: bool = False,
        jitter_ns: int | None = None,
    ) -> None:
        """Add one edge, numbered in order of arrival. Safe from any thread; neither blocks nor raises."""
        edge = Edge(
            seat=seat,
            source=self.name,
            kind=kind,
            t_ns=t_ns,
            within_ns=within_ns,
            jitter_ns=jitter_ns,
            number=next(self._numbers),
            is_down=is_down,
        )
        self._queue.put(edge)

    def edges(self) -> tuple[Edge, ...]:
        """What has come since the last call, sorted by stamp."""
        return tuple(sorted(self._drain(), key=lambda edge: (edge.t_ns, edge.number)))

    def mark_ns(self, now_ns: int) -> int:
        """`now_ns` less the longest way of an edge."""
        return now_ns - self.lag_ns

    def close(self) -> None:
        """Nothing to let go of."""

    def _drain(self) -> list[Edge]:
        drained: list[Edge] = []
        while True:
            try:
                drained.append(self._queue.get_nowait())
            except Empty:
                return drained
