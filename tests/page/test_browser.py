"""The hall and the phones in a real Chromium, served by a real session in a process of its own."""

from __future__ import annotations

import pytest

from tests.page.conftest import PHONE, SMALL, TELEVISION, Open, Size, Table, begin, slap_and_lay

pytestmark = pytest.mark.browser
SIX = "Anna,Boris,Vera,Grigory,Daria Konstantinovna,Eve"


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
        assert hall.page.locator(".seat .hand").all_inner_texts() == ["12", "12", "13", "13"]


def test_a_foul_looks_unlike_a_fine_lay(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    hall.wait_for(".ruling.fine", "Anna")
    fine = hall.style(".ruling", "backgroundColor")
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    hall.wait_for(".ruling.foul", "Boris")
    assert hall.style(".ruling", "backgroundColor") != fine


def test_a_ruling_that_may_still_change_looks_provisional(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    table.send("press", seat="B", ms=12_000)
    table.send("lay", card="3D", lay=2, ms=12_040)
    hall.wait_for(".ruling.provisional", "Boris")
    table.send("time", ms=14_000)
    hall.wait_for(".ruling:not(.provisional)", "Boris")


def test_slaps_are_shown_in_order_with_margins_and_ties(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    table.send("press", seat="B", ms=12_000, lasting=10)
    table.send("press", seat="D", ms=12_025.3, lasting=10)
    table.send("press", seat="C", ms=12_060, lasting=10, within_us=20_000)
    table.send("press", seat="A", ms=12_090, lasting=10, within_us=20_000)
    table.send("time", ms=12_200)
    hall.wait_for(".slap:last-child .name", "Anna")
    assert hall.page.locator(".slap .name").all_inner_texts() == ["Boris", "Grigory", "Vera", "Anna"]
    assert hall.page.locator(".slap .margin").all_inner_texts() == ["first", "+25.3 ms", "+60 ms", "+90 ms"]


def test_a_lost_camera_is_seen_in_the_hall_and_on_the_phone(table: Table, look: Open) -> None:
    windows = [look("/"), look("/host", size=PHONE)]
    table.send("lost", source="camera", ms=100)
    for window in windows:
        window.wait_for(".lost", "Camera")
    table.send("lost", source="camera", lost=False, ms=200)
    for window in windows:
        window.page.locator(".lost").wait_for(state="detached")


@pytest.mark.parametrize("table", ["Anna,Boris,Vera", SIX], indirect=True, ids=["three", "six"])
@pytest.mark.parametrize("size", [TELEVISION, SMALL], ids=["1080", "720"])
def test_the_hall_needs_no_scrolling_and_cuts_nothing_off(table: Table, look: Open, size: Size) -> None:
    hall = look("/", size=size, language="ru")
    begin(table)
    slap_and_lay(table, "B", "JS", lay=2, ms=12_000)
    table.send("lay", card="3H", lay=3, ms=14_000)
    table.send("time", ms=15_000)
    hall.wait_for(".ask", "3♥")
    hall.wait_for(".rank", "4")
    assert hall.page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        *size
    ]
    spilling = hall.page.locator(
        ".hall .seat, .hall .ruling .text, .hall .race, .hall .needed, .hall .ask"
    ).evaluate_all(
        "boxes => boxes.filter(b => b.scrollHeight > b.clientHeight + 2 || b.scrollWidth > b.clientWidth + 2"
        " || b.getBoundingClientRect().right > innerWidth || b.getBoundingClientRect().bottom > innerHeight)"
        ".map(b => b.className)"
    )
    assert spilling == []


def test_the_needed_rank_and_the_names_are_large_enough_for_four_metres(table: Table, look: Open) -> None:
    """A capital should be 1/200 of the distance: 20 mm, 35 px on a 50-inch television; small print half of that."""
    hall = look("/")
    begin(table)
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    hall.wait_for(".ruling.foul", "Boris")
    capital = 0.71  # of the font size, in Roboto
    sizes = {s: float(hall.style(s, "fontSize")[:-2]) * capital for s in (".rank", ".hand", ".ruling .text", ".can")}
    assert sizes[".rank"] > 300
    assert sizes[".hand"] > 45
    assert sizes[".ruling .text"] > 35
    assert sizes[".can"] > 17.5


def test_the_reader_chooses_the_language_and_keeps_it(table: Table, look: Open) -> None:
    hall = look("/")
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
    own = (f"http://127.0.0.1:{table.port}/", f"ws://127.0.0.1:{table.port}/", "data:", "blob:")
    assert all(window.asked for window in windows)
    assert [url for window in windows for url in window.asked if not url.startswith(own)] == []


def test_a_dropped_connection_mends_itself_and_shows_the_present(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    hall.wait_for(".rank", "3")
    hall.page.evaluate("window.socket.io.engine.close()")
    slap_and_lay(table, "B", "3D", lay=2, ms=12_000)
    hall.wait_for(".rank", "4")


def test_a_restarted_server_is_found_again_without_a_hand_on_the_browser(own_table: Table, look_at: Open) -> None:
    hall = look_at(own_table, "/")
    begin(own_table)
    hall.wait_for(".rank", "3")
    own_table.kill()
    hall.wait_for("#popup[aria-hidden=false]", "Connection lost")
    own_table.start()
    hall.wait_for(".headline", "Grigory deals")
    own_table.send("dealt", ms=0)
    hall.wait_for(".headline", "Who has a 2?")
