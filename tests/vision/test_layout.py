"""Picture pixels and table millimetres: there and back, through JSON, and never an impossible table."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.seats import seats
from vision.layout import BadLayout, Layout, Zone, around, homography
from vision.layout_words import CODES, say

OBLIQUE = homography(
    [(-300, -200), (300, -200), (300, 200), (-300, 200)], [(420, 200), (1500, 180), (1800, 900), (90, 930)]
)


def test_a_camera_straight_above_sees_the_given_width() -> None:
    layout = Layout.above((1920, 1080), table_mm=1200)
    assert layout.px_per_mm == pytest.approx(1.6)
    assert layout.to_px(np.array([(-600.0, 0.0), (600.0, 0.0)])).tolist() == [[0, 540], [1920, 540]]


@given(st.floats(-250, 250), st.floats(-180, 180))
def test_millimetres_survive_the_way_through_an_oblique_camera(x: float, y: float) -> None:
    layout = Layout((1920, 1080), OBLIQUE, Zone(-150, -150, 300, 300))
    there = layout.to_mm(layout.to_px(np.array([(x, y)])))
    assert there[0] == pytest.approx((x, y), abs=1e-6)


def test_a_recording_carries_the_layout() -> None:
    layout = Layout((1920, 1080), OBLIQUE, Zone(-150, -150, 300, 300), around(seats(5)))
    assert Layout.from_json(json.loads(json.dumps(layout.to_json()))) == layout


def test_seats_go_clockwise_from_the_lower_edge() -> None:
    assert [angle for _, angle in around(seats(4))] == [90, 180, 270, 0]


@pytest.mark.parametrize("points_px", [[(0, 0), (10, 10), (20, 20), (30, 30)], [(5, 5)] * 4])
def test_points_in_a_line_are_no_table(points_px: list[tuple[float, float]]) -> None:
    with pytest.raises(BadLayout, match="line"):
        Layout((640, 480), homography([(0, 0), (400, 0), (400, 300), (0, 300)], points_px), Zone(0, 0, 200, 200))


def test_a_pile_zone_outside_the_picture_is_told() -> None:
    with pytest.raises(BadLayout, match="outside"):
        Layout((640, 480), ((1, 0, 0), (0, 1, 0), (0, 0, 1)), Zone(500, 0, 200, 200))


def test_a_pile_zone_smaller_than_a_card_is_told() -> None:
    with pytest.raises(BadLayout, match="smaller than a card"):
        Layout((640, 480), ((1, 0, 0), (0, 1, 0), (0, 0, 1)), Zone(0, 0, 20, 20))


@pytest.mark.parametrize("data", [None, {}, [], {"size_px": [1, 2]}, {"size_px": "x", "card_mm": 3, "px_from_mm": []}])
def test_a_damaged_layout_is_told(data: object) -> None:
    with pytest.raises(BadLayout, match="damaged"):
        Layout.from_json(data)


@pytest.mark.parametrize("table_mm", [0, -3, 100_000])
def test_an_impossible_width_is_told(table_mm: float) -> None:
    with pytest.raises(BadLayout):
        Layout.above((1920, 1080), table_mm=table_mm)


def test_everything_that_can_be_wrong_has_its_sentence_in_both_languages() -> None:
    blanks = {"gap": 1, "width": 1, "height": 1, "scale": 1, "seen": 1, "off": 1, "then": 1, "now": 1}
    for code in CODES:
        english, russian = (say(language, code, **blanks) for language in ("en", "ru"))
        assert english != russian
        assert "{" not in english + russian
