"""The Arduino's compiled program in simavr: its UART is a real pty, its buttons change at cycles that tests choose."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hardware.box_lines import Answer, Framing, Levels, Line

HERE = Path(__file__).parent
FIRMWARE = HERE.parent.parent / "hardware" / "firmware" / "avr"
HEADERS = Path("/usr/include/simavr")
CYCLES_PER_US = 16
SYNC = 0xC0
"""The ping that asks whether everything has been told."""
STEP_US, PATIENCE = 2_000, 500
PORTB, PORTC = 0x25, 0x28
"""Where the outputs' registers lie in an ATmega328P's memory: datasheet, register summary."""
PINS = ("D 2", "D 3", "D 4", "D 5", "D 6", "D 7", "B 0", "B 1")
"""Of the mask's bits, as the program's first comment says: D2 to D7, then D8 and D9, which are B0 and B1."""


def missing_tools() -> str:
    """Why the firmware cannot be run here; empty when it can."""
    absent = [tool for tool in ("avr-gcc", "avr-nm", "avr-objcopy", "make", "gcc") if shutil.which(tool) is None]
    absent += [] if HEADERS.is_dir() else ["simavr's headers"]
    return f"needs {', '.join(absent)} (apt: gcc-avr avr-libc libsimavr-dev libelf-dev)" if absent else ""


@dataclass(frozen=True, slots=True)
class Build:
    """The compiled program and the bench that runs it."""

    firmware: Path
    bench: Path

    def address(self, symbol: str) -> int:
        """Where a variable of the program lies in its memory."""
        listed = subprocess.run(["avr-nm", self.firmware], check=True, capture_output=True, text=True).stdout
        found = [line.split()[0] for line in listed.splitlines() if line.endswith(f" {symbol}")]
        return int(found[0], 16) & 0xFFFF


def build(into: Path) -> Build:
    """Compiles both as the makefile and a person would."""
    subprocess.run(["make", "-s", "-C", FIRMWARE, f"BUILD={into}"], check=True)
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{HEADERS}"]
    source, bench = HERE / "simavr" / "bench.c", into / "bench"
    subprocess.run(["gcc", *flags, source, "-lsimavr", "-lelf", "-lutil", "-o", bench], check=True)
    return Build(into / "box.elf", bench)


@dataclass(frozen=True, slots=True)
class Change:
    """A button that really changed."""

    cycle: int
    bit: int
    is_down: bool


@dataclass
class SimulatedAvr:
    """One board. Its time stands still between two calls of `run_us`."""

    build: Build
    process: subprocess.Popen[str]
    path: str
    """The port on which it speaks."""
    port: int
    """Its host end, open."""
    cycle: int = 0
    truth: list[Change] = field(default_factory=list)
    _framing: Framing = field(default_factory=Framing)

    def change(self, bit: int, *, at_us: float, is_down: bool = True) -> None:
        """Has a button change so long from now; calls must be in order of time."""
        cycle = self.cycle + round(at_us * CYCLES_PER_US)
        self._order(f"pin {cycle} {PINS[bit]} {int(not is_down)}")

    def run_us(self, span_us: int) -> None:
        """Lets time pass."""
        self._order(f"run {span_us * CYCLES_PER_US}")
        while not (line := self._answer()).startswith("at"):
            _, cycle, port, bit, level = line.split()
            self.truth.append(Change(int(cycle), PINS.index(f"{port} {bit}"), level == "0"))
        self.cycle = int(line.split()[1])

    def reset(self) -> None:
        """Presses the button on the board."""
        self._order("reset")

    def poke(self, symbol: str, value: int) -> None:
        """Sets a 32-bit variable of the program."""
        self._order(f"poke {self.build.address(symbol)} {value}")

    def lamps(self) -> str:
        """Which lamps' pins are high, by the bits of the mask: D10 to D13, then A0 to A3."""
        low, high = (self._peek(register) for register in (PORTB, PORTC))
        return "".join(str(bit) for bit in range(8) if (low >> 2 & 0xF | (high & 0xF) << 4) >> bit & 1)

    def _peek(self, address: int) -> int:
        self._order(f"peek {address}")
        return int(self._answer().removeprefix("is "))

    def send(self, data: bytes) -> None:
        """What a host would send."""
        os.write(self.port, data)

    def heard(self) -> list[Line]:
        """All good lines since the last call, up to a heartbeat from now on: before that nothing is left untold."""
        self.send(bytes([SYNC]))
        heard: list[Line] = []
        is_answered = False
        for _ in range(PATIENCE):
            self.run_us(STEP_US)
            for line in self._framing.take(self._read()):
                heard.append(line)
                if is_answered and isinstance(line, Levels) and not line.is_edge:
                    return [line for line in heard if not (isinstance(line, Answer) and line.nonce == SYNC)]
                is_answered |= isinstance(line, Answer) and line.nonce == SYNC
        raise AssertionError(f"the board is silent; it said {heard}")

    def _read(self) -> bytes:
        return os.read(self.port, 4096) if select.select([self.port], [], [], 0)[0] else b""

    def edges(self) -> list[Levels]:
        """The edge lines among what was heard."""
        return [line for line in self.heard() if isinstance(line, Levels) and line.is_edge]

    def _order(self, line: str) -> None:
        assert self.process.stdin is not None
        print(line, file=self.process.stdin, flush=True)

    def _answer(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line, f"the simulated board stopped with status {self.process.wait()}"
        return line


@contextmanager
def switched_on(built: Build) -> Iterator[SimulatedAvr]:
    """A board that has just got power, with no button pressed."""
    command = [built.bench, built.firmware]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        path = process.stdout.readline().strip()
        # Open until the end: what is written to a pty that nobody has open is lost.
        port = os.open(path, os.O_RDWR | os.O_NOCTTY)
        board = SimulatedAvr(built, process, path, port)
        for bit in range(len(PINS)):
            board.change(bit, at_us=0, is_down=False)
        yield board
        os.close(port)
        process.terminate()
