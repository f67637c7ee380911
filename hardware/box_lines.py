"""The lines of a slap box: framing, checksum and fields, as laid down in protocol.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 40
VERSION = 1
ASK_BOOT = b"?"
FIRST_LAMP = 0x40
FIRST_NONCE, LAST_NONCE = 0x80, 0xFF


@dataclass(frozen=True, slots=True)
class Boot:
    """The box says who it is since its last reset."""

    version: int
    boot_id: int


@dataclass(frozen=True, slots=True)
class Levels:
    """All buttons of the box as they are at `tick`: after an edge, or at a heartbeat."""

    is_edge: bool
    sequence: int
    """Of the newest edge line, 16 bits."""
    mask: int
    """Bit 0 is the first seat; 1 is down."""
    tick: int
    """The box's microseconds, 32 bits."""
    drops: int = 0
    """Edges that the box had to forget before this one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The box read the ping `nonce` at `tick`."""

    nonce: int
    tick: int


Line = Boot | Levels | Answer

SHAPES = {
    "B": re.compile(r"B([0-9A-F]{2})([0-9A-F]{8})"),
    "E": re.compile(r"E([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{8})([0-9A-F]{2})"),
    "H": re.compile(r"H([0-9A-F]{4})([0-9A-F]{4})([0-9A-F]{8})"),
    "S": re.compile(r"S([0-9A-F]{2})([0-9A-F]{8})"),
}


def crc8(data: bytes) -> int:
    """CRC-8 with polynomial 0x07, start 0, as SMBus uses it."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0x07 if crc & 0x80 else crc << 1) & 0xFF
    return crc


def write_line(line: Line) -> bytes:
    """`line` as a box sends it."""
    match line:
        case Boot(version, boot_id):
            body = f"B{version:02X}{boot_id:08X}"
        case Levels(True, sequence, mask, tick, drops):
            body = f"E{sequence:04X}{mask:04X}{tick:08X}{drops:02X}"
        case Levels(_, sequence, mask, tick):
            body = f"H{sequence:04X}{mask:04X}{tick:08X}"
        case Answer(nonce, tick):
            body = f"S{nonce:02X}{tick:08X}"
    return f"{body}*{crc8(body.encode()):02X}\n".encode()


def read_line(text: bytes) -> Line | None:
    """The line in `text` (without its end), or None when it is damaged or none of ours."""
    body, star, check = text.rpartition(b"*")
    if not star or not re.fullmatch(rb"[0-9A-F]{2}", check) or crc8(body) != int(check, 16):
        return None
    shape = SHAPES.get(body[:1].decode("ascii", "replace"))
    found = shape and shape.fullmatch(body.decode("ascii", "replace"))
    return _line(body[:1], [int(field, 16) for field in found.groups()]) if found else None


def _line(letter: bytes, fields: list[int]) -> Line:
    match letter:
        case b"B":
            return Boot(*fields)
        case b"S":
            return Answer(*fields)
    return Levels(letter == b"E", *fields)


class Framing:
    """Cuts what comes over the wire into lines, wherever the reads happen to split it."""

    def __init__(self) -> None:
        self.bad = 0
        """Lines dropped because they were damaged, of unknown shape, or too long."""
        self._rest = b""
        self._skips = False

    def take(self, data: bytes) -> Iterator[Line]:
        """The good lines that `data` completes."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for text in whole:
            line = self._read(text)
            if line is not None:
                yield line
        if len(self._rest) > LONGEST:
            # Too long to be a line: forget it now rather than gather it without end, and what follows up to its end.
            self._rest, self._skips = b"", True

    def _read(self, text: bytes) -> Line | None:
        skips, self._skips = self._skips, False
        line = None if skips or len(text) > LONGEST else read_line(text.removesuffix(b"\r"))
        self.bad += line is None
        return line
