"""A phone's press counts when it happened: the error that is stated must never be exceeded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardtable.page.phone_clock import MS, PhoneClock

ways_ms = st.floats(0.1, 2_000)


def test_nothing_is_claimed_before_the_phone_was_asked() -> None:
    assert PhoneClock().at(5.0, now_ns=0) is None
    assert PhoneClock().within_ns(0) is None


@given(
    trips=st.lists(st.tuples(ways_ms, ways_ms), min_size=1, max_size=40),
    phone_start_ms=st.floats(0, 1e7),
    drift=st.floats(-5e-5, 5e-5),
    press_ms=st.floats(0, 1_000),
)
def test_the_true_moment_lies_within_what_is_stated(
    trips: list[tuple[float, float]], phone_start_ms: float, drift: float, press_ms: float
) -> None:
    def phone(true_ms: float) -> float:
        return phone_start_ms + true_ms * (1 + drift)

    clock, now_ms = PhoneClock(), 0.0
    for there_ms, back_ms in trips:
        came_ms = now_ms + there_ms + back_ms
        clock.note(asked_ns=round(now_ms * MS), phone_ms=phone(now_ms + there_ms), came_ns=round(came_ms * MS))
        now_ms = came_ms + 2_000
    true_ms = now_ms + press_ms
    stamp = clock.at(phone(true_ms), now_ns=round(true_ms * MS))
    assert stamp is not None
    t_ns, within_ns = stamp
    assert abs(t_ns - true_ms * MS) <= within_ns + 1_000


def test_the_quickest_answer_is_believed() -> None:
    clock = PhoneClock()
    clock.note(asked_ns=0, phone_ms=100, came_ns=400 * MS)
    clock.note(asked_ns=500 * MS, phone_ms=402, came_ns=504 * MS)
    clock.note(asked_ns=600 * MS, phone_ms=900, came_ns=1_600 * MS)
    assert clock.at(402, now_ns=504 * MS) == (502 * MS, 2 * MS)
