"""Which serial ports there are, which of them may be a slap box, and why one cannot be opened."""

from __future__ import annotations

import errno
import os
import termios
from dataclasses import dataclass
from pathlib import Path

from serial import Serial, SerialException
from serial.tools import list_ports

from hardware.errors import NoBox

BAUD = 115_200

MAKERS = {0x2341, 0x2A03, 0x2E8A, 0x1A86, 0x0403, 0x10C4, 0x239A, 0x1B4F, 0x1209}
"""USB vendors of boards: Arduino (two), Raspberry Pi, CH340, FTDI, CP210x, Adafruit, SparkFun, pid.codes."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a box is, and how to know it again when it comes back elsewhere."""

    path: str
    identity: tuple[int, int, str] | None = None
    """USB vendor, product, and serial number (or, where it has none, the socket it is plugged into)."""

    @property
    def name(self) -> str:
        """`box:2e8a:000a:E661…`, or `box:/dev/ttyS0` for a port without a USB identity."""
        if self.identity is None:
            return f"box:{self.path}"
        vendor, product, number = self.identity
        return f"box:{vendor:04x}:{product:04x}:{number}"

    def find(self) -> str | None:
        """The port that it is on now; None while it is away."""
        if self.identity is None:
            return self.path if Path(self.path).exists() else None
        return next((each.path for each in usb_addresses() if each.identity == self.identity), None)


def usb_addresses() -> list[Address]:
    """Every serial port with a USB identity, in order of their names."""
    found = [
        Address(port.device, (port.vid, port.pid or 0, port.serial_number or port.location or ""))
        for port in list_ports.comports()
        if port.vid is not None
    ]
    return sorted(found, key=lambda address: address.path)


def find_boxes() -> list[Address]:
    """The ports that may be a slap box, by their maker."""
    return [address for address in usb_addresses() if address.identity and address.identity[0] in MAKERS]


def address_of(path: str) -> Address:
    """The address of the port `path`, with its USB identity where it has one."""
    real = os.path.realpath(path)
    known = {os.path.realpath(address.path): address for address in usb_addresses()}
    return Address(path, known[real].identity) if real in known else Address(path)


def found_ports() -> str:
    """What serial ports there are, as the end of a sentence."""
    ports = sorted(port.device for port in list_ports.comports())
    return f"ports here: {', '.join(ports)}" if ports else "there are no serial ports here"


def open_port(path: str) -> Serial:
    """Opens `path` for reading without waiting and for nobody else; raises `NoBox`."""
    try:
        return Serial(path, BAUD, timeout=0, write_timeout=0, exclusive=True)
    except (SerialException, OSError, termios.error, ValueError) as error:
        raise NoBox(_why_not(path, error)) from error


def _why_not(path: str, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in {errno.ENOENT, errno.ENODEV, errno.ENXIO}:
        return f"there is no serial port {path}; {found_ports()}"
    if number in {errno.EACCES, errno.EPERM}:
        return (
            f"this user may not use {path}: add it to the group dialout (sudo usermod -aG dialout $USER), log in again"
        )
    if number in {errno.EBUSY, errno.EAGAIN}:
        return f"another program is using {path}: stop it, or take another port; {found_ports()}"
    return f"{path} cannot be used as a serial port; {found_ports()}"
