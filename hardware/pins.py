"""Buttons on the pins of a Raspberry Pi, read with libgpiod: the kernel stamps every edge and numbers it.

All seats are lines of one request, hence of one queue with one count: a gap in it means that edges were lost. The
kernel stamps in the interrupt but queues line by line, so a batch is sorted by its stamps. There is no debounce in
front of the stamp: the kernel's moves a bouncy button's press back and loses short taps.
"""

from __future__ import annotations

import errno
import select
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import gpiod
from gpiod.line import Bias, Clock, Direction, Value
from gpiod.line import Edge as Edges

from engine.seats import Seat
from hardware.errors import NoPins
from hardware.records import Edge, Kind
from hardware.sources import QueuedSource

US = 1_000
MS = 1_000_000
WITHIN_NS = 50 * US
"""A stretch of code without interrupts, or a sleeping processor, may delay the stamp by as much."""
LAG_NS = 1 * MS
"""From the stamp until the edge can be read."""
LOOK_NS = 100 * MS
"""How often the level of a button that seems down is looked at, for a release that was never reported (lg #18)."""
QUEUE = 1024
"""Edges that the kernel keeps while nobody reads; it allows no more."""

DEVICES = Path("/dev")
ON_HEADER = range(2, 28)
"""GPIO numbers of the forty-pin header; 0 and 1 belong to the identity chips of boards put on it."""
HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip behind the pins: Pi 5, Pi 4, all before. Its number has changed (gpiozero #1166)."""


class Request(Protocol):
    """What is used of `gpiod.LineRequest`."""

    @property
    def fd(self) -> int:
        """Readable when edges wait."""
        ...

    def read_edge_events(self) -> list[gpiod.EdgeEvent]:
        """The edges that wait."""
        ...

    def get_values(self, lines: Iterable[int | str]) -> list[Value]:
        """The levels now."""
        ...

    def release(self) -> None:
        """Lets go of the lines."""
        ...


class PinSource(QueuedSource):
    """Each seat's button on a line of its own; see `open_pins`."""

    def __init__(
        self, pins: Mapping[Seat, int], request: Request, *, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        super().__init__("gpio", lag_ns=LAG_NS)
        self.lost = 0
        """Edges that the kernel had to forget."""
        self._seats = {pin: seat for seat, pin in pins.items()}
        self._request, self._clock = request, clock
        self._last_number: int | None = None
        self._down: set[int] = set()
        self._read_ns = self._looked_ns = clock()
        self._is_gone = False
        self._put_levels(tuple(self._seats))

    def edges(self) -> tuple[Edge, ...]:
        """What has come since the last call; now and then also the level of a button that seems to be down."""
        if not self._is_gone:
            try:
                self._read()
                self._look()
            except OSError:
                now_ns = self._clock()
                self._is_gone = True
                self.put(Kind.GONE, None, t_ns=now_ns, within_ns=now_ns - self._read_ns)
        return super().edges()

    def mark_ns(self, now_ns: int) -> int:
        """`now_ns` less what the kernel takes; pins that are gone hold nobody up."""
        return now_ns if self._is_gone else super().mark_ns(now_ns)

    def close(self) -> None:
        """Lets go of all lines at once."""
        self._request.release()

    def _read(self) -> None:
        before_ns = self._clock()
        # One read gives a part of a long queue, and the mark promises all of it.
        while select.select([self._request.fd], [], [], 0)[0]:
            batch = self._request.read_edge_events()
            for event in sorted(batch, key=lambda event: event.global_seqno):
                self._count(event)
            for event in sorted(batch, key=lambda event: (event.timestamp_ns, event.line_offset)):
                self._put_edge(event)
        self._read_ns = before_ns

    def _count(self, event: gpiod.EdgeEvent) -> None:
        missing = 0 if self._last_number is None else event.global_seqno - self._last_number - 1
        if self._last_number is None:
            missing = event.global_seqno - 1
        self._last_number = event.global_seqno
        if missing > 0:
            self.lost += missing
            t_ns, within_ns = self._moment(event)
            # The oldest are forgotten: all of them lie between the last look and this edge.
            span_ns = max(0, t_ns - self._read_ns)
            self.put(Kind.LOST, None, t_ns=t_ns - span_ns // 2, within_ns=within_ns + (span_ns + 1) // 2)

    def _put_edge(self, event: gpiod.EdgeEvent) -> None:
        is_down = event.event_type is gpiod.EdgeEvent.Type.RISING_EDGE
        (self._down.add if is_down else self._down.discard)(event.line_offset)
        t_ns, within_ns = self._moment(event)
        kind = Kind.DOWN if is_down else Kind.UP
        self.put(kind, self._seats[event.line_offset], t_ns=t_ns, within_ns=within_ns)

    def _moment(self, event: gpiod.EdgeEvent) -> tuple[int, int]:
        now_ns = self._clock()
        if self._read_ns - 60_000 * MS < event.timestamp_ns <= now_ns:
            return event.timestamp_ns, WITHIN_NS
        # A stamp of another clock (libgpiod #87) says nothing; that the edge came since the last look is certain.
        span_ns = now_ns - self._read_ns
        return now_ns - span_ns // 2, (span_ns + 1) // 2

    def _look(self) -> None:
        now_ns = self._clock()
        if now_ns - self._looked_ns >= LOOK_NS:
            self._looked_ns = now_ns
            self._put_levels(tuple(self._down), only_released=True)

    def _put_levels(self, pins: Sequence[int], *, only_released: bool = False) -> None:
        for pin, value in zip(pins, self._request.get_values(pins) if pins else [], strict=True):
            is_down = value is Value.ACTIVE
            if not (only_released and is_down):
                (self._down.add if is_down else self._down.discard)(pin)
                within_ns = LOOK_NS if only_released else WITHIN_NS
                self.put(Kind.LEVEL, self._seats[pin], t_ns=self._clock(), within_ns=within_ns, is_down=is_down)


def open_pins(pins: Mapping[Seat, int], *, chip: str | None = None) -> PinSource:
    """Reads each seat's button, wired between its pin and ground, from the Pi's header (`chip`: its path, if known).

    Raises `NoPins` with what to do.
    """
    if len(set(pins.values())) < len(pins):
        raise NoPins("two seats have the same pin: give every seat a pin of its own")
    path = chip or find_header()
    try:
        _check_lines(path, pins)
        source = PinSource(pins, _request(path, tuple(pins.values())))
        _check_clock(path, source, tuple(pins.values()))
    except OSError as error:
        raise NoPins(_why_not(path, error)) from error
    return source


def open_header(*, reserved: Collection[int] = (), chip: str | None = None) -> PinSource:
    """Reads every pin of the Pi's header that is free and not `reserved`; each button's "seat" is its pin's name.

    For set-up by slapping, when nobody knows yet who sits at which pin. Raises `NoPins` with what to do.
    """
    path = chip or find_header()
    try:
        with gpiod.Chip(path) as header:
            free = [pin for pin in ON_HEADER if pin not in reserved and not header.get_line_info(pin).used]
    except OSError as error:
        raise NoPins(_why_not(path, error)) from error
    if not free:
        raise NoPins(f"every pin of {path} is in use already: stop the programs that use them")
    return open_pins({Seat(f"GPIO{pin}"): pin for pin in free}, chip=path)


def find_header() -> str:
    """The path of the chip behind the Pi's pins, known by its label; raises `NoPins`."""
    paths = sorted(str(path) for path in DEVICES.glob("gpiochip*"))
    labels: dict[str, str] = {}
    for path in paths:
        try:
            with gpiod.Chip(path) as chip:
                labels.setdefault(chip.get_info().label, path)
        except OSError as error:
            raise NoPins(_why_not(path, error)) from error
    found = [labels[label] for label in HEADERS if label in labels]
    if not found:
        known = f"its chips are {', '.join(labels)}" if labels else "it has no such chips"
        raise NoPins(f"this machine has no Raspberry Pi's pins ({known}): use other buttons, such as keyboard or box")
    return found[0]


def _request(path: str, pins: tuple[int, ...]) -> gpiod.LineRequest:
    settings = gpiod.LineSettings(
        direction=Direction.INPUT,
        edge_detection=Edges.BOTH,
        bias=Bias.PULL_UP,
        active_low=True,
        event_clock=Clock.MONOTONIC,
    )
    return gpiod.request_lines(path, consumer="cardtable", config={pins: settings}, event_buffer_size=QUEUE)


def _check_lines(path: str, pins: Mapping[Seat, int]) -> None:
    with gpiod.Chip(path) as chip:
        count = chip.get_info().num_lines
        for seat, pin in pins.items():
            if not 0 <= pin < count:
                raise NoPins(f"seat {seat}: this machine has no pin {pin}; they go from 0 to {count - 1}")
            line = chip.get_line_info(pin)
            if line.used:
                raise NoPins(
                    f"seat {seat}: {line.consumer or 'the kernel'} is using pin {pin}: stop it, or take another"
                )


def _check_clock(path: str, source: PinSource, pins: tuple[int, ...]) -> None:
    with gpiod.Chip(path) as chip:
        wrong = [pin for pin in pins if chip.get_line_info(pin).event_clock is not Clock.MONOTONIC]
    if wrong:
        source.close()
        raise NoPins(f"pin {wrong[0]} is stamped by another clock than the table's: bring the gpiod library up to date")


def _why_not(path: str, error: OSError) -> str:
    if error.errno in {errno.EACCES, errno.EPERM}:
        return (
            f"this user may not read the pins ({path}): add it to the group gpio (sudo usermod -aG gpio $USER), "
            "log in again and retry"
        )
    return f"the pins on {path} cannot be read ({error}): try again, or use other buttons, such as keyboard or box"
