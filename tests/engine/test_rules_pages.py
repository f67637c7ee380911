"""The rules for players (`docs/rules`): every ruling has its place there, in the paragraph that it names."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.house import Offers
from engine.words import LANGUAGES, sentences_of
from tests.engine.playthrough import Playthrough, texts

FOLDER = Path(__file__).parents[2] / "docs" / "rules"
PAGES = [(game, language) for game in sorted(GAMES) for language in LANGUAGES]


@cache
def page(game: str, language: str) -> str:
    """The page's text."""
    return (FOLDER / f"{game}.{language}.md").read_text(encoding="utf-8")


def sections(game: str, language: str) -> dict[str, str]:
    """The text of each paragraph, by `§4`."""
    parts = re.split(r"^## (§\d+) .*$", page(game, language), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def anchors(text: str) -> list[str]:
    """The places in `text` that a link can lead to."""
    return re.findall(r'<a id="([^"]+)"></a>', text)


@cache
def ruled(game: str) -> dict[str, set[str]]:
    """The paragraphs that each ruling names in the playthroughs, also where it was taken back later."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in texts(game):
        playthrough = Playthrough(path.read_text(encoding="utf-8"))
        for _ in playthrough._told_line_by_line():
            for told in playthrough.table.news:
                for ruling in told.rulings:
                    found[ruling.code].add(ruling.paragraph)
    return found


def offers(game: str) -> Offers:
    """The game's options."""
    for module in ("state", "house"):
        found = getattr(import_module(f"engine.games.{game}.{module}"), "OFFERS", None)
        if isinstance(found, Offers):
            return found
    raise AssertionError(f"{game} offers no options")


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_every_ruling_has_its_anchor_once_and_there_are_no_others(game: str, language: str) -> None:
    codes = {code.rstrip("/") for code in sentences_of(game, language)}
    assert sorted(anchors(page(game, language))) == sorted(codes)


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_a_ruling_stands_in_a_paragraph_that_it_names(game: str, language: str) -> None:
    places = {code: name for name, text in sections(game, language).items() for code in anchors(text)}
    astray = {code: (places[code], named) for code, named in ruled(game).items() if places[code] not in named}
    assert not astray


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_the_house_rules_are_all_there_with_their_values_and_defaults(game: str, language: str) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page(game, language), flags=re.MULTILINE)
    told = {name: tuple(value.strip("` ") for value in values.split(",")) for name, values in rows}
    offered = offers(game)
    assert told == {**offered.choices, **{name: (str(least[0]),) for name, least in offered.numbers.items()}}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_both_languages_have_the_same_paragraphs_with_the_same_rulings_in_them(game: str) -> None:
    english, russian = (sections(game, language) for language in LANGUAGES)
    assert {name: sorted(anchors(text)) for name, text in english.items()} == {
        name: sorted(anchors(text)) for name, text in russian.items()
    }


@pytest.mark.parametrize(("game", "language"), PAGES)
def test_the_pages_lead_to_each_other(game: str, language: str) -> None:
    links = set(re.findall(r"\]\(([^)#]+)\)", page(game, language)))
    assert links == {f"{game}.{other}.md" for other in LANGUAGES if other != language} | {
        f"{other}.{language}.md" for other in GAMES if other != game
    }
