"""Runs inside MicroPython: presses buttons, prints the lines and how much memory the interrupts have asked for."""

import gc
import json
import sys

import box  # type: ignore[import-not-found]

now_us, levels, wire = 1_000_000, 0x3FFF_FFFF, []
pico = box.Box(lambda: levels, lambda: now_us, lambda line: wire.append(line.decode()), 0x2A)
pico.boot()


def press(bit: int, after_us: int) -> None:
    """One interrupt."""
    global levels, now_us  # noqa: PLW0603  # they are the board
    now_us += after_us
    levels ^= 1 << 2 + bit
    pico.note(None)


def press_all() -> None:
    """More interrupts than the queue has places."""
    press(0, 0)
    press(1, 35)
    press(2, 20)
    for _ in range(400):
        press(0, 0)


before = gc.mem_alloc()  # type: ignore[attr-defined]
press_all()
asked = gc.mem_alloc() - before  # type: ignore[attr-defined]
pico.hear(0x80)
now_us += 20_000
for _ in range(70):
    pico.turn()
print(json.dumps({"version": list(sys.implementation.version), "asked_bytes": asked, "wire": wire}))
