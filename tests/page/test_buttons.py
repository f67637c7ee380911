"""Buttons on the pages: what is the matter with them, who was first, seats by slapping, whether all are alike."""

from __future__ import annotations

import pytest

from tests.page.conftest import PHONE, Open, Table, begin

pytestmark = pytest.mark.browser


def test_a_stuck_button_a_false_start_and_a_held_one_are_told_at_the_players_name(table: Table, look: Open) -> None:
    windows = [(look("/"), ".seat"), (look("/host", size=PHONE), ".chip")]
    table.send("edge", kind="level", source="box", seat="A", is_down=True, ms=10)
    table.send("edge", kind="level", source="box", seat="B", ms=10)
    for window, place in windows:
        window.wait_for(place, "button stuck: let it go")
    table.send("press", seat="C", ms=1000)
    for window, place in windows:
        window.wait_for(place, "too early")
    table.send("edge", kind="up", source="box", seat="A", ms=1500)
    table.send("edge", kind="down", source="box", seat="B", ms=2000)
    table.send("dealt", ms=6000)
    table.send("time", ms=6010)
    for window, place in windows:
        window.wait_for(place, "was down at the start")
        window.page.locator(".remark", has_text="stuck").wait_for(state="detached")


def test_a_doubtful_start_counts_if_the_host_says_so(table: Table, look: Open) -> None:
    host = look("/host", size=PHONE)
    table.send("press", seat="B", ms=1000, lasting=5, within_us=30_000)
    table.send("dealt", ms=1020)
    table.send("time", ms=1100)
    host.wait_for(".question", "Boris: before or after the start?")
    host.tap(".question .tap", "It counts")
    host.wait_for(".line", "Boris claims")
    host.page.locator(".question").wait_for(state="detached")


def test_who_was_first_is_told_with_the_reason_when_a_source_is_silent(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    table.send("edge", kind="down", source="box", seat="B", ms=12_000)
    table.send("edge", kind="up", source="box", seat="B", ms=12_060)
    hall.wait_for(".slap .name", "Boris")
    assert hall.page.locator(".doubt").count() == 0
    table.send("edge", kind="lost", source="keys:event3", ms=13_990)
    table.send("edge", kind="down", source="box", seat="C", ms=14_000)
    table.send("edge", kind="up", source="box", seat="C", ms=14_060)
    hall.wait_for(".slap .name", "Vera")
    hall.wait_for(".doubt", "Unsure: the keys of event3 lost something.")


def test_the_winners_letter_shines_as_the_lamp_does(table: Table, look: Open) -> None:
    hall = look("/")
    begin(table)
    table.send("press", seat="B", ms=12_000)
    hall.find(".seat", "Boris").locator(".badge.lamp-first").wait_for()
    table.send("time", ms=16_000)
    hall.find(".seat", "Boris").locator(".badge:not(.lamp-first)").wait_for()


def test_the_hall_sounds_when_somebody_is_first_and_when_somebody_is_too_early(table: Table, look: Open) -> None:
    hall = look("/")
    hall.wait_for(".seat", "Anna")
    hall.page.evaluate("window.heard = []; window.tone = (hertz) => heard.push(hertz)")
    table.send("press", seat="B", ms=100)
    hall.page.wait_for_function("heard.includes(220)")
    begin(table)
    table.send("press", seat="B", ms=12_000)
    hall.page.wait_for_function("heard.includes(880)")


def test_every_button_is_shown_with_level_chatter_and_times(table: Table, look: Open) -> None:
    page = look("/buttons", size=PHONE)
    page.wait_for(".found", "No button has been heard of yet")
    for kind, ms in (("down", 1000), ("up", 1000.5), ("down", 1002)):
        table.send("edge", kind=kind, source="box:1", seat="B", ms=ms)
    page.wait_for(".row.down", "Boris · the slap box")
    page.wait_for(".row", "chatters for 2.0 ms at most (1)")
    page.wait_for(".row", "presses: 1")
    assert page.page.evaluate("document.documentElement.scrollWidth") == PHONE[0]


def test_seats_are_taken_by_slapping_and_the_last_can_be_taken_back(table: Table, look: Open) -> None:
    page, hall = look("/buttons", size=PHONE), look("/")
    page.tap(".tap", "Seats by slapping")
    hall.wait_for(".drill", "Anna: slap your button")
    for number, (button, player) in enumerate((("C", "Boris"), ("D", "Vera"))):
        table.send("press", seat=button, ms=1000 * (number + 1))
        table.send("time", ms=1000 * (number + 1) + 100)
        hall.wait_for(".drill", f"{player}: slap your button")
    page.tap(".tap", "Take the last one back")
    table.send("time", ms=4000)
    hall.wait_for(".drill", "Boris: slap your button")
    for number, button in enumerate("BAD"):
        table.send("press", seat=button, ms=1000 * (number + 5))
        table.send("time", ms=1000 * (number + 5) + 100)
    page.wait_for(".now-drill", "Everybody sits")
    page.tap(".tap", "Done")
    table.send("dealt", ms=9000)
    table.send("press", seat="C", ms=9500)
    look("/host", size=PHONE).wait_for(".line", "Anna claims")


def test_everybody_slaps_on_cues_and_each_seats_times_are_told(table: Table, look: Open) -> None:
    page, hall = look("/buttons", size=PHONE), look("/", language="ru")
    page.tap(".tap", "Are the buttons alike?")
    hall.wait_for(".drill", "ждите света")
    for ms in range(0, 4000, 500):
        table.send("time", ms=ms)
    hall.wait_for(".drill.cue", "Хлоп!")
    table.send("press", seat="B", ms=3750)
    table.send("time", ms=3800)
    page.wait_for(".now-drill", "Boris:")
    page.wait_for(".now-drill", "spread 0 ms")
    page.tap(".tap", "Stop")
    hall.page.locator(".drill").wait_for(state="detached")
