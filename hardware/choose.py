"""Which buttons the table uses, from the text that names them on the command line and in the settings.

`keyboard`, `gpio:A=5,B=6,C=13`, `box`, `keys`, or several joined by `+`: `box+keyboard`. A seat may have several
buttons.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path

from engine.seats import Seat
from hardware.errors import BadButtons, ButtonError, NoBox, NoKeys, NoPins
from hardware.keyboard import KeyboardSource, key_of, seat_keys
from hardware.sources import EdgeSource

HAS_TERMIOS = importlib.util.find_spec("termios") is not None
"""Whether terminals and serial ports can be read as Linux and macOS do it."""
DEVICES = Path("/dev")
LOOKALIKES = str.maketrans("АВСЕНКМОРТХ", "ABCEHKMOPTX")
"""Russian letters that a seat's name may have been typed with."""
EXAMPLES = (
    "keyboard, keyboard:A=q,B=p, gpio, gpio:A=5,B=6,C=13, box, box:/dev/ttyACM0, box:/dev/ttyACM0=A,B, keys, "
    "or several joined by +"
)


def open_buttons(spec: str, seats: Sequence[Seat], *, reserved: Collection[int] = ()) -> tuple[EdgeSource, ...]:
    """Opens every source that `spec` names, for the game's `seats`; an empty `spec` means no buttons.

    * `keyboard`: each seat's letter or number, Shift for a hold; `keyboard:A=q,B=p` chooses keys. Where the program has
      no terminal, the source takes what a page reports.
    * `gpio`: every free pin of a Raspberry Pi's header but the `reserved`; who has which shows when everybody slaps
      (`is_seated_by_slaps`).
    * `gpio:A=5,B=6`: the seats' pins on a Raspberry Pi, by GPIO number, read with libgpiod. Where that is missing,
      where a pin has one of gpiozero's other names, or where GPIOZERO_PIN_FACTORY is set, gpiozero reads them.
    * `box`, `box:/dev/ttyACM0`: a slap box found by itself or on a port, its buttons in order of the seats;
      `box=D,E` and `box:/dev/ttyACM0=D,E` say whose they are.

    * `keys`, `keys:A=KEY_A,B=event3/BTN_SOUTH`: keyboards and gamepads, several at once, read through evdev.

    Raises `BadButtons` for a text that makes no sense, `NoPins`, `NoBox` and `NoKeys` for what cannot be opened;
    whatever had been opened by then is closed again.
    """
    opened: list[EdgeSource] = []
    try:
        for part in spec.split("+") if spec.strip() else ():
            is_bare = part.strip() == "gpio"
            opened += (_open_header(reserved),) if is_bare else _open_part(part.strip(), tuple(seats))
    except ButtonError:
        for source in opened:
            with suppress(ButtonError):
                source.close()
        raise
    return tuple(opened)


def _open_part(part: str, seats: tuple[Seat, ...]) -> tuple[EdgeSource, ...]:
    kind = part.partition(":")[0].partition("=")[0]
    opener = OPENERS.get(kind)
    if opener is None:
        raise BadButtons(f"there are no buttons called {part!r}; say {EXAMPLES}")
    opened = opener(part.removeprefix(kind), seats)
    return opened if isinstance(opened, tuple) else (opened,)


def _open_keyboard(rest: str, seats: tuple[Seat, ...]) -> EdgeSource:
    keys = seat_keys(seats)
    if rest:
        keys = {}
        for seat, key in _pairs("keyboard", rest, seats).items():
            if len(key) != 1:
                raise BadButtons(f"seat {seat} has the key {key!r}, which should be one letter or digit")
            if key.lower() in keys:
                raise BadButtons(f"the key {key!r} is both {keys[key.lower()]}'s and {seat}'s; give each seat its own")
            keys |= key_of(seat, key)
    if not HAS_TERMIOS or not os.isatty(0):
        return KeyboardSource()
    # Imported here: it needs termios.
    from hardware.terminal import TerminalKeys  # noqa: PLC0415

    return TerminalKeys(keys)


def is_seated_by_slaps(spec: str) -> bool:
    """Whether `spec` names buttons of which nobody knows yet whose they are."""
    return any(part.strip() == "gpio" for part in spec.split("+"))


def _open_gpio(rest: str, seats: tuple[Seat, ...]) -> EdgeSource:
    pins = {seat: int(pin) if pin.isdecimal() else pin for seat, pin in _pairs("gpio", rest, seats).items()}
    numbers = {seat: pin for seat, pin in pins.items() if isinstance(pin, int)}
    if len(numbers) == len(pins) and _has_lines():
        # Imported here: it needs gpiod.
        from hardware.pins import open_pins  # noqa: PLC0415

        return open_pins(numbers)
    # Imported here: gpiozero looks for the machine's pins.
    from hardware.gpio import open_gpio  # noqa: PLC0415

    return open_gpio(pins)


def _open_header(reserved: Collection[int]) -> EdgeSource:
    if not _has_lines():
        raise NoPins(
            "buttons on pins that nobody has named are found with libgpiod on a Raspberry Pi "
            "(pip install 'cardtable[pi]'); elsewhere name the pins, as in gpio:A=5,B=6"
        )
    # Imported here: it needs gpiod.
    from hardware.pins import open_header  # noqa: PLC0415

    return open_header(reserved=reserved)


def _has_lines() -> bool:
    """Whether libgpiod is there and this machine has chips, and the person has not asked for one of gpiozero's ways."""
    is_free = "GPIOZERO_PIN_FACTORY" not in os.environ
    return is_free and bool(importlib.util.find_spec("gpiod")) and any(DEVICES.glob("gpiochip*"))


def _open_box(rest: str, seats: tuple[Seat, ...]) -> EdgeSource:
    path, equals, whose = rest.partition("=")
    served = tuple(seat_of("box", name, seats) for name in whose.split(",")) if equals else seats
    if path == ":" or (path and not path.startswith(":")):
        raise BadButtons(f"'box{rest}' names no port; say box, or box:/dev/ttyACM0")
    if not HAS_TERMIOS:
        raise NoBox("slap boxes can be read on Linux and macOS only: choose other buttons, such as keyboard")
    # Imported here: it needs termios.
    from hardware.box import open_box  # noqa: PLC0415

    return open_box(path.removeprefix(":") or None, served)


def _open_keys(rest: str, seats: tuple[Seat, ...]) -> tuple[EdgeSource, ...]:
    if importlib.util.find_spec("evdev") is None:
        raise NoKeys(
            "keyboards and gamepads are read with the evdev library, on Linux: pip install 'cardtable[keys]', "
            "or choose other buttons, such as keyboard"
        )
    # Imported here: it needs evdev.
    from hardware.keys import open_keys  # noqa: PLC0415

    return open_keys(_pairs("keys", rest, seats) if rest else {seat: f"KEY_{seat}" for seat in seats})


def _pairs(kind: str, rest: str, seats: tuple[Seat, ...]) -> dict[Seat, str]:
    pairs: dict[Seat, str] = {}
    for pair in rest.removeprefix(":").split(","):
        name, equals, value = (piece.strip() for piece in pair.partition("="))
        if not equals or not value:
            raise BadButtons(f"'{kind}{rest}' does not say which is whose; say {EXAMPLES}")
        seat = seat_of(kind, name, seats)
        if seat in pairs:
            raise BadButtons(f"'{kind}{rest}' names seat {seat} twice; a seat has one button in each source")
        pairs[seat] = value
    return pairs


def seat_of(kind: str, name: str, seats: tuple[Seat, ...]) -> Seat:
    """The game's seat of that name; raises `BadButtons`."""
    seat = Seat(name.strip().upper().translate(LOOKALIKES))
    if seat not in seats:
        raise BadButtons(f"{kind} buttons for seat {name.strip()!r}, but the seats of this game are {', '.join(seats)}")
    return seat


OPENERS: dict[str, Callable[[str, tuple[Seat, ...]], EdgeSource | tuple[EdgeSource, ...]]] = {
    "keyboard": _open_keyboard,
    "gpio": _open_gpio,
    "box": _open_box,
    "keys": _open_keys,
}
