"""Buttons on the pins of a Raspberry Pi, read with gpiozero through whichever pin factory it has.

Wire each button between its pin and ground. gpiozero's own callbacks come without the edge's time, and its
`bounce_time` moves a bouncy button's time back, so neither is used: the input class below keeps what the pin reported.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from gpiozero import Device, DigitalInputDevice
from gpiozero.exc import GPIOPinInUse, PinFactoryFallback, PinFixedPull, PinInvalidPin

from engine.seats import Seat
from hardware.errors import NoPins
from hardware.records import Edge, Kind
from hardware.sources import QueuedSource

US = 1_000
MS = 1_000_000
LOOK_NS = 100 * MS
"""How often the level of a button that seems down is looked at, for a release that was never reported."""
ANCHOR_NS = 5_000 * MS
"""How often a clock other than the table's is compared with it."""

DEVICES = Path("/dev")

Clock = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What the stamps of a pin factory are worth."""

    within_ns: int
    """The true moment lies at most this far from the stamp."""
    lag_ns: int
    """The longest that an edge ordinarily takes to arrive."""


ACCURACY = {
    # The kernel stamps in the interrupt; stretches without interrupts dominate. Callbacks came 6 ms later at worst.
    "LGPIOFactory": Accuracy(within_ns=50 * US, lag_ns=10 * MS),
    # The daemon samples every 5 µs; an edge lies in the sample before the one that shows it.
    "PiGPIOFactory": Accuracy(within_ns=10 * US, lag_ns=20 * MS),
    "MockFactory": Accuracy(within_ns=1 * US, lag_ns=1 * MS),
}
STAMPED_BY_PYTHON = Accuracy(within_ns=80 * MS, lag_ns=80 * MS)
"""For factories that read the clock when Python gets round to it: under load that was up to 80 ms later."""


class Ticks(Protocol):
    """Turns a factory's time into the table's."""

    def moment(self, ticks: Any) -> tuple[int, int]:
        """`t_ns` of `ticks`, and how much the conversion itself may be wrong by, in nanoseconds."""
        ...

    def keep(self) -> None:
        """Compares the two clocks again when it is time."""
        ...


class MonotonicTicks:
    """Seconds on CLOCK_MONOTONIC as a float, which is exact to well under a microsecond."""

    def moment(self, ticks: Any) -> tuple[int, int]:
        """`ticks` in nanoseconds."""
        return round(ticks * 1e9), 0

    def keep(self) -> None:
        """They are one clock."""


class DaemonTicks:
    """The 32-bit microsecond counter of pigpio's daemon, compared with the table's clock every few seconds."""

    PERIOD_S = 2**32 / 1e6

    def __init__(self, factory: Any, clock: Clock) -> None:
        self._factory, self._clock = factory, clock
        self._anchor = self._compare()

    def moment(self, ticks: Any) -> tuple[int, int]:
        """`ticks` counted from the last comparison; the counter may have wrapped in between."""
        anchor, anchor_ns, within_ns = self._anchor
        since_s = self._factory.ticks_diff(ticks, anchor)
        if since_s > self.PERIOD_S / 2:
            # The difference only counts forward, but the edge may be older than the comparison.
            since_s -= self.PERIOD_S
        return anchor_ns + round(since_s * 1e9), within_ns

    def keep(self) -> None:
        """Compares again after some seconds, long before the two clocks can drift apart."""
        if self._clock() - self._anchor[1] > ANCHOR_NS:
            self._anchor = self._compare()

    def _compare(self) -> tuple[Any, int, int]:
        before_ns = self._clock()
        ticks = self._factory.ticks()
        after_ns = self._clock()
        return ticks, (before_ns + after_ns) // 2, (after_ns - before_ns + 1) // 2


class SeatInput(DigitalInputDevice):  # type: ignore[misc]  # gpiozero has no types
    """One button to ground whose edges go to `sink(ticks, is_down, is_edge)` with the pin's own time.

    The sink is called in gpiozero's only thread for all pins: it must not raise, block or print.
    """

    def __init__(self, pin: int | str, *, sink: Callable[[Any, bool, bool], None], pin_factory: Any) -> None:
        self._sink = sink
        self._is_open = False
        super().__init__(pin, pull_up=True, bounce_time=None, pin_factory=pin_factory)
        self._is_open = True

    def _fire_events(self, ticks: Any, new_active: bool) -> None:
        # What is reported while the input is being opened is the level found there.
        try:
            self._sink(ticks, bool(new_active), self._is_open)
        finally:
            super()._fire_events(ticks, new_active)


class GpioSource(QueuedSource):
    """Each seat's button on a pin of its own; see `open_gpio`."""

    def __init__(self, pins: Mapping[Seat, int | str], *, factory: Any, clock: Clock = time.monotonic_ns) -> None:
        self.accuracy = _accuracy(factory)
        super().__init__("gpio", lag_ns=self.accuracy.lag_ns)
        self._clock = clock
        self._began_ns = clock()
        self._ticks = _ticks(factory, clock)
        self._inputs: dict[Seat, SeatInput] = {}
        self._down: set[Seat] = set()
        self._looked_ns = clock()
        self._is_gone = False
        try:
            for seat, pin in pins.items():
                self._inputs[seat] = _open_input(seat, pin, sink=partial(self._saw, seat), factory=factory)
        except NoPins:
            self.close()
            raise

    def edges(self) -> tuple[Edge, ...]:
        """What has come since the last call; now and then also the level of a button that seems to be down."""
        self._look(self._clock())
        self._ticks.keep()
        edges = super().edges()
        for edge in edges:
            self._remember(edge)
        return edges

    def close(self) -> None:
        """Lets go of all pins at once: closing one while others are in use would deafen those (gpiozero #1189)."""
        for each in self._inputs.values():
            each.close()
        self._inputs.clear()

    def _saw(self, seat: Seat, ticks: Any, is_down: bool, is_edge: bool) -> None:
        t_ns, within_ns = self._ticks.moment(ticks)
        # lgpio hands an edge of a source closed a moment ago to whoever has the pin now.
        if is_edge and t_ns < self._began_ns:
            return
        kind = Kind.LEVEL if not is_edge else Kind.DOWN if is_down else Kind.UP
        self.put(kind, seat, t_ns=t_ns, within_ns=self.accuracy.within_ns + within_ns, is_down=is_down and not is_edge)

    def _remember(self, edge: Edge) -> None:
        if edge.seat is not None:
            is_down = edge.kind is Kind.DOWN or edge.is_down
            (self._down.add if is_down else self._down.discard)(edge.seat)

    def _look(self, now_ns: int) -> None:
        if now_ns - self._looked_ns < LOOK_NS or self._is_gone:
            return
        self._looked_ns = now_ns
        try:
            released = [seat for seat in self._down if not self._inputs[seat].is_active]
        except Exception:
            # Each factory raises its own; whichever it is, these pins cannot be read any more.
            self._is_gone = True
            self.put(Kind.GONE, None, t_ns=now_ns, within_ns=LOOK_NS)
            return
        for seat in released:
            self.put(Kind.LEVEL, seat, t_ns=now_ns, within_ns=LOOK_NS)


def open_gpio(pins: Mapping[Seat, int | str], *, factory: Any = None, clock: Clock = time.monotonic_ns) -> GpioSource:
    """Reads each seat's button from its pin (`5` is GPIO5; `BOARD29` and the like work too).

    `factory` is a gpiozero pin factory; without one gpiozero's default is used, and falling back from it is an error,
    since the other factories' stamps are worth less. Raises `NoPins` with what to do.
    """
    return GpioSource(pins, factory=factory or default_factory(), clock=clock)


def default_factory() -> Any:
    """gpiozero's default pin factory; raises `NoPins` with what to do where it would be a lesser one."""
    _import_lgpio()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", PinFactoryFallback)
            Device.ensure_pin_factory()
    except Exception as error:
        raise NoPins(_why_no_factory(error)) from error
    return Device.pin_factory


def _import_lgpio() -> None:
    # On import lgpio opens a pipe in the current folder and fails where that is read-only (gpiozero #1106); with LG_WD
    # set it changes the whole program's folder instead. Once open, the pipe needs its name no more.
    if importlib.util.find_spec("lgpio") is None:
        return
    kept = tempfile.TemporaryDirectory(prefix="lgpio-")
    with kept as folder, contextlib.chdir(folder), contextlib.suppress(ImportError, OSError):
        importlib.import_module("lgpio")


def _why_no_factory(error: Exception) -> str:
    if _may_not_read_chip():
        return (
            "this user may not read the pins: add it to the group gpio (sudo usermod -aG gpio $USER), "
            "log in again and retry"
        )
    return (
        f"this machine has no pins that can be read ({error}): on a Raspberry Pi install lgpio "
        "(pip install 'cardtable[pi]'), elsewhere use other buttons, such as keyboard or box"
    )


def _may_not_read_chip() -> bool:
    chips = list(DEVICES.glob("gpiochip*"))
    return bool(chips) and not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips)


def _accuracy(factory: Any) -> Accuracy:
    names = [cls.__name__ for cls in type(factory).__mro__]
    return next((ACCURACY[name] for name in names if name in ACCURACY), STAMPED_BY_PYTHON)


def _ticks(factory: Any, clock: Clock) -> Ticks:
    if any(cls.__name__ == "PiGPIOFactory" for cls in type(factory).__mro__):
        return DaemonTicks(factory, clock)
    away_s = abs(factory.ticks() - clock() / 1e9)
    if away_s >= 1:
        raise NoPins(
            f"the pins of {type(factory).__name__} are stamped by a clock that is {away_s:.1f} s away from the "
            "table's: use another pin factory (GPIOZERO_PIN_FACTORY=lgpio)"
        )
    return MonotonicTicks()


def _open_input(seat: Seat, pin: int | str, *, sink: Callable[[Any, bool, bool], None], factory: Any) -> SeatInput:
    try:
        return SeatInput(pin, sink=sink, pin_factory=factory)
    except PinInvalidPin as error:
        raise NoPins(f"seat {seat}: this machine has no pin {pin!r}; name one like 5 or GPIO5") from error
    except PinFixedPull as error:
        raise NoPins(f"seat {seat}: pin {pin} has a resistor of its own and cannot be used; take another") from error
    except GPIOPinInUse as error:
        raise NoPins(f"seat {seat}: pin {pin} is in use already; give every seat a pin of its own") from error
    except Exception as error:
        # lgpio and pigpio have error classes of their own, which cannot be imported where they are not installed.
        raise NoPins(_why_not_this_pin(seat, pin, error)) from error


def _why_not_this_pin(seat: Seat, pin: int | str, error: Exception) -> str:
    if isinstance(error, PermissionError) or "permission" in str(error).lower():
        return f"seat {seat}: this user may not read pin {pin}: add it to the group gpio and log in again"
    if "busy" in str(error).lower():
        return f"seat {seat}: another program is using pin {pin}: stop it, or take another pin"
    return f"seat {seat}: pin {pin} cannot be read ({error}); try another pin"
