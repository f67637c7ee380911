"""Button lines as hypothesis draws them: honest taps, bounce, and a player who knows when he touched."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from engine.seats import Seat
from hardware.records import Edge, Kind

US = 1_000
MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Touch:
    """What a finger did: `edges` is what the line made of it."""

    begin_ns: int
    end_ns: int
    edges: tuple[Edge, ...]


def edge(kind: Kind, t_ns: int, *, seat: str = "A", source: str = "pins", is_down: bool = False) -> Edge:
    """An edge that is exact to the microsecond; its number is its time, as from a source that counts well."""
    return Edge(
        seat=Seat(seat), source=source, kind=kind, t_ns=t_ns, within_ns=US, number=t_ns + 10**12, is_down=is_down
    )


def line(*times_ns: int, seat: str = "A", source: str = "pins") -> tuple[Edge, ...]:
    """A line that goes down, up, down, … at `times_ns`."""
    kinds = (Kind.DOWN, Kind.UP)
    return tuple(edge(kinds[i % 2], t_ns, seat=seat, source=source) for i, t_ns in enumerate(times_ns))


@st.composite
def bounces(draw: st.DrawFn, *, longest_ns: int) -> list[int]:
    """Lengths of alternating breaks and contacts, an even number of them, `longest_ns` together at most."""
    lengths = draw(st.lists(st.integers(1 * US, 400 * US), max_size=12))
    kept: list[int] = []
    for length in lengths:
        if sum(kept) + length <= longest_ns:
            kept.append(length)
    return kept[: len(kept) // 2 * 2]


@st.composite
def touches(draw: st.DrawFn, *, begin_ns: int = 0, seat: str = "A") -> Touch:
    """A tap of at least 3 ms of contact, bouncing when it closes and when it opens."""
    times = [begin_ns]
    # First the contact breaks, then it closes again, and so on: it ends closed.
    for length in draw(bounces(longest_ns=2 * MS)):
        times.append(times[-1] + length)
    times.append(times[-1] + draw(st.integers(3 * MS, 300 * MS)))
    for length in draw(bounces(longest_ns=4 * MS)):
        times.append(times[-1] + length)
    return Touch(begin_ns=begin_ns, end_ns=times[-1], edges=line(*times, seat=seat))


@st.composite
def evenings(draw: st.DrawFn, *, seat: str = "A") -> tuple[Touch, ...]:
    """Several taps of one seat, each after at least 25 ms of quiet."""
    made: list[Touch] = []
    begin_ns = draw(st.integers(0, 100 * MS))
    for _ in range(draw(st.integers(1, 4))):
        made.append(draw(touches(begin_ns=begin_ns, seat=seat)))
        begin_ns = made[-1].end_ns + draw(st.integers(25 * MS, 400 * MS))
    return tuple(made)
