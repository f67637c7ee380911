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
import threading
import time
import tty
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from multiprocessing.connection import Connection
from statistics import quantiles
from typing import Any

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
PAIRS, GARBAGE_BYTES, LAMPS = 1_000, 1_000_000, 100
BEAT_NS = 20 * MS
BETWEEN_NS = 8 * MS
GAPS_US = (100, 1_000)
EIGHT_GAP_NS = 600 * US
HOGS = 3
"""Threads that never let go of the interpreter by themselves, beside one busy process a core."""
SEATS = seats(8)


def bench_buttons(pairs: int = PAIRS, garbage: int = GARBAGE_BYTES, *, is_busy: bool = True) -> dict[str, Any]:
    """`{"pairs": {"100_us": …, "1000_us": …}, "eight_within_5_ms": …, "arrival": …, "lamp": …, "garbage": …}`.

    `arrival` is the time from a press to its record, `lamp` from a slap's word to its lamp's pin, in ms.
    """
    runs = {f"{gap_us}_us": _slap_pairs(pairs, gap_us * US, is_busy=is_busy) for gap_us in GAPS_US}
    _, eight, _ = _slap(1, size=8, gap_ns=EIGHT_GAP_NS, is_busy=is_busy)
    with _busy(is_busy):
        lamp = _time_lamps()
    arrivals = [ms for _, found in runs.values() for ms in found]
    return {
        "pairs": {name: counts for name, (counts, _) in runs.items()},
        "eight_within_5_ms": len({edge.seat for edge in eight if edge.kind is Kind.DOWN}),
        "arrival": spread(arrivals) | {"p99_ms": round(quantiles(arrivals, n=100)[-1], 2)},
        "lamp": spread(lamp),
        "garbage": asdict(read_garbage(garbage)),
        "is_busy": is_busy,
    }


def _slap_pairs(count: int, gap_ns: int, *, is_busy: bool) -> tuple[dict[str, int], list[float]]:
    """What became of so many pairs, and how many ms each press took to arrive."""
    pressed, edges, arrivals = _slap(count, size=2, gap_ns=gap_ns, is_busy=is_busy)
    pairs = [Pair(first, second, gap_ns) for first, second in pressed]
    return asdict(count_pairs(pairs, edges)), arrivals


def _slap(
    count: int, *, size: int, gap_ns: int, is_busy: bool
) -> tuple[list[tuple[Seat, ...]], list[Edge], list[float]]:
    """`count` times `size` buttons are pressed, `gap_ns` from one to the next: who was, the edges, ms to arrive."""
    context = multiprocessing.get_context("spawn")
    ours, boxs = context.Pipe()
    process = context.Process(target=serve_box, args=(boxs, count, size, gap_ns))
    process.start()
    try:
        source = BoxSource(Address(ours.recv()), SEATS)
        _begin(source)
        with _busy(is_busy):
            edges, arrivals = _collect(source, ours, size * count)
        source.close()
        pressed: list[tuple[Seat, ...]] = ours.recv()
    finally:
        ours.close()
        process.join()
    return pressed, edges, arrivals


def _begin(source: BoxSource) -> None:
    try:
        source.wait_until_ready()
    except NoBox:
        source.close()
        raise
    source.start()


def _collect(source: BoxSource, box: Connection, expected: int) -> tuple[list[Edge], list[float]]:
    box.send("go")
    edges: list[Edge] = []
    arrivals: list[float] = []
    until_ns = time.monotonic_ns() + 60 * S + expected * BETWEEN_NS
    while len(arrivals) < expected and time.monotonic_ns() < until_ns:
        time.sleep(0.002)
        for edge in source.edges():
            edges.append(edge)
            if edge.kind is Kind.DOWN:
                arrivals.append((time.monotonic_ns() - edge.t_ns) / MS)
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


def _change(box: Box, box_end: int, bits: Iterable[int], gap_ns: int) -> None:
    """Changes the buttons one after the other; each line goes out when its time has come."""
    t_ns = time.monotonic_ns()
    for bit in bits:
        while time.monotonic_ns() < t_ns:
            pass
        os.write(box_end, box.changes(t_ns, bit))
        t_ns += gap_ns


def _time_lamps() -> list[float]:
    """Milliseconds from a slap's word to its lamp's pin, on mock pins."""
    factory = MockFactory(pin_class=MockPWMPin)
    lit = threading.Event()
    lamps = open_lamps({Seat("A"): 17}, factory=factory)
    lamp = lamps._lamps[Seat("A")]
    light = lamp.on

    def on() -> None:
        light()
        lit.set()

    lamp.on = on
    lamps.start()
    times = []
    for _ in range(LAMPS):
        lit.clear()
        asked_ns = time.monotonic_ns()
        lamps.show([Seat("A")], Signal.SLAPPED)
        lit.wait(10)
        times.append((time.monotonic_ns() - asked_ns) / MS)
        lamps.show([Seat("A")], Signal.NOTHING)
        time.sleep(0.005)
    lamps.close()
    factory.reset()
    return times


@contextmanager
def _busy(is_busy: bool) -> Iterator[None]:
    """Busy processes on every core and threads that hog the interpreter, if `is_busy`."""
    over = threading.Event()
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=spin, daemon=True) for _ in range(os.cpu_count() or 1)] if is_busy else []
    threads = [threading.Thread(target=_hog, args=(over,), daemon=True) for _ in range(HOGS)] if is_busy else []
    for process in processes:
        process.start()
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for process in processes:
            process.terminate()


def spin() -> None:
    """Keeps a core busy until terminated."""
    while True:
        pass


def _hog(over: threading.Event) -> None:
    while not over.is_set():
        sum(range(10_000))
