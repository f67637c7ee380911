"""The mat: as large as is needed, its numbers tell which it is, and what is printed is true to the millimetre."""

from __future__ import annotations

import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import pytest

from engine.seats import seats
from tests.vision.finding.rendered import FINE, loose_markers, printed_mat
from vision.finding.markers import find_markers
from vision.finding.mat import LOOSE_MM, MARGIN_MM, PAPERS, Mat, NoMat, loose_numbers, loose_side
from vision.finding.printing import mat_pdf, tile_of
from vision.finding.zones import arrange, needed_mm

ALL = [
    Mat(paper, wide, columns, rows)
    for paper in PAPERS
    for wide in (True, False)
    for columns in (1, 2, 4)
    for rows in (1, 3)
]


def test_a_number_tells_its_mat() -> None:
    numbers = [number for mat in ALL for number, _ in mat.marks()]
    assert len(set(numbers)) == len(numbers)
    assert all(Mat.marked(number) == mat for mat in ALL for number, _ in mat.marks())
    loose = {number for paper in PAPERS for number in loose_numbers(paper)}
    assert not loose & set(numbers)
    assert {loose_side(number) for number in loose} == set(LOOSE_MM.values())


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("kinds", [("pile",), ("pile", "seat"), ("trick", "widow", "stock", "discard", "seat")])
@pytest.mark.parametrize("count", [3, 4, 6])
def test_every_zone_has_room_on_the_mat_beside_the_markers(paper: str, kinds: tuple[str, ...], count: int) -> None:
    mat = Mat.at_least(*needed_mm(kinds, count), paper)
    zones = arrange(mat.zone, kinds, seats(count))
    names = {name.partition("-")[0] for name in zones}
    assert names == set(kinds) | {"pile"}
    corners = [np.array(corners) for _, corners in mat.marks()]
    for zone in zones.values():
        grown = zone.grown(-1)
        assert not any(grown.has(x, y) for marker in corners for x, y in marker.tolist())


def test_trick_places_lie_apart_and_before_their_seats() -> None:
    zones = arrange(Mat("A3", True, 2, 2).zone, ("trick", "seat"), seats(4))
    assert zones["trick-A"].centre[1] > 0 > zones["trick-C"].centre[1]
    assert zones["trick-B"].centre[0] < 0 < zones["trick-D"].centre[0]
    places = [zone for name, zone in zones.items() if name.startswith("trick")]
    for one in places:
        assert sum(one.grown(-1).has(*corner) for other in places for corner in other.corners().tolist()) == 0


def test_sheets_touch_and_cover_the_mat() -> None:
    mat = Mat("Letter", True, 2, 3)
    tiles = [tile_of(mat, column, row) for row in range(3) for column in range(2)]
    assert sum(tile.width * tile.height for tile in tiles) == pytest.approx(mat.size_mm[0] * mat.size_mm[1])
    assert tiles[1].x == pytest.approx(tiles[0].x + tiles[0].width)
    assert tiles[2].y == pytest.approx(tiles[0].y + tiles[0].height)


def test_pages_have_the_size_of_the_paper() -> None:
    mat = Mat("A4", False, 2, 2)
    document = pypdfium2.PdfDocument(mat_pdf(mat, {}, "ru"))
    sizes = {tuple(round(side / 72 * 25.4, 1) for side in page.get_size()) for page in document}
    assert len(document) == 5
    assert sizes == {(210.0, 297.0)}
    document.close()


def test_printed_markers_are_where_they_are_said_to_be() -> None:
    mat = Mat("A4", False, 3, 2)
    seen = find_markers(printed_mat(mat))
    assert set(seen) == {number for number, _ in mat.marks()}
    for number, corners in mat.marks():
        there = (seen[number] + 0.5) / FINE - np.array(mat.size_mm) / 2
        assert there == pytest.approx(np.array(corners), abs=0.2)


def test_loose_markers_have_the_printed_size() -> None:
    for number, picture in zip(loose_numbers("A4"), loose_markers("A4"), strict=True):
        corners = find_markers(picture)[number]
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) / FINE
        assert sides == pytest.approx([60.0] * 4, abs=0.3)


def test_paper_that_is_none_is_told() -> None:
    with pytest.raises(NoMat, match="A4, A3, Letter"):
        loose_numbers("B5")


def test_a_mat_of_too_many_sheets_is_told() -> None:
    with pytest.raises(NoMat, match="larger paper"):
        Mat.at_least(2000, 900, "A4")


def test_the_margin_is_what_printers_leave_white() -> None:
    assert MARGIN_MM >= 6.35  # the widest common unprintable edge, a quarter of an inch
