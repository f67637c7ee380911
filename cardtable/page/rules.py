"""`/rules/{game}`: the rules as the referee applies them, from `docs/rules`; every ruling leads to its place there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from nicegui import ui

from cardtable.page.pieces import markup
from cardtable.page.text import safe
from cardtable.page.visit import Visit
from cardtable.page.words import LANGUAGES, say
from engine.games import GAMES

_PACKAGE = Path(__file__).parents[1]
_PLACES = (_PACKAGE / "rules", _PACKAGE.parent / "docs" / "rules")
"""Where the texts lie: in an installed program, in the repository."""
_LINK = re.compile(r"\]\((\w+)\.(\w+)\.md\)")
_GO_THERE = """
const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
place?.scrollIntoView({block: "center"});
place?.nextElementSibling?.classList.add("found");
"""


@cache
def rules_text(game: str, language: str) -> str:
    """The game's rules as Markdown, with links that lead to pages; empty where there are none."""
    if game not in GAMES or language not in LANGUAGES:
        return ""
    found = (folder / f"{game}.{language}.md" for folder in _PLACES)
    text = next((path.read_text(encoding="utf-8") for path in found if path.is_file()), "")
    return _LINK.sub(lambda link: f"]({_address(game, language, *link.groups())})", text)


def _address(game: str, language: str, other: str, spoken: str) -> str:
    """Where a link to another of the texts leads: to another game, or to the same in another language."""
    return f"/rules/{other}" if spoken == language else f"/language/{spoken}?to=/rules/{game}"


def open_rules(visit: Visit) -> None:
    """The page of one game."""
    game = visit.parameters["game"].lower()
    text = rules_text(game, visit.language)
    with ui.element("main").classes("rules"):
        markup(f'<a href="/">{say(visit.language, "hall")}</a> <a href="/host">{say(visit.language, "host")}</a>')
        if text:
            # Our own text, and the anchors in it are what rulings link to.
            ui.markdown(text, sanitize=False)
            ui.run_javascript(_GO_THERE)
        else:
            markup(safe(say(visit.language, "no-rules", game=game)))
