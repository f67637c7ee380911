"""A slap box, a pin and a phone in one game: one order of slaps, each with what its clock is worth."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.hardware.boxes import Plug
from tests.hardware.live_box import LiveBox
from tests.page.conftest import PATIENCE_MS, PHONE, Open, Program

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals"),
]
MIXED = Path(__file__).parent / "mixed.py"


class Mixed(Program):
    """The program, and Boris's button on its pin."""

    def tap_pin(self) -> None:
        """Boris taps his button."""
        assert self.process.stdin is not None
        self.process.stdin.write("tap\n")
        self.process.stdin.flush()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[LiveBox]:
    plug = Plug(tmp_path / "ttyBOX")
    plug.push_in()
    box = LiveBox(plug)
    yield box
    box.close()
    plug.pull_out()


@pytest.fixture
def mixed(box: LiveBox, tmp_path: Path) -> Iterator[Mixed]:
    program = Mixed(str(MIXED), "PORT", str(tmp_path / "ttyBOX"))
    yield program
    program.kill()


def test_box_pin_and_phone_play_one_game(mixed: Mixed, box: LiveBox, look_at: Open) -> None:
    hall, phone = look_at(mixed, "/"), look_at(mixed, "/seat/C", size=PHONE)
    host, found = look_at(mixed, "/host", size=PHONE), look_at(mixed, "/buttons", size=PHONE)
    slaps = {"Vera": lambda: phone.touch(".big"), "Anna": lambda: box.tap(0), "Boris": mixed.tap_pin}
    phone.wait_for(".within", "±")
    host.tap(".calls .tap", "dealt")
    hall.wait_for(".headline", "Who has a 2?")

    slaps["Vera"]()
    hall.wait_for(".headline", "Vera: lay a 2")

    for player, slap in slaps.items():
        slap()
        hall.wait_for(".slap .name", player)
    until(lambda: 0 in box.lit_ns)  # the lamp in the box's button

    for player, source in (("Anna", "the slap box"), ("Boris", "the pins"), ("Vera", "the phone of Vera")):
        found.wait_for(".row", f"{player} · {source}")
    good_to = {text.split(" ·")[0]: within_ms(text) for text in found.page.locator(".row .name").all_inner_texts()}
    assert good_to["Boris"] < 0.1
    assert good_to["Anna"] > good_to["Boris"], "a box's clock is compared with ours, and that is told"
    assert good_to["Vera"] >= 16, "nobody knows better when a finger touched a phone"
    phone.close()
    hall.wait_for(".lost", "the phone of Vera")


def until(is_so: Callable[[], bool]) -> None:
    """Waits for what no page shows."""
    end = time.monotonic() + PATIENCE_MS / 1_000
    while not is_so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def within_ms(row: str) -> float:
    """What a button's times are good to, as its row says."""
    found = re.search(r"± ([\d.e+]+) ms", row)
    assert found is not None
    return float(found[1])
