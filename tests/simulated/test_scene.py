"""The rendered picture: the same seed gives the same picture, and what lies there stays what it is."""

from __future__ import annotations

import random

import numpy as np
import pytest

from cardtable.simulated.camera import Camera, Place
from cardtable.simulated.hands import Arm
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.scene import Scene, picture_with
from cardtable.simulated.world import MS
from engine.cards import DECK_52, Card

NOISE = 16
"""No px of an unchanged table differs by more between two frames."""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene(5)


def pieces(*cards: str) -> list[Piece]:
    rng = random.Random(1)
    return [
        Piece(Card(text), Place(rng.gauss(0, 6), rng.gauss(0, 6), rng.uniform(0, 360)), key)
        for key, text in enumerate(cards)
    ]


def reach(**more: object) -> Reach:
    arm = Arm.of_someone(random.Random(2))
    times = {"start_ns": 100 * MS, "touch_ns": 500 * MS, "leave_ns": 600 * MS, "end_ns": 1000 * MS}
    return Reach(arm=arm, tip=(0.0, 30.0), turn=20.0, **times, **more)  # type: ignore[arg-type]


def test_the_same_seed_gives_the_same_picture() -> None:
    first, second = (Scene(7).frame(pieces("2C", "3D"), [reach()], 300 * MS) for _ in range(2))
    assert np.array_equal(first, second)


def test_another_seed_gives_another_table_and_camera() -> None:
    assert not np.array_equal(Scene(1).frame([], [], 0), Scene(2).frame([], [], 0))
    assert Camera.mounted(random.Random(1)).scale() != Camera.mounted(random.Random(2)).scale()


def test_frames_of_a_table_at_rest_differ_by_noise_alone(scene: Scene) -> None:
    first, second = (scene.frame(pieces("2C"), [], t_ns) for t_ns in (0, 33 * MS))
    apart = np.abs(first.astype(int) - second.astype(int))
    assert 0 < apart.mean() < 5
    assert apart.max() <= 2 * NOISE + 8


def test_a_table_kept_ready_equals_one_drawn_anew(scene: Scene) -> None:
    scene.frame(pieces("2C"), [], 0)
    kept = scene.frame(pieces("2C", "3D", "4H"), [], 50 * MS)
    assert np.array_equal(kept, Scene(5).frame(pieces("2C", "3D", "4H"), [], 50 * MS))


def test_a_card_taken_away_leaves_the_table_as_it_was(scene: Scene) -> None:
    bare = scene.frame([], [], 70 * MS)
    scene.frame(pieces("9S"), [], 90 * MS)
    assert np.array_equal(scene.frame([], [], 70 * MS), bare)


def test_a_card_arrives_with_the_hand_and_lies_where_the_hand_let_it_go(scene: Scene) -> None:
    [piece] = pieces("QH")
    arm = reach(brings=(piece,))
    just_before = scene.frame([], [arm], arm.touch_ns - 1)
    just_after = scene.frame([piece], [arm], arm.touch_ns + 1)
    assert np.abs(just_before.astype(int) - just_after.astype(int)).mean() < 6


def test_an_arm_hides_what_is_under_it_and_only_while_it_is_there(scene: Scene) -> None:
    arm = reach()
    under = (0.0, 60.0)
    assert scene.hides(arm, 550 * MS, under)
    assert not scene.hides(arm, 110 * MS, under)
    assert not scene.hides(arm, 550 * MS, (-200.0, -200.0))


def test_a_calibration_finds_the_pile_to_a_pixel() -> None:
    camera = Camera.mounted(random.Random(4))
    matrix = camera.calibration()
    points = np.array([(x, y) for x in (-60.0, 0.0, 60.0) for y in (-60.0, 0.0, 60.0)])
    flat = np.column_stack([points, np.ones(9)]) @ matrix.T
    assert np.abs(flat[:, :2] / flat[:, 2:] - camera.project(points)).max() < 1


def test_pictures_for_benchmarks_hold_as_many_cards_as_asked() -> None:
    few, many = (picture_with(DECK_52[:count], seed=3) for count in (1, 12))
    assert few.shape == (1080, 1920, 3)
    assert (many.min(axis=2) > 200).mean() > 6 * (few.min(axis=2) > 200).mean()
