"""The pages in a real Chromium, served by a real session in a process of its own."""

from __future__ import annotations

import pytest

from tests.page.conftest import PHONE, SMALL, TELEVISION, Open, Size, Table

pytestmark = pytest.mark.browser


def begin(table: Table) -> None:
    """Anna claims and lays the first two; the next needed card is a 3."""
    table.send("dealt", ms=0)
    table.send("press", seat="A", ms=1000)
    table.send("time", ms=6000)
    slap_and_lay(table, "A", "2C", lay=1, ms=8000)


def slap_and_lay(table: Table, seat: str, card: str, *, lay: int, ms: float) -> None:
    table.send("press", seat=seat, ms=ms)
    table.send("lay", card=card, lay=lay, ms=ms + 40)
    table.send("time", ms=ms + 1000)


def test_the_hall_follows_the_game_in_several_browsers_at_once(table: Table, look: Open) -> None:
    halls = [look("/"), look("/", size=SMALL, language="ru")]
    begin(table)
    for hall in halls:
        hall.wait_for(".rank", "3")
        hall.wait_for(".top .by", "Anna")
    slap_and_lay(table, "B", "3D", lay=2, ms=12_000)
    for hall in halls:
        hall.wait_for(".rank", "4")
        hall.wait_for(".top .by", "Boris")
        assert hall.page.locator(".top svg.card").get_attribute("aria-label") == "3♦"
        assert [hall.page.locator(".seat .hand").nth(i).inner_text() for i in range(4)] == ["12", "12", "13", "13"]


def test_a_foul_looks_unlike_a_fine_lay(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    hall.wait_for(".ruling.fine", "2♣")
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    hall.wait_for(".ruling.foul", "Boris")
    colours = {hall.page.locator(".ruling").evaluate("e => getComputedStyle(e).backgroundColor")}
    slap_and_lay(table, "C", "3S", lay=3, ms=15_000)
    hall.wait_for(".ruling.fine", "Vera")
    colours.add(hall.page.locator(".ruling").evaluate("e => getComputedStyle(e).backgroundColor"))
    assert len(colours) == 2


def test_slaps_are_shown_in_order_with_margins_and_ties(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    table.send("press", seat="B", ms=12_000, lasting=10)
    table.send("press", seat="D", ms=12_025.3, lasting=10)
    table.send("press", seat="C", ms=12_060, within_us=20_000, lasting=10)
    table.send("press", seat="A", ms=12_090, within_us=20_000, lasting=10)
    table.send("time", ms=12_200)
    hall.wait_for(".slap:nth-child(5)", "Anna")
    rows = [hall.page.locator(".slap").nth(i) for i in range(4)]
    assert [row.locator(".name").inner_text() for row in rows] == ["Boris", "Grigory", "Vera", "Anna"]
    assert [row.locator(".margin").inner_text() for row in rows] == ["first", "+25.3 ms", "+60 ms", "tie +90 ms"]


@pytest.mark.parametrize("size", [TELEVISION, SMALL])
@pytest.mark.parametrize("players", ["Anna,Boris,Vera", "Anna,Boris,Vera,Grigory,Daria Konstantinovna,Eve"])
def test_the_hall_needs_no_scrolling(players: str, size: Size, look: Open, table_of: object) -> None: ...


def test_the_reader_chooses_the_language_and_keeps_it(table: Table, look: Open) -> None:
    hall = look("/", language="en")
    hall.wait_for(".bar", "Русский")
    hall.page.locator(".language").click()
    hall.wait_for(".bar", "English")
    hall.page.goto(table.url)
    hall.wait_for(".bar", "English")


def test_nothing_is_asked_of_any_other_server(table: Table, look: Open) -> None:
    begin(table)
    windows = [look("/"), look("/host", size=PHONE), look("/seat/B", size=PHONE)]
    for window in windows:
        window.page.locator("svg.card").first.wait_for()
        window.page.wait_for_load_state("networkidle")
    own = (f"http://127.0.0.1:{table.port}/", f"ws://127.0.0.1:{table.port}/", "data:", "blob:")
    assert [url for window in windows for url in window.asked if not url.startswith(own)] == []
