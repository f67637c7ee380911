"""The real program at a real (pseudo) serial port: killed in mid-game it is started again and goes on."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from cardtable.session import Session
from cardtable.store import Store
from tests.cardtable.helpers import cardtable, clean_environment, plan
from tests.hardware.boxes import Box, Plug

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")

PATIENCE_S = 60


class Table:
    """A running `cardtable` and the slap box on its serial port."""

    def __init__(self, program: subprocess.Popen[bytes], port: int) -> None:
        assert program.stdout is not None
        self.program, self.box = program, Box()
        self._port, self._output, self._printed = port, program.stdout.fileno(), b""
        self._send(self.box.boots())

    def tap(self, bit: int) -> None:
        """A button goes down and up."""
        for _ in range(2):
            self._send(self.box.changes(time.monotonic_ns(), bit))
            self._live(0.06)

    def line(self, code: str) -> dict[str, Any]:
        """The next printed ruling of that code."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and self.program.poll() is None:
            text, newline, rest = self._printed.partition(b"\n")
            if not newline:
                self._live(0.2)
                continue
            self._printed = rest
            if (found := json.loads(text))["code"] == code:
                return dict(found)
        self.program.kill()
        raise AssertionError(f"no {code!r}: {self.program.communicate()[1].decode()}")

    def _live(self, seconds: float) -> None:
        """The box's heartbeat and its answers; what is printed meanwhile is kept."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._send(self.box.beats(time.monotonic_ns()))
            ready, _, _ = select.select([self._port, self._output], [], [], 0.02)
            if self._port in ready:
                self._send(self.box.hears(os.read(self._port, 4096), time.monotonic_ns()))
            if self._output in ready:
                self._printed += os.read(self._output, 65536)

    def _send(self, data: bytes) -> None:
        # Nobody reads before the program has opened the port: what does not fit is lost, as on a real wire.
        with suppress(BlockingIOError):
            os.write(self._port, data)


@contextmanager
def running(plug: Plug, *arguments: str) -> Iterator[Table]:
    buttons = ("--headless", "--json", "--buttons", f"box:{plug.address.path}")
    command = [sys.executable, "-m", "cardtable.main", *arguments, *buttons]
    port = plug._box_end
    assert port is not None
    os.set_blocking(port, False)
    environment = clean_environment()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as program:
        try:
            yield Table(program, port)
        finally:
            program.kill()


@pytest.fixture
def plug(tmp_path: Path) -> Iterator[Plug]:
    plug = Plug(tmp_path / "ttyBOX")
    plug.push_in()
    yield plug
    plug.pull_out()


def test_killed_program_goes_on_from_the_last_event(plug: Plug, tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "sessions.sqlite"))
    bong = ("play", "bong", "--players", "Anna,Boris,Vera", "--dealer", "C", "--dealt", "--option", "claim_s=1")
    with running(plug, *bong, *store) as table:
        table.line("dealt")
        table.tap(1)
        assert table.line("claim")["seat"] == "B"
        table.program.send_signal(signal.SIGKILL)

    listed = cardtable("resume", "--list", *store)
    assert listed.returncode == 0
    assert listed.stdout.startswith("1: bong, Anna, Boris, Vera")
    again = cardtable("play", "bong", "--players", "Anna,Boris,Vera", "--headless", *store)
    assert "cardtable resume 1" in again.stderr

    with running(plug, "resume", *store) as table:
        closed = table.line("claims-closed")
        assert closed["seat"] == "B", "his claim was made before the program was killed"
        table.program.send_signal(signal.SIGTERM)
        assert table.program.wait(PATIENCE_S) == 0
    with Store(tmp_path / "sessions.sqlite") as kept:
        (stored,) = kept.sessions()
        codes = [ruling.code for rulings in kept.log(stored).stored_rulings().values() for ruling in rulings]
    assert codes.index("dealt") < codes.index("claim") < codes.index("claims-closed")


def test_session_recorded_at_a_real_port_judges_the_same_when_played_again(plug: Plug, tmp_path: Path) -> None:
    where = ("--store", str(tmp_path / "sessions.sqlite"), "--record", str(tmp_path / "evening"))
    bong = ("play", "bong", "--players", "Anna,Boris,Vera", "--dealer", "C", "--dealt", "--option", "claim_s=1")
    with running(plug, *bong, *where) as table:
        table.line("dealt")
        table.tap(0)
        table.tap(2)
        lot = table.line("lot-start")
        table.program.send_signal(signal.SIGTERM)
        assert table.program.wait(PATIENCE_S) == 0
    again = cardtable("play", "--recording", str(tmp_path / "evening"), "--headless", "--json")
    assert again.returncode == 0, again.stderr
    lots = [line for line in map(json.loads, again.stdout.splitlines()) if line["code"] == "lot-start"]
    assert [line["seat"] for line in lots] == [lot["seat"]]
    assert cardtable("replay", str(tmp_path / "evening")).returncode == 0
    assert cardtable("replay", "1", *where[:2]).returncode == 0


def test_terminal_asks_whether_to_go_on(tmp_path: Path) -> None:
    store = tmp_path / "sessions.sqlite"
    with Store(store) as kept:
        session = Session(plan(), keeper=kept.begin(plan()))
        session.call("dealt", who="host")
    mine, theirs = pty.openpty()
    arguments = ("play", "bong", "--players", "Anna,Boris,Vera", "--headless", "--camera", "97", "--store", str(store))
    command = [sys.executable, "-m", "cardtable.main", *arguments]
    environment = clean_environment()
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment) as program:
        os.close(theirs)
        asked = read_until(mine, "Go on with it?")
        os.write(mine, b"n\n")
        assert program.wait(PATIENCE_S) == 2, "there is no camera 97, but the question came first"
    os.close(mine)
    assert "Session 1 (bong, Anna, Boris, Vera" in asked
    with Store(store) as kept:
        assert kept.unfinished() == (), "who declines is not asked again"


def read_until(terminal: int, text: str) -> str:
    seen = ""
    while text not in seen:
        ready, _, _ = select.select([terminal], [], [], PATIENCE_S)
        assert ready, f"never said {text!r}, only {seen!r}"
        seen += os.read(terminal, 4096).decode()
    return seen
