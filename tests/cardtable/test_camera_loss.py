"""A camera that fails in mid-game is told, costs the game nothing, and is taken up again. The stream is a real one."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest

from cardtable.live import LiveDriver
from cardtable.page.chronicle import Chronicle
from cardtable.session import Session
from engine.events import Event
from tests.cardtable.helpers import GreyWatcher, cardtable, plan
from tests.vision.cameras.stream import NetworkTable
from vision.cameras import open_camera
from vision.frames import Frame
from vision.troubles import Trouble

PATIENCE_S = 30


def until(is_so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


class Counting(GreyWatcher):
    """Sees no card in noise, but counts what it was shown."""

    seen = 0

    def see(self, frame: Frame) -> tuple[Event, ...]:
        self.seen += 1
        self.mark_ns = frame.t_ns
        return ()


@pytest.fixture
def table() -> Iterator[NetworkTable]:
    with NetworkTable() as table:
        yield table


def test_a_camera_that_falls_silent_is_told_in_the_readers_language_while_the_game_goes_on(table: NetworkTable) -> None:
    session, watcher = Session(plan()), Counting()
    session.tracker = watcher
    camera = open_camera(table.address)
    driver = LiveDriver(session, camera=camera)
    told: list[Trouble | None] = []
    driver.on_trouble = told.append
    driver.start()
    try:
        until(lambda: watcher.seen)
        table.is_mute = True
        until(lambda: "camera" in session.lost)
        shot = driver.post(lambda session: Chronicle(session).shoot(session, "ru")).result(PATIENCE_S)
        assert shot.lost == (f"Камера {table.address} перестала слать картинку; проверьте кабель",)
        assert shot.is_blind, "cards are tapped on the page meanwhile"
        driver.post(lambda session: session.call("dealt", who="host")).result(PATIENCE_S)
        before = watcher.seen
        table.is_mute = False
        until(lambda: "camera" not in session.lost and watcher.seen > before)
        assert [trouble.code if trouble else None for trouble in told] == ["stopped", None]
        assert driver.failure is None
        assert len(session.referee.log) > 0
    finally:
        driver.stop()
        camera.close()


@pytest.mark.parametrize("ailment", ["mute", "black"])
def test_a_camera_without_pictures_is_one_sentence_and_exit_status_2(table: NetworkTable, ailment: str) -> None:
    table.is_mute, table.level = ailment == "mute", 2 if ailment == "black" else None
    answer = cardtable("play", "bong", "--players", "Anna,Boris,Vera", "--headless", "--camera", table.address)
    assert answer.returncode == 2
    says = "cannot be reached|sends no picture" if ailment == "mute" else "sends a black picture; take its cover off"
    assert re.search(says, answer.stderr)
    assert "Traceback" not in answer.stderr
