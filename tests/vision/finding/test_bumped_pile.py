"""A bump in mid-game: the pile is followed on as before, and nothing is read while the table is astray."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from cardtable.eyes import ASTRAY_FRAMES, Eyes
from cardtable.plan import Plan
from engine.events import CardLaid, Event
from engine.rules import Setup
from tests.vision.drawn import FRAME_NS, LAYOUT, SEATS, At, MarkerReader, Picture, Scene
from vision.frames import Frame

SIDE = LAYOUT.size_px[0]
LAID = Scene().with_card("2C", At(-40, -30, 20)).with_card("3D", At(20, 10, -35))
NEXT = LAID.with_card("4H", At(60, -50, 5))


class Table:
    """A session's eyes above a drawn table whose camera can be moved."""

    def __init__(self) -> None:
        players = ("Anna", "Boris", "Vera", "Gleb")
        plan = Plan(game="bong", setup=Setup(SEATS, players, SEATS[0]), layout=LAYOUT.to_json())
        self.eyes, self.events = Eyes(plan, MarkerReader()), list[Event]()
        self.restarts = 0
        self.eyes.on_restart = self._restarted
        self.camera = np.eye(2, 3)
        self._rng, self._number = np.random.default_rng(2), 0

    def _restarted(self) -> None:
        self.restarts += 1

    def show(self, scene: Scene, frames: int) -> list[str]:
        """The same for so many frames; the cards that were laid."""
        before = len(self.events)
        for _ in range(frames):
            self._number += 1
            frame = Frame(self._shot(scene), self._number * FRAME_NS, FRAME_NS // 2, self._number)
            self.events += self.eyes.see(frame)
        return [str(event.card) for event in self.events[before:] if isinstance(event, CardLaid)]

    def _shot(self, scene: Scene) -> Picture:
        picture = scene.draw(self._rng)
        return np.asarray(
            cv2.warpAffine(picture, self.camera, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8
        )

    def bump(self, dx: float, dy: float, degrees: float) -> None:
        self.camera = np.asarray(cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), degrees, 1), dtype=np.float64)
        self.camera[:, 2] += (dx, dy)


@pytest.fixture
def table() -> Table:
    table = Table()
    table.show(Scene(), 6)
    assert sorted(set(table.show(LAID, 25))) == ["2C", "3D"]
    return table


def test_after_a_bump_no_card_is_laid_again_and_the_next_one_is_seen(table: Table) -> None:
    laid = {event.lay for event in table.events if isinstance(event, CardLaid)}
    table.bump(24, -15, 4)
    table.show(LAID, 45)
    assert {event.lay for event in table.events if isinstance(event, CardLaid)} == laid
    assert not table.eyes.is_astray
    assert table.eyes.layout is not None
    assert table.eyes.layout.px_from_mm != LAYOUT.px_from_mm
    assert set(table.show(NEXT, 25)) == {"4H"}
    assert [event for event in table.events if not isinstance(event, CardLaid)] == []


def test_a_table_out_of_sight_is_not_read_and_people_are_told(table: Table) -> None:
    table.camera = np.array([[1.0, 0.0, 1900.0], [0.0, 1.0, 0.0]])
    table.show(NEXT, 10)
    read = table.events.copy()
    table.show(NEXT, ASTRAY_FRAMES)
    assert table.eyes.is_astray
    assert table.events == read
    assert not table.eyes.is_quiet
    table.camera = np.eye(2, 3)
    assert set(table.show(NEXT, 40)) == {"4H"}
    assert not table.eyes.is_astray


def test_a_new_set_up_begins_a_new_tracker_and_says_so_first(table: Table) -> None:
    moved = LAYOUT.from_json({**LAYOUT.to_json(), "pile_mm": [-140, -150, 300, 300]})
    table.eyes.lay_out(moved)
    table.show(LAID, 25)
    assert table.restarts == 1
    assert table.eyes.layout == moved


def test_a_set_up_for_other_pictures_is_told_and_reads_nothing() -> None:
    table = Table()
    table.eyes.lay_out(LAYOUT.from_json({**LAYOUT.to_json(), "size_px": [1000, 1200]}))
    assert table.show(LAID, 3) == []
    assert table.eyes.is_astray
