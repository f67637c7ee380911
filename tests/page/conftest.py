"""A real server in a process of its own, and a real Chromium that looks at it."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
Size = tuple[int, int]
TELEVISION, SMALL, PHONE = (1920, 1080), (1280, 720), (390, 844)
SERVED = Path(__file__).parent / "served.py"
ROOT = Path(__file__).parents[2]
PATIENCE_MS = 60_000
"""What does not come in a minute does not come; a busy machine may need much of it."""


class Program:
    """A program that serves pages, in a process of its own."""

    def __init__(self, *words: str) -> None:
        """`PORT` among the words stands for a free port."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._words = [sys.executable, *(str(self.port) if word == "PORT" else word for word in words)]
        self.start()

    def start(self) -> None:
        """Starts it (again), on the same port, and waits until it listens."""
        env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "NICEGUI"))}
        self.process = subprocess.Popen(
            self._words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
            env=env | {"PYTHONPATH": str(ROOT)},
        )
        deadline = time.monotonic() + 2 * PATIENCE_MS / 1_000
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert self.process.poll() is None, "the program ended by itself"
                assert time.monotonic() < deadline, "the program does not listen"
                time.sleep(0.05)

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()


class Table(Program):
    """A served session at whose table only happens what `send` says."""

    def __init__(self, players: str = "Anna,Boris,Vera,Grigory", store: Path | None = None) -> None:
        super().__init__(str(SERVED), "PORT", players, *([str(store)] if store else []))

    def send(self, do: str, **values: Any) -> None:
        """Something happens at the table."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **values}) + "\n")
        self.process.stdin.flush()
        answer = self._answer()
        assert answer == "ok", answer

    def _answer(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(("ok", "refused")):
                return line.strip()
        raise AssertionError("the served session ended")


def begin(table: Table) -> None:
    """The deal is confirmed, Anna claims and lays the first two; the next needed card is a 3."""
    table.send("dealt", ms=0)
    table.send("press", seat="A", ms=1000)
    table.send("time", ms=6000)
    slap_and_lay(table, "A", "2C", lay=1, ms=8000)


def slap_and_lay(table: Table, seat: str, card: str, *, lay: int, ms: float) -> None:
    """A card is laid 40 ms after its slap, and a second passes."""
    table.send("press", seat=seat, ms=ms)
    table.send("lay", card=card, lay=lay, ms=ms + 40)
    table.send("time", ms=ms + 1000)


FOUR = "Anna,Boris,Vera,Grigory"


@pytest.fixture(scope="session")
def shared_table() -> Iterator[Table]:
    """One program for many tests: to start it costs more than to begin another game."""
    table = Table()
    yield table
    table.kill()


@pytest.fixture
def table(shared_table: Table, request: pytest.FixtureRequest) -> Table:
    """A party in Bong before the deal is confirmed; four players unless a test says otherwise."""
    shared_table.send("begin", players=getattr(request, "param", FOUR))
    return shared_table


@pytest.fixture
def own_table() -> Iterator[Table]:
    """A program that the test may kill."""
    table = Table()
    yield table
    table.kill()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    if CHROMIUM is None:
        pytest.skip("needs Debian's chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Window:
    """One browser window and what it asked for."""

    def __init__(self, browser: Browser, table: Program, path: str, *, size: Size, language: str) -> None:
        self._context = browser.new_context(viewport={"width": size[0], "height": size[1]})
        self._context.add_cookies([{"name": "cardtable-language", "value": language, "url": table.url}])
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.asked: list[str] = []
        self.page.on("request", self._note)
        self.page.on("websocket", lambda socket: self.asked.append(socket.url))
        self.page.goto(table.url + path)

    def _note(self, request: Request) -> None:
        self.asked.append(request.url)

    def wait_for(self, selector: str, text: str) -> None:
        """Waits until `text` stands there; the signs that keep suits from becoming pictures are left aside."""
        self.find(selector, text).wait_for()

    def tap(self, selector: str, text: str = "") -> None:
        """Taps what carries that text."""
        self.find(selector, text).click()

    def touch(self, selector: str, *, lasting_s: float = 0.06) -> None:
        """A finger is there for so long by the browser's own stamps, however late a busy machine gets round to it."""
        self.page.locator(selector).first.hover()  # waits until it can be touched and stays where it is
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        devtools, began_s = self._context.new_cdp_session(self.page), time.time()
        for kind, stamp_s in (("mousePressed", began_s), ("mouseReleased", began_s + lasting_s)):
            time.sleep(max(0.0, stamp_s - time.time()))
            finger = {"type": kind, "button": "left", "clickCount": 1, "timestamp": stamp_s}
            devtools.send("Input.dispatchMouseEvent", at | finger)
        devtools.detach()

    def find(self, selector: str, text: str) -> Locator:
        """The first such element with that text in it."""
        pattern = re.compile(r"\ufe0e?".join(re.escape(letter) for letter in text))
        return self.page.locator(selector).filter(has_text=pattern).first

    def style(self, selector: str, name: str) -> str:
        """What CSS makes of the first such element."""
        return str(self.page.locator(selector).first.evaluate("(e, name) => getComputedStyle(e)[name]", name))

    def close(self) -> None:
        self._context.close()


Open = Callable[..., Window]


@pytest.fixture
def look_at(browser: Browser) -> Iterator[Open]:
    """Opens windows on a table: `look_at(table, "/host", size=PHONE, language="ru")`."""
    opened: list[Window] = []

    def open_window(table: Program, path: str = "/", *, size: Size = TELEVISION, language: str = "en") -> Window:
        opened.append(Window(browser, table, path, size=size, language=language))
        return opened[-1]

    yield open_window
    for window in opened:
        window.close()


@pytest.fixture
def look(table: Table, look_at: Open) -> Open:
    """Opens windows on the test's own table."""
    return partial(look_at, table)
