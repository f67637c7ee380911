"""Everybody slaps on a cue ten times: the spread per seat, and never a hidden correction."""

from __future__ import annotations

from engine.events import Press
from engine.seats import Seat
from hardware.fairness import TIMES, fairness

MS = 1_000_000
CUES = [i * 3_000 * MS for i in range(TIMES)]


def press(seat: str, t_ns: int) -> Press:
    return Press(t_ns=t_ns, seat=Seat(seat), source="box")


def test_a_seat_whose_button_goes_hard_is_shown_with_how_much_it_is_behind() -> None:
    presses = [press(seat, cue + (ms + i) * MS) for i, cue in enumerate(CUES) for seat, ms in (("B", 240), ("A", 215))]
    fast, slow = fairness(CUES, presses)
    assert (fast.seat, fast.answered, fast.median_ns, fast.spread_ns, fast.behind_ns) == (
        "A",
        10,
        219_500_000,
        9 * MS,
        0,
    )
    assert (slow.seat, slow.behind_ns) == ("B", 25 * MS)


def test_of_several_slaps_the_first_after_the_cue_counts_and_late_ones_do_not() -> None:
    presses = [press("A", -5 * MS), press("A", 300 * MS), press("A", 200 * MS), press("A", 4_600 * MS)]
    (times,) = fairness(CUES, presses)
    assert (times.answered, times.median_ns, times.spread_ns) == (1, 200 * MS, 0)


def test_without_slaps_the_report_is_empty() -> None:
    assert fairness(CUES, []) == ()
