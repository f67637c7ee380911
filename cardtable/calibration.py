"""How a camera was set up: kept in a file from evening to evening, with the picture it was set up by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardtable.errors import BadSettings
from cardtable.zones import kinds_of
from engine.seats import Seat

if TYPE_CHECKING:
    from cardtable.settings import Settings
    from vision.frames import Picture
    from vision.layout import Layout, Zone


@dataclass(frozen=True, slots=True)
class Calibration:
    """Where one camera sees the table."""

    camera: str
    """What was written after `--camera`."""
    layout: Layout
    """The table without any game's zones or seats."""
    zones: Mapping[str, Mapping[str, Zone]] = field(default_factory=dict)
    """Zones that a person has moved: by game and number of seats (`ton-4`), then by name."""

    def layout_for(self, game: str | None, seats: Sequence[Seat]) -> Layout:
        """The table laid out for a game, what a person has moved where he wants it; raises `BadLayout`."""
        from vision.finding.zones import arrange  # noqa: PLC0415  (OpenCV is slow to import)
        from vision.layout import around  # noqa: PLC0415

        table = self.layout.table or self.layout.pile
        zones = arrange(table, kinds_of(game), seats) | dict(self.moved_for(game, seats))
        pile = zones.pop("pile")
        return replace(self.layout, pile=pile, zones=tuple(zones.items()), seats=around(seats))

    def moved_for(self, game: str | None, seats: Sequence[Seat]) -> Mapping[str, Zone]:
        """The zones that a person has moved for that game."""
        return self.zones.get(_key(game, seats), {})

    def with_zones(self, game: str | None, seats: Sequence[Seat], moved: Mapping[str, Zone]) -> Calibration:
        """The same with zones moved for that game; an empty `moved` puts them back."""
        return replace(self, zones={**self.zones, _key(game, seats): dict(moved)})


def default_path() -> Path:
    """The file that is read when nobody names another."""
    from platformdirs import user_config_path  # noqa: PLC0415

    return user_config_path("cardtable", appauthor=False) / "table.json"


def read_calibration(path: Path | None = None) -> tuple[Calibration, Picture | None] | None:
    """What `write_calibration` has kept, and its picture if that is still there.

    None when nobody has named a file and there is none. Raises `BadSettings`, `BadLayout` with a sentence.
    """
    chosen = path or default_path()
    if path is None and not chosen.exists():
        return None
    return _calibration(_read(chosen), chosen), _picture(chosen.with_suffix(".jpg"))


def calibration_for(settings: Settings) -> tuple[Calibration, Picture | None] | None:
    """What was kept for the settings' camera; a file that nobody has named must be of that very camera."""
    if not settings.camera:
        return None
    found = read_calibration(settings.calibration)
    if found is None or (settings.calibration is None and found[0].camera != settings.camera):
        return None
    return found


def write_calibration(calibration: Calibration, picture: Picture | None, path: Path | None = None) -> Path:
    """Keeps it, with the picture by which a moved camera is noticed; returns the file. Raises `BadSettings`."""
    import cv2  # noqa: PLC0415

    fine = [cv2.IMWRITE_JPEG_QUALITY, 92]
    chosen = path or default_path()
    values = {
        "camera": calibration.camera,
        "layout": calibration.layout.to_json(),
        "zones": {key: {n: zone.to_json() for n, zone in zones.items()} for key, zones in calibration.zones.items()},
    }
    try:
        chosen.parent.mkdir(parents=True, exist_ok=True)
        if picture is not None:
            chosen.with_suffix(".jpg").write_bytes(cv2.imencode(".jpg", picture, fine)[1].tobytes())
        draft = chosen.with_suffix(".new")
        draft.write_text(json.dumps(values, indent=1), "utf-8")
        draft.replace(chosen)
    except OSError as error:
        raise BadSettings(f"the camera's set-up cannot be kept in {chosen} ({error.strerror}); name another") from None
    return chosen


def _key(game: str | None, seats: Sequence[Seat]) -> str:
    return f"{game or 'any'}-{len(seats)}"


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BadSettings(f"there is no camera set-up {path}; make it: cardtable calibrate --out {path}") from None
    except (OSError, ValueError) as error:
        raise BadSettings(
            f"the camera's set-up {path} cannot be read ({error}); run cardtable calibrate again"
        ) from None


def _calibration(values: Any, path: Path) -> Calibration:
    from vision.layout import Layout, Zone  # noqa: PLC0415

    try:
        zones = {
            str(key): {str(name): Zone.from_json(zone) for name, zone in moved.items()}
            for key, moved in values.get("zones", {}).items()
        }
        return Calibration(str(values["camera"]), Layout.from_json(values["layout"]), zones)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise BadSettings(
            f"the camera's set-up {path} makes no sense ({error}); run cardtable calibrate again"
        ) from None


def _picture(path: Path) -> Picture | None:
    from vision.frames import read_picture  # noqa: PLC0415
    from vision.reader.errors import UnreadablePicture  # noqa: PLC0415

    try:
        return read_picture(path) if path.exists() else None
    except UnreadablePicture:
        return None
