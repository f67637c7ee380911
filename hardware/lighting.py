"""Which lamps the table has: those in the boxes' buttons, and LEDs on a Raspberry Pi's pins.

The pins are named as in `A=17,B=27,buzzer=18`: each seat's LED, and a buzzer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.seats import Seat
from hardware.choose import seat_of
from hardware.errors import BadButtons
from hardware.lamps import Lamp, Lamps, Place, open_lamps
from hardware.sources import EdgeSource

BUZZER = "buzzer"
EXAMPLE = "A=17,B=27,buzzer=18"


def open_lights(spec: str, seats: Sequence[Seat], sources: Iterable[EdgeSource] = ()) -> Lamps | None:
    """Opens the lamps in the buttons of `sources` and on the pins that `spec` names; None when there are none.

    Raises `BadButtons` for a text that makes no sense, `NoPins` for pins that cannot be used.
    """
    pins = read_pins(spec, seats)
    buzzer = pins.pop(BUZZER, None)
    others: dict[Place, Lamp] = {}
    for source in sources:
        lamps = getattr(source, "lamps", None)
        others |= lamps() if lamps is not None else {}
    if pins or buzzer is not None:
        return open_lamps({Seat(seat): pin for seat, pin in pins.items()}, buzzer=buzzer, others=others)
    return Lamps(others) if others else None


def read_pins(spec: str, seats: Sequence[Seat]) -> dict[str, int]:
    """Each seat's pin, and the buzzer's under its name; raises `BadButtons`."""
    pins: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in spec.split(","))):
        name, equals, pin = (piece.strip() for piece in part.partition("="))
        if not equals or not pin.isdecimal():
            raise BadButtons(f"the lamps {spec!r} are not understood; say which pin is whose, as in {EXAMPLE}")
        key = BUZZER if name.lower() == BUZZER else str(seat_of("lamps:", name, tuple(seats)))
        if key in pins:
            raise BadButtons(f"the lamps {spec!r} name {key} twice; give every lamp one pin")
        pins[key] = int(pin)
    return pins
