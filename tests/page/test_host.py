"""The host's phone in a real Chromium: one tap for an answer, two for a correction."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.page.conftest import PHONE, Open, Table, Window, begin, slap_and_lay

pytestmark = pytest.mark.browser


@pytest.fixture
def host(table: Table, look: Open) -> Window:
    """The host's phone, in English."""
    return look("/host", size=PHONE)


def test_the_phone_needs_no_sideways_scrolling(table: Table, look: Open) -> None:
    host = look("/host", size=PHONE, language="ru")
    begin(table)
    table.send("lay", card="3D", lay=2, ms=12_000)
    table.send("time", ms=14_000)
    host.wait_for(".question", "3♦")
    assert host.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_the_deal_is_confirmed_with_one_tap(host: Window) -> None:
    host.tap(".calls .tap", "dealt")
    host.wait_for(".headline", "Who has a 2?")


def test_an_open_question_is_answered_with_one_tap(table: Table, host: Window) -> None:
    begin(table)
    table.send("lay", card="3D", lay=2, ms=12_000)
    table.send("time", ms=14_000)
    host.wait_for(".question", "Who laid 3♦?")
    host.tap(".question .tap", "Vera")
    host.wait_for(".head .by", "Vera")
    host.page.locator(".question").wait_for(state="detached")


def test_an_uncertain_card_is_named_with_one_tap(table: Table, host: Window) -> None:
    begin(table)
    table.send("press", seat="B", ms=12_000)
    table.send("lay", card="3D 3H 8D", lay=2, ms=12_040)
    table.send("time", ms=14_000)
    host.wait_for(".question", "Which card is it?")
    host.tap(".question .tap", "3♥")
    host.wait_for(".line", "Boris lays 3♥")
    assert host.page.locator(".now svg.card").get_attribute("aria-label") == "3♥"


def test_undo_takes_the_last_lay_back(table: Table, host: Window) -> None:
    begin(table)
    slap_and_lay(table, "B", "3D", lay=2, ms=12_000)
    host.wait_for(".now .rank", "4")
    host.tap(".undo")
    host.wait_for(".now .rank", "3")


def test_a_ruling_is_overruled_with_two_taps(table: Table, host: Window) -> None:
    begin(table)
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    host.tap(".line.foul", "Boris")
    host.tap(".sheet .tap", "Boris lays 9♦: fine.")
    host.wait_for(".head .by", "Boris")
    host.wait_for(".now .rank", "10")


def test_a_tap_is_not_lost_when_the_page_moves_under_the_finger(table: Table, host: Window) -> None:
    """Between a finger's coming and going the game may add rulings above the one that was touched."""
    begin(table)
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    press_on(host, ".line.foul", "Boris")
    slap_and_lay(table, "C", "3D", lay=3, ms=15_000)
    host.wait_for(".line.fine", "Vera")
    host.page.mouse.up()
    host.wait_for(".sheet .title", "Boris lays 9♦")


def test_a_tap_is_not_lost_when_what_was_touched_is_drawn_anew(table: Table, host: Window) -> None:
    """The browser makes no click of it: the sign that the finger came down on is there no more when it goes."""
    begin(table)
    table.send("press", seat="B", ms=12_000)
    table.send("lay", card="9D", lay=2, ms=12_040)
    press_on(host, ".line.provisional small span", "provisional")
    table.send("time", ms=13_040)
    host.page.locator(".line.foul:not(.provisional)").wait_for()
    host.page.mouse.up()
    host.wait_for(".sheet .title", "Boris lays 9♦")


def test_an_answer_is_not_lost_when_the_question_changes_under_the_finger(table: Table, host: Window) -> None:
    begin(table)
    table.send("press", seat="B", ms=12_000)
    table.send("lay", card="3D 3H", lay=2, ms=12_040)
    table.send("time", ms=14_000)
    press_on(host, ".question .tap", "3♥")
    table.send("lay", card="3D 3H 8D", lay=2, ms=12_040)
    host.wait_for(".question .tap", "8♦")
    host.page.mouse.up()
    host.wait_for(".line", "Boris lays 3♥")


def test_a_finger_that_is_drawn_away_taps_nothing(table: Table, host: Window) -> None:
    """And a key does, as for whoever uses no pointer."""
    begin(table)
    press_on(host, ".chip", "Boris")
    host.page.mouse.move(10, 10)
    host.page.mouse.up()
    host.find(".chip", "Anna").press("Enter")
    host.wait_for(".sheet .title", "Cards in the hand of Anna")


def press_on(window: Window, selector: str, text: str) -> None:
    """A finger comes down there and stays."""
    window.find(selector, text).hover()
    window.page.mouse.down()


def test_a_misread_card_is_put_right_with_two_taps(table: Table, host: Window) -> None:
    begin(table)
    slap_and_lay(table, "B", "8D", lay=2, ms=12_000)
    host.tap(".line.foul", "Boris")
    host.tap(".picker .tap", "3♦")
    host.wait_for(".line.fine", "Boris lays 3♦")


def test_the_sheet_says_why(table: Table, host: Window) -> None:
    begin(table)
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    host.tap(".line.foul", "Boris")
    host.wait_for(".sheet .why", "§4")
    host.wait_for(".sheet .why li", "Boris pressed the button, 40 ms before the card")


def test_a_correction_shows_first_which_later_rulings_it_would_change(table: Table, host: Window) -> None:
    """B-15: naming the next layer for the card beneath makes his own lay a double play."""
    begin(table)
    table.send("lay", card="3D", lay=2, ms=12_000)
    table.send("time", ms=14_000)
    slap_and_lay(table, "C", "4S", lay=3, ms=15_000)
    host.tap(".line", "3♦ is fine")
    host.tap(".sheet .answers .tap", "Vera")
    host.wait_for(".change", "Vera lays 4♠: fine.")
    host.wait_for(".change", "4♠ goes back, nobody lays twice running.")
    assert host.page.locator(".now .rank").inner_text() == "5"
    host.tap(".sheet .tap", "The record was wrong")
    host.wait_for(".line.foul", "4♠ goes back")
    host.wait_for(".now .rank", "4")


def test_a_later_ruling_can_be_kept_as_it_was_played(table: Table, host: Window) -> None:
    begin(table)
    slap_and_lay(table, "B", "3D", lay=2, ms=12_000)
    slap_and_lay(table, "C", "4S", lay=3, ms=15_000)
    host.tap(".line", "Boris lays 3♦")
    host.tap(".picker .tap", "9♦")
    host.tap(".change .q-toggle", "Keep it as it was played")
    host.tap(".sheet .tap", "The record was wrong")
    host.wait_for(".line.foul", "Boris lays 9♦")
    host.wait_for(".line.fine", "Vera lays 4♠: fine.")


def test_a_rewind_says_which_cards_go_back_and_goes_on_from_there(table: Table, host: Window) -> None:
    begin(table)
    slap_and_lay(table, "B", "3D", lay=2, ms=12_000)
    slap_and_lay(table, "C", "4S", lay=3, ms=15_000)
    host.tap(".line", "Boris lays 3♦")
    host.tap(".picker .tap", "9♦")
    host.wait_for(".sheet .tap", "4♠ to Vera")
    host.tap(".sheet .tap", "Rewind")
    host.wait_for(".now .rank", "3")
    host.wait_for(".line.foul", "Boris lays 9♦")
    assert host.page.locator(".line", has_text="Vera").count() == 0


def test_what_never_happened_is_struck(table: Table, host: Window) -> None:
    begin(table)
    slap_and_lay(table, "B", "9D", lay=2, ms=12_000)
    host.tap(".line.foul", "Boris")
    host.tap(".sheet .tap", "It never happened")
    host.page.locator(".line.foul").wait_for(state="detached")


def test_a_hand_is_recounted_and_a_player_is_out(table: Table, host: Window) -> None:
    begin(table)
    host.tap(".chip", "Boris")
    host.page.locator(".picker .tap", has_text="7").first.click()
    host.wait_for(".chip", "7")
    host.tap(".chip", "Boris")
    host.tap(".sheet .tap", "Boris is out")
    host.wait_for(".chip", "place 1")


def test_a_word_that_means_nothing_now_is_answered_so(table: Table, host: Window) -> None:
    begin(table)
    host.tap(".calls .tap", "No card")
    host.tap(".sheet .tap", "nobody in particular")
    host.wait_for(".q-notification", "That means nothing now")


def test_a_card_that_no_camera_sees_is_said(table: Table, host: Window) -> None:
    begin(table)
    host.tap(".chip", "Vera")
    host.tap(".sheet .tap", "Vera laid")
    host.tap(".picker .tap", "3♣")
    host.wait_for(".line.fine", "Vera lays 3♣")


def test_a_killed_game_is_gone_on_with(tmp_path: Path, look_at: Open) -> None:
    table = Table(store=tmp_path / "sessions.sqlite")
    try:
        begin(table)
        slap_and_lay(table, "B", "3D", lay=2, ms=12_000)
        table.kill()
        table.start()
        host = look_at(table, "/host", size=PHONE)
        host.wait_for(".question", "Go on from the last event?")
        host.tap(".question .tap", "Go on")
        host.wait_for(".now .rank", "4")
        host.wait_for(".line", "Boris lays 3♦")
        host.page.locator(".question").wait_for(state="detached")
    finally:
        table.kill()
