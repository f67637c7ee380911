"""Each button's level, chatter and last times, as the page and the doctor show them."""

from __future__ import annotations

from engine.seats import Seat
from hardware.arming import Condition
from hardware.inspection import ButtonReport, Inspection
from hardware.records import Edge, Kind

MS = 1_000_000
A = Seat("A")


def inspected(*edges: tuple[Kind, float], now_ms: float = 1_000, is_down: bool = False) -> ButtonReport:
    """What is found after `edges` (kind, ms) of one button."""
    inspection = Inspection()
    for number, (kind, t_ms) in enumerate(edges):
        edge = Edge(
            seat=A, source="box", kind=kind, t_ns=round(t_ms * MS), within_ns=20, number=number, is_down=is_down
        )
        inspection.take(edge)
    (report,) = inspection.reports(round(now_ms * MS))
    return report


def test_a_clean_press_has_a_time_and_no_chatter() -> None:
    report = inspected((Kind.DOWN, 100), (Kind.UP, 160), (Kind.DOWN, 500))
    assert (report.contacts, report.bounces, report.bounce_ns, report.is_down) == (2, 0, 0, True)
    assert report.times_ns == (500 * MS, 100 * MS)


def test_chatter_at_the_press_and_at_the_release_is_measured_and_makes_no_second_press() -> None:
    press = [(Kind.DOWN, 100), (Kind.UP, 100.4), (Kind.DOWN, 101.5)]
    release = [(Kind.UP, 200), (Kind.DOWN, 203), (Kind.UP, 203.2)]
    report = inspected(*press, *release)
    assert (report.contacts, report.bounces, report.bounce_ns) == (1, 2, 3 * MS)


def test_a_short_tap_is_no_chatter() -> None:
    assert inspected((Kind.DOWN, 100), (Kind.UP, 112)).bounces == 0


def test_a_button_down_since_the_start_is_stuck_and_one_whose_source_went_is_gone() -> None:
    assert inspected((Kind.LEVEL, 0), is_down=True).condition is Condition.STUCK
    inspection = Inspection()
    for kind, seat in ((Kind.LEVEL, A), (Kind.GONE, None)):
        inspection.take(Edge(seat=seat, source="box", kind=kind, t_ns=0, within_ns=0, number=0))
    assert inspection.reports(MS)[0].condition is Condition.GONE


def test_only_the_last_five_times_are_kept() -> None:
    taps = [(kind, 100 * i + gap) for i in range(9) for kind, gap in ((Kind.DOWN, 0), (Kind.UP, 50))]
    assert inspected(*taps).times_ns == tuple(100 * i * MS for i in (8, 7, 6, 5, 4))
