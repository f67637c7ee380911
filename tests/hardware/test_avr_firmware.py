"""firmware/avr/box.c, compiled and run cycle by cycle: what it tells against what was done to its buttons."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from engine.events import Press
from engine.seats import seats
from hardware.box import BoxSource
from hardware.box_lines import VERSION, Answer, Boot, Levels
from hardware.box_ports import Address
from hardware.debounce import Debounce
from hardware.records import Edge, Kind
from tests.hardware.simulated_avr import CYCLES_PER_US, PINS, Build, SimulatedAvr, build, missing_tools, switched_on

pytestmark = [pytest.mark.simavr, pytest.mark.skipif(bool(missing_tools()), reason=missing_tools() or "all there")]

MS, S = 1_000_000, 1_000_000_000
ALLOWED_US = 20
"""How far a stamp may be from the truth: protocol.md promises 15 µs, and a tick is a microsecond."""
LONG_US = 30_000
"""Long enough for the start and for a heartbeat."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return build(tmp_path_factory.mktemp("avr"))


@pytest.fixture
def board(built: Build) -> Iterator[SimulatedAvr]:
    with switched_on(built) as board:
        board.run_us(LONG_US)
        board.truth.clear()
        yield board


def test_after_power_on_it_says_who_it_is_and_beats(board: SimulatedAvr) -> None:
    boot, *beats = board.heard()
    assert isinstance(boot, Boot)
    assert boot.version == VERSION
    assert all(isinstance(beat, Levels) and beat.sequence == beat.mask == 0 for beat in beats)
    assert beats


def test_each_reset_has_its_own_boot_id(board: SimulatedAvr) -> None:
    ids = [line.boot_id for line in board.heard() if isinstance(line, Boot)]
    for _ in range(2):
        board.reset()
        board.run_us(LONG_US)
        ids += [line.boot_id for line in board.heard() if isinstance(line, Boot)]
    assert len(ids) == len(set(ids)) == 3


def test_a_button_held_through_a_reset_is_in_the_mask_and_makes_no_edge(board: SimulatedAvr) -> None:
    board.change(2, at_us=100)
    board.run_us(LONG_US)
    board.heard()
    board.reset()
    board.run_us(LONG_US)
    told = [line for line in board.heard() if isinstance(line, Levels)]
    assert [(line.is_edge, line.mask, line.sequence) for line in told] == [(False, 0b100, 0)] * len(told)
    assert told


def test_it_answers_questions_and_pings_and_passes_over_the_rest(board: SimulatedAvr) -> None:
    board.heard()
    for asked in (b"?", b"hello\n\x80", b"\xff"):
        board.send(asked)
        board.run_us(LONG_US)
    answers = [line for line in board.heard() if not isinstance(line, Levels)]
    assert isinstance(answers[0], Boot)
    assert [line.nonce for line in answers[1:] if isinstance(line, Answer)] == [0x80, 0xFF]


def test_the_lamp_of_every_button_is_put_on_and_out_and_a_reset_puts_all_out(board: SimulatedAvr) -> None:
    seen = []
    for lamps in ([(bit, True) for bit in range(8)], [(0, False), (5, False)]):
        board.send(bytes(0x40 + 2 * bit + is_lit for bit, is_lit in lamps))
        board.run_us(LONG_US)
        seen.append(board.lamps())
    board.reset()
    board.run_us(LONG_US)
    assert [*seen, board.lamps()] == ["01234567", "123467", ""]
    assert not board.edges(), "what a lamp's pin does is no button's edge"


def tapped(board: SimulatedAvr, taps: list[tuple[int, int]]) -> list[Levels]:
    """The edge lines of what changes when the buttons go down or up: `taps` are (µs since the last, bit)."""
    down: set[int] = set()
    at_us = 0
    for gap_us, bit in taps:
        at_us += gap_us
        board.change(bit, at_us=at_us, is_down=bit not in down)
        down ^= {bit}
    board.run_us(at_us)
    return board.edges()


def moments_us(board: SimulatedAvr, lines: list[Levels]) -> list[tuple[float, int]]:
    """For each true change its time and the tick of the line that shows it, both in µs, in order."""
    told: list[tuple[int, int, bool]] = []
    mask = 0
    for line in lines:
        changed = line.mask ^ mask
        told += [(line.tick, bit, bool(line.mask >> bit & 1)) for bit in range(len(PINS)) if changed >> bit & 1]
        mask = line.mask
    found: list[tuple[float, int]] = []
    for change in board.truth:
        index = next(i for i, (_, bit, is_down) in enumerate(told) if (bit, is_down) == (change.bit, change.is_down))
        found.append((change.cycle / CYCLES_PER_US, told.pop(index)[0]))
    assert not told, "the board told of an edge that was none"
    return found


def worst_gap_error_us(moments: list[tuple[float, int]]) -> float:
    """By how much any gap between two edges is told wrongly: the offset between the two clocks does not matter."""
    offsets = [tick - true_us for true_us, tick in moments]
    return max(offsets) - min(offsets)


def test_gaps_between_seats_are_true_to_20_us(board: SimulatedAvr) -> None:
    chance = random.Random(5)
    taps: list[tuple[int, int]] = []
    for _ in range(80):
        first, second = chance.sample(range(len(PINS)), 2)
        taps += [(chance.randint(8_000, 10_000), first), (chance.randint(1, 500), second)]
    worst_us = worst_gap_error_us(moments_us(board, tapped(board, taps)))
    print(f"80 pairs 1 to 500 us apart: gaps wrong by {worst_us:.1f} us at worst")
    assert worst_us <= ALLOWED_US


@pytest.mark.parametrize("order", [(0, 7), (7, 0)], ids=["low line first", "high line first"])
def test_two_presses_in_one_interrupt_are_one_line_in_either_order(board: SimulatedAvr, order: tuple[int, int]) -> None:
    (line,) = tapped(board, [(1_000, order[0]), (0, order[1])])
    assert (line.sequence, line.mask) == (1, 0b1000_0001)


def test_presses_100_us_apart_are_told_in_their_order_whatever_the_pins(board: SimulatedAvr) -> None:
    chance = random.Random(6)
    order = [bit for _ in range(12) for bit in chance.sample(range(len(PINS)), len(PINS))]
    lines = tapped(board, [(100, bit) for bit in order[:32]])
    assert [line.mask ^ before for line, before in zip(lines, [0, *(line.mask for line in lines)], strict=False)] == [
        1 << bit for bit in order[:32]
    ]


def test_eight_presses_within_5_ms_are_all_told(board: SimulatedAvr) -> None:
    lines = tapped(board, [(600, bit) for bit in (7, 0, 6, 1, 5, 2, 4, 3)])
    assert [line.mask.bit_count() for line in lines] == list(range(1, 9))
    assert [line.sequence for line in lines] == list(range(1, 9))


def test_every_bounce_is_told_and_the_first_contact_is_the_press(board: SimulatedAvr) -> None:
    gaps_us = [1_000, 80, 40, 300, 25, 500, 90, 60, 200, 30, 700]
    lines = tapped(board, [(gap_us, 0) for gap_us in gaps_us])
    assert len(lines) == len(gaps_us)
    assert worst_gap_error_us(moments_us(board, lines)) <= ALLOWED_US


def test_a_storm_of_edges_is_told_as_drops_and_ends_with_the_true_levels(board: SimulatedAvr) -> None:
    lines = tapped(board, [(60, 0) for _ in range(400)] + [(60, 1)])
    assert sum(line.drops for line in lines) + len(lines) == 401
    assert any(line.drops for line in lines)
    assert lines[-1].mask == 0b10


def test_the_tick_wraps_without_a_jump(board: SimulatedAvr) -> None:
    board.poke("overflows", (1 << 32) // 32_768 - 2)
    lines = tapped(board, [(4_000, i % 8) for i in range(20)])
    assert any(later.tick < earlier.tick for earlier, later in pairwise(lines)), "it did not wrap"
    unwrapped = [line.tick + ((1 << 32) if line.tick < 1 << 31 else 0) for line in lines]
    offsets = [tick - change.cycle / CYCLES_PER_US for tick, change in zip(unwrapped, board.truth, strict=True)]
    assert max(offsets) - min(offsets) <= ALLOWED_US


def test_a_heartbeat_promises_that_every_edge_before_it_has_been_told(board: SimulatedAvr) -> None:
    chance = random.Random(7)
    for i in range(80):
        board.change(0, at_us=chance.randint(1, 30), is_down=not i % 2)
        board.run_us(chance.randint(3_000, 12_000))
    promised = 0
    lines = [line for line in board.heard() if isinstance(line, Levels)]
    for line in lines:
        assert line.tick > promised
        promised = promised if line.is_edge else line.tick
    assert promised
    assert any(line.is_edge for line in lines)


class Host:
    """The real `BoxSource` on the board's port, under a clock that goes as the board's does, but for its error."""

    STEP_US = 500

    def __init__(self, board: SimulatedAvr, *, ppm: float) -> None:
        self.board, self._rate = board, 1 + ppm / 1e6
        self.source = BoxSource(Address(board.path), seats(8), clock=self.now_ns)
        self.seen: list[Edge] = []

    def now_ns(self) -> int:
        return self.at_ns(self.board.cycle)

    def at_ns(self, cycle: int) -> int:
        return 1_000 * S + round(cycle * 1_000 / CYCLES_PER_US * self._rate)

    def run(self, span_us: int) -> None:
        for _ in range(0, span_us, self.STEP_US):
            self.board.run_us(self.STEP_US)
            self.source.pump(0)
            self.seen += self.source.edges()

    def run_until(self, is_so: Callable[[], bool]) -> None:
        for _ in range(400):
            if is_so():
                return
            self.run(self.STEP_US)
        raise AssertionError("it never came to that")

    def fetch(self) -> list[Edge]:
        seen, self.seen = self.seen, []
        return seen


@pytest.fixture(params=[0, 3_000, -3_000], ids=["same rate", "a slow resonator", "a fast resonator"])
def host(board: SimulatedAvr, request: pytest.FixtureRequest) -> Iterator[Host]:
    host = Host(board, ppm=request.param)
    host.run_until(lambda: host.source.reader.is_ready and len(host.seen) == 8)
    yield host
    host.source.close()


def test_the_host_places_every_edge_within_what_it_claims_and_keeps_the_gaps(board: SimulatedAvr, host: Host) -> None:
    host.fetch()
    for bit, at_us in ((3, 10_000), (5, 10_300), (0, 10_420)):
        board.change(bit, at_us=at_us)
    host.run_until(lambda: len(host.seen) == 3)
    edges = host.fetch()
    assert [(edge.kind, edge.seat) for edge in edges] == [(Kind.DOWN, seat) for seat in "DFA"]
    errors = [edge.t_ns - host.at_ns(change.cycle) for edge, change in zip(edges, board.truth, strict=True)]
    assert all(abs(error) <= edge.within_ns for error, edge in zip(errors, edges, strict=True))
    assert max(errors) - min(errors) <= ALLOWED_US * 1_000


def test_a_bouncing_tap_is_one_press_at_its_first_contact(board: SimulatedAvr, host: Host) -> None:
    host.fetch()
    for at_us, is_down in ((10_000, True), (10_090, False), (10_200, True), (14_000, False), (14_080, True)):
        board.change(1, at_us=at_us, is_down=is_down)
    board.change(1, at_us=14_300, is_down=False)
    host.run_until(lambda: len(host.seen) == 6)
    debounce = Debounce()
    events = [event for edge in host.fetch() for event in debounce.feed(edge)]
    events += debounce.pass_to(host.now_ns() + S)
    (press,) = [event for event in events if isinstance(event, Press)]
    assert press.seat == "B"
    assert abs(press.t_ns - host.at_ns(board.truth[0].cycle)) <= press.within_ns


def test_a_reset_in_mid_game_is_gone_and_back_with_levels(board: SimulatedAvr, host: Host) -> None:
    host.fetch()
    board.reset()
    host.run_until(lambda: len(host.seen) == 10)
    kinds = [edge.kind for edge in host.fetch()]
    assert kinds == [Kind.GONE, Kind.BACK] + [Kind.LEVEL] * 8
    assert host.source.reader.counts.resets == 1
