"""gpiozero's mock pins with chosen times: the stock mock stamps when Python gets round to it."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPin
from gpiozero.pins.pi import PiPin

from engine.seats import Seat
from hardware.gpio import GpioSource, open_gpio

S = 1_000_000_000


class TimedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin whose edges carry the ticks that the test says; a stuck one stays low whatever pulls at it."""

    is_stuck = False
    _state: bool

    def edge_at(self, ticks: float, *, is_high: bool) -> None:
        """Reports that the pin changed at `ticks`, whenever that was."""
        if self._state != is_high:
            self._state, self._last_change = is_high, ticks
            if self._when_changed is not None:
                PiPin._call_when_changed(self, ticks, is_high)

    def change_unseen(self, *, is_high: bool) -> None:
        """Changes the level without reporting it, as when an edge is swallowed."""
        self._state = is_high

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.is_stuck:
            self._state = False


class StuckPin(TimedPin):
    """A pin that is held low while it is being opened."""

    is_stuck = True


class BenchFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Timed pins under a clock that stands where the test puts it."""

    def __init__(self, *, pin_class: type[TimedPin] = TimedPin) -> None:
        super().__init__(pin_class=pin_class)
        self.now_ns = 1_000 * S

    def ticks(self) -> float:
        """Now, in seconds."""
        return self.now_ns / 1e9


class PiGPIOFactory(BenchFactory):
    """Counts as pigpio's daemon does: microseconds in 32 bits, from another beginning than the table's clock."""

    def __init__(self, *, began_us: int) -> None:
        super().__init__()
        self._began_us = began_us

    def ticks(self) -> int:
        """Now, in the daemon's microseconds."""
        return self.at(self.now_ns)

    def at(self, t_ns: int) -> int:
        """The daemon's count at `t_ns`."""
        return (self._began_us + t_ns // 1_000) % 2**32

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """Seconds between two counts, forward."""
        return ((later - earlier) % 2**32) / 1e6


class Bench:
    """Buttons A, B and C on pins 5, 6 and 13."""

    def __init__(self, factory: BenchFactory | None = None) -> None:
        self.factory = factory or BenchFactory()
        self.pins: dict[Seat, int | str] = {Seat("A"): 5, Seat("B"): 6, Seat("C"): 13}

    def open(self) -> GpioSource:
        """The source under test."""
        return open_gpio(self.pins, factory=self.factory, clock=lambda: self.factory.now_ns)

    def pin(self, seat: str) -> TimedPin:
        """The pin behind `seat`'s button."""
        return self.factory.pin(self.pins[Seat(seat)])  # type: ignore[no-any-return]
