"""Which lamps the table has: the boxes' own need no word, pins are named once; bad text is one sentence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from engine.seats import Seat, seats
from hardware.box import BoxLamp
from hardware.errors import BadButtons
from hardware.lighting import open_lights, read_pins
from hardware.signals import Signal

A, B = seats(2)


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


class Lit:
    """Remembers which of a box's lamps are lit; a source of edges that has lamps in its buttons."""

    name = "box:1"

    def __init__(self) -> None:
        self.lit: set[int] = set()

    def lamps(self) -> dict[tuple[str, Seat], BoxLamp]:
        return {(self.name, seat): BoxLamp(self, bit) for bit, seat in enumerate((A, B))}  # type: ignore[arg-type]

    def light(self, bit: int, *, is_lit: bool) -> None:
        (self.lit.add if is_lit else self.lit.discard)(bit)


def test_pins_are_read_with_russian_letters_too() -> None:
    assert read_pins("A=17, В=27,buzzer=18", (A, B)) == {"A": 17, "B": 27, "buzzer": 18}
    assert read_pins("", (A, B)) == {}


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("17", "the lamps '17' are not understood; say which pin is whose, as in A=17,B=27,buzzer=18"),
        ("A=", "not understood"),
        ("A=GPIO17", "not understood"),
        ("F=17", "for seat 'F', but the seats of this game are A, B"),
        ("A=17,A=18", "name A twice"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(spec: str, sentence: str) -> None:
    with pytest.raises(BadButtons, match=sentence):
        read_pins(spec, (A, B))


def test_without_any_lamp_there_is_nothing_to_open() -> None:
    assert open_lights("", (A, B)) is None


def test_a_boxs_lamps_and_a_pins_show_the_same_signal(factory: MockFactory) -> None:
    box = Lit()
    lamps = open_lights("A=17", (A, B), [box])  # type: ignore[list-item]
    assert lamps is not None
    lamps.show([A, ("box:1", B)], Signal.FIRST)
    lamps.turn()
    assert (bool(factory.pin(17).state), box.lit) == (True, {1})
    lamps.close()
    assert box.lit == set()
