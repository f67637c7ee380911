"""Design §5: stuck at the start, held when the round opens, false start, doubtful and anticipated starts differ."""

from __future__ import annotations

import pytest

from engine.seats import Seat
from hardware.arming import Buttons, Condition, Cue, Start, judge_start
from hardware.records import Edge, Kind

MS = 1_000_000
A = Seat("A")


def buttons(*edges: tuple[Kind, int, bool]) -> Buttons:
    """What these changes of seat A's button make of it: kind, ms, level."""
    made = Buttons()
    for number, (kind, t_ms, is_down) in enumerate(edges):
        seat = None if kind in {Kind.GONE, Kind.BACK} else A
        made.take(Edge(seat=seat, source="box", kind=kind, t_ns=t_ms * MS, within_ns=1, number=number, is_down=is_down))
    return made


OPEN, CLOSED = (Kind.LEVEL, 0, False), (Kind.LEVEL, 0, True)
DOWN, UP = (Kind.DOWN, 1_000, False), (Kind.UP, 1_100, False)


@pytest.mark.parametrize(
    ("edges", "at_ms", "condition"),
    [
        ((), 5_000, Condition.UNKNOWN),
        ((OPEN,), 1, Condition.READY),
        ((CLOSED,), 5_000, Condition.STUCK),
        ((CLOSED, UP), 5_000, Condition.READY),
        ((CLOSED, UP, (Kind.DOWN, 1_200, False)), 5_000, Condition.HELD),
        ((OPEN, DOWN), 5_000, Condition.HELD),
        ((OPEN, DOWN, UP), 1_124, Condition.HELD),
        ((OPEN, DOWN, UP), 1_125, Condition.READY),
        ((OPEN, DOWN, (Kind.GONE, 2_000, False)), 5_000, Condition.GONE),
        ((OPEN, (Kind.GONE, 2_000, False), (Kind.BACK, 3_000, False)), 5_000, Condition.UNKNOWN),
        ((OPEN, (Kind.GONE, 2, False), (Kind.BACK, 3, False), (Kind.LEVEL, 4, True)), 50, Condition.STUCK),
        ((OPEN, DOWN, (Kind.LEVEL, 1_300, False)), 5_000, Condition.READY),
    ],
)
def test_each_condition_is_a_state_of_its_own(
    edges: tuple[tuple[Kind, int, bool], ...], at_ms: int, condition: Condition
) -> None:
    assert buttons(*edges).condition("box", A, at_ms * MS) is condition


@pytest.mark.parametrize(
    ("after_ms", "start"),
    [
        (-50, Start.FALSE_START),
        (-18, Start.FALSE_START),
        (-17, Start.DOUBTFUL),
        (0, Start.DOUBTFUL),
        (17, Start.DOUBTFUL),
        (18, Start.ANTICIPATION),
        (99, Start.ANTICIPATION),
        (100, Start.FAIR),
    ],
)
def test_a_slap_is_held_against_the_cue_and_both_uncertainties(after_ms: int, start: Start) -> None:
    cue = Cue(t_ns=1_000 * MS, within_ns=16 * MS)
    assert judge_start((1_000 + after_ms) * MS, MS, cue) is start


def test_anticipation_can_be_switched_off() -> None:
    assert judge_start(5 * MS, MS, Cue(0, MS), anticipation_ns=0) is Start.FAIR
