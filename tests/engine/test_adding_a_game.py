"""`docs/adding-a-game.md` is true: the game that it builds is built from it here, and played."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import engine.games
from engine.cards import Card
from engine.errors import BadSetup
from engine.games import GAMES
from engine.log import Log
from engine.referee import Referee
from engine.rules import Audience, Rules, Setup
from engine.seats import Seat, seats
from engine.text import read_entry, write_entry
from engine.words import LANGUAGES, MISSING, sentences_of
from tests.engine import playthrough
from tests.engine.playthrough import Playthrough
from tests.engine.table import AnyTable

PAGE = (Path(__file__).parents[2] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"`engine/games/durak/(\w+\.py)`:\n\n```python\n(.*?)```", PAGE, flags=re.DOTALL))
PARTY = "\n".join(
    line.strip() for line in re.findall(r"```text\n(.*?)```", PAGE, flags=re.DOTALL)[0].splitlines() if line.strip()
)


class DurakTable(AnyTable[Any]):
    """A game of the Durak on the page."""

    game = "durak"

    def board(self) -> str:
        """The scoreboard in one line."""
        board = self.referee.view(Audience())
        return f"{board.phase} · {board.headline}"


@pytest.fixture
def durak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rules[Any]]:
    """The page's game, as if its files stood in `engine/games/durak`."""
    folder = tmp_path / "durak"
    folder.mkdir()
    for name, text in {**FILES, "__init__.py": ""}.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(engine.games, "__path__", [*engine.games.__path__, str(tmp_path)])
    game: Rules[Any] = import_module("engine.games.durak.game").Durak()
    monkeypatch.setitem(GAMES, "durak", game)
    monkeypatch.setitem(playthrough.TABLES, "durak", DurakTable)
    yield game
    for name in [name for name in sys.modules if name.startswith("engine.games.durak")]:
        del sys.modules[name]


def test_the_page_has_all_files_of_the_game() -> None:
    assert set(FILES) == {"words.py", "state.py", "judge.py", "apply.py", "game.py"}


@pytest.mark.usefixtures("durak")
def test_the_party_on_the_page_shows_every_ruling() -> None:
    party = Playthrough(PARTY)
    told = party.play()
    assert party.codes == set(sentences_of("durak", "en")) == set(sentences_of("durak", "ru"))
    assert MISSING not in told
    assert "does-not-beat: 7♣ does not beat 8♣: it goes back." in told
    assert "wrong-seat: It is not Vera's turn: 9♦ goes back." in told
    assert "out, fool: Boris is out. Vera is the fool." in told


def test_its_log_comes_back_as_text_and_folds_to_the_same_state(durak: Rules[Any]) -> None:
    party = Playthrough(PARTY)
    party.play()
    referee = party.table.referee
    text = json.dumps([write_entry(entry) for entry in referee.log.entries])
    again = Referee.restore(durak, referee.setup, Log(map(read_entry, json.loads(text))))
    assert (again.differences, again.state) == ((), referee.state)
    for language in LANGUAGES:
        assert referee.view(Audience(language=language)).headline


def test_an_unsure_card_beats_nothing_until_it_is_answered(durak: Rules[Any]) -> None:
    table = DurakTable(2, dealer="B")
    table.lay("6H")
    table.wait(1000)
    table.lay("8C")
    table.wait(1000)
    table.lay("6H", sure=0.5, likely=(Card("6H"), Card("6D")))
    assert table.state.phase.value == "defend"
    table.referee.answer(table.referee.questions()[0], card=Card("7H"), who="host")
    assert (table.state.phase.value, table.state.turn) == ("attack", "B")


def test_the_option_of_the_page_does_what_it_says(durak: Rules[Any]) -> None:
    for taker, turn in (("loses_turn", "A"), ("attacks", "B")):
        table = DurakTable(2, dealer="B", options={"taker": taker})
        table.lay("6H")
        table.wait(1000)
        table.lay("8C")
        table.wait(1000)
        table.hold("B")
        assert table.state.turn == Seat(turn)
    with pytest.raises(BadSetup, match="the option taker can be loses_turn or attacks, not 'sleeps'"):
        durak.start(Setup(seats(2), ("Anna", "Boris"), None, {"taker": "sleeps"}))


def test_what_the_page_names_is_there() -> None:
    root = Path(__file__).parents[2]
    named = set(re.findall(r"`((?:engine|tests)/[\w/]+\.py)`", PAGE)) - {f"engine/games/durak/{name}" for name in FILES}
    assert named
    assert all((root / name).is_file() for name in named)
