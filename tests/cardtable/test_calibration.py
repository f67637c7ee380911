"""How a camera was set up: kept from evening to evening, laid out for each game; what fails is one sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from cardtable.arranging import LEAST_MM, Arrangement
from cardtable.calibration import Calibration, calibration_for, read_calibration, write_calibration
from cardtable.errors import BadSettings
from cardtable.settings import Settings
from engine.seats import seats
from tests.cardtable.helpers import cardtable
from vision.finding.find import table_by_corners
from vision.layout import BadLayout, Layout, Zone
from vision.lens import Lens

SIZE = (1920, 1080)
CORNERS = [(400.0, 900.0), (420.0, 120.0), (1480.0, 130.0), (1500.0, 910.0)]
TEXT = "400,900 420,120 1480,130 1500,910"


def table() -> Layout:
    found = table_by_corners(CORNERS, SIZE, (900, 660))
    return replace(found, lens=Lens.centred(SIZE, -0.04), marks=((384, ((0, 0), (60, 0), (60, 60), (0, 60))),))


def test_what_was_kept_is_read_again_with_its_picture(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "table.json"
    moved = {"pile": Zone(-100, -100, 250, 250)}
    calibration = Calibration("0", table()).with_zones("bong", seats(3), moved)
    write_calibration(calibration, np.full((1080, 1920, 3), 77, np.uint8), path)
    found = read_calibration(path)
    assert found is not None
    assert found[0] == calibration
    assert found[1] is not None
    assert found[1].shape == (1080, 1920, 3)


def test_a_game_has_its_zones_and_keeps_what_a_person_has_moved() -> None:
    calibration = Calibration("0", table())
    layout = calibration.layout_for("ton", seats(4))
    assert [name for name, _ in layout.zones if name.startswith("trick")] == [f"trick-{seat}" for seat in "ABCD"]
    assert layout.zone("widow") is not None
    assert dict(layout.seats) == {"A": 90, "B": 180, "C": 270, "D": 0}
    moved = calibration.with_zones("ton", seats(4), {"widow": Zone(0, 0, 90, 280)})
    assert moved.layout_for("ton", seats(4)).zone("widow") == Zone(0, 0, 90, 280)
    assert moved.layout_for("ton", seats(3)).zone("widow") == calibration.layout_for("ton", seats(3)).zone("widow")


def test_a_layout_with_everything_survives_a_recording() -> None:
    layout = replace(Calibration("0", table()).layout_for("ton", seats(4)), residual_mm=0.25)
    assert Layout.from_json(json.loads(json.dumps(layout.to_json()))) == layout


def test_a_smaller_picture_of_the_same_shape_shows_the_same_table() -> None:
    layout = table()
    half = layout.resized((960, 540))
    spot = np.array([(123.0, -77.0)])
    assert half.to_px(spot) * 2 == pytest.approx(layout.to_px(spot))
    with pytest.raises(BadLayout, match="1920×1080 px and now gives 640×480"):
        layout.resized((640, 480))


def test_the_kept_table_is_used_for_its_own_camera_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = write_calibration(Calibration("0", table()), None)
    assert path.is_relative_to(tmp_path)
    assert calibration_for(Settings(camera="0")) is not None
    assert calibration_for(Settings(camera="1")) is None
    assert calibration_for(Settings()) is None
    assert calibration_for(Settings(camera="1", calibration=path)) is not None


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"camera": "0", "layout": {"size_px": 3}}'])
def test_a_damaged_file_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text)
    with pytest.raises(BadSettings, match="calibrate again"):
        read_calibration(path)


def test_a_named_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadSettings, match="cardtable calibrate --out"):
        read_calibration(tmp_path / "none.json")


# --- by finger ---


def arrangement() -> Arrangement:
    work = Arrangement(None, "bong", seats(3), "0")
    work.size_px, work.table_mm = SIZE, (900.0, 660.0)
    return work


def tap(work: Arrangement, *spots: tuple[float, float]) -> None:
    for spot in spots:
        work.press(spot, 40)
        work.release()


def test_four_taps_are_a_table() -> None:
    work = arrangement()
    tap(work, *CORNERS)
    assert work.use_corners()
    assert work.layout is not None
    assert work.layout.table == Zone(-450, -330, 900, 660)


def test_a_game_without_a_pile_has_none_to_drag() -> None:
    work = Arrangement(None, "ochko", seats(3), "0")
    work.size_px, work.table_mm = SIZE, (1200.0, 900.0)
    tap(work, *CORNERS)
    assert work.use_corners()
    assert set(work.zones) == {"stock", "discard", "seat-A", "seat-B", "seat-C"}


def test_a_fifth_tap_marks_nothing_and_a_mark_can_be_dragged() -> None:
    work = arrangement()
    tap(work, *CORNERS, (960.0, 540.0))
    assert work.points == CORNERS
    work.press((410.0, 890.0), 40)
    work.drag((300.0, 990.0))
    work.release()
    assert work.points[0] == (290.0, 1000.0)
    work.press((290.0, 1000.0), 40)
    work.drag((290.0, 5000.0))
    assert work.points[0] == (290.0, 1080.0)


def test_corners_that_cannot_be_leave_everything_as_it_was() -> None:
    work = arrangement()
    tap(work, *CORNERS[:3])
    assert not work.use_corners()
    assert work.error is not None
    assert work.error.code == "too-few-points"
    assert work.points == CORNERS[:3]


def found() -> Arrangement:
    return Arrangement(Calibration("0", table()), "ton", seats(4), "0")


def spot_of(work: Arrangement, x: float, y: float) -> tuple[float, float]:
    assert work.layout is not None
    px = work.layout.to_px(np.array([(x, y)]))[0]
    return float(px[0]), float(px[1])


def test_a_zone_is_dragged_but_not_off_the_table() -> None:
    work = found()
    work.size_px = SIZE
    before = work.zones["widow"]
    x, y = before.centre
    work.press(spot_of(work, x, y), 20)
    work.drag(spot_of(work, x + 30, y - 20))
    assert work.zones["widow"].centre == pytest.approx((x + 30, y - 20), abs=1e-6)
    work.drag(spot_of(work, x - 2000, y))
    assert work.zones["widow"].x == -450
    work.release()
    work.drag(spot_of(work, 0, 0))
    assert work.zones["widow"].x == -450
    work.put_zones_back()
    assert work.zones["widow"] == before


def test_a_zone_is_stretched_by_its_corner_and_never_smaller_than_a_card() -> None:
    work = found()
    work.size_px = SIZE
    zone = work.zones["discard"]
    work.press(spot_of(work, zone.x + zone.width - 2, zone.y + zone.height + 1), 20)
    work.drag(spot_of(work, zone.x + 150 - 2, zone.y + 160 + 1))
    assert (work.zones["discard"].width, work.zones["discard"].height) == pytest.approx((150, 160), abs=1e-6)
    work.drag(spot_of(work, zone.x - 300, zone.y - 300))
    assert (work.zones["discard"].width, work.zones["discard"].height) == (LEAST_MM, LEAST_MM)


def test_seat_a_goes_round_the_table() -> None:
    work = found()
    work.size_px = SIZE
    lower = spot_of(work, 0, 330)
    for _ in range(4):
        work.turn()
    assert work.layout is not None
    assert work.layout.to_mm(np.array([lower]))[0] == pytest.approx((0, 330), abs=1e-6)


# --- on the command line ---


def photo(tmp_path: Path) -> str:
    path = tmp_path / "photo.png"
    cv2.imwrite(str(path), np.full((1080, 1920, 3), 90, np.uint8))
    return str(path)


def test_corners_on_the_command_line_are_kept_drawn_and_told(tmp_path: Path) -> None:
    out, drawn = tmp_path / "table.json", tmp_path / "drawn.png"
    given = ("--corners", TEXT, "--table", "900x660", "--out", str(out), "--draw", str(drawn), "--json")
    result = cardtable("calibrate", "--photo", photo(tmp_path), *given)
    assert result.returncode == 0, result.stderr
    values = json.loads(result.stdout)
    assert values["residual_mm"] is None
    assert values["table_mm"] == [-450, -330, 900, 660]
    kept = read_calibration(out)
    assert kept is not None
    assert kept[0].layout.px_per_mm == pytest.approx(values["px_per_mm"], abs=1e-3)
    assert cv2.imread(str(drawn)) is not None


BAD: dict[str, tuple[tuple[str, ...], str]] = {
    "no camera": ((), "--camera"),
    "no marker": (("--photo", "PHOTO"), "no marker"),
    "no size": (("--photo", "PHOTO", "--corners", TEXT), "--table"),
    "size that is none": (("--photo", "PHOTO", "--corners", TEXT, "--table", "big"), "900x600"),
    "size beyond reason": (("--photo", "PHOTO", "--corners", TEXT, "--table", "9x6"), "9x6"),
    "corners that are none": (("--photo", "PHOTO", "--corners", "here there", "--table", "900x600"), "here there"),
    "in a line": (("--photo", "PHOTO", "--corners", "1,1 500,500 900,900 9,700", "--table", "900x600"), "line"),
    "outside": (("--photo", "PHOTO", "--corners", "1,1 5000,5 900,900 9,700", "--table", "900x600"), "outside"),
    "in Russian": (("--photo", "PHOTO", "--lang", "ru"), "ни одной метки"),
    "drawn nowhere": (
        ("--photo", "PHOTO", "--corners", TEXT, "--table", "900x660", "--draw", "/no/x.png"),
        "/no/x.png",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_what_is_wrong_is_one_sentence(what: str, tmp_path: Path) -> None:
    arguments, says = BAD[what]
    given = [photo(tmp_path) if argument == "PHOTO" else argument for argument in arguments]
    result = cardtable("calibrate", *given, "--out", str(tmp_path / "table.json"))
    assert result.returncode == 2, result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    assert says in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(("--paper", "B5"), "A4, A3, Letter"), (("--game", "chess"), "chess"), (("--out", "/no/mat.pdf"), "/no/mat.pdf")],
)
def test_a_mat_that_cannot_be_is_one_sentence(arguments: tuple[str, ...], says: str) -> None:
    result = cardtable("mat", *arguments)
    assert result.returncode == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert says in result.stderr


def test_a_mat_is_written(tmp_path: Path) -> None:
    out = tmp_path / "mat.pdf"
    result = cardtable("mat", "--seats", "4", "--game", "ton", "--lang", "ru", "--out", str(out))
    assert result.returncode == 0, result.stderr
    assert out.read_bytes().startswith(b"%PDF")
