"""The real program and a slap box at a real (pseudo) serial port: seats by slapping, lamps, the doctor's report."""

from __future__ import annotations

import json
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cardtable.helpers import clean_environment
from tests.hardware.boxes import Plug
from tests.hardware.live_box import LiveBox

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")

PATIENCE_S = 60


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    plug = Plug(tmp_path / "ttyBOX")
    plug.push_in()
    yield plug
    plug.pull_out()


@pytest.fixture
def box(plug: Plug) -> Iterator[LiveBox]:
    box = LiveBox(plug)
    yield box
    box.close()


class Output:
    """What a program says, line by line."""

    def __init__(self, program: subprocess.Popen[bytes]) -> None:
        self.program, self._said = program, ""

    def wait_for(self, words: str) -> str:
        """The next line with these words in it."""
        assert self.program.stdout is not None
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if select.select([self.program.stdout], [], [], 1)[0]:
                line: str = self.program.stdout.readline().decode()
                assert line, f"the program ended without a word of {words!r}: {self._said}"
                self._said += line
                if words in line:
                    return line
        raise AssertionError(f"no {words!r}")


@contextmanager
def running(*arguments: str) -> Iterator[Output]:
    command = [sys.executable, "-m", "cardtable.main", *arguments]
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, bufsize=0, env=clean_environment(), **both) as program:  # type: ignore[call-overload]
        try:
            yield Output(program)
        finally:
            program.kill()


def test_seats_are_taken_by_slapping_and_the_lamps_of_the_box_follow(plug: Plug, box: LiveBox, tmp_path: Path) -> None:
    play = ("play", "bong", "--players", "Anna,Boris,Vera", "--dealer", "C", "--dealt", "--option", "claim_s=1")
    where = ("--headless", "--json", "--buttons", f"box:{plug.address.path}", "--seating")
    with running(*play, *where, "--store", str(tmp_path / "sessions.sqlite")) as output:
        for player, bit in (("Anna", 2), ("Boris", 0), ("Vera", 1)):
            output.wait_for(f"{player}: slap your button.")
            box.tap(bit)
        output.wait_for("Everybody sits.")
        slapped_ns = box.tap(2)
        assert json.loads(output.wait_for('"claim"'))["seat"] == "A", "Anna sits at the third button"
        assert json.loads(output.wait_for('"claims-closed"'))["seat"] == "A"
        assert box.lit_ns[2] > slapped_ns, "her slap lit the lamp in her button"
        output.program.send_signal(signal.SIGTERM)
        assert output.program.wait(PATIENCE_S) == 0
    until = time.monotonic() + PATIENCE_S
    while box.box.lit and time.monotonic() < until:
        select.select([], [], [], 0.02)
    assert not box.box.lit, "a program that ends puts its lamps out"


def test_the_doctor_shows_level_chatter_and_times_and_whether_all_are_alike(
    plug: Plug, box: LiveBox, tmp_path: Path
) -> None:
    buttons = ("--buttons", f"box:{plug.address.path}", "--listen", "3", "--fair", "2")
    with running("doctor", *buttons, "--store", str(tmp_path / "sessions.sqlite")) as output:
        output.wait_for("Press every button")
        box.tap(0)
        found = output.wait_for("A (")
        assert "up, ready, pressed 1 times, clean" in found
        for number in (1, 2):
            output.wait_for(f"{number} of 2: NOW")
            box.tap(1)
        told = output.wait_for("B: ")
        assert "spread" in told
        assert "(2 of 2 cues answered)" in told
        output.wait_for("nothing is corrected")


def test_a_stuck_button_is_what_the_doctor_finds(plug: Plug, box: LiveBox, tmp_path: Path) -> None:
    box.change(1)
    store = ("--store", str(tmp_path / "sessions.sqlite"))
    with running("doctor", "--buttons", f"box:{plug.address.path}", *store) as output:
        output.wait_for("stuck down: B")
        assert output.program.wait(PATIENCE_S) == 1
