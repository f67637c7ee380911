"""Settings: one TOML file whose keys are the flags of `cardtable play`; a flag beats the file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from cardtable.errors import BadSettings
from engine.rules import Option

LANGUAGES = ("en", "ru")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a table is set up with. The file's keys have these names."""

    players: tuple[str, ...] = ()
    """Names, clockwise from seat A."""
    camera: str = ""
    """See `vision.cameras.open_camera`; empty: cards are tapped on the page."""
    mains_hz: int = 50
    """Frequency of the mains that the lamps hang on, 50 or 60: exposures that fit it do not flicker."""
    buttons: str = ""
    """`keyboard`, `gpio`, `gpio:A=5,B=6`, `box`, several joined by `+`; empty: phones."""
    lamps: str = ""
    """Pins of the seats' LEDs and of a buzzer, `A=17,B=27,buzzer=18`; a box's own lamps need no word."""
    seating: bool = False
    """Whether everybody slaps at the start and is seated so; `gpio` without pins always does."""
    lang: str = "en"
    """`en` or `ru`."""
    host: str = "0.0.0.0"
    """Address the page is served at; `127.0.0.1` keeps it to this computer."""
    port: int = 8080
    """Port of the page."""
    certificate: Path | None = None
    """PEM file with a certificate and its key: pages are served over https, so that phones give them their camera."""
    store: Path | None = None
    """File that keeps the sessions; None: in the user's data folder."""
    deck: str = ""
    """Name of the learnt deck on the table; empty: any deck."""
    table_mm: float = 1000.0
    """Width of the table in the camera's view."""
    calibration: Path | None = None
    """File that `cardtable calibrate` has written; None: the one beside the settings, if it is this camera's."""
    options: dict[str, Option] = field(default_factory=dict)
    """House rules by name."""

    def __post_init__(self) -> None:
        if self.lang not in LANGUAGES:
            raise BadSettings(f"there is no language {self.lang!r}; choose {' or '.join(LANGUAGES)}")
        if self.mains_hz not in (50, 60):
            raise BadSettings(f"no mains has {self.mains_hz} Hz; choose 50 or, in the Americas and parts of Asia, 60")
        if not 0 < self.port < 65536:
            raise BadSettings(f"the port {self.port} cannot be; choose one from 1 to 65535, e.g. 8080")


@dataclass(frozen=True, slots=True)
class Output:
    """Where a session's rulings go, beside the store."""

    is_headless: bool = False
    """No page; rulings on standard output."""
    is_json: bool = False
    """Rulings on standard output as JSON lines."""
    record: Path | None = None
    """A new folder in which everything is kept."""

    @property
    def is_printed(self) -> bool:
        """Whether rulings go to standard output."""
        return self.is_headless or self.is_json


def default_path() -> Path:
    """The settings file that is read when there is one and nobody names another."""
    from platformdirs import user_config_path  # noqa: PLC0415  (only where settings are read)

    return user_config_path("cardtable", appauthor=False) / "cardtable.toml"


def read_settings(path: Path | None = None) -> Settings:
    """The settings in `path` (default: the user's, if there are any); raises `BadSettings` with a sentence."""
    chosen = path or default_path()
    try:
        values = tomllib.loads(chosen.read_text("utf-8"))
    except FileNotFoundError:
        if path is None:
            return Settings()
        raise BadSettings(f"there is no settings file {path}; make it or leave --config out") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSettings(f"the settings file {chosen} cannot be read: {error}") from None
    return _settings(values, chosen)


def with_flags(settings: Settings, **flags: Any) -> Settings:
    """`settings` with every flag that was given (is not None) in place of the file's value."""
    return replace(settings, **{name: value for name, value in flags.items() if value is not None})


def read_option(text: str) -> tuple[str, Option]:
    """The house rule in `name=value`; raises `BadSettings`."""
    name, separator, value = text.partition("=")
    if not separator or not name.strip() or not value.strip():
        raise BadSettings(f"the option {text!r} is not understood; write name=value, e.g. --option claim_s=5")
    value = value.strip()
    return name.strip(), int(value) if value.lstrip("-").isdecimal() else value


def split_players(text: str) -> tuple[str, ...]:
    """The names in `Anna,Boris,Vera`."""
    return tuple(name.strip() for name in text.split(","))


def _settings(values: dict[str, Any], path: Path) -> Settings:
    kinds = {each.name: each for each in fields(Settings)}
    for name, value in values.items():
        if name not in kinds:
            raise BadSettings(f"{path}: there is no setting {name!r}; there are: {', '.join(kinds)}")
        if not _fits(name, value):
            raise BadSettings(f"{path}: {value!r} does not fit the setting {name!r}; see cardtable play --help")
    if "players" in values:
        values["players"] = tuple(values["players"])
    for name in {"store", "calibration", "certificate"} & values.keys():
        values[name] = Path(values[name]).expanduser()
    return Settings(**values)


def _fits(name: str, value: Any) -> bool:
    match name:
        case "players":
            return isinstance(value, list) and all(isinstance(player, str) for player in value)
        case "port" | "mains_hz":
            return type(value) is int
        case "seating":
            return isinstance(value, bool)
        case "table_mm":
            return isinstance(value, int | float) and value > 0
        case "options":
            return isinstance(value, dict) and all(isinstance(setting, int | str) for setting in value.values())
        case _:
            return isinstance(value, str)
