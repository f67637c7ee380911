"""Real input devices: two keyboards at once, the kernel's monotonic stamps, a full queue, the plug pulled."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("evdev", reason="needs evdev (pip install 'cardtable[keys]')")

from engine.seats import Seat, seats
from hardware.choose import open_buttons
from hardware.keys import KeysSource, open_keys
from hardware.records import Kind
from hardware.trials import as_slap
from hardware.verdict import tied_first
from tests.rig.simdevices import keyboard, strike
from tests.rig.waiting import fetched, until

pytestmark = pytest.mark.rig


@pytest.fixture
def board() -> Iterator[Any]:
    board = keyboard(["KEY_A", "KEY_B"], name="left")
    yield board
    board.close()


def opened(chosen: dict[Seat, str]) -> KeysSource:
    (source,) = open_keys(chosen)
    assert {edge.kind for edge in source.edges()} == {Kind.LEVEL}
    return source


def test_a_key_carries_the_kernels_monotonic_stamp_and_its_release_is_seen(board: Any) -> None:
    source = opened({Seat("A"): "KEY_A"})
    earliest, latest = strike(board, "KEY_A")
    strike(board, "KEY_A", down=False)
    down, up = until(source, lambda found: len(found) >= 2)
    assert (down.kind, up.kind) == (Kind.DOWN, Kind.UP)
    assert earliest - down.within_ns <= down.t_ns <= latest + down.within_ns
    source.close()


@pytest.mark.parametrize("order", [("KEY_A", "KEY_B"), ("KEY_B", "KEY_A")])
def test_two_keys_in_one_report_are_a_tie_in_either_order(board: Any, order: tuple[str, str]) -> None:
    source = opened({Seat("A"): "KEY_A", Seat("B"): "KEY_B"})
    strike(board, *order)
    downs = until(source, lambda found: len(found) >= 2)
    assert tied_first([as_slap(edge) for edge in downs]) == ("A", "B")
    source.close()


def test_two_keyboards_at_once(board: Any) -> None:
    other = keyboard(["KEY_C"], name="right", product=2)
    sources = open_buttons("keys", seats(3))
    assert sorted(edge.seat or "" for source in sources for edge in source.edges()) == ["A", "B", "C"]
    strike(other, "KEY_C")
    strike(board, "KEY_A")
    assert {edge.seat for source in sources for edge in fetched(source, 1)} == {"A", "C"}
    for source in sources:
        source.close()
    other.close()


def test_gamepads_and_a_keyboard_at_once_each_by_its_own_name(board: Any) -> None:
    pads = [keyboard(["BTN_SOUTH", "BTN_EAST"], name=f"pad {number}", product=10 + number) for number in (1, 2)]
    where = [Path(pad.device.path).name for pad in pads]
    spec = f"keys:A={where[0]}/BTN_SOUTH,B={where[1]}/BTN_SOUTH,C=KEY_A"
    sources = open_buttons(spec, seats(3))
    for source in sources:
        source.edges()
    bounds = {seat: strike(*struck) for seat, struck in pressed_in_turn(pads, board)}
    edges = sorted((edge for source in sources for edge in fetched(source, 1)), key=lambda edge: edge.t_ns)
    assert [(edge.kind, edge.seat) for edge in edges] == [(Kind.DOWN, seat) for seat in ("C", "B", "A")]
    for edge in edges:
        earliest, latest = bounds[edge.seat or ""]
        assert earliest - 1_000 <= edge.t_ns <= latest  # the kernel's stamps of keys are in whole microseconds
    for source in sources:
        source.close()
    for pad in pads:
        pad.close()


def pressed_in_turn(pads: list[Any], board: Any) -> list[tuple[str, tuple[Any, str]]]:
    return [("C", (board, "KEY_A")), ("B", (pads[1], "BTN_SOUTH")), ("A", (pads[0], "BTN_SOUTH"))]


def test_reports_that_nobody_read_are_lost_and_the_state_is_asked_for(board: Any) -> None:
    source = opened({Seat("A"): "KEY_A", Seat("B"): "KEY_B"})
    for _ in range(400):
        strike(board, "KEY_A")
        strike(board, "KEY_A", down=False)
    strike(board, "KEY_B")
    found = until(source, lambda found: Kind.LEVEL in {edge.kind for edge in found})
    assert Kind.LOST in {edge.kind for edge in found}
    assert [edge.is_down for edge in found if edge.kind is Kind.LEVEL and edge.seat == "B"] == [True]
    source.close()


def test_a_keyboard_that_is_unplugged_is_gone_and_comes_back(board: Any) -> None:
    other = keyboard(["KEY_C"], name="right", product=2)
    source = opened({Seat("C"): "KEY_C"})
    other.close()
    assert [edge.kind for edge in until(source, bool)] == [Kind.GONE]
    again = keyboard(["KEY_C"], name="right", product=2)
    assert [edge.kind for edge in until(source, lambda found: len(found) >= 2)] == [Kind.BACK, Kind.LEVEL]
    strike(again, "KEY_C")
    assert [(edge.kind, edge.seat) for edge in until(source, bool)] == [(Kind.DOWN, "C")]
    source.close()
    again.close()
