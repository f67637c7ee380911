"""What `cardtable bench table` measures is measured; how fast it is, is no test's business."""

from __future__ import annotations

import json

from cardtable.bench.table import Stopwatch, bench_table


def test_a_stage_counts_without_the_stages_within_it() -> None:
    stopwatch = Stopwatch()
    with stopwatch.stage("outer"):
        before = dict(stopwatch.spent_ms)
        with stopwatch.stage("inner"):
            sum(range(200_000))
    assert not before
    assert stopwatch.spent_ms["inner"] > stopwatch.spent_ms["outer"]


def test_every_kind_of_frame_and_every_stage_was_seen() -> None:
    measured = json.loads(json.dumps(bench_table(seed=10, lays=2)))
    assert all(kind["runs"] > 0 for kind in measured["frames"].values())
    assert {"small picture", "motion", "reading", "touch", "order", "rulings"} <= set(measured["stages_percent"])
    assert 99 < sum(measured["stages_percent"].values()) < 101
    assert measured["yardstick"]["ms"] > 0
