"""firmware/pico/main.py: its lines against what was done to its buttons, by Python and by MicroPython itself."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.seats import seats
from hardware.box_lines import VERSION, Answer, Boot, Framing, Levels, Line, crc8
from hardware.box_reader import BoxReader
from hardware.records import Edge, Kind
from hardware.sources import QueuedSource

PROGRAM = Path(__file__).parents[2] / "hardware" / "firmware" / "pico" / "main.py"
IN_MICROPYTHON = Path(__file__).parent / "micropython"
MS = 1_000_000


def load() -> Any:
    """The program as a module; it starts by itself only on the board."""
    spec = importlib.util.spec_from_file_location("pico_box", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Pico:
    """A board whose pins and microseconds are what the test says."""

    def __init__(self, *, began_us: int = 5_000_000, down: int = 0) -> None:
        self.us, self.down, self.wire = began_us, down, b""
        self.program = load()
        self._framing = Framing()
        self.lit: set[int] = set()
        self.box = self.program.Box(self._levels, self._ticks, self._send, 0x1234_ABCD, self._light)

    def change(self, *bits: int, after_us: int = 0) -> None:
        """Buttons change, all within one interrupt."""
        self.us += after_us
        for bit in bits:
            self.down ^= 1 << bit
        self.box.note(None)

    def run(self, span_us: int, *, turn_us: int = 500) -> None:
        """The main loop turns."""
        for _ in range(0, span_us, turn_us):
            self.us += turn_us
            self.box.turn()

    def heard(self) -> list[Line]:
        """The good lines since the last call."""
        data, self.wire = self.wire, b""
        return list(self._framing.take(data))

    def edges(self) -> list[Levels]:
        """Everything that waits, told."""
        self.run(40_000)
        return [line for line in self.heard() if isinstance(line, Levels) and line.is_edge]

    def _levels(self) -> int:
        # Pulled up: a pressed button reads 0. The pins beside the buttons are anything.
        return (~self.down & 0xFF) << 2 | 0x2000_0003

    def _ticks(self) -> int:
        return self.us % (1 << 30)

    def _light(self, bit: int, is_lit: int) -> None:
        (self.lit.add if is_lit else self.lit.discard)(bit)

    def _send(self, data: bytes) -> None:
        self.wire += data


def test_it_says_who_it_is_with_the_protocols_checksum() -> None:
    pico = Pico()
    pico.box.boot()
    assert pico.heard() == [Boot(VERSION, 0x1234_ABCD)]
    assert pico.program.crc8(b"123456789") == crc8(b"123456789") == 0xF4


def test_each_button_has_its_bit() -> None:
    pico = Pico()
    for bit in range(8):
        pico.change(bit, after_us=700)
    assert [line.mask for line in pico.edges()] == [(2 << bit) - 1 for bit in range(8)]


def test_ticks_are_those_of_the_interrupt_however_late_they_are_told() -> None:
    pico = Pico()
    pico.change(3, after_us=100)
    pico.change(1, after_us=35)
    pico.change(5, after_us=20)
    assert [later.tick - earlier.tick for earlier, later in pairwise(pico.edges())] == [35, 20]


def test_two_buttons_in_one_interrupt_are_one_line_though_each_pin_interrupts() -> None:
    pico = Pico()
    pico.change(6, 2, after_us=100)
    pico.box.note(None)
    (line,) = pico.edges()
    assert (line.mask, line.sequence) == (0b0100_0100, 1)


def test_a_button_held_at_the_start_is_a_level_and_no_edge() -> None:
    pico = Pico(down=0b10)
    pico.run(50_000)
    assert {(line.is_edge, line.mask) for line in pico.heard() if isinstance(line, Levels)} == {(False, 0b10)}


def test_heartbeats_come_every_20_ms_and_never_before_an_edge_that_waits() -> None:
    pico = Pico()
    pico.run(100_000)
    beats = [line for line in pico.heard() if isinstance(line, Levels)]
    assert [later.tick - earlier.tick for earlier, later in pairwise(beats)] == [20_000] * (len(beats) - 1)
    pico.us += 30_000
    pico.change(0)
    pico.box.turn()
    (line,) = pico.heard()
    assert isinstance(line, Levels)
    assert line.is_edge


def test_a_ping_is_answered_with_the_tick_at_which_it_was_read() -> None:
    pico = Pico()
    for byte in b"x\x03?\x80":
        pico.box.hear(byte)
    assert pico.heard() == [Boot(VERSION, 0x1234_ABCD), Answer(0x80, 5_000_000)]


def test_a_storm_of_edges_is_told_as_drops_and_ends_with_the_true_levels() -> None:
    pico = Pico()
    for _ in range(401):
        pico.change(0, after_us=10)
    lines = pico.edges()
    assert len(lines) == 64
    assert lines[-1].mask == 1
    assert lines[-1].drops == 0xFF


@pytest.mark.parametrize("began_us", [(1 << 30) - 50_000, (1 << 30) - 30_100])
def test_micropythons_30_bits_become_the_protocols_32(began_us: int) -> None:
    pico = Pico(began_us=began_us)
    for _ in range(10):
        pico.change(0)
        pico.run(10_000)
    assert [line.tick for line in pico.edges()] == [began_us + 10_000 * i for i in range(10)]


def test_the_tick_goes_on_to_32_bits_and_wraps_there() -> None:
    pico = Pico()
    quarter_us = 1 << 28
    for _ in range(17):
        pico.us += quarter_us
        pico.box.turn()
    pico.change(0)
    (line,) = pico.edges()
    assert line.tick == (5_000_000 + 17 * quarter_us) % (1 << 32)


def test_the_host_reads_it_as_a_box() -> None:
    pico, source = Pico(), QueuedSource("box", lag_ns=0)
    reader = BoxReader(seats(8), source.put, now_ns=pico.us * 1_000)
    pico.box.boot()

    def run(span_us: int) -> None:
        for _ in range(0, span_us, 500):
            pico.run(500)
            data, pico.wire = pico.wire, b""
            reader.take(data, pico.us * 1_000)
            for byte in reader.ping(pico.us * 1_000):
                pico.box.hear(byte)

    run(100_000)
    assert {edge.kind for edge in source.edges()} == {Kind.LEVEL}
    pico.change(7)
    pressed_ns = pico.us * 1_000
    run(30_000)
    (edge,) = source.edges()
    assert isinstance(edge, Edge)
    assert (edge.kind, edge.seat) == (Kind.DOWN, "H")
    assert abs(edge.t_ns - pressed_ns) <= edge.within_ns


def micropython_home() -> str:
    """Where npm keeps MicroPython; empty where it does not."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return ""
    root = subprocess.run(["npm", "root", "-g"], check=True, capture_output=True, text=True).stdout.strip()
    home = Path(root) / "@micropython" / "micropython-webassembly-pyscript"
    return str(home) if home.is_dir() else ""


@pytest.mark.micropython
def test_micropython_runs_it_and_its_interrupt_asks_for_no_memory() -> None:
    home = micropython_home()
    if not home:
        pytest.skip("needs MicroPython (npm install -g @micropython/micropython-webassembly-pyscript)")
    command = ["node", str(IN_MICROPYTHON / "run.mjs"), home, str(PROGRAM), str(IN_MICROPYTHON / "script.py")]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout)
    assert said["version"][0] == 1, "which MicroPython ran"
    assert said["asked_bytes"] == 0
    lines = list(Framing().take("".join(said["wire"]).encode()))
    edges = [line for line in lines if isinstance(line, Levels) and line.is_edge]
    assert [(line.sequence, line.mask, line.drops) for line in edges[:3]] == [(1, 1, 0), (2, 3, 0), (3, 7, 0)]
    assert [later.tick - earlier.tick for earlier, later in pairwise(edges[:3])] == [35, 20]
    assert [line for line in lines if isinstance(line, Boot | Answer)] == [Boot(VERSION, 0x2A), Answer(0x80, 1_000_055)]


def test_the_host_puts_lamps_on_and_out() -> None:
    pico = Pico()
    for byte in (0x41, 0x4F, 0x45, 0x44, 0x51, 0x3E):
        pico.box.hear(byte)
    assert pico.lit == {0, 7}
