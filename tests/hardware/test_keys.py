"""Keyboards and gamepads read through evdev. Real ones are made under the rig's kernel; here a device is scripted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("evdev", reason="needs evdev (pip install 'cardtable[keys]')")

from evdev import InputEvent, ecodes

from engine.seats import Seat, seats
from hardware.choose import open_buttons
from hardware.errors import BadButtons, NoKeys
from hardware.keys import KeysSource, open_keys
from hardware.records import Edge, Kind

MS, S = 1_000_000, 1_000_000_000
KEYS = {ecodes.KEY_A: Seat("A"), ecodes.KEY_B: Seat("B")}


class Board:
    """A keyboard under a clock that the test sets; it can be pulled out."""

    def __init__(self) -> None:
        self.now_ns = 1_000 * S
        self.down: set[int] = set()
        self.is_in = True
        self._waiting: list[InputEvent] = []

    def find(self) -> Board | None:
        return self if self.is_in else None

    def says(self, kind: int, code: int, value: int = 0) -> None:
        self._waiting.append(InputEvent(self.now_ns // S, self.now_ns % S // 1_000, kind, code, value))

    def strike(self, *codes: int, value: int = 1) -> None:
        """Keys change in one report."""
        for code in codes:
            (self.down.discard if value == 0 else self.down.add)(code)
            self.says(ecodes.EV_KEY, code, value)
        self.says(ecodes.EV_SYN, ecodes.SYN_REPORT)

    def read(self) -> Iterator[InputEvent]:
        if not self.is_in:
            raise OSError(19, "No such device")
        if not self._waiting:
            raise BlockingIOError
        waiting, self._waiting = self._waiting, []
        yield from waiting

    def active_keys(self) -> list[int]:
        return sorted(self.down)

    def close(self) -> None: ...


def opened(board: Board) -> KeysSource:
    return KeysSource("keys:event3", KEYS, board.find, clock=lambda: board.now_ns)


def told(edges: tuple[Edge, ...]) -> list[tuple[Kind, str | None, bool]]:
    return [(edge.kind, edge.seat, edge.is_down) for edge in edges]


def test_levels_at_the_start_then_presses_and_releases_with_the_kernels_stamp() -> None:
    board = Board()
    board.down.add(ecodes.KEY_B)
    source = opened(board)
    assert told(source.edges()) == [(Kind.LEVEL, "A", False), (Kind.LEVEL, "B", True)]
    pressed_ns = board.now_ns
    board.strike(ecodes.KEY_A)
    board.strike(ecodes.KEY_A, value=2)
    board.now_ns += 300 * MS
    board.strike(ecodes.KEY_A, value=0)
    down, up = source.edges()
    assert (down.kind, down.seat, down.t_ns, down.within_ns) == (Kind.DOWN, "A", pressed_ns, 8 * MS)
    assert (up.kind, up.t_ns) == (Kind.UP, board.now_ns)


def test_two_keys_in_one_report_carry_one_stamp() -> None:
    board = Board()
    source = opened(board)
    source.edges()
    board.strike(ecodes.KEY_B, ecodes.KEY_A)
    assert len({edge.t_ns for edge in source.edges()}) == 1


def test_what_the_kernel_dropped_is_lost_and_the_state_is_asked_for() -> None:
    board = Board()
    source = opened(board)
    source.edges()
    board.now_ns += 5 * MS
    board.says(ecodes.EV_SYN, ecodes.SYN_DROPPED)
    board.says(ecodes.EV_KEY, ecodes.KEY_A, 0)
    board.down = {ecodes.KEY_B}
    board.says(ecodes.EV_SYN, ecodes.SYN_REPORT)
    assert told(source.edges()) == [(Kind.LOST, None, False), (Kind.LEVEL, "A", False), (Kind.LEVEL, "B", True)]
    board.strike(ecodes.KEY_A)
    assert told(source.edges()) == [(Kind.DOWN, "A", False)]


def test_unplugged_is_gone_holds_nobody_up_and_comes_back_with_levels() -> None:
    board = Board()
    source = opened(board)
    source.edges()
    board.is_in = False
    assert told(source.edges()) == [(Kind.GONE, None, False)]
    assert source.edges() == ()
    assert source.mark_ns(board.now_ns) == board.now_ns
    board.is_in, board.now_ns = True, board.now_ns + 500 * MS
    source.edges()
    assert source.mark_ns(board.now_ns) == board.now_ns - 10 * MS


def test_a_key_that_does_not_exist_is_a_sentence() -> None:
    with pytest.raises(BadButtons, match="name one like KEY_A"):
        open_keys({Seat("A"): "KEY_SLAP"})


def test_a_key_that_no_device_has_is_a_sentence_with_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evdev.list_devices", lambda **_: [])
    with pytest.raises(NoKeys, match="KEY_A can be read; plug it in, and add this user to the group input"):
        open_buttons("keys", seats(2))
    with pytest.raises(NoKeys, match="on event9 with the key BTN_"):
        open_buttons("keys:A=event9/BTN_SOUTH", seats(2))
