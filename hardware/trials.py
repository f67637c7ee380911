"""Trials of the way from a button to a verdict: what was done is known, what was made of it is counted. Pure."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.events import Press
from engine.seats import Seat, seats
from hardware.box_lines import Boot, Levels, write_line
from hardware.box_reader import BoxReader
from hardware.debounce import Debounce
from hardware.records import Edge, Kind
from hardware.simulated_box import Box
from hardware.sources import QueuedSource
from hardware.verdict import tied_first

US, MS, S = 1_000, 1_000_000, 1_000_000_000


@dataclass(frozen=True, slots=True)
class Pair:
    """Two presses that were really made, `first` before `second`."""

    first: Seat
    second: Seat
    gap_ns: int


@dataclass(frozen=True, slots=True)
class PairCounts:
    """What became of the pairs."""

    pairs: int
    recorded: int
    """Both presses came."""
    right_order: int
    """… and by their stamps the first was first."""
    tied: int
    """… and the verdict on them is a tie."""


def count_pairs(pairs: Sequence[Pair], edges: Iterable[Edge]) -> PairCounts:
    """Holds the `down` edges, in order of their arrival, two for every pair, against what was really pressed."""
    downs = [edge for edge in edges if edge.kind is Kind.DOWN]
    recorded = right = tied = 0
    for pair, (one, other) in zip(pairs, zip(downs[::2], downs[1::2], strict=False), strict=False):
        found = {one.seat: one.t_ns, other.seat: other.t_ns}
        if found.keys() == {pair.first, pair.second}:
            recorded += 1
            right += found[pair.first] < found[pair.second]
            tied += len(tied_first([as_slap(one), as_slap(other)])) > 1
    return PairCounts(len(pairs), recorded, right, tied)


def as_slap(edge: Edge) -> Press:
    """A `down` edge as the press that it is if contact lasts."""
    assert edge.seat is not None
    return Press(seat=edge.seat, source=edge.source, t_ns=edge.t_ns, within_ns=edge.within_ns, jitter_ns=edge.jitter_ns)


@dataclass(frozen=True, slots=True)
class GarbageCounts:
    """What a reader made of a damaged wire on which no button was ever pressed."""

    sent_bytes: int
    dropped_lines: int
    false_presses: int
    sure_false_presses: int
    """Of these, presses that no `lost` record beside them casts doubt on."""


def read_garbage(length: int, *, seed: int = 0) -> GarbageCounts:
    """Has a reader take `length` bytes of noise and of cut, repeated and damaged lines between whole heartbeats."""
    chance = random.Random(seed)
    source = QueuedSource("box", lag_ns=0)
    reader = BoxReader(seats(8), source.put, now_ns=0)
    debounce = Debounce()
    box, now_ns, sent = Box(), 1_000 * S, 0
    presses = doubted = 0
    reader.take(box.boots(), now_ns)
    for noise in _noise(chance, box):
        now_ns += 20 * MS
        data = noise + b"\n" + box.beats(now_ns) + box.hears(reader.ping(now_ns), now_ns)
        sent += len(data)
        reader.take(data, now_ns + 1 * MS)
        edges = source.edges()
        found = [event for edge in edges for event in debounce.feed(edge)]
        found += debounce.pass_to(now_ns - 40 * MS)
        count = sum(type(event).__name__ == "Press" for event in found)
        presses += count
        doubted += count if any(edge.kind in {Kind.LOST, Kind.GONE} for edge in edges) else 0
        if sent >= length:
            break
    return GarbageCounts(sent, reader.framing.bad, presses, presses - doubted)


def _noise(chance: random.Random, box: Box) -> Iterator[bytes]:
    """Bytes that a failing wire may bring: an edge line is always in it, and never whole."""
    while True:
        edge = write_line(Levels(True, 1, 1 << chance.randrange(8), chance.randrange(1 << 32)))
        cut = chance.randrange(1, len(edge) - 2)
        match chance.randrange(5):
            case 0:
                yield chance.randbytes(chance.randrange(400))
            case 1:
                yield edge[:cut]
            case 2:
                yield edge[cut:]
            case 3:
                yield write_line(Boot(box.version, box.boot_id)) + edge[:cut] + edge[cut + 1 :]
            case 4:
                bit = chance.randrange(8 * (len(edge) - 1))
                yield bytes(byte ^ (1 << bit % 8 if place == bit // 8 else 0) for place, byte in enumerate(edge))
