"""Edges that are known beforehand, given out as their time comes: recordings and the simulated table."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import count

from hardware.records import Edge


class ScriptedSource:
    """Gives each of `edges` once `release` has been called with its stamp or a later one."""

    def __init__(self, name: str, edges: Iterable[Edge] = ()) -> None:
        self.name = name
        self._coming: list[tuple[int, int, int, Edge]] = []
        self._arrivals = count()
        self._due: list[Edge] = []
        self.add(*edges)

    @property
    def is_over(self) -> bool:
        """Whether every edge has been given out."""
        return not self._coming and not self._due

    def add(self, *edges: Edge) -> None:
        """Puts more edges into the script, in any order."""
        for edge in edges:
            heappush(self._coming, (edge.t_ns, edge.number, next(self._arrivals), edge))

    def release(self, now_ns: int) -> None:
        """Makes everything up to `now_ns` ready to be fetched."""
        while self._coming and self._coming[0][0] <= now_ns:
            self._due.append(heappop(self._coming)[-1])

    def next_ns(self) -> int | None:
        """The stamp of the next edge that has not been released."""
        return self._coming[0][0] if self._coming else None

    def edges(self) -> tuple[Edge, ...]:
        """What was released since the last call, sorted by stamp."""
        due, self._due = self._due, []
        return tuple(due)

    def mark_ns(self, now_ns: int) -> int:
        """`now_ns`, or the next edge that has not been released: a script knows what is still to come."""
        return now_ns if not self._coming else min(now_ns, self._coming[0][0])

    def close(self) -> None:
        """Nothing to let go of."""
