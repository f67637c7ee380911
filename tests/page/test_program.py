"""The whole program at a table without camera and buttons: everything is said on phones."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.page.conftest import PHONE, ROOT, Open, Program, Window

COMMAND = (
    "-m",
    "cardtable.main",
    "play",
    "bong",
    "--players",
    "Anna,Boris,Vera",
    "--dealer",
    "C",
    "--host",
    "127.0.0.1",
)


@pytest.fixture
def words(tmp_path: Path) -> tuple[str, ...]:
    """How the program is started, with a store of the test's own."""
    return (*COMMAND, "--port", "PORT", "--store", str(tmp_path / "sessions.sqlite"))


def tap(phone: Window) -> None:
    """A finger taps the phone's button; not longer, for a long press is a hold."""
    phone.wait_for(".within", "±")
    phone.touch(".big")


def hold(phone: Window) -> None:
    """A finger stays on the phone's button, which shines once it is heard, until the finger goes."""
    phone.wait_for(".within", "±")
    phone.page.locator(".big").hover()
    phone.page.mouse.down()
    phone.page.locator(".big.heard").wait_for()
    phone.page.mouse.up()
    phone.page.locator(".big:not(.heard)").wait_for()


@pytest.mark.browser
def test_a_party_on_phones_survives_a_power_cut(words: tuple[str, ...], look_at: Open) -> None:
    program = Program(*words)
    try:
        host = look_at(program, "/host", size=PHONE)
        host.tap(".calls .tap", "dealt")
        tap(look_at(program, "/seat/A", size=PHONE))
        host.wait_for(".headline", "Anna: lay a 2")
        host.tap(".chip", "Anna")
        host.tap(".sheet .tap", "Anna laid")
        host.tap(".picker .tap", "2♣")
        host.wait_for(".now .rank", "3")
        program.kill()
        program.start()
        host.wait_for(".question", "Go on from the last event?")
        host.tap(".question .tap", "Go on")
        host.wait_for(".now .rank", "3")
        host.wait_for(".line", "Anna lays 2♣: fine.")
        hold(look_at(program, "/seat/B", size=PHONE))
    finally:
        program.kill()


def test_it_says_where_the_pages_are_and_ends_quietly_with_ctrl_c(words: tuple[str, ...]) -> None:
    program = Program(*words)
    program.process.send_signal(signal.SIGINT)
    said, _ = program.process.communicate(timeout=30)
    assert said.splitlines() == [
        f"The hall is at {program.url}/ and the host's page at {program.url}/host",
        "Stop with Ctrl+C.",
    ]
    assert program.process.returncode == 0


def test_a_taken_port_is_told_in_a_sentence(words: tuple[str, ...]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        told = [port if word == "PORT" else word for word in words]
        ended = subprocess.run(
            [sys.executable, *told], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
        )
    assert ended.returncode == 2
    assert "choose another --port" in ended.stderr
    assert "Traceback" not in ended.stderr
