"""A bare table that is bumped: known again by its grain, and honestly not where the grain does not tell."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from cardtable.simulated.camera import Camera
from cardtable.simulated.scene import Scene
from cardtable.simulated.tops import HARD_TOPS
from tests.vision.finding.rendered import camera
from vision.finding.ground import Trial, choose_swatches
from vision.finding.watch import FoundAgain, Moved, News, Watch
from vision.frames import Picture
from vision.layout import Layout, Zone, as_homography

SEEN_BY: Camera = camera(scale=1.55)
LAYOUT = Layout((1920, 1080), as_homography(SEEN_BY.homography), Zone(-150, -150, 300, 300))
BUMPS = [(5.0, 2.0, 0.0), (-28.0, 22.0, 1.2), (40.0, -20.0, -3.0)]


class Table:
    """A table top under a camera that can be bumped."""

    def __init__(self, top: str) -> None:
        self.scene, self._number = Scene(2, camera=SEEN_BY, top=HARD_TOPS[top]), 0

    def frames(self) -> Iterator[Picture]:
        while True:
            self._number += 1
            yield self.scene.frame((), (), self._number * 33_333_333)

    def bump(self, dx: float, dy: float, degrees: float) -> None:
        turned = np.eye(3)
        turned[:2] = cv2.getRotationMatrix2D((960, 540), degrees, 1)
        turned[:2, 2] += (dx, dy)
        self.scene.look_from(turned)

    def off_mm(self, layout: Layout) -> float:
        """How far the layout puts the pile's corners from where they are."""
        corners = LAYOUT.pile.corners()
        return float(np.linalg.norm(layout.to_mm(self.scene.camera.project(corners)) - corners, axis=1).max())


def run(watch: Watch, frames: Iterator[Picture], count: int) -> list[News]:
    news = (watch.see(next(frames)) for _ in range(count))
    return [one for one in news if one is not None]


@pytest.fixture
def white() -> tuple[Table, Watch]:
    table = Table("white-cloth")
    watch = Watch(LAYOUT)
    assert run(watch, table.frames(), 12) == []
    return table, watch


def test_a_white_tablecloth_is_watched_by_its_grain(white: tuple[Table, Watch]) -> None:
    assert not white[1].is_blind


@pytest.mark.parametrize("bump", BUMPS)
def test_a_bump_on_bare_cloth_is_noticed_at_once_and_the_table_found_again(
    white: tuple[Table, Watch], bump: tuple[float, float, float]
) -> None:
    table, watch = white
    table.bump(*bump)
    first, *others = run(watch, table.frames(), 26)
    assert isinstance(first, Moved)
    assert [type(one) for one in others] == [FoundAgain]
    assert table.off_mm(watch.layout) < 1.2


def test_a_lamp_from_one_side_moves_no_bare_cloth(white: tuple[Table, Watch]) -> None:
    table, watch = white
    side = np.linspace(0.45, 1, 1920, dtype=np.float32)[None, :, None]
    table.scene.light_up(np.ones((1080, 1920, 3), np.float32) * side)
    assert run(watch, table.frames(), 18) == []


@pytest.mark.parametrize("bump", BUMPS)
def test_on_checks_that_repeat_it_is_found_by_what_does_not_and_never_at_another_square(
    bump: tuple[float, float, float],
) -> None:
    table = Table("checked-cloth")
    watch = Watch(LAYOUT)
    run(watch, table.frames(), 12)
    table.bump(*bump)
    news = run(watch, table.frames(), 40)
    assert [type(one) for one in news] == [Moved, FoundAgain]
    assert table.off_mm(watch.layout) < 1.2


def test_a_cameras_own_noise_is_no_ground() -> None:
    rng = np.random.default_rng(4)
    pictures = [np.clip(rng.normal(120, 3, (1080, 1920, 3)), 0, 255).astype(np.uint8) for _ in range(6)]
    trial = Trial(choose_swatches(pictures[0], LAYOUT))
    passed = [trial.see(picture) for picture in pictures[1:]]
    assert passed[-1] == ()
