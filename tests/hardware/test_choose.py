"""Design §6: `--buttons` names the sources; what makes no sense is answered by one sentence."""

from __future__ import annotations

import os
import pty
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from engine.errors import TableError
from engine.seats import seats
from hardware.choose import is_seated_by_slaps, open_buttons
from hardware.errors import BadButtons, NoBox, NoPins
from hardware.records import Kind
from tests.hardware.test_box import Playing

ABC = seats(3)


@pytest.fixture
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory()
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


@pytest.fixture
def terminal() -> Iterator[int]:
    """The program runs in a terminal; gives the hand that strikes its keys."""
    hand, fd = pty.openpty()
    before = os.dup(0)
    os.dup2(fd, 0)
    yield hand
    os.dup2(before, 0)
    for each in (before, fd, hand):
        os.close(each)


@pytest.fixture
def no_terminal() -> Iterator[None]:
    before, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    yield
    os.dup2(before, 0)
    os.close(before)
    os.close(nothing)


def test_no_text_means_no_buttons() -> None:
    assert open_buttons("", ABC) == open_buttons(" ", ABC) == ()


def test_the_keyboard_of_the_terminal(terminal: int) -> None:
    (source,) = open_buttons("keyboard", ABC)
    os.write(terminal, b"2")
    assert source._queue.get(timeout=10).seat == "B"  # type: ignore[attr-defined]
    source.close()


def test_chosen_keys(terminal: int) -> None:
    (source,) = open_buttons("keyboard:A=q,C=P", ABC)
    os.write(terminal, b"ap")
    assert source._queue.get(timeout=10).seat == "C"  # type: ignore[attr-defined]
    source.close()


@pytest.mark.usefixtures("no_terminal")
def test_without_a_terminal_the_keyboard_is_a_pages() -> None:
    (source,) = open_buttons("keyboard", ABC)
    assert (source.name, source.edges()) == ("keyboard", ())


def test_pins_by_number_and_by_name(mock_pins: MockFactory) -> None:
    (source,) = open_buttons("gpio:A=5, b=GPIO6,C=BOARD33", ABC)
    assert [(edge.seat, edge.kind) for edge in source.edges()] == [(seat, Kind.LEVEL) for seat in "ABC"]
    mock_pins.pin(13).drive_low()
    (down,) = source.edges()
    assert (down.seat, down.kind) == ("C", Kind.DOWN)
    source.close()


def test_a_seats_name_may_be_typed_in_russian(mock_pins: MockFactory) -> None:
    (source,) = open_buttons("gpio:А=5,в=6,С=13", ABC)
    assert [edge.seat for edge in source.edges()] == ["A", "B", "C"]
    source.close()


def test_where_there_is_no_termios_the_page_has_the_keys_and_boxes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.choose.HAS_TERMIOS", False)
    (source,) = open_buttons("keyboard", ABC)
    assert source.edges() == ()
    with pytest.raises(NoBox, match="on Linux and macOS only"):
        open_buttons("box", ABC)


def test_a_box_by_its_port_for_some_seats_beside_the_keyboard(tmp_path: Path, terminal: int) -> None:
    with Playing(tmp_path / "box"):
        sources = open_buttons(f"box:{tmp_path / 'box'}=C,A + keyboard", ABC)
        levels = [sources[0]._queue.get(timeout=10) for _ in range(2)]  # type: ignore[attr-defined]
        assert [edge.seat for edge in levels] == ["C", "A"]
        assert sources[1].name == "keyboard"
        for source in sources:
            source.close()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("buzzer", "no buttons called 'buzzer'; say keyboard"),
        ("keyboard+", "no buttons called ''"),
        ("gpio:", "'gpio:' does not say which is whose"),
        ("gpio:5,6", "does not say which is whose"),
        ("gpio:A=", "does not say which is whose"),
        ("gpio:A=5,D=6", "gpio buttons for seat 'D', but the seats of this game are A, B, C"),
        ("gpio:A=5,A=6", "names seat A twice"),
        ("keyboard:A=qq", "seat A has the key 'qq'"),
        ("keyboard:A=q,B=Q", "the key 'Q' is both A's and B's"),
        ("keyboard:A=q,B=й", "the key 'й' is both A's and B's"),
        ("box:", "'box:' names no port"),
        ("box=X", "box buttons for seat 'X'"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(spec: str, said: str) -> None:
    with pytest.raises(BadButtons) as caught:
        open_buttons(spec, ABC)
    assert said in str(caught.value)
    assert isinstance(caught.value, TableError)


def test_a_box_that_is_not_there_is_a_sentence() -> None:
    with pytest.raises(NoBox, match="no serial port /dev/ttyACM77"):
        open_buttons("box:/dev/ttyACM77", ABC)


def test_what_had_been_opened_is_closed_when_the_rest_fails(mock_pins: MockFactory) -> None:
    with pytest.raises(NoPins, match="seat C: this machine has no pin 'sofa'"):
        open_buttons("gpio:A=5,B=6,C=sofa", ABC)
    with pytest.raises(BadButtons):
        open_buttons("gpio:A=5,B=6,C=13+buzzer", ABC)
    (source,) = open_buttons("gpio:A=5,B=6,C=13", ABC)
    source.close()


def test_buttons_on_pins_that_nobody_names_are_found_only_on_a_pi(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("hardware.choose.DEVICES", tmp_path)
    assert is_seated_by_slaps("box+gpio")
    assert not is_seated_by_slaps("gpio:A=5+box")
    with pytest.raises(NoPins, match="elsewhere name the pins, as in gpio:A=5,B=6"):
        open_buttons("gpio", seats(2))
