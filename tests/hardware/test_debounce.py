"""Design §5: first edge counts, confirmed by 1 ms of contact within 5 ms, then deaf until 25 ms of quiet."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Hold, Press, Release
from hardware.debounce import ButtonEvent, Debounce
from hardware.records import Edge, Kind
from tests.hardware.strategies import MS, US, Touch, edge, evenings, line, touches

AT_THE_END = 10**12


def judged(edges: Iterable[Edge], *, until_ns: int = AT_THE_END) -> tuple[ButtonEvent, ...]:
    """What comes of `edges` when all of them are in before anything is decided."""
    debounce = Debounce()
    for each in edges:
        assert debounce.feed(each) == ()
    return debounce.pass_to(until_ns)


def presses(events: Iterable[ButtonEvent]) -> list[int]:
    return [event.t_ns for event in events if isinstance(event, Press)]


def test_a_clean_tap_is_a_press_and_a_release() -> None:
    press, release = judged(line(100 * MS, 180 * MS))
    assert press == Press(t_ns=100 * MS, within_ns=US, seat=press.seat, source="pins")
    assert release == Release(t_ns=180 * MS, within_ns=US, seat=press.seat, pressed_ns=100 * MS)


def test_the_first_contact_is_the_time_however_long_it_bounces() -> None:
    assert presses(judged(line(0, 200 * US, 900 * US, 1_100 * US, 4 * MS, 60 * MS))) == [0]


def test_contact_adds_up_over_bounces_within_5_ms() -> None:
    assert presses(judged(line(0, 400 * US, 2 * MS, 2_400 * US, 4 * MS, 4_300 * US))) == [0]


def test_less_than_1_ms_of_contact_is_a_glitch() -> None:
    assert judged(line(0, 400 * US, 2 * MS, 2_400 * US, 6 * MS, 6_400 * US)) == ()


def test_a_spike_from_the_neighbours_wire_neither_counts_nor_deafens() -> None:
    assert presses(judged(line(0, 3 * US, 8 * MS, 80 * MS))) == [8 * MS]


def test_a_real_contact_that_begins_in_a_spikes_window_counts_from_itself() -> None:
    assert presses(judged(line(0, 3 * US, 4_500 * US, 80 * MS))) == [4_500 * US]


def test_gpiozero_378_bounce_at_release_is_no_press() -> None:
    assert presses(judged(line(0, 90 * MS, 92 * MS, 95 * MS, 110 * MS, 114 * MS))) == [0]


def test_release_is_when_the_line_opened_for_good() -> None:
    (release,) = [event for event in judged(line(0, 90 * MS, 92 * MS, 95 * MS)) if isinstance(event, Release)]
    assert release.t_ns == 95 * MS


def test_deaf_until_25_ms_of_quiet_and_not_a_moment_longer() -> None:
    assert presses(judged(line(0, 50 * MS, 75 * MS - 1, 90 * MS))) == [0]
    assert presses(judged(line(0, 50 * MS, 75 * MS, 90 * MS))) == [0, 75 * MS]


@pytest.mark.parametrize(("up_ms", "kinds"), [(799, [Press, Release]), (801, [Press, Hold, Release])])
def test_a_hold_begins_at_800_ms(up_ms: int, kinds: list[type]) -> None:
    assert [type(event) for event in judged(line(0, up_ms * MS))] == kinds


def test_a_hold_says_when_it_became_one_and_which_press_it_was() -> None:
    (hold,) = [event for event in judged(line(5 * MS, 2_000 * MS)) if isinstance(event, Hold)]
    assert (hold.t_ns, hold.pressed_ns) == (805 * MS, 5 * MS)


def test_a_break_of_a_few_ms_at_800_ms_does_not_undo_the_hold() -> None:
    events = judged(line(0, 795 * MS, 805 * MS, 1_500 * MS))
    assert [(type(event), event.t_ns) for event in events] == [(Press, 0), (Hold, 800 * MS), (Release, 1_500 * MS)]


def test_a_hold_is_given_while_the_button_is_still_down() -> None:
    assert [type(event) for event in judged(line(0), until_ns=800 * MS)] == [Press, Hold]


def test_stuck_at_start_is_no_press_until_released() -> None:
    stuck = edge(Kind.LEVEL, 0, is_down=True)
    assert judged([stuck, *line(3_000 * MS, seat="B")], until_ns=2_000 * MS) == ()
    let_go = edge(Kind.UP, 4_000 * MS)
    assert presses(judged([stuck, let_go, *line(4_100 * MS, 4_200 * MS)])) == [4_100 * MS]


def test_release_bounce_of_a_button_stuck_at_start_is_no_press() -> None:
    let_go = [edge(Kind.UP, 10 * MS), edge(Kind.DOWN, 12 * MS), edge(Kind.UP, 15 * MS)]
    assert judged([edge(Kind.LEVEL, 0, is_down=True), *let_go]) == ()
    assert judged(let_go) == (), "also when nobody had looked at the level"


def test_up_at_start_is_ready_at_once() -> None:
    assert presses(judged([edge(Kind.LEVEL, 0), *line(1 * MS, 80 * MS)])) == [1 * MS]


def test_lg_18_a_missing_release_is_repaired_by_a_look_at_the_level() -> None:
    events = judged([*line(0), edge(Kind.LEVEL, 300 * MS), *line(400 * MS, 480 * MS)])
    assert presses(events) == [0, 400 * MS]
    assert not [event for event in events if isinstance(event, Hold)]


def test_gpiozero_1039_550_the_next_press_counts_after_a_swallowed_release() -> None:
    swallowed = [*line(0, 80 * MS)[:1], edge(Kind.LEVEL, 100 * MS), *line(200 * MS, 260 * MS)]
    assert presses(judged(swallowed)) == [0, 200 * MS]


def test_a_level_that_says_down_makes_no_press_for_it_does_not_know_when() -> None:
    assert judged([edge(Kind.LEVEL, 0), edge(Kind.LEVEL, 100 * MS, is_down=True), edge(Kind.UP, 200 * MS)]) == ()


def test_a_source_that_goes_ends_what_its_buttons_had_begun() -> None:
    gone = Edge(seat=None, source="pins", kind=Kind.GONE, t_ns=300 * MS, within_ns=0, number=10**13)
    events = judged([*line(0), *line(0, 900 * MS, seat="B", source="phone"), gone])
    assert [(type(event), event.seat) for event in events] == [
        (Press, "A"),
        (Press, "B"),
        (Hold, "B"),
        (Release, "B"),
    ]


def test_a_button_let_go_while_its_source_was_away_works_again() -> None:
    gone = Edge(seat=None, source="pins", kind=Kind.GONE, t_ns=300 * MS, within_ns=0, number=10**13)
    back = Edge(seat=None, source="pins", kind=Kind.BACK, t_ns=600 * MS, within_ns=0, number=10**13 + 1)
    events = judged([*line(0), gone, back, edge(Kind.LEVEL, 601 * MS), *line(602 * MS, 700 * MS)])
    assert presses(events) == [0, 602 * MS]


def test_all_slaps_are_kept_with_their_gaps() -> None:
    slaps = [line((10 + i) * US, (90_000 + i) * US, seat=seat) for i, seat in enumerate("CABDFE")]
    events = judged([each for slap in slaps for each in slap])
    assert [(event.t_ns, event.seat) for event in events if isinstance(event, Press)] == [
        ((10 + i) * US, seat) for i, seat in enumerate("CABDFE")
    ]


def test_two_presses_at_the_same_moment_come_out_alike_whoever_is_delivered_first() -> None:
    a, b = line(0, 50 * MS, seat="A"), line(0, 50 * MS, seat="B")
    assert judged([*a, *b]) == judged([*b, *a])


def test_a_press_is_out_as_soon_as_1_ms_of_contact_is_certain() -> None:
    debounce = Debounce()
    debounce.feed(*line(0))
    assert debounce.pass_to(1 * MS - 1) == ()
    assert presses(debounce.pass_to(1 * MS)) == [0]


def test_the_mark_waits_for_a_contact_that_may_become_a_press() -> None:
    debounce = Debounce()
    debounce.feed(*line(10 * MS))
    debounce.pass_to(10 * MS + 500 * US)
    assert debounce.mark_ns == 10 * MS
    debounce.pass_to(11 * MS)
    assert debounce.mark_ns == 11 * MS


def test_an_edge_later_than_its_source_had_promised_still_counts_at_its_own_time() -> None:
    debounce = Debounce()
    assert debounce.pass_to(500 * MS) == ()
    down, up = line(100 * MS, 180 * MS)
    assert presses(debounce.feed(down)) == [100 * MS]
    assert [event.t_ns for event in debounce.feed(up)] == [180 * MS]


def test_time_that_goes_back_does_nothing() -> None:
    debounce = Debounce()
    debounce.feed(*line(0))
    first = debounce.pass_to(2 * MS)
    assert presses(first) == [0]
    assert debounce.pass_to(1 * MS) == ()


@given(evenings())
def test_never_two_presses_for_one_tap_and_no_tap_lost(evening: tuple[Touch, ...]) -> None:
    events = judged(each for touch in evening for each in touch.edges)
    assert presses(events) == [touch.begin_ns for touch in evening]


@given(st.lists(st.integers(1, 40 * MS), min_size=1, max_size=40))
def test_no_press_without_contact_just_there_however_wild_the_line(lengths: list[int]) -> None:
    times = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    downs = set(times[0::2])
    found = presses(judged(line(*times)))
    assert set(found) <= downs, "every press is the moment of an edge that closed the contact"
    assert all(later - earlier >= 25 * MS for earlier, later in pairwise(found))


@given(st.lists(st.integers(1, 40 * MS), min_size=1, max_size=40))
def test_presses_and_releases_take_turns(lengths: list[int]) -> None:
    times = [sum(lengths[: i + 1]) for i in range(len(lengths))]
    turns = [event for event in judged(line(*times)) if not isinstance(event, Hold)]
    for press, release in zip(turns[0::2], turns[1::2], strict=False):
        assert isinstance(press, Press)
        assert isinstance(release, Release)
        assert (release.pressed_ns, release.t_ns > press.t_ns) == (press.t_ns, True)


@given(touches(begin_ns=60 * MS), st.lists(st.integers(1, 59 * MS), max_size=6, unique=True))
def test_spikes_before_a_tap_never_make_it_earlier_than_5_ms(touch: Touch, spikes: list[int]) -> None:
    glitches = [each for t_ns in spikes for each in line(t_ns, t_ns + 1)]
    found = presses(judged(sorted([*glitches, *touch.edges], key=lambda each: each.number)))
    assert len(found) == 1
    assert touch.begin_ns - 5 * MS <= found[0] <= touch.begin_ns


@given(evenings(seat="A"), evenings(seat="B"), st.randoms(use_true_random=False), st.lists(st.integers(0, 3_000 * MS)))
def test_neither_delivery_nor_polling_changes_the_outcome(
    a: tuple[Touch, ...], b: tuple[Touch, ...], shuffler: Random, looks: list[int]
) -> None:
    edges = [each for touch in (*a, *b) for each in touch.edges]
    expected = judged(edges)
    shuffled = sorted(edges, key=lambda _: shuffler.random())
    debounce, events = Debounce(), []
    for look in sorted({*looks, AT_THE_END}):
        due = [each for each in shuffled if each.t_ns <= look]
        shuffled = [each for each in shuffled if each.t_ns > look]
        events += [event for each in due for event in debounce.feed(each)] + [*debounce.pass_to(look)]
    assert sorted(events, key=lambda event: (event.t_ns, event.seat)) == list(expected)
