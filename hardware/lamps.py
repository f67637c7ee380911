"""A lamp in each seat's button and one buzzer, on a Pi's pins through gpiozero.

Outputs are written by a thread of their own and never by one that reads edges: a slow pin must not delay a slap, and a
lamp's current step can put a spike on a neighbouring wire (which is too short to be a press, see debounce.py).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from gpiozero import LED, TonalBuzzer
from gpiozero.exc import GPIOZeroError
from gpiozero.tones import Tone

from engine.seats import Seat
from hardware.errors import NoPins
from hardware.gpio import default_factory
from hardware.signals import PATTERNS, TONES, Signal

Place = Hashable
"""What a lamp is found by: its seat, or the button that it sits in, as source and seat."""


class Lamp(Protocol):
    """What is used of `gpiozero.LED`."""

    def on(self) -> None: ...

    def off(self) -> None: ...

    def close(self) -> None: ...


class Buzzer(Protocol):
    """What is used of `gpiozero.TonalBuzzer`."""

    def play(self, tone: Any) -> None: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


class Lamps:
    """Shows signals; `show` may be called from anywhere and returns at once. `turn` does the writing.

    `start` has a thread do that until `close`.
    """

    def __init__(
        self, lamps: Mapping[Any, Lamp], *, buzzer: Buzzer | None = None, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._lamps, self._buzzer, self._clock = dict(lamps), buzzer, clock
        self._asked: SimpleQueue[tuple[int, tuple[Place, ...], Signal | None] | None] = SimpleQueue()
        self._shown: dict[Place, tuple[Signal, int]] = {}
        self._lit: dict[Place, bool | None] = {}
        self._tone_until_ns: int | None = None
        self._thread: threading.Thread | None = None
        self._is_closing = False

    def show(self, places: Iterable[Place], signal: Signal) -> None:
        """From now on `signal` on the lamps of these seats or buttons, in step, with its tone if it has one."""
        self._asked.put((self._clock(), tuple(places), signal))

    def write_again(self, places: Iterable[Place]) -> None:
        """These lamps were without power: nobody knows whether they are lit, so what they show is written anew."""
        self._asked.put((self._clock(), tuple(places), None))

    def turn(self) -> int | None:
        """Writes what is due; gives the moment at which there is something to write again, None if never."""
        while not self._asked.empty():
            self._take(self._asked.get())
        now_ns = self._clock()
        changes = [self._light(place, now_ns) for place in self._shown]
        return min((change for change in (*changes, self._sound(now_ns)) if change is not None), default=None)

    def start(self) -> None:
        """Writes in a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Puts all lamps out and lets go of them."""
        if self._thread is not None:
            self._is_closing = True
            self._asked.put(None)
            self._thread.join()
            self._thread = None
        for lamp in self._lamps.values():
            lamp.close()
        if self._buzzer is not None:
            self._buzzer.close()

    def _run(self) -> None:
        while not self._is_closing:
            next_ns = self.turn()
            wait_s = None if next_ns is None else max(0.0, (next_ns - self._clock()) / 1e9)
            with suppress(Empty):
                self._take(self._asked.get(timeout=wait_s))

    def _take(self, asked: tuple[int, tuple[Place, ...], Signal | None] | None) -> None:
        if asked is None:
            return
        since_ns, places, signal = asked
        if signal is None:
            self._lit |= dict.fromkeys(places)
            return
        self._shown |= dict.fromkeys((place for place in places if place in self._lamps), (signal, since_ns))
        if self._buzzer is not None and signal in TONES:
            hertz, length_ns = TONES[signal]
            self._buzzer.play(Tone(hertz))
            self._tone_until_ns = since_ns + length_ns

    def _light(self, place: Place, now_ns: int) -> int | None:
        signal, since_ns = self._shown[place]
        age_ns = max(0, now_ns - since_ns)
        is_lit = PATTERNS[signal].is_lit(age_ns)
        if is_lit is not self._lit.get(place, False):
            self._lit[place] = is_lit
            (self._lamps[place].on if is_lit else self._lamps[place].off)()
        change_ns = PATTERNS[signal].next_change_ns(age_ns)
        return None if change_ns is None else since_ns + change_ns

    def _sound(self, now_ns: int) -> int | None:
        if self._buzzer is not None and self._tone_until_ns is not None and now_ns >= self._tone_until_ns:
            self._buzzer.stop()
            self._tone_until_ns = None
        return self._tone_until_ns


def open_lamps(
    pins: Mapping[Seat, int],
    *,
    buzzer: int | None = None,
    factory: Any = None,
    others: Mapping[Any, Lamp] | None = None,
) -> Lamps:
    """Each seat's lamp between its pin (through a resistor) and ground, and a buzzer if its pin is given.

    `others` are lamps that are open already, such as those in a box's buttons.
    `factory` is a gpiozero pin factory, its default without one. Raises `NoPins` with what to do.
    """
    opened: list[Any] = []
    if factory is None and (pins or buzzer is not None):
        factory = default_factory()
    try:
        for pin in pins.values():
            opened.append(LED(pin, pin_factory=factory))
        tones = TonalBuzzer(buzzer, pin_factory=factory) if buzzer is not None else None
    except (GPIOZeroError, OSError, RuntimeError) as error:
        for each in opened:
            each.close()
        raise NoPins(f"the lamps' pins cannot be used ({error}): give every lamp and the buzzer a free pin") from error
    return Lamps({**(others or {}), **dict(zip(pins, opened, strict=True))}, buzzer=tones)
