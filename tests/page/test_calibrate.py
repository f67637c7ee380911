"""A camera set up on a phone: corners tapped, zones dragged, kept for the next evening; all in a real browser."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardtable.simulated.camera import Camera
from tests.page.conftest import PHONE, Open, Program, Window
from tests.page.test_program import COMMAND
from tests.vision.finding.rendered import camera, shoot, table_with
from vision.finding.mat import Mat
from vision.layout import Layout

pytestmark = pytest.mark.browser

MAT = Mat("A4", is_wide=False, columns=3, rows=2)
SEEN = camera(turn=4, tilt=(1e-4, -5e-5), bulge=-0.02)
PICTURES = 240


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A camera's pictures of one table at rest, two a second."""
    folder = tmp_path_factory.mktemp("camera")
    cv2.imwrite(str(folder / "0000000.jpg"), shoot(table_with(MAT), SEEN))
    for number in range(1, PICTURES):
        os.link(folder / "0000000.jpg", folder / f"{number * 500:07}.jpg")
    return folder


@pytest.fixture
def program(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    """`cardtable play` at that table, with settings of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    more = ("--port", "PORT", "--store", str(tmp_path / "sessions.sqlite"), "--camera", str(folder))
    program = Program(*COMMAND, *more)
    yield program
    program.kill()


def kept(tmp_path: Path) -> dict[str, object]:
    return dict(json.loads((tmp_path / "cardtable" / "table.json").read_text()))


def at(window: Window, spot_px: tuple[float, float]) -> tuple[float, float]:
    """Where a px of the camera's picture is on the screen."""
    box = window.page.locator(".view img").bounding_box()
    assert box is not None
    return box["x"] + spot_px[0] / 1920 * box["width"], box["y"] + spot_px[1] / 1080 * box["height"]


def seen(places_mm: list[tuple[float, float]], camera: Camera = SEEN) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in camera.project(np.array(places_mm))]


def tap_corners(phone: Window, spots: list[tuple[float, float]]) -> None:
    for count, spot in enumerate(spots, start=1):
        phone.page.mouse.click(*at(phone, spot))
        phone.page.locator(".overlay .mark").nth(count - 1).wait_for(state="attached")


def open_page(look_at: Open, program: Program, language: str = "en") -> Window:
    phone = look_at(program, "/calibrate", size=PHONE, language=language)
    phone.page.wait_for_function("document.querySelector('.view img')?.naturalWidth > 0")
    phone.page.locator(".overlay svg").wait_for(state="attached")
    return phone


def test_the_mat_is_found_and_kept(program: Program, look_at: Open, tmp_path: Path) -> None:
    phone = open_page(look_at, program, "ru")
    phone.tap(".markers", "Найти коврик")
    phone.wait_for(".hint", "570 × 554")
    phone.tap(".keep", "Сохранить")
    phone.wait_for(".q-notification", "Сохранено")
    values = kept(tmp_path)
    layout = Layout.from_json(values["layout"])
    assert layout.residual_mm is not None
    assert layout.residual_mm < 0.3
    assert (tmp_path / "cardtable" / "table.jpg").exists()


def test_four_taps_find_the_table(program: Program, look_at: Open, tmp_path: Path) -> None:
    phone = open_page(look_at, program)
    corners = seen([(-285, 277), (285, -277), (-285, -277), (285, 277)])
    tap_corners(phone, corners)
    phone.page.locator(".width input").fill("570")
    phone.page.locator(".depth input").fill("554")
    phone.tap(".use-corners", "corners")
    phone.wait_for(".hint", "570 × 554")
    phone.tap(".keep", "Keep")
    phone.wait_for(".q-notification", "Kept")
    layout = Layout.from_json(kept(tmp_path)["layout"])
    middle = layout.to_mm(SEEN.project(np.array([(0.0, 0.0), (100.0, 0.0)])))
    # A px of the phone's screen is 5 px of the picture, 3.5 mm of the table.
    assert np.linalg.norm(middle - [(0, 0), (100, 0)], axis=1).max() < 8


def test_corners_in_a_line_are_told_and_can_be_dragged_right(program: Program, look_at: Open) -> None:
    phone = open_page(look_at, program)
    right = seen([(-285, 277), (-285, -277), (285, -277), (285, 277)])
    tap_corners(phone, [right[0], right[1], (1.1 * right[1][0] - 0.1 * right[0][0], 40.0), right[3]])
    phone.tap(".use-corners", "corners")
    phone.wait_for(".hint .bad", "on one line")
    phone.page.mouse.move(*at(phone, (1.1 * right[1][0] - 0.1 * right[0][0], 40.0)))
    phone.page.mouse.down()
    phone.page.mouse.move(*at(phone, (900, 300)), steps=4)
    phone.page.mouse.move(*at(phone, right[2]), steps=4)
    phone.page.mouse.up()
    phone.tap(".use-corners", "corners")
    phone.wait_for(".hint", "900 × 900")


def test_a_zone_is_dragged_and_kept(program: Program, look_at: Open, tmp_path: Path) -> None:
    phone = open_page(look_at, program)
    phone.tap(".markers", "Find the mat")
    phone.page.locator('[data-zone="pile"]').wait_for(state="attached")
    [start, end] = seen([(0, 0), (40, -50)])
    phone.page.mouse.move(*at(phone, start))
    phone.page.mouse.down()
    phone.page.mouse.move(*at(phone, end), steps=6)
    phone.page.mouse.up()
    phone.tap(".keep", "Keep")
    phone.wait_for(".q-notification", "Kept")
    zones = kept(tmp_path)["zones"]
    assert isinstance(zones, dict)
    x, y, width, height = zones["bong-3"]["pile"]
    assert (x + width / 2, y + height / 2) == pytest.approx((40, -50), abs=8)
