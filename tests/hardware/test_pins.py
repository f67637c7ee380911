"""Design §5: on a Pi all seats are one libgpiod request. The kernel's half is tested under the rig's kernel."""

from __future__ import annotations

import os
import select
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("gpiod", reason="needs gpiod (pip install 'cardtable[pi]')")

from gpiod import EdgeEvent
from gpiod.line import Value

from engine.seats import Seat
from hardware import pins
from hardware.errors import NoPins
from hardware.pins import PinSource, find_header, open_pins
from hardware.records import Kind

US, MS, S = 1_000, 1_000_000, 1_000_000_000
PINS = {Seat("A"): 26, Seat("B"): 5, Seat("C"): 13}


class Lines:
    """A request whose queue the test fills; its `fd` is a real one."""

    def __init__(self) -> None:
        self.fd, self._bell = os.pipe()
        self.now_ns = 1_000 * S
        self.down: set[int] = set()
        self.is_torn = self.is_released = False
        self._waiting: list[EdgeEvent] = []
        self._number = 0

    def edge(self, pin: int, *, is_down: bool = True, t_ns: int | None = None, numbers: int = 1) -> int:
        """An edge, by default of now; `numbers` is how far the count goes on: more than 1 means that some are lost."""
        self._number += numbers
        t_ns = self.now_ns if t_ns is None else t_ns
        kind = EdgeEvent.Type.RISING_EDGE if is_down else EdgeEvent.Type.FALLING_EDGE
        number = self._number
        event = EdgeEvent(
            event_type=kind.value, timestamp_ns=t_ns, line_offset=pin, global_seqno=number, line_seqno=number
        )
        (self.down.add if is_down else self.down.discard)(pin)
        self._waiting.append(event)
        os.write(self._bell, b".")
        return t_ns

    def read_edge_events(self) -> list[EdgeEvent]:
        os.read(self.fd, 4096)
        read, self._waiting = self._waiting, []
        return read

    def get_values(self, lines: Iterable[int | str]) -> list[Value]:
        if self.is_torn:
            raise OSError(19, "No such device")
        return [Value.ACTIVE if line in self.down else Value.INACTIVE for line in lines]

    def release(self) -> None:
        self.is_released = True

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._bell)


@pytest.fixture
def lines() -> Iterator[Lines]:
    lines = Lines()
    yield lines
    lines.close()


def opened(lines: Lines) -> PinSource:
    source = PinSource(PINS, lines, clock=lambda: lines.now_ns)
    lines.now_ns += 1 * MS
    return source


def test_levels_at_the_start_are_told_and_a_stuck_button_is_no_press(lines: Lines) -> None:
    lines.down.add(5)
    told = opened(lines).edges()
    assert [(edge.kind, edge.seat, edge.is_down) for edge in told] == [
        (Kind.LEVEL, "A", False),
        (Kind.LEVEL, "B", True),
        (Kind.LEVEL, "C", False),
    ]


def test_an_edge_keeps_the_kernels_stamp_however_late_it_is_read(lines: Lines) -> None:
    source = opened(lines)
    source.edges()
    pressed_ns = lines.edge(5)
    lines.now_ns += 300 * MS
    (edge,) = source.edges()
    assert (edge.kind, edge.seat, edge.t_ns, edge.within_ns) == (Kind.DOWN, "B", pressed_ns, 50 * US)


@pytest.mark.parametrize("order", [(26, 5), (5, 26)])
def test_a_batch_is_sorted_by_stamp_and_not_by_line(lines: Lines, order: tuple[int, int]) -> None:
    source = opened(lines)
    source.edges()
    early, late = order
    lines.edge(late, t_ns=lines.now_ns - 100 * US)
    lines.edge(early, t_ns=lines.now_ns - 200 * US)
    seats = {pin: seat for seat, pin in PINS.items()}
    assert [edge.seat for edge in source.edges()] == [seats[early], seats[late]]


def test_a_gap_in_the_count_is_told_as_lost(lines: Lines) -> None:
    source = opened(lines)
    source.edges()
    lines.edge(5)
    source.edges()
    lines.now_ns += 10 * MS
    pressed_ns = lines.edge(26, numbers=4)
    lost, edge = source.edges()
    assert (lost.kind, lost.seat, source.lost) == (Kind.LOST, None, 3)
    assert lost.t_ns - lost.within_ns <= pressed_ns - 10 * MS <= lost.t_ns <= pressed_ns
    assert (edge.kind, edge.t_ns) == (Kind.DOWN, pressed_ns)


def test_edges_lost_before_the_first_one_read_are_told_too(lines: Lines) -> None:
    source = opened(lines)
    lines.edge(5, numbers=785)
    assert Kind.LOST in {edge.kind for edge in source.edges()}
    assert source.lost == 784


def test_lg_18_a_release_that_was_never_reported_is_found_by_a_look_at_the_level(lines: Lines) -> None:
    source = opened(lines)
    lines.edge(5)
    source.edges()
    lines.down.discard(5)
    lines.now_ns += 100 * MS
    (level,) = source.edges()
    assert (level.kind, level.seat, level.is_down) == (Kind.LEVEL, "B", False)
    lines.now_ns += 100 * MS
    assert source.edges() == ()


def test_a_button_that_is_really_held_is_left_alone(lines: Lines) -> None:
    source = opened(lines)
    lines.edge(5)
    source.edges()
    lines.now_ns += 100 * MS
    assert source.edges() == ()


@pytest.mark.parametrize("stamp_ns", [1_790_000_000 * S, 5])
def test_libgpiod_87_a_stamp_of_another_clock_is_not_believed(lines: Lines, stamp_ns: int) -> None:
    source = opened(lines)
    source.edges()
    lines.edge(5, t_ns=stamp_ns)
    true_ns, lines.now_ns = lines.now_ns, lines.now_ns + 8 * MS
    (edge,) = source.edges()
    assert abs(edge.t_ns - true_ns) <= edge.within_ns <= 8 * MS


def test_pins_that_fail_in_mid_game_are_gone_once_and_hold_nobody_up(lines: Lines) -> None:
    source = opened(lines)
    lines.edge(5)
    source.edges()
    lines.is_torn = True
    lines.now_ns += 100 * MS
    assert [edge.kind for edge in source.edges()] == [Kind.GONE]
    assert source.edges() == ()
    assert source.mark_ns(lines.now_ns) == lines.now_ns


def test_all_lines_are_let_go_at_once(lines: Lines) -> None:
    source = opened(lines)
    source.close()
    assert lines.is_released


def test_nothing_is_read_while_nothing_waits(lines: Lines) -> None:
    source = opened(lines)
    source.edges()
    assert not select.select([lines.fd], [], [], 0)[0]
    assert source.edges() == ()


def test_two_seats_on_one_pin_are_refused() -> None:
    with pytest.raises(NoPins, match="a pin of its own"):
        open_pins({Seat("A"): 5, Seat("B"): 5})


def test_gpiozero_1166_the_chip_is_known_by_its_label_and_its_absence_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pins, "DEVICES", tmp_path)
    with pytest.raises(NoPins, match="no Raspberry Pi's pins"):
        find_header()
