"""The table's hardware from its other side: what a test does to the devices that `table-kernel run` sets up.

Pins, USB button boxes, keyboards and the camera are real to the program under test (/dev/gpiochip0, /dev/ttyACM0,
/dev/input/event*, /dev/video0). These helpers press, plug and disturb them. They need nothing outside the standard
library, apart from `keyboard()`, which needs evdev. They work only inside the guest (`inside()` tells).
"""

from __future__ import annotations

import fcntl
import os
import struct
import time
import tty
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

_CHIP = Path("/sys/devices/platform/gpio-sim.0")
_INSTANT = Path("/sys/module/gpio_sim/parameters/instant_edges")
_CHIPS = Path("/sys/kernel/config/gpio-sim")
_FIRST_CHIP = "pi"
_HEADER = range(2, 28)
_GADGETS = Path("/sys/kernel/config/usb_gadget")
_VIVID = Path("/sys/bus/platform/drivers/vivid")
_REPLUG_S, _PLUG_S = 10.0, 60.0
"""After so long without a port a plug is pulled and pushed in again, and after so long given up."""


def inside() -> bool:
    """True under `table-kernel run`; use it to skip tests elsewhere."""
    return os.environ.get("TABLE_KERNEL_GUEST") == "1" and _CHIP.is_dir()


def sleep_until(when_ns: int) -> None:
    """Wait for a moment of time.monotonic_ns(): sleep, then spin through the last half millisecond."""
    while (left := when_ns - time.monotonic_ns()) > 0:
        if left > 500_000:
            time.sleep((left - 500_000) / 1e9)


def _pin_folder(line: int) -> Path:
    return next(_CHIP.glob("gpiochip*")) / f"sim_gpio{line}"


class Pin:
    """What hangs on one line of the chip: a switch to ground (pressed = low), or a lamp on an output.

    A program that requests the line with a pull-up lets go of the switch (gpio-sim has one pull per line): to have
    a button that is stuck from the start, press after the request, or have the program request without a bias.
    """

    def __init__(self, line: int) -> None:
        folder = _pin_folder(line)
        self.line = line
        self._value = folder / "value"
        self._pull = os.open(folder / "pull", os.O_WRONLY)

    @staticmethod
    def let_go(line: int) -> None:
        """The switch is open, whoever has closed it."""
        (_pin_folder(line) / "pull").write_text("pull-up")

    def set(self, high: bool) -> tuple[int, int]:
        """Pull the line; give the monotonic ns just before and just after, between which its stamp lies."""
        word = b"pull-up" if high else b"pull-down"
        before = time.monotonic_ns()
        os.pwrite(self._pull, word, 0)
        return before, time.monotonic_ns()

    def press(self) -> tuple[int, int]:
        return self.set(False)

    def release(self) -> tuple[int, int]:
        return self.set(True)

    def bounce(self, gaps: Iterable[float], final_high: bool = False) -> tuple[int, int]:
        """A contact that chatters: it goes to its final level, then away from it and back again, staying
        gaps[0], gaps[1], ... seconds each time; the last move is always to the final level. Gives the first
        contact's bounds, as `set` does."""
        first, high = self.set(final_high), final_high
        for gap in gaps:
            sleep_until(time.monotonic_ns() + round(gap * 1e9))
            high = not high
            self.set(high)
        if high != final_high:
            self.set(final_high)
        return first

    @property
    def high(self) -> bool:
        """The level on the line now: for an output, what the program drives (a lamp's state)."""
        return self._value.read_text().strip() == "1"


def play(moves: Sequence[tuple[float, Pin, bool]], start_ns: int | None = None) -> list[tuple[int, int]]:
    """Move pins at chosen times: (seconds after the start, pin, high). Gives each move's bounds, as `Pin.set`."""
    start = time.monotonic_ns() + 5_000_000 if start_ns is None else start_ns
    bounds = []
    for after, pin, high in sorted(moves, key=lambda move: move[0]):
        sleep_until(start + round(after * 1e9))
        bounds.append(pin.set(high))
    return bounds


def instant_edges(on: bool) -> None:
    """On (as booted): a pin change interrupts at once. Off: all changes within one 10 ms tick make one interrupt,
    handled in the order of line numbers: what a program must not mistake for the order of presses."""
    _INSTANT.write_text("Y" if on else "N")


def clean_slate() -> None:
    """What another test may have left is taken away: plugs pulled, boxes and further chips gone, every switch open."""
    for gadget in _GADGETS.glob("box*"):
        with suppress(OSError):  # it was not plugged in
            (gadget / "UDC").write_text("\n")
        _take_apart(gadget)
    for folder in _CHIPS.iterdir():
        if folder.name != _FIRST_CHIP:
            Chip.take_away(folder)
    instant_edges(True)
    for line in _HEADER:
        Pin.let_go(line)


class Chip:
    """One more chip of pins, with a label of its own; it gets the next number."""

    def __init__(self, label: str, lines: int = 8) -> None:
        self._folder = _CHIPS / label
        (self._folder / "bank0").mkdir(parents=True)
        (self._folder / "bank0" / "num_lines").write_text(str(lines))
        (self._folder / "bank0" / "label").write_text(label)
        (self._folder / "live").write_text("1")
        self.path = "/dev/" + (self._folder / "bank0" / "chip_name").read_text().strip()

    def remove(self) -> None:
        self.take_away(self._folder)

    @staticmethod
    def take_away(folder: Path) -> None:
        with suppress(OSError):  # it was not live yet
            (folder / "live").write_text("0")
        for part in ("bank0", ""):
            with suppress(FileNotFoundError):
                (folder / part).rmdir()


class UsbBox:
    """A button box with a USB serial port. Plugged in, it is /dev/ttyACM* to the program; `device` is the box's
    own end of that wire (raw bytes, non-blocking), open while it is plugged in. Each box has a socket of its own, 0
    or 1."""

    def __init__(  # noqa: PLR0913, PLR0917  # what a device says of itself
        self,
        socket: int = 0,
        vendor: int = 0x2E8A,
        product: int = 0x000A,
        serial: str | None = "E6614C311B5A",
        name: str = "Button box",
        maker: str = "Table",
    ) -> None:
        self._socket, self._host = f"dummy_udc.{socket}", f"/sys/devices/platform/dummy_hcd.{socket}"
        self._gadget = gadget = _GADGETS / f"box{socket}"
        gadget.mkdir()
        (gadget / "idVendor").write_text(hex(vendor))
        (gadget / "idProduct").write_text(hex(product))
        strings = gadget / "strings" / "0x409"
        strings.mkdir()
        for key, text in (("serialnumber", serial), ("product", name), ("manufacturer", maker)):
            if text is not None:
                (strings / key).write_text(text)
        port = gadget / "functions" / "acm.0"
        port.mkdir()
        (gadget / "configs" / "c.1").mkdir()
        (gadget / "configs" / "c.1" / "acm.0").symlink_to(port)
        self.device_path = "/dev/ttyGS" + (port / "port_num").read_text().strip()
        self.device = -1

    def plug(self) -> str:
        """Plug in, wait until the program's side has a port, and give that port's path."""
        end = time.monotonic() + _PLUG_S
        while True:
            self._push_in()
            if _waited(self._ports, until_s=min(end, time.monotonic() + _REPLUG_S)):
                return f"/dev/{self._ports()[0]}"
            self.unplug()
            if time.monotonic() > end:
                raise TimeoutError("the plugged-in box got no port")

    def _push_in(self) -> None:
        (self._gadget / "UDC").write_text(self._socket)
        self.device = os.open(self.device_path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.device)

    def _ports(self) -> list[str]:
        """The names of the ports that the program's side has for this box's socket."""
        found = Path(self._host).glob("usb*/*/*/tty/ttyACM*")
        return [port.name for port in found if Path("/dev", port.name).exists()]

    def unplug(self) -> None:
        """Pull the plug, and wait until the program's side has noticed; a port it still has open fails from now on."""
        (self._gadget / "UDC").write_text("\n")
        if self.device >= 0:
            os.close(self.device)
            self.device = -1
        # Plugged in again sooner, the old port would be taken for the new one.
        if not _waited(lambda: not self._ports(), until_s=time.monotonic() + _PLUG_S):
            raise TimeoutError("the unplugged box still has a port")

    def remove(self) -> None:
        """Unplug if need be, and take the box away altogether, so that another one can be made."""
        if self.device >= 0:
            self.unplug()
        _take_apart(self._gadget)


def _take_apart(gadget: Path) -> None:
    (gadget / "configs" / "c.1" / "acm.0").unlink(missing_ok=True)
    for part in ("configs/c.1", "functions/acm.0", "strings/0x409", ""):
        with suppress(FileNotFoundError):
            (gadget / part).rmdir()


def _waited(is_so: Callable[[], object], *, until_s: float) -> bool:
    while not is_so():
        if time.monotonic() > until_s:
            return False
        time.sleep(0.01)
    return True


# VIDIOC_* numbers and V4L2_CTRL_FLAG_NEXT_CTRL
_QUERYCTRL, _QUERYMENU, _S_CTRL, _NEXT = 0xC0445624, 0xC02C5625, 0xC008561C, 0x80000000


class Camera:
    """The vivid camera: its controls by name, and its cable. It keeps a file of its own; the program has another."""

    def __init__(self, path: str = "/dev/video0") -> None:
        self._fd = os.open(path, os.O_RDWR)
        self.path = path
        self.controls: dict[str, int] = {}
        number = 0
        while True:
            try:
                answer = fcntl.ioctl(self._fd, _QUERYCTRL, struct.pack("I64x", number | _NEXT))
            except OSError:
                break
            number = struct.unpack_from("I", answer)[0]
            self.controls[answer[8:40].split(b"\0")[0].decode()] = number

    def set(self, control: str, value: int = 1) -> None:
        """Set a control; buttons such as "Inject V4L2_BUF_FLAG_ERROR" take any value."""
        fcntl.ioctl(self._fd, _S_CTRL, struct.pack("Ii", self.controls[control], value))

    def menu(self, control: str) -> list[str]:
        """What a control offers, by number."""
        names = []
        with suppress(OSError):
            for index in count():
                asked = struct.pack("=II", self.controls[control], index).ljust(44, b"\0")
                names.append(fcntl.ioctl(self._fd, _QUERYMENU, asked)[8:40].split(b"\0")[0].decode())
        return names

    def close(self) -> None:
        """Lets go of the node; the camera stays as it is."""
        os.close(self._fd)

    def drop_frames(self, percent: int) -> None:
        """Lose this share of the frames, at random, until set to 0 again."""
        self.set("Percentage of Dropped Buffers", percent)

    def disconnect(self) -> None:
        """The device stops answering, but its node in /dev stays."""
        self.set("Disconnect")

    def unplug(self) -> None:
        """The cable is pulled: the device stops answering and its node goes."""
        self.disconnect()
        os.close(self._fd)
        (_VIVID / "unbind").write_text("vivid.0")

    @staticmethod
    def plug() -> Camera:
        """The cable is back. As on any machine the node has a new number if the old one is still open somewhere."""
        (_VIVID / "bind").write_text("vivid.0")
        return Camera(str(next(Path("/dev").glob("video*"))))


def keyboard(keys: Iterable[str], name: str = "Table keyboard", vendor: int = 0x1234, product: int = 1) -> Any:
    """Plug in a keyboard with these keys (evdev names such as "KEY_A"); gives an evdev.UInput. Its `device.path` is
    what the program opens; `close()` pulls its plug."""
    import evdev  # noqa: PLC0415  # only keyboards need it

    return evdev.UInput({evdev.ecodes.EV_KEY: [evdev.ecodes.ecodes[key] for key in keys]}, name, vendor, product)


def strike(board: Any, *keys: str, down: bool = True) -> tuple[int, int]:
    """Press (or, with down=False, let go of) keys in one report: together they carry one stamp. Gives the monotonic
    ns before and after."""
    import evdev  # noqa: PLC0415  # only keyboards need it

    before = time.monotonic_ns()
    for key in keys:
        board.write(evdev.ecodes.EV_KEY, evdev.ecodes.ecodes[key], int(down))
    board.syn()
    return before, time.monotonic_ns()
