"""gpiozero over lgpio on a real chip: the second way to read, and lamps. Its known ways of going deaf are replayed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from typing import Any

import pytest

from engine.events import Press, Release
from engine.seats import Seat
from hardware.debounce import Debounce
from hardware.errors import NoPins
from hardware.gpio import GpioSource, open_gpio
from hardware.lamps import open_lamps
from hardware.records import Edge, Kind
from hardware.signals import Signal
from tests.rig.simdevices import Pin, play
from tests.rig.waiting import fetched, in_time, until

pytestmark = [
    pytest.mark.rig,
    pytest.mark.skipif(find_spec("lgpio") is None, reason="needs lgpio (pip install 'cardtable[pi]')"),
]

PINS: dict[Seat, int | str] = {Seat("A"): 26, Seat("B"): 5, Seat("C"): 6}
US, MS = 1_000, 1_000_000
SLACK_NS = 50 * US


def make_factory() -> Any:
    # Not above: whoever imports it gets a pipe in the current folder.
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415

    return LGPIOFactory()


@pytest.fixture(scope="module")
def factory() -> Iterator[Any]:
    factory = make_factory()
    yield factory
    factory.close()


@pytest.fixture
def source(factory: Any) -> Iterator[GpioSource]:
    source = open_gpio(PINS, factory=factory)
    source.edges()
    yield source
    source.close()


def test_gpiozero_1024_stamps_are_the_kernels_and_a_slow_reader_does_not_move_them(source: GpioSource) -> None:
    high, low = Pin(26), Pin(5)
    bounds = play([(0, high, False), (0.002, low, False), (0.1, high, True), (0.1, low, True)])
    time.sleep(0.3)
    edges = fetched(source, 4, Kind.DOWN, Kind.UP)
    assert [(edge.kind, edge.seat) for edge in edges[:2]] == [(Kind.DOWN, "A"), (Kind.DOWN, "B")]
    for edge, (earliest, latest) in zip(edges[:2], bounds, strict=False):
        assert earliest - SLACK_NS <= edge.t_ns <= latest + SLACK_NS


def test_gpiozero_1090_a_bouncy_button_is_one_press_at_its_first_contact(source: GpioSource) -> None:
    def bounce() -> tuple[list[Edge], tuple[int, int]]:
        first = Pin(5).bounce([0.001, 0.0005, 0.001, 0.0005])
        Pin(5).release()
        return fetched(source, 6, Kind.DOWN, Kind.UP), first

    edges, (earliest, latest) = in_time(bounce, lambda done: done[0][-1].t_ns - done[0][0].t_ns < 20 * MS)
    debounce = Debounce()
    events = [event for edge in edges for event in debounce.feed(edge)]
    events += debounce.pass_to(time.monotonic_ns() + 1_000 * MS)
    assert [type(event) for event in events if not isinstance(event, Release)] == [Press]
    assert earliest - SLACK_NS <= events[0].t_ns <= latest + SLACK_NS


def test_gpiozero_1189_all_pins_are_closed_at_once_and_read_anew(factory: Any) -> None:
    for _ in range(3):
        with closing(open_gpio(PINS, factory=factory)) as source:
            source.edges()
            Pin(26).press()
            assert [edge.seat for edge in fetched(source, 1, Kind.DOWN)] == ["A"]
            Pin(26).release()


def test_gpiozero_956_presses_while_the_pins_are_being_opened_deafen_nobody(factory: Any) -> None:
    over, switch = threading.Event(), Pin(26)

    def drum() -> None:
        while not over.is_set():
            switch.press()
            switch.release()

    drummer = threading.Thread(target=drum)
    drummer.start()
    try:
        source = open_gpio(PINS, factory=factory)
    finally:
        over.set()
        drummer.join()
    with closing(source):
        Pin(5).press()
        # What is left of the drumming may come first.
        until(source, lambda found: any(edge.kind is Kind.DOWN and edge.seat == "B" for edge in found))
        Pin(5).release()


def test_another_program_on_the_pin_is_a_sentence(source: GpioSource) -> None:
    other = make_factory()
    with pytest.raises(NoPins, match="pin 26"):
        open_gpio({Seat("D"): 26}, factory=other)
    other.close()


def test_a_lamp_lights_on_the_real_pin_and_goes_out(factory: Any) -> None:
    lamps = open_lamps({Seat("A"): 17}, factory=factory)
    lamps.show([Seat("A")], Signal.FIRST)
    lamps.turn()
    assert Pin(17).high
    lamps.show([Seat("A")], Signal.NOTHING)
    lamps.turn()
    assert not Pin(17).high
    lamps.close()
