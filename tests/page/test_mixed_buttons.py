"""A slap box, a pin and a phone in one game: one order of slaps, each with what its clock is worth."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator
from playwright.sync_api import TimeoutError as NotSeen

from tests.hardware.boxes import Plug
from tests.hardware.live_box import LiveBox
from tests.page.conftest import PHONE, Open, Program, Window

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals"),
]
MIXED = Path(__file__).parent / "mixed.py"


class Mixed(Program):
    """The program, and Boris's button on its pin."""

    def pin(self, level: str) -> None:
        """Boris's button goes `down` or `up`."""
        assert self.process.stdin is not None
        self.process.stdin.write(level + "\n")
        self.process.stdin.flush()

    def is_lit(self) -> bool:
        """Whether the lamp on Boris's pin is lit."""
        self.pin("lamps")
        assert self.process.stdout is not None
        return next(line for line in self.process.stdout if line in ("lit\n", "dark\n")) == "lit\n"


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


def slaps_of(mixed: Mixed, box: LiveBox, phone: Window) -> dict[str, Callable[[], object]]:
    """Anna taps the box, Boris the pin, Vera her phone; short taps, for a long one is a hold."""

    def tap_pin() -> None:
        mixed.pin("down")
        mixed.pin("up")

    # The phone first: on a busy machine its browser is the slowest, and the first claim begins the time for the others.
    return {"Vera": phone.page.locator(".big").click, "Anna": lambda: box.tap(0), "Boris": tap_pin}


def until_seen(slap: Callable[[], object], sign: Locator) -> None:
    """Slaps, and again if nothing came of it: a starved browser may turn a click into a hold, which is no slap."""
    for is_last in (False, False, True):
        slap()
        try:
            sign.wait_for(timeout=20_000 if is_last else 7_000)
            return
        except NotSeen:
            if is_last:
                raise


@pytest.mark.unhurried
def test_box_pin_and_phone_play_one_game(mixed: Mixed, box: LiveBox, look_at: Open) -> None:
    hall, phone = look_at(mixed, "/"), look_at(mixed, "/seat/C", size=PHONE)
    host, found = look_at(mixed, "/host", size=PHONE), look_at(mixed, "/buttons", size=PHONE)
    phone.wait_for(".within", "±")
    host.tap(".calls .tap", "dealt")
    hall.wait_for(".headline", "Who has a 2?")

    for player, slap in slaps_of(mixed, box, phone).items():
        until_seen(slap, host.find(".line", f"{player} claims"))
    hall.wait_for(".headline", "lay a 2")

    for player, slap in slaps_of(mixed, box, phone).items():
        until_seen(slap, hall.find(".slap .name", player))
    assert 0 in box.lit_ns, "the lamp in the box's button was lit"

    for player, source in (("Anna", "the slap box"), ("Boris", "the pins"), ("Vera", "the phone of Vera")):
        found.wait_for(".row", f"{player} · {source}")
    good_to = {text.split(" ·")[0]: within_ms(text) for text in found.page.locator(".row .name").all_inner_texts()}
    assert good_to["Anna"] < 10, "a box's clock is compared with ours, and that is told"
    assert good_to["Boris"] < 0.1
    assert good_to["Vera"] >= 16, "nobody knows better when a finger touched a phone"
    phone.close()
    hall.wait_for(".lost", "the phone of Vera")


def within_ms(row: str) -> float:
    """What a button's times are good to, as its row says."""
    found = re.search(r"± ([\d.e+]+) ms", row)
    assert found is not None
    return float(found[1])
