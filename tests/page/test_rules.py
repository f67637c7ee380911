"""The rules on the page: each game's text in both languages, and the way from a ruling to its place in it."""

from __future__ import annotations

import pytest

from cardtable.page.rules import rules_text
from engine.games import GAMES
from engine.words import LANGUAGES
from tests.page.conftest import PHONE, Open, Table, begin, slap_and_lay


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_has_its_text_with_links_that_lead_to_pages(game: str) -> None:
    for language in LANGUAGES:
        text = rules_text(game, language)
        assert text.startswith("# ")
        assert ".md)" not in text
        assert all(f"](/rules/{other})" in text for other in GAMES if other != game)
        other = next(one for one in LANGUAGES if one != language)
        assert f"](/language/{other}?to=/rules/{game})" in text


def test_nothing_but_a_game_is_read() -> None:
    assert rules_text("../../pyproject", "en") == rules_text("bong", "../en") == ""


@pytest.mark.browser
def test_a_ruling_leads_to_its_place_in_the_rules(table: Table, look: Open) -> None:
    begin(table)
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    host = look("/host", size=PHONE)
    host.page.locator(".lines .tap", has_text="9♦").first.click()
    host.page.locator(".sheet .why a", has_text="§4").click()
    host.page.wait_for_url("**/rules/bong#wrong-rank")
    host.page.locator("#wrong-rank").wait_for(state="attached")
    host.page.wait_for_function("document.getElementById('wrong-rank').getBoundingClientRect().top < innerHeight")
    host.wait_for(".rules sub.found", "wrong-rank")
    assert "goes back" in host.page.locator("li", has=host.page.locator("#wrong-rank")).inner_text()


@pytest.mark.browser
def test_the_rules_change_language_and_game_by_their_links(look: Open) -> None:
    rules = look("/rules/ochko", size=PHONE)
    rules.wait_for(".rules h1", "Ochko, as the referee applies it")
    assert rules.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing runs off a phone"
    rules.page.locator(".rules a", has_text="По-русски").click()
    rules.wait_for(".rules h1", "Очко (двадцать одно): как судит судья")
    rules.page.locator(".rules a", has_text="Деберц").click()
    rules.wait_for(".rules h1", "Деберц: как судит судья")


@pytest.mark.browser
def test_a_game_without_a_text_is_told_in_a_sentence(look: Open) -> None:
    look("/rules/whist").wait_for(".rules", "There is no page of rules for whist")
