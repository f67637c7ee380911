"""Whatever is wrong is told in one sentence that says what to do; exit status 2, never a traceback."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cardtable.helpers import cardtable, write_party

PLAYERS = ("--players", "Anna,Boris,Vera")


def refuses(*arguments: str, says: tuple[str, ...]) -> None:
    result = cardtable(*arguments)
    sentence = result.stderr.strip().splitlines()
    assert result.returncode == 2, result.stderr
    assert "Traceback" not in result.stderr
    assert len(sentence) == 1, result.stderr
    assert sentence[0].startswith("cardtable: ")
    for word in says:
        assert word in sentence[0]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "sessions.sqlite"


def test_unknown_game_names_those_there_are(store: Path) -> None:
    refuses("play", "chess", *PLAYERS, "--store", str(store), says=("chess", "bong"))


def test_demo_of_an_unknown_game() -> None:
    refuses("demo", "chess", "--headless", says=("chess", "bong"))


@pytest.mark.parametrize("names", ["Anna,Boris", "A,B,C,D,E,F,G"])
def test_player_count_out_of_range(names: str, store: Path) -> None:
    refuses("play", "bong", "--players", names, "--headless", "--store", str(store), says=("3", "6"))


def test_no_players(store: Path) -> None:
    refuses("play", "bong", "--headless", "--store", str(store), says=("players",))


def test_two_players_of_one_name(store: Path) -> None:
    refuses("play", "bong", "--players", "Anna,Anna,Vera", "--store", str(store), says=("Anna",))


def test_dealer_at_no_seat(store: Path) -> None:
    refuses("play", "bong", *PLAYERS, "--dealer", "Z", "--headless", "--store", str(store), says=("Z",))


@pytest.mark.parametrize("option", ["claim_s", "=5", "no_such_rule=1"])
def test_house_rule_that_is_none(option: str, store: Path) -> None:
    refuses(
        "play", "bong", *PLAYERS, "--option", option, "--headless", "--store", str(store), says=(option.strip("=15"),)
    )


@pytest.mark.parametrize(("lamps", "word"), [("foo", "A=17,B=27,buzzer=18"), ("Z=17", "seats of this game")])
def test_lamps_that_make_no_sense(lamps: str, word: str, store: Path) -> None:
    refuses(
        "play", "bong", *PLAYERS, "--headless", "--buttons", "keyboard", "--lamps", lamps, "--store", str(store),
        says=("lamps", word),
    )  # fmt: skip


def test_pins_that_nobody_names_where_there_are_none(store: Path) -> None:
    refuses(
        "play", "bong", *PLAYERS, "--headless", "--buttons", "gpio", "--store", str(store), says=("gpio:A=5", "pins")
    )


def test_camera_that_is_not_there(store: Path) -> None:
    refuses("play", "bong", *PLAYERS, "--headless", "--camera", "97", "--store", str(store), says=("camera", "97"))


def test_camera_file_that_is_not_there(store: Path) -> None:
    refuses("play", "bong", *PLAYERS, "--headless", "--camera", "no.mp4", "--store", str(store), says=("no.mp4",))


def test_serial_port_that_is_not_there(store: Path) -> None:
    arguments = ("--headless", "--buttons", "box:/dev/ttyNOWHERE", "--store", str(store))
    refuses("play", "bong", *PLAYERS, *arguments, says=("/dev/ttyNOWHERE",))


def test_buttons_that_are_none(store: Path) -> None:
    refuses("play", "bong", *PLAYERS, "--headless", "--buttons", "drums", "--store", str(store), says=("drums",))


def test_nothing_to_referee(store: Path) -> None:
    refuses("play", "bong", *PLAYERS, "--headless", "--store", str(store), says=("--camera", "--buttons"))


def test_language_that_is_none(store: Path) -> None:
    refuses("play", "bong", *PLAYERS, "--lang", "xx", "--store", str(store), says=("xx", "en", "ru"))


def test_photo_that_is_none(tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    photo.write_bytes(b"this is no picture")
    refuses("look", str(photo), "--json", says=("photo.jpg",))


def test_photo_that_is_not_there(tmp_path: Path) -> None:
    refuses("look", str(tmp_path / "none.jpg"), says=("none.jpg",))


def test_models_that_are_not_there(tmp_path: Path) -> None:
    photo = write_party(tmp_path / "party") / "frames" / "0005000.jpg"
    refuses("look", str(photo), "--models", str(tmp_path), says=(str(tmp_path),))


def test_model_that_is_not_as_released(tmp_path: Path) -> None:
    models = Path(__file__).parents[2] / "models"
    for path in models.iterdir():
        shutil.copy(path, tmp_path / path.name)
    (tmp_path / "index-reader.onnx").write_bytes(b"something else")
    photo = write_party(tmp_path / "party") / "frames" / "0005000.jpg"
    refuses("look", str(photo), "--models", str(tmp_path), says=("index-reader.onnx",))


def test_flag_that_is_none_is_told_by_the_command_line_itself() -> None:
    result = cardtable("play", "bong", "--no-such-flag")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_settings_file_with_an_unknown_key(tmp_path: Path) -> None:
    config = tmp_path / "cardtable.toml"
    config.write_text('camara = "0"\n')
    refuses("play", "bong", *PLAYERS, "--config", str(config), says=("camara", "camera"))


def test_settings_file_that_is_no_toml(tmp_path: Path) -> None:
    config = tmp_path / "cardtable.toml"
    config.write_text("players = [Anna\n")
    refuses("play", "bong", "--config", str(config), says=("cardtable.toml", "line 1"))


def test_damaged_store_is_left_as_it_is(store: Path) -> None:
    store.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    before = store.read_bytes()
    refuses("resume", "--store", str(store), says=(str(store), "move it away", "--store"))
    assert store.read_bytes() == before


def test_store_of_another_program_is_left_as_it_is(store: Path) -> None:
    with sqlite3.connect(store) as other:
        other.execute("CREATE TABLE recipe (name TEXT)")
    before = store.read_bytes()
    refuses("play", "bong", *PLAYERS, "--headless", "--buttons", "keyboard", "--store", str(store), says=(str(store),))
    assert store.read_bytes() == before


def test_session_that_is_not_kept(store: Path) -> None:
    refuses("replay", "7", "--store", str(store), says=("7",))


def test_nothing_to_resume(store: Path) -> None:
    refuses("resume", "--store", str(store), says=("unfinished", "cardtable play"))


def break_party(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)


BROKEN: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {
    "no recording": (lambda folder: (folder / "party.json").unlink(), ("session.jsonl", "party.json")),
    "party.json is no JSON": (lambda folder: break_party(folder, "party.json", '{"game": bong}'), ("party.json",)),
    "no presses": (lambda folder: (folder / "presses.jsonl").unlink(), ("presses.jsonl",)),
    "bad JSON line": (
        lambda folder: break_party(folder, "presses.jsonl", '{"t_ms": 1, "seat": "A"}\n{"t_ms": 2, \n'),
        ("presses.jsonl, line 2",),
    ),
    "unknown seat": (
        lambda folder: break_party(folder, "presses.jsonl", '{"t_ms": 1, "seat": "Q"}\n'),
        ("line 1", "'Q'", "A, B, C"),
    ),
    "a time that is none": (
        lambda folder: break_party(folder, "presses.jsonl", '{"t_ms": "soon", "seat": "A"}\n'),
        ("line 1", "t_ms"),
    ),
    "no frames": (lambda folder: (folder / "frames").rename(folder / "pictures"), ("frames",)),
    "unreadable picture": (lambda folder: break_party(folder, "frames/0005000.jpg", "no picture"), ("0005000.jpg",)),
    "picture without a time": (
        lambda folder: (folder / "frames/0005000.jpg").rename(folder / "frames/first.jpg"),
        ("first.jpg",),
    ),
    "too few players": (
        lambda folder: break_party(
            folder, "party.json", json.dumps({"game": "bong", "players": ["Ann", "Bo"], "seats": ["A", "B"]})
        ),
        ("3", "6"),
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_recording(what: str, tmp_path: Path) -> None:
    ruin, says = BROKEN[what]
    folder = write_party(tmp_path / "party")
    ruin(folder)
    refuses("play", "--recording", str(folder), "--headless", "--json", says=says)


def test_recording_of_another_game(tmp_path: Path) -> None:
    folder = write_party(tmp_path / "party")
    refuses("play", "poker", "--recording", str(folder), "--headless", says=("bong", "poker"))


def test_recording_into_a_folder_that_holds_one(tmp_path: Path) -> None:
    folder = write_party(tmp_path / "party")
    (folder / "session.jsonl").write_text("{}\n")
    other = write_party(tmp_path / "other")
    arguments = ("--recording", str(other), "--record", str(folder), "--headless")
    refuses("play", *arguments, says=("already holds a recording",))


def test_recording_of_a_later_format(tmp_path: Path) -> None:
    (tmp_path / "session.jsonl").write_text('{"format": 99, "game": "bong"}\n')
    refuses("play", "--recording", str(tmp_path), "--headless", says=("format", "99"))


def test_recording_whose_picture_is_missing(tmp_path: Path) -> None:
    header = {"format": 1, "game": "bong", "players": ["Ann", "Bo", "Cy"], "seats": ["A", "B", "C"]}
    frame = {"at_ns": 5, "frame": "0000000.jpg", "t_ns": 5, "within_ns": 0, "number": 0}
    (tmp_path / "session.jsonl").write_text(f"{json.dumps(header)}\n{json.dumps(frame)}\n")
    refuses("play", "--recording", str(tmp_path), "--headless", says=("session.jsonl, line 2", "0000000.jpg"))


def test_recording_with_an_input_that_is_none(tmp_path: Path) -> None:
    header = {"format": 1, "game": "bong", "players": ["Ann", "Bo", "Cy"], "seats": ["A", "B", "C"]}
    (tmp_path / "session.jsonl").write_text(f'{json.dumps(header)}\n{{"at_ns": 5, "smell": "burnt"}}\n')
    refuses("play", "--recording", str(tmp_path), "--headless", says=("session.jsonl, line 2",))
