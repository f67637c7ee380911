"""Runs inside MicroPython's unix port: the Pico's program as it is, on a board whose buttons are pressed by plan.

micropython board.py PROGRAM.py FOLDER: once FOLDER/plan.json is there (`[[after_us, bit], …]`, each from the one
before), presses and releases by it and writes FOLDER/truth.json: for each the ticks before and after, and the bit.
The wire is stdin and stdout, as on the board.
"""

import json
import os
import sys
import time

PROGRAM, FOLDER = sys.argv[1:3]
LOOK_US = 10_000


class Board:
    """What the buttons do, moved on whenever the program looks at its clock."""

    levels = 0x3FFF_FFFF
    handlers = {}  # type: ignore[var-annotated]  # noqa: RUF012  # by line
    plan = None
    truth = []  # type: ignore[var-annotated]  # noqa: RUF012
    next_us = 0
    is_busy = False

    def ticks_us(self) -> int:
        """The clock that the program sees."""
        if not self.is_busy:
            self.is_busy = True
            self.move()
            self.is_busy = False
        return time.ticks_us()  # type: ignore[attr-defined,no-any-return]

    def move(self) -> None:
        """Presses what is due."""
        now_us = time.ticks_us()  # type: ignore[attr-defined]
        if self.plan is None and now_us >= self.next_us:
            self.next_us = now_us + LOOK_US
            self.look()
        while self.plan and time.ticks_us() >= self.next_us:
            self.press(self.plan.pop(0)[1])
            self.next_us += self.plan[0][0] if self.plan else 0
            if not self.plan:
                self.tell()

    def look(self) -> None:
        """Takes the plan if it is there."""
        if "plan.json" in os.listdir(FOLDER):  # noqa: PTH208
            with open(FOLDER + "/plan.json") as file:  # noqa: PTH123  # there is no pathlib
                self.plan = json.load(file)
            self.next_us += self.plan[0][0]

    def press(self, bit: int) -> None:
        """The button changes and interrupts."""
        line = 2 + bit
        before_us = time.ticks_us()  # type: ignore[attr-defined]
        self.levels ^= 1 << line
        self.handlers[line](None)
        self.truth.append([before_us, time.ticks_us(), bit])  # type: ignore[attr-defined]

    def tell(self) -> None:
        """What was done."""
        with open(FOLDER + "/truth.new", "w") as file:  # noqa: PTH123
            json.dump(self.truth, file)
        os.rename(FOLDER + "/truth.new", FOLDER + "/truth.json")  # noqa: PTH104


board = Board()


class Pin:
    """As `machine.Pin`, with the buttons' interrupts in the board's hands."""

    IN, OUT, PULL_UP, IRQ_FALLING, IRQ_RISING = range(5)

    def __init__(self, line: int, mode: int, pull: int = -1, *, value: int = 0) -> None:
        self.line = line

    def irq(self, handler: object, trigger: int, hard: bool) -> None:
        board.handlers[self.line] = handler

    def value(self, level: int) -> None:
        """A lamp, which nobody looks at here."""


class Registers:
    """As `machine.mem32`: whatever is read are the pins' levels."""

    def __getitem__(self, address: int) -> int:
        return board.levels


class Machine:
    """As the module `machine`."""

    Pin, mem32 = Pin, Registers()


class Time:
    """As the module `time`."""

    ticks_us = board.ticks_us
    sleep_ms = time.sleep_ms  # type: ignore[attr-defined]


class MicroPython:
    """As the module `micropython` on a board; the unix port lacks this."""

    @staticmethod
    def alloc_emergency_exception_buf(size: int) -> None:
        """Nothing to do here."""


sys.modules["micropython"] = MicroPython  # type: ignore[assignment]
sys.modules["machine"] = Machine  # type: ignore[assignment]
sys.modules["time"] = Time  # type: ignore[assignment]
with open(PROGRAM) as file:  # noqa: PTH123
    exec(file.read(), {"__name__": "__main__"})
