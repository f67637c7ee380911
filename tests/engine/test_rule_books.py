"""Every numbered example and every option of a rule book is tested under its own name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.engine.test_rules_pages import offers

BOOKS = Path(__file__).parents[3] / "shared" / "rules"
HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(not BOOKS.is_dir(), reason="needs the rule books in ../shared/rules")


def book(game: str) -> str:
    """The rule book's text."""
    return (BOOKS / f"{game}.md").read_text(encoding="utf-8")


def sources_of(game: str) -> str:
    """The tests that are named after the game."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(HERE.glob(f"test_{game}_*.py")))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_numbered_example_has_its_tests(game: str) -> None:
    numbers = re.findall(r"^\*\*([A-Z])-(\d+)", book(game), flags=re.MULTILINE)
    tested = set(re.findall(r"^def test_([a-z])_?(\d+)_", sources_of(game), flags=re.MULTILINE))
    assert numbers
    assert {(letter.lower(), number) for letter, number in numbers} <= tested


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_option_is_one_of_the_rule_books_and_has_a_test(game: str) -> None:
    ours = offers(game)
    for name in (*ours.choices, *ours.numbers):
        assert re.search(rf"\b{name}\b", sources_of(game)), f"no test of {name}"
    flags = set(re.findall(r"`([a-z_0-9]+) ?=", book(game).split("option flags")[1]))
    assert flags <= {*ours.choices, *ours.numbers}
