"""A camera or table that is bumped: noticed, found again, and never read by a wrong layout meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import repeat

import cv2
import numpy as np
import pytest

from tests.vision.finding.rendered import camera, shoot, table_with, table_with_loose
from vision.finding.find import find_table
from vision.finding.mat import Mat
from vision.finding.watch import FoundAgain, Moved, News, Watch
from vision.frames import Picture
from vision.layout import Layout

MAT = Mat("A4", is_wide=False, columns=3, rows=2)
LOOSE = [(-480.0, -330.0, 12.0), (470.0, -340.0, 97.0), (490.0, 320.0, -30.0), (-470.0, 335.0, 181.0)]
Bump = tuple[float, float, float]
"""dx and dy in px, degrees."""


@pytest.fixture(scope="module", params=["by markers", "by what lies there"])
def still(request: pytest.FixtureRequest) -> tuple[Picture, Layout]:
    """A table at rest and its layout; in the second case nothing is known of markers."""
    if request.param == "by markers":
        picture = shoot(table_with(MAT), camera(turn=4, bulge=-0.03), noise=0.0)
        return picture, find_table(picture)
    picture = shoot(table_with_loose("A4", LOOSE), camera(scale=1.2), noise=0.0)
    return picture, replace(find_table(picture), marks=())


@pytest.fixture(scope="module")
def noisy() -> Callable[[Picture], Iterator[Picture]]:
    noises = np.random.default_rng(5).normal(0, 2, (7, 1080, 1920, 1)).round().astype(np.int16)

    def frames(picture: Picture) -> Iterator[Picture]:
        number = 0
        while True:
            number += 1
            yield np.clip(picture.astype(np.int16) + noises[number % len(noises)], 0, 255).astype(np.uint8)

    return frames


def matrix(bump: Bump) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    turned = cv2.getRotationMatrix2D((960, 540), bump[2], 1)
    turned[:, 2] += np.array(bump[:2])
    return np.asarray(turned, dtype=np.float64)


def bumped(picture: Picture, bump: Bump) -> Picture:
    return np.asarray(cv2.warpAffine(picture, matrix(bump), (1920, 1080), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def off_mm(layout: Layout, before: Layout, bump: Bump) -> float:
    """How far `layout` is from the truth after the bump, in the pile."""
    corners = before.pile.corners()
    truly = before.to_px(corners) @ matrix(bump)[:, :2].T + matrix(bump)[:, 2]
    return float(np.linalg.norm(layout.to_mm(truly) - corners, axis=1).max())


def run(watch: Watch, frames: Iterator[Picture], count: int) -> list[News]:
    news = (watch.see(next(frames)) for _ in range(count))
    return [one for one in news if one is not None]


Noisy = Callable[[Picture], Iterator[Picture]]
Still = tuple[Picture, Layout]


def test_a_table_at_rest_brings_no_news(still: Still, noisy: Noisy) -> None:
    watch = Watch(still[1], still[0])
    assert run(watch, noisy(still[0]), 40) == []
    assert watch.is_steady
    assert not watch.is_blind


def test_less_than_two_millimetres_is_no_move(still: Still, noisy: Noisy) -> None:
    watch = Watch(still[1], still[0])
    assert run(watch, noisy(bumped(still[0], (1.0, 0.5, 0.0))), 20) == []


@pytest.mark.parametrize("bump", [(5, 2, 0), (40, -25, 1), (0, 0, -3), (-120, 60, 8)])
def test_a_bump_is_noticed_at_once_and_the_table_found_again(still: Still, noisy: Noisy, bump: Bump) -> None:
    watch = Watch(still[1], still[0])
    run(watch, noisy(still[0]), 6)
    frames = noisy(bumped(still[0], bump))
    assert isinstance(watch.see(next(frames)), Moved)  # not one picture is read by the old layout
    assert not watch.is_steady
    [found] = run(watch, frames, 20)
    assert isinstance(found, FoundAgain)
    assert found.is_moved
    assert off_mm(found.layout, still[1], bump) < 1.2
    assert run(watch, frames, 15) == []


def test_a_camera_still_on_its_way_is_nowhere(still: Still, noisy: Noisy) -> None:
    watch = Watch(still[1], still[0])
    for step in range(30):
        news = watch.see(next(noisy(bumped(still[0], (8.0 * step, 0.0, 0.0)))))
        assert not isinstance(news, FoundAgain)
    assert not watch.is_steady


def test_a_covered_table_is_not_read_and_is_the_same_when_uncovered(still: Still, noisy: Noisy) -> None:
    watch = Watch(still[1], still[0])
    covered = still[0].copy()
    covered[:, 100:1850] = (60, 70, 160)  # a jacket
    [moved] = run(watch, noisy(covered), 30)
    assert isinstance(moved, Moved)
    [found] = run(watch, noisy(still[0]), 20)
    assert isinstance(found, FoundAgain)
    assert not found.is_moved
    assert watch.layout == still[1]


def test_hands_and_cards_here_and_there_move_nothing(still: Still, noisy: Noisy) -> None:
    watch, frames = Watch(still[1], still[0]), noisy(still[0])
    for number in range(30):
        picture = next(frames)
        x = 150 + 50 * number
        cv2.line(picture, (x, 1080), (x - 200, 540), (120, 150, 205), 110)
        cv2.rectangle(picture, (1500, 200), (1590, 330), (245, 245, 245), -1)
        assert watch.see(picture) is None


def test_a_lamp_switched_on_moves_nothing(still: Still, noisy: Noisy) -> None:
    watch = Watch(still[1], still[0])
    dark = cv2.convertScaleAbs(still[0], alpha=0.6)
    assert run(watch, noisy(np.asarray(dark, np.uint8)), 15) == []


def test_what_has_been_taken_away_gives_way_to_what_is_there() -> None:
    picture = shoot(table_with_loose("A4", LOOSE), camera(scale=1.2))
    layout = replace(find_table(picture), marks=())
    watch, changed = Watch(layout, picture), bumped(picture, (1.5, 0.0, 0.0))
    changed[:, :760] = cv2.GaussianBlur(changed[:, :760], (0, 0), 25)
    assert run(watch, repeat(changed), 905) == []
    # The new ones know of the millimetre that had come together before: another is too much.
    [moved] = run(watch, repeat(bumped(picture, (4.5, 0.0, 0.0))), 6)
    assert isinstance(moved, Moved)


def test_a_table_with_nothing_on_it_is_trusted_and_said_to_be_so() -> None:
    plain = np.full((1080, 1920, 3), 120, np.uint8)
    watch = Watch(Layout.above((1920, 1080)), plain)
    assert watch.is_blind
    assert run(watch, repeat(plain), 12) == []
