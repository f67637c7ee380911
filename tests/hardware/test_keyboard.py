"""Design §5: one button, three words, also where the buttons are keys."""

from __future__ import annotations

import os
import pty
import termios
from collections.abc import Iterator

import pytest

from engine.events import Hold, Press, Release
from engine.seats import Seat, seats
from hardware.debounce import ButtonEvent, Debounce
from hardware.errors import BadButtons
from hardware.keyboard import KeyboardSource, key_of, seat_keys
from hardware.terminal import Strokes, TerminalKeys

MS = 1_000_000
A, B, C = seats(3)


def judged(source: KeyboardSource) -> tuple[ButtonEvent, ...]:
    debounce = Debounce()
    for edge in source.edges():
        debounce.feed(edge)
    return debounce.pass_to(10_000 * MS)


def test_a_key_is_a_button_with_the_time_that_was_handed_in() -> None:
    keyboard = KeyboardSource()
    keyboard.down(B, 100 * MS, 8 * MS)
    keyboard.up(B, 190 * MS, 8 * MS)
    press, release = judged(keyboard)
    assert press == Press(t_ns=100 * MS, within_ns=8 * MS, seat=B, source="keyboard")
    assert release == Release(t_ns=190 * MS, within_ns=8 * MS, seat=B, pressed_ns=100 * MS)


def test_a_key_that_repeats_while_it_is_held_is_one_press_and_a_hold() -> None:
    keyboard = KeyboardSource()
    for t_ms in (0, 500, 533, 566, 900):
        keyboard.down(A, t_ms * MS, MS)
    keyboard.up(A, 950 * MS, MS)
    assert [type(event) for event in judged(keyboard)] == [Press, Hold, Release]


def test_a_tap_is_a_press_and_a_hold_is_a_hold() -> None:
    keyboard = KeyboardSource()
    keyboard.tap(A, 0, MS)
    keyboard.hold(B, 2_000 * MS, MS)
    assert [(type(event), event.seat) for event in judged(keyboard)] == [
        (Press, "A"),
        (Release, "A"),
        (Press, "B"),
        (Hold, "B"),
        (Release, "B"),
    ]


def test_two_taps_are_two_presses() -> None:
    keyboard = KeyboardSource()
    keyboard.tap(A, 0, MS)
    keyboard.tap(A, 150 * MS, MS)
    assert [event.t_ns for event in judged(keyboard) if isinstance(event, Press)] == [0, 150 * MS]


def test_the_mark_stays_behind_what_may_be_under_way() -> None:
    phone = KeyboardSource("phone:Anna", lag_ns=120 * MS)
    assert phone.mark_ns(1_000 * MS) == 1_000 * MS, "nobody has touched it yet: it holds nobody up"
    phone.tap(A, 500 * MS, MS)
    assert phone.mark_ns(1_000 * MS) == 880 * MS


def test_every_seat_has_its_letter_its_number_and_the_same_key_in_russian() -> None:
    assert seat_keys((A, B, C)) == {
        "a": A, "ф": A, "1": A,
        "b": B, "и": B, "2": B,
        "c": C, "с": C, "3": C,
    }  # fmt: skip


def test_a_chosen_key_works_in_both_alphabets() -> None:
    assert key_of(A, "q") == key_of(A, "й") == {"q": A, "й": A}
    assert key_of(A, "7") == {"7": A}


def strokes(*sent: tuple[bytes, int]) -> list[tuple[Seat, bool]]:
    reader = Strokes(seat_keys((A, B, C)))
    return [stroke for chunk, t_ms in sent for stroke in reader.read(chunk, t_ms * MS)]


def test_a_letter_is_a_tap_and_with_shift_a_hold() -> None:
    assert strokes((b"aB", 0), (b"3", 9)) == [(A, False), (B, True), (C, False)]


def test_keys_that_are_nobodys_are_passed_over() -> None:
    assert strokes((b"zx \r\n9\x00\xff", 0)) == []


def test_an_arrow_key_is_no_slap_of_seats_a_to_d() -> None:
    assert strokes((b"\x1b[A\x1b[B\x1bOC\x1b[1;2A\x1b", 0)) == []


def test_a_letter_that_arrives_in_two_halves_is_read() -> None:
    first, second = "ф".encode()[:1], "ф".encode()[1:]
    assert strokes((first, 0), (second, 1)) == [(A, False)]


def test_a_key_that_the_terminal_repeats_is_not_struck_again() -> None:
    assert strokes((b"a", 0), (b"a", 500), (b"a", 533), (b"a", 566), (b"a", 700)) == [(A, False)] * 3


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    hand, fd = pty.openpty()
    yield hand, fd
    os.close(fd)
    os.close(hand)


def test_keys_struck_in_a_real_terminal_arrive_with_the_time_of_their_arrival(terminal: tuple[int, int]) -> None:
    hand, fd = terminal
    source = TerminalKeys(seat_keys((A, B, C)), fd=fd, clock=lambda: 77 * MS)
    os.write(hand, b"bA")
    edges = [source._queue.get(timeout=10) for _ in range(4)]
    source.close()
    assert [(edge.seat, edge.kind.value, edge.t_ns // MS, edge.within_ns // MS) for edge in edges] == [
        ("B", "down", 77, 20),
        ("B", "up", 127, 20),
        ("A", "down", 77, 20),
        ("A", "up", 927, 20),
    ]


def test_the_terminal_is_given_back_as_it_was(terminal: tuple[int, int]) -> None:
    _, fd = terminal
    before = termios.tcgetattr(fd)
    source = TerminalKeys(seat_keys((A,)), fd=fd)
    assert termios.tcgetattr(fd) != before
    source.close()
    assert termios.tcgetattr(fd) == before
    source.close()


def test_a_terminal_that_is_closed_ends_the_reading_quietly() -> None:
    hand, fd = pty.openpty()
    source = TerminalKeys(seat_keys((A,)), fd=fd)
    os.close(hand)
    source._thread.join()
    source.close()
    os.close(fd)


def test_without_a_terminal_there_is_a_sentence() -> None:
    reading, writing = os.pipe()
    with pytest.raises(BadButtons, match="only where the program runs in a terminal"):
        TerminalKeys(seat_keys((A,)), fd=reading)
    os.close(reading)
    os.close(writing)
