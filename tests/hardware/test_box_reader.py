"""protocol.md, second half: what the host makes of a box's lines, whatever happens on the wire."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import Press
from hardware.box_lines import Levels, write_line
from hardware.debounce import Debounce
from hardware.records import Edge, Kind
from tests.hardware.boxes import MS, US, Box, S, Wire, told


def holds(edge: Edge, t_ns: int) -> bool:
    """Whether the truth lies where the edge says."""
    return abs(edge.t_ns - t_ns) <= edge.within_ns


def presses(edges: tuple[Edge, ...]) -> list[str]:
    debounce = Debounce()
    for edge in edges:
        debounce.feed(edge)
    return [event.seat for event in debounce.pass_to(2**62) if isinstance(event, Press)]


def test_the_first_mask_gives_every_seats_level() -> None:
    box = Box()
    box.mask = 0b010
    wire = Wire(box)
    wire.says(box.boots())
    wire.ping()
    wire.beat()
    assert [(edge.kind, edge.seat, edge.is_down) for edge in wire.fetch()] == [
        (Kind.LEVEL, "A", False),
        (Kind.LEVEL, "B", True),
        (Kind.LEVEL, "C", False),
    ]


def test_an_edge_is_placed_where_it_was_within_what_it_claims() -> None:
    wire = Wire(Box(rate=1.003)).begin()
    wire.wait(30 * S)
    pressed_ns = wire.change(1)
    (down,) = wire.fetch()
    assert (down.kind, down.seat) == (Kind.DOWN, "B")
    assert holds(down, pressed_ns)
    assert down.within_ns < 1 * MS


def test_two_buttons_in_one_interrupt_are_a_tie_that_can_be_seen() -> None:
    wire = Wire().begin()
    wire.change(2, 0)
    first, second = wire.fetch()
    assert first.t_ns == second.t_ns
    assert {first.seat, second.seat} == {"A", "C"}


def test_gaps_between_seats_are_the_boxs_own() -> None:
    wire = Wire(Box(rate=0.998)).begin()
    wire.wait(10 * S)
    wire.says(wire.box.changes(wire.now_ns, 0) + wire.box.changes(wire.now_ns + 35 * US, 2))
    first, second = wire.fetch()
    assert (first.seat, second.seat) == ("A", "C")
    assert abs(second.t_ns - first.t_ns - 35 * US) <= 2 * US


def test_a_lost_line_is_told_and_the_next_repairs_the_level() -> None:
    wire = Wire().begin()
    wire.beat()
    pressed_ns = wire.now_ns + 3 * MS
    wire.box.changes(pressed_ns, 1)
    wire.now_ns += 10 * MS
    wire.beat()
    lost, down = wire.fetch()
    assert (lost.kind, lost.seat) == (Kind.LOST, None)
    assert (down.kind, down.seat) == (Kind.DOWN, "B")
    assert holds(down, pressed_ns)
    assert wire.reader.counts.lost == 1


def test_a_lost_press_and_release_leave_at_least_the_word_lost() -> None:
    wire = Wire().begin()
    wire.box.changes(wire.now_ns, 1)
    wire.box.changes(wire.now_ns, 1)
    wire.change(0)
    assert told(wire.fetch()) == [(Kind.LOST, None), (Kind.DOWN, "A")]


def test_edges_that_the_box_forgot_are_lost_too() -> None:
    wire = Wire().begin()
    wire.change(0, drops=3)
    assert told(wire.fetch()) == [(Kind.LOST, None), (Kind.DOWN, "A")]
    assert wire.reader.counts.lost == 3


def test_a_line_that_comes_twice_is_one_edge() -> None:
    wire = Wire().begin()
    line = wire.box.changes(wire.now_ns, 0)
    wire.says(line + line)
    wire.says(line)
    assert told(wire.fetch()) == [(Kind.DOWN, "A")]
    assert wire.reader.counts.repeated == 2


def test_a_reset_is_told_as_gone_and_back_with_levels_and_new_numbers() -> None:
    wire = Wire().begin()
    wire.change(0)
    wire.fetch()
    wire.says(wire.box.resets(0x2B))
    wire.box.mask = 0
    for _ in range(3):
        wire.now_ns += 20 * MS
        wire.beat()
        wire.ping()
    assert told(wire.fetch())[:5] == [
        (Kind.GONE, None),
        (Kind.BACK, None),
        *[(Kind.LEVEL, seat) for seat in "ABC"],
    ]
    wire.change(1)
    assert told(wire.fetch()) == [(Kind.DOWN, "B")]


@pytest.mark.parametrize("boot_id", [0x2B, 0x2A], ids=["another id", "the same id, as from a careless box"])
@pytest.mark.parametrize("pressed_before", [False, True])
def test_a_reset_whose_boot_line_was_lost_is_found_out(pressed_before: bool, boot_id: int) -> None:
    wire = Wire().begin()
    if pressed_before:
        wire.change(0)
    wire.wait(5 * S)
    wire.fetch()
    wire.box = Box(began_us=-wire.now_ns // US % 2**32, boot_id=boot_id)
    wire.wait(2 * S)
    assert told(wire.fetch()) == [(Kind.GONE, None), (Kind.BACK, None), *[(Kind.LEVEL, seat) for seat in "ABC"]]
    pressed_ns = wire.change(1)
    (down,) = wire.fetch()
    assert (down.kind, down.seat, holds(down, pressed_ns)) == (Kind.DOWN, "B", True)


def test_an_old_line_out_of_turn_is_no_edge() -> None:
    wire = Wire().begin()
    old = [wire.box.changes(wire.now_ns, 0), wire.box.changes(wire.now_ns + 5 * MS, 0)]
    wire.now_ns += 5 * MS
    wire.says(old[0] + old[1])
    wire.change(1)
    wire.fetch()
    wire.says(old[0])
    assert wire.fetch() == ()


def test_a_boot_line_with_the_known_id_changes_nothing() -> None:
    wire = Wire().begin()
    wire.says(wire.box.boots())
    wire.change(1)
    assert told(wire.fetch()) == [(Kind.DOWN, "B")]


@pytest.mark.parametrize("until_wrap_ns", [0, 30 * MS, 65 * MS])
def test_the_32_bit_tick_wraps_in_the_midst_of_a_race(until_wrap_ns: int) -> None:
    wire = Wire(Box(began_us=2**32 - (1_000 * S + until_wrap_ns) // US)).begin()
    truth = []
    for bit in (0, 1, 2):
        wire.now_ns += 20 * MS
        truth.append(wire.change(bit))
        wire.beat()
    downs = wire.fetch()
    assert told(downs) == [(Kind.DOWN, seat) for seat in "ABC"]
    assert all(holds(down, t_ns) for down, t_ns in zip(downs, truth, strict=True))


def test_an_edge_before_the_clocks_are_in_step_waits_and_keeps_its_time() -> None:
    wire = Wire()
    wire.says(wire.box.boots())
    wire.beat()
    pressed_ns = wire.change(2)
    assert wire.fetch() == ()
    wire.ping()
    *levels, down = wire.fetch()
    assert [edge.kind for edge in levels] == [Kind.LEVEL] * 3
    assert (down.seat, holds(down, pressed_ns)) == ("C", True)


def test_the_mark_is_the_newest_heartbeat_and_never_beyond_it() -> None:
    wire = Wire().begin()
    beaten_ns = wire.now_ns
    wire.beat()
    wire.now_ns += 5 * S
    assert beaten_ns - 2 * MS < wire.reader.mark_ns <= beaten_ns


def test_nothing_is_sent_to_what_has_never_spoken_as_a_box() -> None:
    wire = Wire()
    wire.says(b"ok T:21.3\n" * 20)
    wire.now_ns += 10 * S
    assert wire.reader.ping(wire.now_ns) == b""


def test_a_box_that_was_on_already_is_asked_who_it_is() -> None:
    wire = Wire()
    wire.beat()
    assert wire.reader.boot is None
    wire.ping()
    assert wire.reader.is_ready


def test_a_line_from_the_future_is_dropped_though_its_checksum_is_good() -> None:
    wire = Wire().begin()
    ahead = Levels(True, wire.box.sequence + 1, 0b1, wire.box.tick(wire.now_ns + 60 * S))
    wire.says(write_line(ahead))
    assert wire.fetch() == ()
    assert wire.reader.counts.impossible == 1
    wire.change(1)
    assert told(wire.fetch()) == [(Kind.DOWN, "B")]


def test_seats_beyond_the_boxs_are_not_heard() -> None:
    wire = Wire(players=2).begin()
    wire.change(5)
    assert wire.fetch() == ()


def flipped(line: bytes, how: random.Random) -> bytes:
    place = how.randrange(len(line))
    return line[:place] + bytes([line[place] ^ 1 << how.randrange(8)]) + line[place + 1 :]


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [
    lambda line, how: line[: how.randrange(len(line))],
    lambda line, how: line[how.randrange(len(line)) :],
    lambda line, _: line + line,
    lambda _, __: b"",
    lambda line, how: how.randbytes(how.randrange(200)) + line,
    flipped,
]


def damage(line: bytes, how: random.Random) -> bytes:
    """`line` cut, joined to the next, repeated, lost, after garbage, or with a bit flipped; half of them whole."""
    return how.choice(DAMAGES)(line, how) if how.random() < 0.5 else line


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_a_damaged_wire_never_makes_a_press_that_was_not(seed: int) -> None:
    how = random.Random(seed)
    wire = Wire().begin()
    true_presses = {0: 0, 1: 0, 2: 0}
    for _ in range(150):
        wire.now_ns += 30 * MS
        bit = how.randrange(3)
        true_presses[bit] += not wire.box.mask >> bit & 1
        wire.says(damage(wire.box.changes(wire.now_ns, bit), how))
        wire.says(damage(wire.box.beats(wire.now_ns), how))
        wire.ping()
    edges = wire.fetch()
    found = presses(edges)
    assert all(found.count("ABC"[bit]) <= count for bit, count in true_presses.items())
    assert len(found) > sum(true_presses.values()) // 4


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.floats(0.995, 1.005))
def test_on_a_damaged_wire_every_edge_still_lies_within_what_it_claims(seed: int, rate: float) -> None:
    how = random.Random(seed)
    wire = Wire(Box(rate=rate)).begin()
    changed: dict[str, list[int]] = {"A": [], "B": [], "C": []}
    for _ in range(80):
        wire.now_ns += 30 * MS
        bit = how.randrange(3)
        changed["ABC"[bit]].append(wire.now_ns)
        wire.says(damage(wire.box.changes(wire.now_ns, bit), how))
        wire.says(wire.box.beats(wire.now_ns))
        wire.ping()
    for edge in wire.fetch():
        if edge.seat is not None and edge.kind is not Kind.LEVEL:
            assert any(holds(replace(edge, within_ns=edge.within_ns + US), t_ns) for t_ns in changed[edge.seat])
