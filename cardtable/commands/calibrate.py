"""`cardtable calibrate`: where the camera sees the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from vision.frames import Picture
    from vision.layout import Layout

_SETTLES_S, _PATIENCE_S = 1.5, 8.0


def calibrate(
    camera: Annotated[str | None, typer.Option(help="The camera, e.g. 0; else the one in the settings.")] = None,
    photo: Annotated[Path | None, typer.Option(metavar="FILE", help="A picture that it took, in its place.")] = None,
    cards: Annotated[bool, typer.Option("--cards", help="By four cards that lie on the table's corners.")] = False,
    corners: Annotated[
        str | None, typer.Option(help='By four corners in px, seat A\'s left one first: "x,y x,y …".')
    ] = None,
    table: Annotated[str | None, typer.Option(metavar="WxD", help="Size of the table in mm, e.g. 900x600.")] = None,
    turn: Annotated[int, typer.Option(min=0, max=3, help="Seat A sits so many edges further clockwise.")] = 0,
    draw: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what was found into the picture.")] = None,
    json: Annotated[bool, typer.Option("--json", help="What was found, as one JSON line.")] = False,
    lang: Annotated[str | None, typer.Option(help="Language of the sentences: en or ru.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to keep it; else with the settings.")] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings file (TOML).")] = None,
) -> None:
    """Finds the table in the camera's picture and keeps where it is, for `cardtable play`.

    By the markers of a mat (`cardtable mat`); with --cards by four cards on the corners; with --corners and --table by
    hand. The page /calibrate of a running `cardtable play` does the same with a finger.

    Example: `cardtable calibrate --camera 0`

    Example: `cardtable calibrate --camera 0 --corners "310,940 350,120 1580,130 1640,930" --table 900x600`
    """
    from cardtable.calibration import Calibration, write_calibration
    from cardtable.errors import BadSettings
    from cardtable.settings import read_settings, with_flags
    from vision.finding.told import describe
    from vision.layout import BadLayout

    settings = with_flags(read_settings(config), camera=camera, lang=lang)
    picture = _picture(photo, settings.camera)
    try:
        layout = _found(picture, cards=cards, corners=corners, table=table, turn=turn)
    except BadLayout as error:
        raise BadSettings(error.sentence(settings.lang)) from None
    path = write_calibration(Calibration(settings.camera, layout), picture, out or settings.calibration)
    if draw is not None:
        _draw(draw, picture, layout)
    typer.echo(_json(layout, path) if json else f"{describe(layout, settings.lang)}\n{path}")


def _picture(photo: Path | None, camera: str) -> Picture:
    from cardtable.errors import BadSettings
    from vision.frames import read_picture

    if photo is not None:
        return read_picture(photo)
    if not camera:
        raise BadSettings("say which camera, e.g. cardtable calibrate --camera 0, or give a picture with --photo")
    return _shot(camera)


def _shot(camera: str) -> Picture:
    """A settled picture: exposure and focus take a second."""
    import time

    from vision.cameras import open_camera
    from vision.troubles import NoCamera, Trouble

    source = open_camera(camera)
    try:
        picture: Picture | None = None
        until = time.monotonic() + _SETTLES_S
        while picture is None or (time.monotonic() < until and not source.is_over):
            if picture is None and time.monotonic() > until + _PATIENCE_S:
                raise NoCamera(Trouble("silent", camera))
            frame = source.newest()
            picture = picture if frame is None else frame.picture
            time.sleep(0.01)
        return picture
    finally:
        source.close()


def _found(picture: Picture, *, cards: bool, corners: str | None, table: str | None, turn: int) -> Layout:
    from vision.finding.find import find_table, table_by_corners, turned

    size_px = (picture.shape[1], picture.shape[0])
    if corners is not None:
        layout = table_by_corners(_pairs(corners), size_px, _size(table))
    elif cards:
        from vision.finding.cards import table_by_cards
        from vision.reader import Reader

        layout = table_by_cards(picture, Reader.load())
    else:
        layout = find_table(picture)
    return turned(layout, turn) if turn else layout


def _pairs(text: str) -> list[tuple[float, float]]:
    from cardtable.errors import BadSettings

    try:
        pairs = [tuple(float(value) for value in pair.split(",")) for pair in text.split()]
        return [(x, y) for x, y in pairs]
    except ValueError:
        raise BadSettings(
            f'the corners {text!r} are not understood; write "310,940 350,120 1580,130 1640,930"'
        ) from None


def _size(text: str | None) -> tuple[float, float]:
    from cardtable.errors import BadSettings

    if text is None:
        raise BadSettings("corners alone do not say how large the table is; add --table, e.g. --table 900x600")
    try:
        width, depth = (float(value) for value in text.lower().replace("×", "x").split("x"))
    except ValueError:
        raise BadSettings(f"the size {text!r} is not understood; write width x depth in mm, e.g. 900x600") from None
    if not (100 <= width <= 5000 and 100 <= depth <= 5000):
        raise BadSettings(f"a table of {text} mm cannot be; write width x depth in mm, e.g. 900x600")
    return width, depth


def _draw(path: Path, picture: Picture, layout: Layout) -> None:
    import cv2

    from cardtable.errors import BadSettings
    from vision.finding.drawing import drawn

    try:
        is_written = cv2.imwrite(str(path), drawn(picture, layout))
    except cv2.error:
        is_written = False
    if not is_written:
        raise BadSettings(f"{path} cannot be written; name a .png or .jpg file in a folder that there is")


def _json(layout: Layout, path: Path) -> str:
    import json

    found: dict[str, Any] = {
        "residual_mm": layout.residual_mm,
        "px_per_mm": round(layout.px_per_mm, 4),
        "table_mm": layout.table.to_json() if layout.table else None,
        "lens": layout.lens.radial if layout.lens else None,
        "markers": [number for number, _ in layout.marks],
        "file": str(path),
    }
    return json.dumps(found)
