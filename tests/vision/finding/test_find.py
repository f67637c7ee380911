"""The table found in rendered pictures, against the truth of the camera that took them; and what can be no table."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cardtable.simulated.camera import Camera, Place
from cardtable.simulated.reach import Piece
from cardtable.simulated.scene import Scene
from engine.cards import Card
from tests.vision.finding.rendered import (
    SIZE_PX,
    camera,
    error_mm,
    misfit_mm,
    shoot,
    table_with,
    table_with_loose,
)
from vision.finding.cards import table_by_cards
from vision.finding.find import find_again, find_table, table_by_corners, turned
from vision.finding.mat import Mat
from vision.frames import Picture
from vision.layout import BadLayout
from vision.reader import Reader

MAT = Mat("A4", is_wide=False, columns=3, rows=2)
LOOSE = [(-480.0, -330.0, 12.0), (470.0, -340.0, 97.0), (490.0, 320.0, -30.0), (-470.0, 335.0, 181.0)]
CAMERAS = {
    "straight": camera(),
    "upside down, barrel": camera(turn=180, bulge=-0.05),
    "sideways, cushion, tilted": camera(turn=90, bulge=0.03, tilt=(1e-4, -5e-5)),
    "strong barrel, far, tilted": camera(turn=200, bulge=-0.1, tilt=(-2e-4, 1e-4), scale=1.2),
    "very tilted, off the middle": camera(tilt=(4e-4, 2e-4), bulge=-0.08, middle=(120, -60)),
    "very far": camera(scale=0.8, turn=10),
}


@pytest.fixture(scope="module")
def mat_table() -> Picture:
    return table_with(MAT)


@pytest.mark.parametrize("name", CAMERAS)
def test_a_mat_is_found_to_half_a_millimetre_whatever_the_camera(name: str, mat_table: Picture) -> None:
    seen_by = CAMERAS[name]
    layout = find_table(shoot(mat_table, seen_by))
    assert error_mm(layout, seen_by) < 0.5
    assert error_mm(layout, seen_by, reach_mm=270) < 0.7
    assert layout.residual_mm is not None
    assert layout.residual_mm < 0.3
    assert layout.table == MAT.zone


@pytest.mark.parametrize("bulge", [-0.06, 0.04])
def test_the_lens_is_estimated_from_the_markers(bulge: float, mat_table: Picture) -> None:
    seen_by = camera(bulge=bulge)
    layout = find_table(shoot(mat_table, seen_by))
    assert layout.lens is not None
    assert layout.lens.radial == pytest.approx(bulge, abs=0.02)


@pytest.mark.parametrize("seen_by", [camera(scale=1.2), camera(turn=180, bulge=-0.03, scale=1.2, tilt=(1e-4, -5e-5))])
def test_loose_markers_need_no_measuring_tape(seen_by: Camera) -> None:
    layout = find_table(shoot(table_with_loose("A4", LOOSE), seen_by))
    assert misfit_mm(layout, seen_by) < 1.0
    assert layout.residual_mm is not None
    assert layout.residual_mm < 0.3
    x, y = layout.to_mm(seen_by.project(np.array([(0.0, 300.0)])))[0]
    assert abs(math.degrees(math.atan2(y, x)) - 90) < 5  # seat A's edge is the one of the third and fourth marker


def test_a_bumped_camera_finds_the_table_by_three_markers(mat_table: Picture) -> None:
    before, after = camera(), camera(turn=6, middle=(70, -40))
    layout = find_table(shoot(mat_table, before))
    picture = shoot(mat_table, after)
    picture[:540, 960:] = 90  # somebody leans over a corner
    again = find_again(picture, layout)
    assert error_mm(again, after) < 0.7
    assert again.lens == layout.lens


def test_a_missing_marker_is_counted(mat_table: Picture) -> None:
    picture = shoot(mat_table, camera())
    picture[:540, :960] = 90
    with pytest.raises(BadLayout, match="only 3 of the four") as caught:
        find_table(picture)
    assert "3 из четырёх" in caught.value.sentence("ru")


def test_no_marker_at_all_is_told() -> None:
    with pytest.raises(BadLayout, match="no marker"):
        find_table(np.full((720, 1280, 3), 90, np.uint8))


def test_sheets_glued_crookedly_are_told(mat_table: Picture) -> None:
    picture = shoot(mat_table, camera())
    picture[:, :960] = np.roll(picture, -24, axis=0)[:, :960]
    picture[600:, :960] = np.roll(picture, 40, axis=1)[600:, :960]
    with pytest.raises(BadLayout, match="flat mat"):
        find_table(picture)


CARDS = (("5H", -430, -280, 10), ("KS", 430, -285, 100), ("9D", 440, 290, -20), ("2C", -435, 285, 185))


def picture_of(cards: tuple[tuple[str, float, float, float], ...], seen_by: Camera) -> Picture:
    pieces = [Piece(Card(name), Place(x, y, turn), key) for key, (name, x, y, turn) in enumerate(cards)]
    return Scene(3, camera=seen_by).frame(pieces, (), 0)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


@pytest.mark.parametrize("seen_by", [camera(scale=1.3), camera(turn=5, bulge=-0.03, scale=1.2, tilt=(1e-4, -5e-5))])
def test_four_cards_on_the_corners_find_the_table(seen_by: Camera, reader: Reader) -> None:
    layout = table_by_cards(picture_of((*CARDS, ("8S", 20, 10, 40)), seen_by), reader)
    assert misfit_mm(layout, seen_by) < 1.0
    assert layout.table is not None
    assert layout.table.width == pytest.approx(955, abs=15)


def test_three_cards_are_too_few(reader: Reader) -> None:
    with pytest.raises(BadLayout, match="3 lone cards"):
        table_by_cards(picture_of(CARDS[:3], camera(scale=1.3)), reader)


SQUARE = [(400.0, 900.0), (420.0, 120.0), (1480.0, 130.0), (1500.0, 910.0)]


def test_corners_may_be_tapped_in_any_order_after_the_first() -> None:
    first, second, third, fourth = SQUARE
    layouts = [
        table_by_corners([first, *rest], SIZE_PX, (900, 660))
        for rest in ([second, third, fourth], [third, second, fourth], [fourth, third, second])
    ]
    assert layouts[0] == layouts[1] == layouts[2]
    assert layouts[0].to_mm(np.array([first]))[0] == pytest.approx((-450, 330))
    assert layouts[0].residual_mm is None


def test_tapped_corners_are_exact_where_the_lens_is_straight() -> None:
    seen_by = camera(turn=170, tilt=(1e-4, 2e-4), scale=0.9)
    corners = seen_by.project(np.array([(-400.0, 300.0), (-400.0, -300.0), (400.0, -300.0), (400.0, 300.0)]))
    layout = table_by_corners([(float(x), float(y)) for x, y in corners], SIZE_PX, (800, 600))
    assert error_mm(layout, seen_by) < 1e-3


@pytest.mark.parametrize(
    ("points", "size", "code"),
    [
        ([(100, 100), (500, 500), (900, 900), (200, 800)], (900, 900), "on-one-line"),
        ([(100, 100), (900, 100), (500, 800), (520, 350)], (900, 900), "not-a-corner"),
        ([(100, 100), (110, 104), (900, 900), (100, 900)], (900, 900), "points-too-near"),
        ([(-20, 100), (900, 100), (900, 900), (100, 900)], (900, 900), "point-outside"),
        (SQUARE, (600, 900), "no-such-table"),
        (SQUARE[:3], (900, 600), "too-few-points"),
    ],
)
def test_what_can_be_no_table_is_told_in_both_languages(
    points: list[tuple[float, float]], size: tuple[float, float], code: str
) -> None:
    with pytest.raises(BadLayout) as caught:
        table_by_corners(points, SIZE_PX, size)
    assert caught.value.code == code
    assert caught.value.sentence("ru") != caught.value.sentence("en") == str(caught.value)


def test_turned_the_table_lies_the_same_and_seat_a_elsewhere() -> None:
    layout = table_by_corners(SQUARE, SIZE_PX, (900, 660))
    corner = layout.to_px(np.array([(-450.0, 330.0)]))
    once = turned(layout, 1)
    assert once.table is not None
    assert (once.table.width, once.table.height) == pytest.approx((660, 900))
    # The corner at seat A's left is at the next seat's right.
    assert once.to_mm(corner)[0] == pytest.approx((330, 450))
    back = turned(turned(once, 2), 1)
    assert back.to_px(np.array([(10.0, 20.0)])) == pytest.approx(layout.to_px(np.array([(10.0, 20.0)])))
