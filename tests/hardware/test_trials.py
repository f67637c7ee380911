"""The trials of `cardtable bench buttons` find what they are there to find."""

from __future__ import annotations

import json

import pytest

from cardtable.bench.buttons import bench_buttons
from engine.seats import Seat
from hardware.records import Edge, Kind
from hardware.trials import Pair, count_pairs, read_garbage

US, MS = 1_000, 1_000_000


def down(seat: str, t_ns: int) -> Edge:
    return Edge(seat=Seat(seat), source="box", kind=Kind.DOWN, t_ns=t_ns, within_ns=MS, number=t_ns, jitter_ns=15 * US)


def test_order_loss_and_ties_are_counted_apart() -> None:
    a, b = Seat("A"), Seat("B")
    pairs = [Pair(a, b, 100 * US), Pair(a, b, MS), Pair(a, b, MS), Pair(a, b, MS)]
    edges = [down("A", 0), down("B", 100 * US), down("B", 20 * MS), down("A", 19 * MS)]
    edges += [down("B", 40 * MS), down("A", 41 * MS), down("A", 60 * MS), down("C", 61 * MS)]
    counts = count_pairs(pairs, edges)
    assert (counts.pairs, counts.recorded, counts.right_order, counts.tied) == (4, 3, 2, 1)


@pytest.mark.parametrize("seed", range(3))
def test_garbage_makes_no_press(seed: int) -> None:
    counts = read_garbage(60_000, seed=seed)
    assert counts.sent_bytes >= 60_000
    assert counts.dropped_lines > 100
    assert counts.false_presses == 0


@pytest.mark.slow  # processes are started, and the machine is made busy
@pytest.mark.parametrize("is_busy", [False, True])
def test_a_short_run_of_the_benchmark_comes_to_an_end_and_has_every_figure(is_busy: bool) -> None:
    found = json.loads(json.dumps(bench_buttons(pairs=12, eights=2, lamps=5, garbage=5_000, is_busy=is_busy)))
    for gap, right, tied in (("0_us", 0, 12), ("100_us", 12, 12), ("1000_us", 12, 0)):
        assert found["pairs"][gap] == {"pairs": 12, "recorded": 12, "right_order": right, "tied": tied}
    assert found["eight_within_5_ms"] == {"rounds": 2, "recorded": 2, "right_order": 2}
    assert found["garbage"]["false_presses"] == 0
    assert found["lamp"]["runs"] == 5
