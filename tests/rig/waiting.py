"""Waits for what must come, however busy the machine is: a wait that is not needed costs nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from hardware.errors import ButtonError
from hardware.records import Edge, Kind
from hardware.sources import EdgeSource

PATIENCE_NS = 60_000_000_000
"""What does not come in a minute does not come."""

T = TypeVar("T")


def wait_until(is_so: Callable[[], object], *, what: Callable[[], object] = lambda: "nothing of it") -> None:
    """Waits for a state; `what` says what there was in its place."""
    until_ns = time.monotonic_ns() + PATIENCE_NS
    while not is_so():
        assert time.monotonic_ns() < until_ns, f"it never came to that; there was {what()}"
        time.sleep(0.002)


def until(source: EdgeSource, is_so: Callable[[list[Edge]], object]) -> list[Edge]:
    """The source's edges from now on until `is_so` of them."""
    found: list[Edge] = []

    def is_enough() -> object:
        found.extend(source.edges())
        return is_so(found)

    wait_until(is_enough, what=lambda: [(edge.kind.value, edge.seat) for edge in found])
    return found


def fetched(source: EdgeSource, count: int, *kinds: Kind) -> list[Edge]:
    """That many edges (of these kinds alone, if any are named), sorted by their stamps."""

    def chosen(found: list[Edge]) -> list[Edge]:
        return [edge for edge in found if not kinds or edge.kind in kinds]

    return sorted(chosen(until(source, lambda found: len(chosen(found)) >= count)), key=lambda edge: edge.t_ns)


def opened(find: Callable[[], T]) -> T:
    """What `find` opens; a box on a machine without time for it may not answer soon enough the first time."""
    until_ns = time.monotonic_ns() + PATIENCE_NS
    while True:
        try:
            return find()
        except ButtonError:
            if time.monotonic_ns() > until_ns:
                raise


def in_time(do: Callable[[], T], is_good: Callable[[T], object]) -> T:
    """What `do` gave when it was done as fast as it has to be: a machine that held it up does it again."""
    until_ns = time.monotonic_ns() + PATIENCE_NS
    while True:
        done = do()
        if is_good(done):
            return done
        assert time.monotonic_ns() < until_ns, "the machine is too busy to do that in time"
