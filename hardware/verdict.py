"""Who was first, and whether that can be said: a pure function of slaps and of the marks of their sources.

A tie is declared, never broken by the order of arrival, seats, pins or sources. The window is anchored at the earliest
slap: whoever lies within it is tied with that one; ties do not chain from slap to slap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.events import Press
from engine.seats import Seat
from engine.ties import WINDOW_NS, window_ns
from hardware.records import Edge, Kind

MS = 1_000_000
CONTACT_NS = 5 * MS
"""So long after its edge a press may still turn out to be one."""
PATIENCE_NS = 250 * MS
"""Nobody waits longer for a source that does not speak."""
DOUBTS = frozenset({Kind.LOST, Kind.GONE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What can be said about a round of slaps."""

    first: tuple[Seat, ...]
    """One seat, or all that are tied for the first place."""
    order: tuple[Press, ...]
    """All slaps, those after the first too."""
    silent: tuple[str, ...] = ()
    """Sources that had not proved by the end of our patience that they know of nothing earlier."""
    doubted: tuple[str, ...] = ()
    """Sources that have lost edges in this round, or were gone for a time: the order is unsure."""

    @property
    def is_tie(self) -> bool:
        """Whether more than one seat was first."""
        return len(self.first) > 1

    @property
    def is_sure(self) -> bool:
        """Whether nothing can have been missed."""
        return not self.silent and not self.doubted


def tied_first(slaps: Iterable[Press], *, floor_ns: int = WINDOW_NS) -> tuple[Seat, ...]:
    """The seats in the window of the earliest slap, in order of their names; empty without slaps."""
    slaps = tuple(slaps)
    if not slaps:
        return ()
    start_ns = min(slap.t_ns for slap in slaps)
    # Several may be earliest to the nanosecond; whose window is the widest must not depend on their order.
    anchors = [slap for slap in slaps if slap.t_ns == start_ns]
    near = {
        slap.seat
        for slap in slaps
        for anchor in anchors
        if slap.t_ns - start_ns <= window_ns(anchor, slap, floor_ns=floor_ns)
    }
    return tuple(sorted(near))


def judge(
    slaps: Sequence[Press],
    *,
    marks: Mapping[str, int],
    now_ns: int,
    edges: Iterable[Edge] = (),
    floor_ns: int = WINDOW_NS,
) -> Verdict | None:
    """The verdict, or None while something earlier may still be under way.

    `marks` are the live sources' (`EdgeSource.mark_ns`), `edges` the round's records, of which `lost` and `gone` count.
    """
    if not slaps:
        return None
    first_ns = min(slap.t_ns for slap in slaps)
    needed_ns = first_ns + max(window_ns(slap, slap, floor_ns=floor_ns) for slap in slaps) + CONTACT_NS
    silent = tuple(sorted(name for name, mark in marks.items() if mark < needed_ns))
    if silent and now_ns < first_ns + PATIENCE_NS:
        return None
    return Verdict(
        first=tied_first(slaps, floor_ns=floor_ns),
        order=tuple(sorted(slaps, key=lambda slap: (slap.t_ns, slap.seat, slap.source))),
        silent=silent,
        doubted=tuple(sorted({edge.source for edge in edges if edge.kind in DOUBTS})),
    )
