"""The last race: order, margins and ties of slaps."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations

from cardtable.page.hall_parts import margin_text
from cardtable.page.snapshot import Slap, slaps_of
from cardtable.slaps import Race
from cardtable.slaps import last_race as last_presses
from engine.events import Press
from engine.seats import Seat

MS = 1_000_000


def press(seat: str, t_ms: float, within_ms: float = 0.01) -> Press:
    return Press(seat=Seat(seat), t_ns=round(t_ms * MS), within_ns=round(within_ms * MS))


def last_race(presses: Iterable[Press]) -> tuple[Slap, ...]:
    return slaps_of(Race(last_presses(presses)))


def test_margins_are_to_the_first_slap_in_order_of_the_edges() -> None:
    race = last_race([press("C", 1025.3), press("A", 1000), press("B", 1310)])
    assert [slap.seat for slap in race] == ["A", "C", "B"]
    assert [slap.margin_ns for slap in race] == [0, 25_300_000, 310_000_000]
    assert not any(slap.is_tie for slap in race)


def test_slaps_whose_order_their_clocks_cannot_tell_are_a_tie() -> None:
    race = last_race([press("A", 0, 20), press("B", 35, 20), press("C", 80, 20)])
    assert [slap.is_tie for slap in race] == [True, True, False]


def test_a_tie_is_with_the_first_and_does_not_chain() -> None:
    """Each is 150 µs behind the one before: the third is 300 µs behind the first, which is outside of its window."""
    assert [slap.is_tie for slap in last_race([press("A", 0), press("B", 0.15), press("C", 0.3)])] == [
        True,
        True,
        False,
    ]


def test_a_long_pause_ends_a_race() -> None:
    assert [s.seat for s in last_race([press("A", 0), press("B", 600), press("C", 700)])] == ["B", "C"]


def test_the_order_of_arrival_does_not_matter() -> None:
    slaps = [press("A", 10), press("B", 5), press("C", 700), press("D", 5000)]
    assert len({last_race(order) for order in permutations(slaps)}) == 1


def test_no_slap_no_race() -> None:
    assert last_race([]) == ()


def test_fractions_of_a_millisecond_are_shown_only_where_the_clock_is_that_good() -> None:
    fine, coarse = last_race([press("A", 0), press("B", 7.26)]), last_race([press("A", 0, 2), press("B", 7.26, 2)])
    assert [margin_text("en", slap) for slap in fine] == ["first", "+7.26 ms"]
    assert [margin_text("en", slap) for slap in coarse] == ["first", "+7 ms"]
