"""How slaps fare while everything else on the machine is busy: order, ties, lamps, and a wire full of garbage.

The box is simulated in a process of its own, at the far end of a pty: its stamps are true by its own clock, and what is
measured is the way from there. Pins and real boards are measured by whoever has them.
"""

from __future__ import annotations

import multiprocessing
import os
import pty
import random
import select
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from multiprocessing.connection import Connection
from statistics import quantiles
from typing import Any

from gpiozero import LED
from gpiozero.pins.mock import MockFactory, MockPWMPin

from cardtable.bench.spread import spread
from engine.seats import Seat, seats
from hardware.box import BoxSource
from hardware.box_ports import Address
from hardware.errors import NoBox
from hardware.lamps import open_lamps
from hardware.records import Edge, Kind
from hardware.signals import Signal
from hardware.simulated_box import Box
from hardware.trials import Pair, count_pairs, read_garbage

US, MS, S = 1_000, 1_000_000, 1_000_000_000
PAIRS, EIGHTS, GARBAGE_BYTES, LAMPS = 1_000, 100, 1_000_000, 100
BEAT_NS = 20 * MS
BETWEEN_NS = 8 * MS
GAPS_US = (0, 100, 1_000)
"""Between the two presses of a pair; 0: both in one interrupt."""
EIGHT_GAP_NS = 600 * US
ATTEMPTS = 10
"""To get a box in step while the machine is busy."""
PATIENCE_NS = 60 * S
"""When nothing has come for so long, nothing more will."""
SPIN = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"
"""A program that keeps a core busy as long as whoever started it lives."""
HOGS = 3
"""Threads that never let go of the interpreter by themselves, beside one busy process a core."""
SEATS = seats(8)


def bench_buttons(
    pairs: int = PAIRS, eights: int = EIGHTS, lamps: int = LAMPS, garbage: int = GARBAGE_BYTES, *, is_busy: bool = True
) -> dict[str, Any]:
    """`{"pairs": {"0_us": …, "100_us": …, "1000_us": …}, "eight_within_5_ms": …, "arrival": …, "lamp": …, …}`.

    `arrival` is the time from a press to its record, `lamp` from a slap's word to its lamp's pin, in ms; `load` is the
    machine's, the busy processes of the measurement included.
    """
    with _busy_cores(is_busy):
        runs = {f"{gap_us}_us": _slap_pairs(pairs, gap_us * US, is_busy=is_busy) for gap_us in GAPS_US}
        eight = _slap_eights(eights, is_busy=is_busy)
        with _busy_threads(is_busy):
            lamp = _time_lamps(lamps)
        load = os.getloadavg()[0]
    arrivals = [ms for _, found in runs.values() for ms in found]
    return {
        "pairs": {name: counts for name, (counts, _) in runs.items()},
        "eight_within_5_ms": eight,
        "arrival": spread(arrivals) | {"p99_ms": round(quantiles(arrivals, n=100)[-1], 2)},
        "lamp": spread(lamp),
        "garbage": asdict(read_garbage(garbage)),
        "is_busy": is_busy,
        "cores": os.cpu_count(),
        "load": round(load, 1),
    }


def _slap_pairs(count: int, gap_ns: int, *, is_busy: bool) -> tuple[dict[str, int], list[float]]:
    """What became of so many pairs, and how many ms each press took to arrive."""
    pressed, edges, arrivals = _slap(count, size=2, gap_ns=gap_ns, is_busy=is_busy)
    pairs = [Pair(first, second, gap_ns) for first, second in pressed]
    return asdict(count_pairs(pairs, edges)), arrivals


def _slap_eights(count: int, *, is_busy: bool) -> dict[str, int]:
    """Of so many times eight presses within 5 ms: how often all came, and all in their order."""
    pressed, edges, _ = _slap(count, size=8, gap_ns=EIGHT_GAP_NS, is_busy=is_busy)
    downs = sorted((edge for edge in edges if edge.kind is Kind.DOWN), key=lambda edge: edge.t_ns)
    found = [tuple(edge.seat for edge in downs[place : place + 8]) for place in range(0, len(downs), 8)]
    recorded = sum(set(one) == set(SEATS) for one in found)
    right = sum(one == other for one, other in zip(found, pressed, strict=False))
    return {"rounds": count, "recorded": recorded, "right_order": right}


def _slap(
    count: int, *, size: int, gap_ns: int, is_busy: bool
) -> tuple[list[tuple[Seat, ...]], list[Edge], list[float]]:
    """`count` times `size` buttons are pressed, `gap_ns` from one to the next: who was, the edges, ms to arrive."""
    context = multiprocessing.get_context("spawn")
    ours, boxs = context.Pipe()
    process = context.Process(target=serve_box, args=(boxs, count, size, gap_ns))
    process.start()
    try:
        source = _open(Address(ours.recv()))
        with _busy_threads(is_busy):
            edges, arrivals = _collect(source, ours, size * count)
        source.close()
        pressed: list[tuple[Seat, ...]] = ours.recv()
    finally:
        ours.close()
        process.join()
    return pressed, edges, arrivals


def _open(address: Address) -> BoxSource:
    for attempt in range(ATTEMPTS):
        source = BoxSource(address, SEATS)
        try:
            source.wait_until_ready()
            break
        except NoBox:
            source.close()
            if attempt == ATTEMPTS - 1:
                raise
    source.start()
    return source


def _collect(source: BoxSource, box: Connection, expected: int) -> tuple[list[Edge], list[float]]:
    box.send("go")
    edges: list[Edge] = []
    arrivals: list[float] = []
    heard_ns = time.monotonic_ns()
    while len(arrivals) < expected and time.monotonic_ns() < heard_ns + PATIENCE_NS:
        time.sleep(0.002)
        for edge in source.edges():
            heard_ns = time.monotonic_ns()
            edges.append(edge)
            if edge.kind is Kind.DOWN:
                arrivals.append((heard_ns - edge.t_ns) / MS)
    box.send("stop")
    return edges, arrivals


def serve_box(host: Connection, count: int, size: int, gap_ns: int) -> None:
    """Runs in a process of its own: says the name of its port, presses until told to stop, and tells what it did."""
    box_end, host_end = pty.openpty()
    tty.setraw(host_end)
    host.send(os.ttyname(host_end))
    box, chance = Box(), random.Random(count)
    pressed: list[tuple[Seat, ...]] = []
    os.write(box_end, box.boots())
    is_going, next_ns = False, 0
    for now_ns in _turns(box, box_end):
        if host.poll():
            if host.recv() == "stop":
                break
            is_going = True
        if is_going and now_ns >= next_ns and len(pressed) < count:
            next_ns = now_ns + BETWEEN_NS
            up = [bit for bit in range(8) if not box.mask >> bit & 1]
            if up:
                order = chance.sample(up, size)
                _change(box, box_end, order, gap_ns)
                pressed.append(tuple(SEATS[bit] for bit in order))
            else:
                _change(box, box_end, range(8), 0)
    host.send(pressed)


def _turns(box: Box, box_end: int) -> Iterator[int]:
    beat_ns = 0
    while True:
        if select.select([box_end], [], [], 0.001)[0]:
            os.write(box_end, box.hears(os.read(box_end, 64), time.monotonic_ns()))
        now_ns = time.monotonic_ns()
        if now_ns >= beat_ns:
            beat_ns = now_ns + BEAT_NS
            os.write(box_end, box.beats(now_ns))
        yield now_ns


def _change(box: Box, box_end: int, bits: Sequence[int], gap_ns: int) -> None:
    """Changes the buttons one after the other; each line goes out when its time has come."""
    t_ns = time.monotonic_ns()
    for together in [[bit] for bit in bits] if gap_ns else [bits]:
        while time.monotonic_ns() < t_ns:
            pass
        os.write(box_end, box.changes(t_ns, *together))
        t_ns += gap_ns


class _WatchedLamp:
    """A lamp on a mock pin, and whether it has been lit and put out."""

    def __init__(self) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self._led = LED(17, pin_factory=self.factory)
        self.is_lit, self.is_dark = threading.Event(), threading.Event()

    def on(self) -> None:
        self._led.on()
        self.is_lit.set()

    def off(self) -> None:
        self._led.off()
        self.is_dark.set()

    def close(self) -> None:
        self._led.close()
        self.factory.reset()


def _time_lamps(count: int) -> list[float]:
    """Milliseconds from a slap's word to its lamp's pin, on mock pins."""
    lamp, places = _WatchedLamp(), [Seat("A")]
    lamps = open_lamps({}, others={Seat("A"): lamp})
    lamps.start()
    times = []
    for _ in range(count):
        lamp.is_lit.clear()
        lamp.is_dark.clear()
        asked_ns = time.monotonic_ns()
        lamps.show(places, Signal.FIRST)  # stays lit however late the busy machine gets round to it
        lamp.is_lit.wait()
        times.append((time.monotonic_ns() - asked_ns) / MS)
        # Asked to light again before it is out, it would never go out.
        lamps.show(places, Signal.NOTHING)
        lamp.is_dark.wait()
    lamps.close()
    return times


@contextmanager
def _busy_cores(is_busy: bool) -> Iterator[None]:
    """A busy process for every core, if `is_busy`."""
    spin = [sys.executable, "-S", "-c", SPIN]
    processes = [subprocess.Popen(spin) for _ in range(os.cpu_count() or 1)] if is_busy else []
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def _busy_threads(is_busy: bool) -> Iterator[None]:
    """Threads that hog the interpreter, if `is_busy`."""
    over = threading.Event()
    threads = [threading.Thread(target=_hog, args=(over,), daemon=True) for _ in range(HOGS)] if is_busy else []
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def _hog(over: threading.Event) -> None:
    while not over.is_set():
        sum(range(10_000))
