"""A slap box on a serial port: a microcontroller that stamps the buttons itself. Its language is in protocol.md."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import time
from collections.abc import Callable, Sequence

from serial import Serial, SerialException

from engine.seats import Seat
from hardware.box_clock import MS, S
from hardware.box_lines import FIRST_LAMP, VERSION
from hardware.box_ports import Address, address_of, find_boxes, found_ports, open_port
from hardware.box_reader import BoxReader
from hardware.errors import NoBox
from hardware.records import Kind
from hardware.sources import QueuedSource

HANDSHAKE_NS = 3 * S
"""An Arduino resets when its port is opened and spends up to two seconds in its boot loader."""
SILENCE_NS = 1 * S
"""A box that says nothing for 50 heartbeats is gone, even if its port is still there."""
FIRST_RETRY_NS, LAST_RETRY_NS = 200 * MS, 2 * S

# Unplugging shows itself as any of these, depending on the call that meets it (pyserial #401, #417, #331, #713).
UNPLUGGED = (SerialException, OSError, termios.error, TypeError)


class BoxSource(QueuedSource):
    """The buttons of one box; it may be unplugged and come back, also under another port name.

    `pump` does one turn of the work; `start` has a thread do it until `close`.
    """

    def __init__(
        self, address: Address, seats: Sequence[Seat], *, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        """Opens the port; raises `NoBox` when that fails."""
        super().__init__(address.name, lag_ns=0)
        self.address = address
        self._seats, self._clock = tuple(seats), clock
        self._wake_out, self._wake_in = os.pipe()
        self._thread: threading.Thread | None = None
        self._closing = False
        self._retry_ns, self._pause_ns = 0, FIRST_RETRY_NS
        self._is_gone = False
        self._port: Serial | None = open_port(address.path)
        self.reader = BoxReader(seats, self._put_from_box, now_ns=clock())

    def mark_ns(self, now_ns: int) -> int:
        """Up to the newest heartbeat everything has come; a box that is gone holds nobody up."""
        return now_ns if self._is_gone else min(now_ns, self.reader.mark_ns)

    def lamps(self) -> dict[tuple[str, Seat], BoxLamp]:
        """The lamps in its buttons, each by this source's name and its button's seat."""
        return {(self.name, seat): BoxLamp(self, bit) for bit, seat in enumerate(self._seats)}

    def light(self, bit: int, *, is_lit: bool) -> None:
        """Puts the lamp in a button on or out, from any thread; a box that is gone shows nothing."""
        port = self._port
        if port is not None and self.reader.is_ready:
            # One byte a lamp: whatever else is being written cannot get in between.
            with contextlib.suppress(*UNPLUGGED):
                port.write(bytes([FIRST_LAMP + 2 * bit + is_lit]))

    def start(self) -> None:
        """Reads in a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops reading and lets go of the port."""
        if not self._closing:
            self._closing = True
            os.write(self._wake_in, b".")
            if self._thread is not None:
                self._thread.join()
            self._drop_port()
            os.close(self._wake_in)
            os.close(self._wake_out)

    def pump(self, timeout_s: float) -> None:
        """Reads what is there, waiting at most `timeout_s` for it, pings when it is time, comes back when it can."""
        if self._port is None:
            self._come_back(timeout_s)
            return
        try:
            self._exchange(self._port, timeout_s)
        except UNPLUGGED:
            self._go()

    def wait_until_ready(self) -> None:
        """Pumps until the box has said who it is and the clocks are in step; raises `NoBox` after three seconds."""
        until_ns = self._clock() + HANDSHAKE_NS
        while not (self.reader.is_ready or self._is_gone) and self._clock() < until_ns:
            self.pump(0.05)
            self._check_version()
        if not self.reader.is_ready:
            raise NoBox(
                f"what is on {self.address.path} does not answer as a slap box: check that the box's program is on it; "
                f"{found_ports()}"
            )

    def _check_version(self) -> None:
        boot = self.reader.boot
        if boot is not None and self.reader.is_foreign:
            raise NoBox(
                f"the box on {self.address.path} speaks version {boot.version} of the slap box protocol, "
                f"this program version {VERSION}: bring the older of the two up to date"
            )

    def _run(self) -> None:
        while not self._closing:
            self.pump(0.25)

    def _exchange(self, port: Serial, timeout_s: float) -> None:
        if port.fileno() in self._wait(timeout_s, port):
            data = port.read(4096)
            # Stamped after reading: only then is it certain that nothing in `data` came later.
            self._hear(data, self._clock())
        elif self._clock() - self.reader.heard_ns > (SILENCE_NS if self.reader.has_spoken else HANDSHAKE_NS):
            self._go()
            return
        port.write(self.reader.ping(self._clock()))

    def _wait(self, timeout_s: float, port: Serial) -> list[int]:
        if self.reader.has_spoken:
            timeout_s = min(timeout_s, max(0.0, (self.reader.next_ping_ns - self._clock()) / 1e9))
        return select.select([port.fileno(), self._wake_out], [], [], timeout_s)[0]

    def _hear(self, data: bytes, now_ns: int) -> None:
        self.reader.take(data, now_ns)
        if self.reader.is_foreign:
            self._go()

    def _put_from_box(  # noqa: PLR0913  # all by keyword
        self,
        kind: Kind,
        seat: Seat | None,
        *,
        t_ns: int,
        within_ns: int,
        is_down: bool = False,
        jitter_ns: int | None = None,
    ) -> None:
        # A box is back once it has proved to be one that we understand, which is when its levels come.
        if self._is_gone:
            self._is_gone, self._pause_ns = False, FIRST_RETRY_NS
            self.put(Kind.BACK, None, t_ns=t_ns, within_ns=within_ns)
        self.put(kind, seat, t_ns=t_ns, within_ns=within_ns, is_down=is_down, jitter_ns=jitter_ns)

    def _go(self) -> None:
        self._drop_port()
        now_ns = self._clock()
        self._retry_ns = now_ns + self._pause_ns
        if not self._is_gone:
            self._is_gone = True
            self.put(Kind.GONE, None, t_ns=now_ns, within_ns=now_ns - self.reader.heard_ns)

    def _drop_port(self) -> None:
        # At once, or the box comes back under another name (pyserial #36).
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(*UNPLUGGED):
                port.close()

    def _come_back(self, timeout_s: float) -> None:
        wait_s = max(0.0, (self._retry_ns - self._clock()) / 1e9)
        if select.select([self._wake_out], [], [], min(wait_s, timeout_s))[0] or self._clock() < self._retry_ns:
            return
        self._pause_ns = min(2 * self._pause_ns, LAST_RETRY_NS)
        self._retry_ns = self._clock() + self._pause_ns
        path = self.address.find()
        if path is not None:
            with contextlib.suppress(NoBox):
                self._port = open_port(path)
                self.reader = BoxReader(self._seats, self._put_from_box, now_ns=self._clock())


class BoxLamp:
    """The lamp in one of a box's buttons, a `hardware.lamps.Lamp`."""

    def __init__(self, box: BoxSource, bit: int) -> None:
        self._box, self._bit = box, bit

    def on(self) -> None:
        """Lights it."""
        self._box.light(self._bit, is_lit=True)

    def off(self) -> None:
        """Puts it out."""
        self._box.light(self._bit, is_lit=False)

    def close(self) -> None:
        """Puts it out; the box is closed by whoever has opened it."""
        self.off()


def open_box(path: str | None, seats: Sequence[Seat]) -> BoxSource:
    """The box on the port `path`, or the first that answers as one; its first button is the first of `seats`.

    Returns once the box has said who it is and the clocks are in step. Raises `NoBox` with what to do.
    """
    addresses = [address_of(path)] if path else find_boxes()
    for address in addresses:
        try:
            return _open_ready(address, seats)
        except NoBox:
            if address is addresses[-1]:
                raise
    raise NoBox(f"no slap box was found: plug it in, or name its port, as in box:/dev/ttyACM0; {found_ports()}")


def _open_ready(address: Address, seats: Sequence[Seat]) -> BoxSource:
    source = BoxSource(address, seats)
    try:
        source.wait_until_ready()
    except NoBox:
        source.close()
        raise
    source.start()
    return source
