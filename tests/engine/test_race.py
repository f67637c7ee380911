"""Whose lay was it: rules of Bong §8 row 14, against a reference that tries every way."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.race import LayTime, Match, SlapTime, Window, attribute, is_settled
from engine.seats import Seat

MS = 1_000_000
A, B, C, D = (Seat(letter) for letter in "ABCD")


def lay(ms: float, hand: str = "", *, within: float = 0, rival: bool = False) -> LayTime:
    """A lay at that moment."""
    return LayTime(int(ms * MS), int(within * MS), frozenset(Seat(seat) for seat in hand), rival)


def slap(ms: float, seat: Seat, within: float = 0) -> SlapTime:
    """A slap at that moment."""
    return SlapTime(int(ms * MS), seat, int(within * MS))


def whose(*matches: Match) -> list[str]:
    """The seats of each match."""
    return ["".join(sorted(match.seats)) for match in matches]


def every_way(lays: list[LayTime], slaps: list[SlapTime]) -> list[tuple[int, ...]]:
    """Every way that keeps the window, the hands, one slap for one lay, and the order of the slaps."""
    ways = []
    for way in product(range(-1, len(slaps)), repeat=len(lays)):
        used = [j for j in way if j >= 0]
        if used == sorted(set(used)) and all(_may(one, slaps[j]) for one, j in zip(lays, way, strict=True) if j >= 0):
            ways.append(way)
    return ways


def _may(one: LayTime, claim: SlapTime) -> bool:
    in_time = one.t_ns - 1500 * MS <= claim.t_ns <= one.t_ns + 300 * MS
    return in_time and (not one.hand or claim.seat in one.hand)


def reference(lays: list[LayTime], slaps: list[SlapTime]) -> list[Match]:
    """Every best way looked at one by one, for stamps that are exact and all different."""
    slaps = sorted(slaps, key=lambda one: one.t_ns)
    ways = every_way(lays, slaps)
    most = max(sum(j >= 0 for j in way) for way in ways)
    full = [way for way in ways if sum(j >= 0 for j in way) == most]

    def gap(way: tuple[int, ...]) -> int:
        return sum(abs(lays[i].t_ns - slaps[j].t_ns) for i, j in enumerate(way) if j >= 0)

    least = min(map(gap, full))
    best = [way for way in full if gap(way) == least]
    return [_summed(lays[i], slaps, {way[i] for way in best}) for i in range(len(lays))]


def _summed(one: LayTime, slaps: list[SlapTime], options: set[int]) -> Match:
    if -1 in options:
        return Match(one.hand)
    by = frozenset(seat for j in options if (seat := slaps[j].seat) is not None)
    if len(by) > 1:
        return Match(by)
    return Match(by, min((abs(one.t_ns - slaps[j].t_ns), slaps[j].t_ns) for j in options)[1])


MOMENTS = (0, 250, 600, 1400, 1700)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_up_to_three_lays_and_slaps_all_of_them(count: int) -> None:
    tried = 0
    for touches in combinations((210, 640, 1500, 2100), count):
        lays = [lay(ms) for ms in touches]
        for many in range(4):
            for moments in combinations(MOMENTS, many):
                for seats in product((A, B, C), repeat=many):
                    slaps = [slap(ms, seat) for ms, seat in zip(moments, seats, strict=True)]
                    assert list(attribute(lays, slaps)) == reference(lays, slaps), (lays, slaps)
                    tried += 1
    assert tried >= 300


moments = st.integers(0, 4000)
some_slaps = st.lists(st.tuples(moments, st.sampled_from("ABCD")), max_size=5, unique_by=lambda pair: pair[0])
hands = st.sampled_from(["", "", "", "A", "B", "AC"])
some_lays = st.lists(st.tuples(moments, hands), min_size=1, max_size=4)


@given(some_lays, some_slaps)
@settings(max_examples=150, deadline=None)
def test_any_lays_and_slaps_match_the_reference(touches: list[tuple[int, str]], presses: list[tuple[int, str]]) -> None:
    lays = [lay(ms, hand) for ms, hand in touches]
    slaps = [slap(ms + 0.5, Seat(seat)) for ms, seat in presses]
    assert list(attribute(lays, slaps)) == reference(lays, slaps)


@given(some_lays, some_slaps, st.integers(0, 60), st.integers(0, 30), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_order_in_which_slaps_arrive_and_seats_letters_play_no_part(
    touches: list[tuple[int, str]], presses: list[tuple[int, str]], vague: int, late: int, chance: object
) -> None:
    lays = [lay(ms, within=vague) for ms, _ in touches]
    slaps = [slap(ms, Seat(seat), within=late) for ms, seat in presses]
    first = attribute(lays, slaps)
    assert attribute(lays, slaps[::-1]) == first
    renamed = dict(zip("ABCD", "CADB", strict=True))
    again = attribute(lays, [one._replace(seat=Seat(renamed[one.seat or ""])) for one in slaps])
    assert [match.seats for match in again] == [frozenset(Seat(renamed[s]) for s in match.seats) for match in first]


@given(some_lays, some_slaps, st.integers(1, 60))
@settings(max_examples=100, deadline=None)
def test_doubt_about_the_stamps_only_adds_candidates(
    touches: list[tuple[int, str]], presses: list[tuple[int, str]], vague: int
) -> None:
    slaps = [slap(ms, Seat(seat)) for ms, seat in presses]
    exact = attribute([lay(ms) for ms, _ in touches], slaps)
    doubtful = attribute([lay(ms, within=vague) for ms, _ in touches], slaps)
    for sure, unsure in zip(exact, doubtful, strict=True):
        assert not unsure.seats or sure.seats <= unsure.seats


def test_a_slap_far_from_its_card_is_not_its_slap() -> None:
    assert whose(*attribute([lay(2000)], [slap(499, B)])) == [""]
    assert whose(*attribute([lay(2000)], [slap(500, B)])) == ["B"]
    assert whose(*attribute([lay(2000)], [slap(2300, B)])) == ["B"]
    assert whose(*attribute([lay(2000)], [slap(2301, B)])) == [""]


def test_the_window_is_the_houses() -> None:
    assert whose(*attribute([lay(2000)], [slap(1100, B)], Window(500 * MS, 0))) == [""]


def test_a_certain_hand_wins_over_a_nearer_slap() -> None:
    assert whose(*attribute([lay(1000, "C")], [slap(900, B), slap(600, C)])) == ["C"]
    assert whose(*attribute([lay(1000, "C")], [slap(900, B)])) == ["C"]


def test_most_lays_matched_comes_before_the_smallest_gap() -> None:
    found = attribute([lay(1000), lay(1100)], [slap(500, B), slap(990, C)])
    assert whose(*found) == ["B", "C"]


def test_two_slaps_that_the_stamps_cannot_tell_apart_leave_both_seats() -> None:
    assert whose(*attribute([lay(1000, within=16)], [slap(990, B), slap(1012, C)])) == ["BC"]
    assert whose(*attribute([lay(1000)], [slap(990, B, 10), slap(985, C, 10)])) == ["BC"]
    both = attribute([lay(1000), lay(1080)], [slap(900, B, 15), slap(920, C, 15)])
    assert whose(*both) == ["BC", "BC"]


def test_two_slaps_before_the_touch_are_told_apart_however_vague_the_touch() -> None:
    assert whose(*attribute([lay(1000, within=33)], [slap(900, B), slap(925, C)])) == ["C"]


def test_lays_whose_order_was_not_seen_may_be_either_slaps() -> None:
    found = attribute([lay(1000), lay(1000, rival=True)], [slap(900, B), slap(950, C)])
    assert whose(*found) == ["BC", "BC"]
    seen = attribute([lay(1000, "C"), lay(1000, "B", rival=True)], [slap(900, B), slap(950, C)])
    assert whose(*seen) == ["C", "B"]


def test_drumming_on_the_button_takes_nobodys_card() -> None:
    drum = [slap(ms, A) for ms in range(0, 900, 60)]
    assert whose(*attribute([lay(1000)], [*drum, slap(930, B)])) == ["B"]


def test_a_lay_is_settled_only_when_nothing_can_take_its_slap() -> None:
    lays, slaps = [lay(1000)], [slap(900, B), slap(925, C)]
    assert not is_settled(0, lays, slaps, 1010 * MS)
    assert not is_settled(0, lays, slaps, 1350 * MS)  # a second lay would make the first B's
    assert is_settled(0, lays, slaps, 2500 * MS)
    assert is_settled(0, lays, [slap(900, B)], 1301 * MS)


@given(
    some_lays, some_slaps, st.lists(st.tuples(st.integers(1, 2500), st.booleans(), st.sampled_from("ABCD")), max_size=3)
)
@settings(max_examples=150, deadline=None)
def test_what_is_settled_stays(
    touches: list[tuple[int, str]], presses: list[tuple[int, str]], later: list[tuple[int, bool, str]]
) -> None:
    mark = 3000
    lays = [lay(ms) for ms, _ in sorted(touches) if ms <= mark]
    slaps = [slap(ms, Seat(seat)) for ms, seat in presses if ms <= mark]
    more_lays = [lay(mark + ms) for ms, is_lay, _ in sorted(later) if is_lay]
    more_slaps = [slap(mark + ms + 0.25, Seat(seat)) for ms, is_lay, seat in later if not is_lay]
    now, then = attribute(lays, slaps), attribute([*lays, *more_lays], [*slaps, *more_slaps])
    for place in range(len(lays)):
        if is_settled(place, lays, slaps, mark * MS):
            assert then[place] == now[place]


def test_every_order_of_arrival_gives_the_same() -> None:
    slaps = [slap(900, B), slap(930, C), slap(1500, D)]
    found = {attribute([lay(1000), lay(1040), lay(1600)], order) for order in permutations(slaps)}
    assert [whose(*matches) for matches in found] == [["B", "C", "D"]]


def boxed(us: int, seat: Seat, *, source: str = "box", jitter: int | None = 15) -> SlapTime:
    """A slap whose box is in step with the table to 1 ms, and its stamps among themselves to `jitter` µs."""
    return SlapTime(us * 1_000, seat, 1 * MS, source, None if jitter is None else jitter * 1_000)


@pytest.mark.parametrize(
    ("one", "other", "seats"),
    [
        (boxed(0, A), boxed(800, B), ["A", "B"]),  # one box: what its clock is off by moves both
        (boxed(0, A), boxed(100, B), ["AB", "AB"]),  # closer than anybody's window
        (boxed(0, A), boxed(800, B, source="other box"), ["AB", "AB"]),
        (boxed(0, A, jitter=None), boxed(800, B), ["AB", "AB"]),
    ],
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_slaps_of_one_box_are_tied_by_its_jitter_and_never_below_200_us(
    one: SlapTime, other: SlapTime, seats: list[str], is_turned: bool
) -> None:
    slaps = [other, one] if is_turned else [one, other]
    assert whose(*attribute([lay(20), lay(60)], slaps)) == seats
