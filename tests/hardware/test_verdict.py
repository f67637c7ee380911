"""Design §5: ties are declared, anchored at the earliest slap; a verdict waits for proof, but not for ever."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Press
from engine.seats import Seat
from engine.ties import window_ns
from hardware.records import Edge, Kind
from hardware.verdict import PATIENCE_NS, judge, tied_first

US, MS = 1_000, 1_000_000


def slap(
    seat: str, t_ns: int, *, source: str = "gpio", within_ns: int = 50 * US, jitter_ns: int | None = None
) -> Press:
    return Press(seat=Seat(seat), source=source, t_ns=t_ns, within_ns=within_ns, jitter_ns=jitter_ns)


@pytest.mark.parametrize(("gap_us", "first"), [(0, "AB"), (100, "AB"), (200, "AB"), (201, "A"), (1_000, "A")])
def test_the_window_is_at_least_200_us(gap_us: int, first: str) -> None:
    assert tied_first([slap("B", gap_us * US), slap("A", 0)]) == tuple(first)


def test_a_tie_does_not_chain_from_slap_to_slap() -> None:
    assert tied_first([slap("A", 0), slap("B", 150 * US), slap("C", 300 * US)]) == ("A", "B")


def test_between_sources_both_uncertainties_count() -> None:
    phone = slap("B", 30 * MS, source="phone", within_ns=40 * MS)
    assert tied_first([slap("A", 0), phone]) == ("A", "B")


def test_within_one_box_what_its_clock_is_off_by_cancels_out() -> None:
    one = slap("A", 0, source="box", within_ns=900 * US, jitter_ns=15 * US)
    other = slap("B", 300 * US, source="box", within_ns=900 * US, jitter_ns=15 * US)
    assert window_ns(one, other) == 200 * US
    assert tied_first([one, other]) == ("A",)
    assert tied_first([one, slap("C", 300 * US, source="another box", within_ns=900 * US, jitter_ns=15 * US)]) == (
        "A",
        "C",
    )


slaps = st.lists(
    st.builds(
        slap,
        st.sampled_from("ABCDEF"),
        st.integers(0, 1_500).map(lambda us: us * US),
        source=st.sampled_from(["gpio", "box"]),
        within_ns=st.integers(1, 400).map(lambda us: us * US),
        jitter_ns=st.none() | st.just(15 * US),
    ),
    min_size=1,
    max_size=8,
)


@given(slaps, st.randoms(use_true_random=False))
def test_the_order_in_which_slaps_arrive_decides_nothing(made: list[Press], chance: object) -> None:
    shuffled = list(made)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert tied_first(made) == tied_first(shuffled)


@given(slaps)
def test_other_names_for_the_seats_are_other_names_in_the_verdict_and_nothing_else(made: list[Press]) -> None:
    names = dict(zip("ABCDEF", "FEDCBA", strict=True))
    renamed = [
        slap(names[one.seat], one.t_ns, source=one.source, within_ns=one.within_ns, jitter_ns=one.jitter_ns)
        for one in made
    ]
    assert {names[seat] for seat in tied_first(made)} == set(tied_first(renamed))


def test_no_verdict_while_a_source_may_still_know_of_an_earlier_slap() -> None:
    made = [slap("A", 100 * MS)]
    assert judge(made, marks={"gpio": 120 * MS, "box": 100 * MS}, now_ns=121 * MS) is None
    verdict = judge(made, marks={"gpio": 120 * MS, "box": 106 * MS}, now_ns=121 * MS)
    assert verdict is not None
    assert (verdict.first, verdict.is_sure) == (("A",), True)


def test_after_250_ms_the_verdict_names_who_was_silent() -> None:
    made = [slap("A", 100 * MS)]
    marks = {"gpio": 340 * MS, "box": 99 * MS}
    assert judge(made, marks=marks, now_ns=100 * MS + PATIENCE_NS - 1) is None
    verdict = judge(made, marks=marks, now_ns=100 * MS + PATIENCE_NS)
    assert verdict is not None
    assert (verdict.silent, verdict.is_sure) == (("box",), False)


def test_a_gap_in_the_round_makes_the_verdict_unsure_never_silently_right() -> None:
    lost = Edge(seat=None, source="box", kind=Kind.LOST, t_ns=99 * MS, within_ns=MS, number=7)
    verdict = judge([slap("A", 100 * MS)], marks={"box": 200 * MS}, now_ns=201 * MS, edges=[lost])
    assert verdict is not None
    assert (verdict.first, verdict.doubted, verdict.is_sure) == (("A",), ("box",), False)


def test_all_slaps_are_in_the_verdict_in_order_with_their_gaps() -> None:
    made = [slap("C", 9 * MS), slap("A", 5 * MS), slap("B", 7 * MS)]
    verdict = judge(made, marks={"gpio": 50 * MS}, now_ns=50 * MS)
    assert verdict is not None
    assert [(one.seat, one.t_ns) for one in verdict.order] == [("A", 5 * MS), ("B", 7 * MS), ("C", 9 * MS)]
    assert not verdict.is_tie


def test_without_slaps_there_is_no_verdict() -> None:
    assert tied_first([]) == ()
    assert judge([], marks={}, now_ns=10**12) is None
