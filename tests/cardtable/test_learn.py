"""`cardtable learn`: from photographs, named or not, and with a person at a terminal; then reading with `--deck`."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from cardtable.decks import deck_path, find_deck
from cardtable.errors import BadSettings
from cardtable.learning import Teaching, cards_in_name
from engine.cards import Card
from tests.cardtable.helpers import cardtable, clean_environment
from tests.vision.test_reader import table
from vision.frames import Frame
from vision.reader import Reader
from vision.reader.lessons import Lessons


def photograph(folder: Path, name: str, *cards: str) -> Path:
    """A picture of one or two cards beside each other, called `name`."""
    folder.mkdir(parents=True, exist_ok=True)
    places = [(240.0, 240.0)] if len(cards) == 1 else [(130.0, 240.0), (350.0, 240.0)]
    path = folder / name
    cv2.imwrite(str(path), table(*((card, *place, 8) for card, place in zip(cards, places, strict=True))))
    return path


@pytest.mark.parametrize(
    ("stem", "cards"),
    [("9H", ["9H"]), ("QS 10D", ["QS", "10D"]), ("9H-2", ["9H"]), ("IMG_2034", []), ("0012", []), ("ДП", ["QS"])],
)
def test_files_named_after_their_cards(stem: str, cards: list[str]) -> None:
    assert [str(card) for card in cards_in_name(stem)] == cards


def test_a_deck_is_learnt_from_photographs_and_read_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    photograph(tmp_path / "photos", "IMG_1.png", "9H", "KS")
    photo = photograph(tmp_path / "photos", "7C.png", "7C")
    result = cardtable("learn", "plain", "--photos", str(tmp_path / "photos"), "--json")
    assert result.returncode == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["cards"] == ["7C", "9H", "KS"]
    assert len(told["missing"]) == 49
    assert told["gain"] == {"rank": 0.0, "suit": 0.0}  # the deck reads well as it is
    assert Path(told["file"]) == deck_path("plain")
    assert deck_path("plain").stat().st_size < 100_000
    read = cardtable("look", str(photo), "--json", "--deck", "plain")
    assert [card["card"] for card in json.loads(read.stdout)["cards"]] == ["7C"]


def taught(tmp_path: Path, answers: list[str], *photos: tuple[str, ...]) -> tuple[Teaching, list[str]]:
    """A folder of photographs gone through with a person who gives these answers, then goes away."""
    asked: list[str] = []

    def ask(question: str) -> str | None:
        asked.append(question)
        return answers.pop(0) if answers else None

    for number, cards in enumerate(photos):
        photograph(tmp_path / "photos", f"{number}.png", *cards)
    teaching = Teaching(Lessons(Reader.load(), [Card("9H"), Card("9D")]), say=asked.append, ask=ask)
    teaching.show_folder(tmp_path / "photos")
    return teaching, asked


def test_it_asks_about_what_it_is_not_sure_of_and_for_what_it_misses(tmp_path: Path) -> None:
    """A card that isn't in the deck of two reads as nothing; a wrong name is asked about again."""
    teaching, asked = taught(tmp_path, ["ninety", "9D"], ("9H",), ("KS",))
    assert teaching.lessons.missing == ()
    assert "9♥ learnt; 1 still missing" in asked
    assert any("no card that I can read" in question for question in asked)
    assert any("ninety" in question for question in asked)
    teaching, asked = taught(tmp_path / "again", ["-", "q"], ("9H",), ("KS",))
    assert asked[-1].startswith("Not seen yet: 9♦")
    assert teaching.skipped == 0


def test_unsure_pictures_are_skipped_where_nobody_answers(tmp_path: Path) -> None:
    teaching, _ = taught(tmp_path, [], ("9H",), ("KS",))
    assert teaching.skipped == 1
    assert teaching.lessons.missing == (Card("9D"),)


class Held:
    """A camera under which cards are held one after another."""

    name, trouble = "held", None

    def __init__(self, *cards: str, looks: int = 3) -> None:
        self._cards = [card for card in cards for _ in range(looks)]

    def newest(self) -> Frame | None:
        return Frame(table((self._cards.pop(0), 240, 240, 5)), 0, 0, 0)

    @property
    def is_over(self) -> bool:
        return not self._cards

    def close(self) -> None:
        """Nothing to let go of."""


def test_cards_held_under_the_camera_are_taken_once_they_lie_steady() -> None:
    said: list[str] = []
    lessons = Lessons(Reader.load(), [Card("9H"), Card("KS"), Card("2C")])
    Teaching(lessons, say=said.append, ask=lambda question: None).watch(Held("9H", "KS"))
    assert said == ["9♥ learnt; 2 still missing", "K♠ learnt; 1 still missing"]
    assert lessons.missing == (Card("2C"),)


def test_a_person_at_a_real_terminal_names_the_card(tmp_path: Path) -> None:
    """With 36 cards a three cannot be: it is asked about, and the answer is typed."""
    photograph(tmp_path / "photos", "a.png", "3H")
    master, slave = pty.openpty()
    arguments = ("learn", "typed", "--cards", "36", "--photos", str(tmp_path / "photos"), "--json")
    with subprocess.Popen(
        [sys.executable, "-m", "cardtable.main", *arguments],
        stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=clean_environment() | {"XDG_DATA_HOME": str(tmp_path)},
    ) as learning:  # fmt: skip
        os.write(master, b"8H\nq\n")
        out, errors = learning.communicate(timeout=300)
    os.close(slave)
    os.close(master)
    assert learning.returncode == 0, errors
    assert json.loads(out)["cards"] == ["8H"]
    assert "a.png shows" in errors


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("learn", "a b", "--photos", "."), "cannot be called"),
        (("learn", "mine"), "--photos DIR or --camera 0"),
        (("learn", "mine", "--photos", "/no/such"), "there is no folder"),
        (("learn", "mine", "--photos", ".", "--cards", "40"), "52, 36 or 32"),
        (("look", "README.md", "--deck", "x"), "is no picture"),
    ],
)
def test_wrong_use_is_one_sentence(arguments: tuple[str, ...], says: str) -> None:
    result = cardtable(*arguments)
    assert result.returncode == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_unknown_deck_names_those_there_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    deck_path("mine").parent.mkdir(parents=True)
    deck_path("mine").write_bytes(b"?")
    with pytest.raises(BadSettings, match=r"no deck called 'other' .* mine"):
        find_deck("other")
