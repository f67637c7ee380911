"""Settings come from one TOML file; a flag beats the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardtable.errors import BadSettings
from cardtable.settings import Settings, read_option, read_settings, with_flags

FILE = """
players = ["Anna", "Boris", "Vera"]
camera = "0"
lang = "ru"
port = 9000
store = "~/evenings.sqlite"
table_mm = 1200
lamps = "A=17,buzzer=18"
seating = true

[options]
claim_s = 5
stall_collect = "pile"
"""


def test_every_key_is_read_and_a_flag_beats_it(tmp_path: Path) -> None:
    path = tmp_path / "cardtable.toml"
    path.write_text(FILE)
    settings = read_settings(path)
    assert settings.players == ("Anna", "Boris", "Vera")
    assert settings.options == {"claim_s": 5, "stall_collect": "pile"}
    assert settings.store == Path("~/evenings.sqlite").expanduser()
    assert (settings.lang, settings.port, settings.table_mm) == ("ru", 9000, 1200)
    assert (settings.lamps, settings.seating) == ("A=17,buzzer=18", True)
    louder = with_flags(settings, camera="/dev/video2", lang=None)
    assert (louder.camera, louder.lang) == ("/dev/video2", "ru")


def test_no_file_means_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert read_settings() == Settings()


@pytest.mark.parametrize(
    "line",
    [
        "port = 'high'",
        "port = true",
        "players = 'Anna'",
        "table_mm = -3",
        "options = 5",
        "lang = 'fr'",
        "port = 0",
        "seating = 'yes'",
    ],
)
def test_value_that_does_not_fit_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "cardtable.toml"
    path.write_text(line)
    with pytest.raises(BadSettings):
        read_settings(path)


def test_house_rule_is_a_number_or_a_word() -> None:
    assert read_option("claim_s=5") == ("claim_s", 5)
    assert read_option(" stall_collect = pile ") == ("stall_collect", "pile")
