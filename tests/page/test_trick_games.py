"""Debertz on the pages: trump, totals and trick on the television, words that name a card on the phones."""

from __future__ import annotations

import pytest

from tests.page.conftest import PHONE, Open, Table

pytestmark = pytest.mark.browser


def begin_debertz(table: Table) -> None:
    """Boris deals; Anna plays with hearts as trumps and is the first to declare."""
    table.send("begin", players="Anna,Boris", game="debertz")
    table.send("lay", card="10H", lay=1, ms=1000)
    table.send("press", seat="A", ms=3000)
    table.send("time", ms=4000)
    table.send("call", word="drawn", seat="B", ms=5000)


def test_a_sequence_is_declared_on_the_phone_and_the_trick_is_seen_in_the_hall(table: Table, look: Open) -> None:
    begin_debertz(table)
    hall, phone = look("/"), look("/seat/A", size=PHONE)
    hall.wait_for(".seat .can", "hold: nothing more")
    assert "hold: nothing more" in phone.page.locator(".mine").inner_text()
    phone.page.locator(".calls .tap", has_text="Terz").click()
    phone.page.locator(".sheet .picker .tap", has_text="K♠").click()
    hall.wait_for(".ruling", "Anna declares a terz, top card K♠.")
    table.send("call", word="nothing-more", seat="A", ms=6000)
    table.send("call", word="nothing-more", seat="B", ms=7000)
    hall.wait_for(".needed", "Anna: show your sequences")
    table.send("call", word="not-seen", seat="A", ms=8000)
    table.send("lay", card="AS", lay=2, ms=9000)
    hall.wait_for(".trick .by", "Anna")
    assert hall.page.locator(".trick svg.card").get_attribute("aria-label") == "A♠"
    assert hall.page.locator(".bar .trump svg.pip.red").count() == 1
    table.send("lay", card="10S", lay=3, ms=10_000)
    hall.wait_for(".seat .can", "21 in this deal")
    assert hall.page.locator(".seat .hand").all_inner_texts() == ["0\n8 in hand", "0\n8 in hand"]


def test_the_host_says_which_card_a_word_names(table: Table, look: Open) -> None:
    begin_debertz(table)
    host = look("/host", size=PHONE)
    host.page.locator(".calls .tap", has_text="Poltinnik").click()
    host.page.locator(".sheet .answers .tap", has_text="Anna").click()
    host.page.locator(".sheet .picker .tap", has_text="A♦").click()
    host.wait_for(".lines", "Anna declares a poltinnik, top card A♦.")
