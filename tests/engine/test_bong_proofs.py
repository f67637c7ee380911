"""What the referee proves in Bong (§7) and what it leaves open, and the scoreboard."""

from __future__ import annotations

import pytest

from engine.cards import UNKNOWN, Card
from engine.rules import Audience
from engine.seats import seats
from tests.engine.table import Table, codes


def started(players: int = 4, **options: int | str) -> Table:
    """A party in which A has laid 2C."""
    table = Table(players, dealer="ABCDEF"[players - 1], options=options)
    table.start("A")
    return table


def stalled(table: Table) -> None:
    """Everybody but `last` says "no card"."""
    for seat in sorted(table.state.active - table.state.last):
        table.hold(seat)


def test_a_recount_that_does_not_add_up_accuses_nobody() -> None:
    table = started()
    assert codes(table.call("recount", "A", count=2)) == ["recount", "miscount"]
    stalled(table)
    assert table.state.is_stall, "two cards cannot hold four missing ones, but the counts are in doubt"


def test_i_am_out() -> None:
    table = started()
    assert codes(table.call("out", "B")) == ["went-out", "miscount"]
    assert table.state.active == frozenset(seats(4)) - {"B"}
    table.call("recount", "B", count=13)
    assert "B" in table.state.active


def test_a_false_no_card_needs_a_certain_suit() -> None:
    table = started(3, stall_collect="pile")
    table.run("B")
    for seat in "ACB":
        table.hold(seat)
    table.call("dealt")
    table.start("B", "2D")
    table.run("C")
    found = table.slap("A", "4H", sure=0.6, likely=(Card("4H"), Card("4D")))
    assert "false-nocard-proven" not in codes(found)
    (question,) = table.referee.questions()
    table.referee.answer(question, card=Card("4H"), who="host")
    assert "false-nocard-proven" in table.all_codes()


def test_who_did_not_press_is_in_no_record() -> None:
    table = started(stall_collect="pile")
    table.run("B")
    table.call("show")
    table.shown("B", "4C 4D 4H 4S")
    table.call("dealt")
    assert all(record.pressers == () for record in table.state.records)


def test_an_unreadable_card_stops_nobody() -> None:
    table = started()
    assert codes(table.slap("B", str(UNKNOWN), sure=0.0)) == ["unread"]
    assert codes(table.slap("C", "4S"))[0] == "ok"


def test_a_card_seen_twice_accuses_nobody_and_is_asked_about() -> None:
    table = started()
    table.run("BC")
    (verdict, *more) = table.slap("D", "2C")
    assert (verdict.code, verdict.seat, verdict.is_foul) == ("wrong-rank", None, False)
    assert [ruling.code for ruling in more] == ["deck-fault"]
    assert [question.kind for question in table.referee.questions()] == ["what"]


def test_a_doubtful_rank_accuses_nobody() -> None:
    table = started()
    verdict = table.slap("B", "9C", sure=0.6, likely=(Card("9C"), Card("3C")))[0]
    assert (verdict.seat, verdict.is_foul) == (None, False)


def test_a_doubtful_suit_is_still_the_wrong_rank() -> None:
    table = started()
    verdict = table.slap("B", "9C", sure=0.6, likely=(Card("9C"), Card("9S")))[0]
    assert (verdict.code, verdict.seat, verdict.is_foul) == ("wrong-rank", "B", True)


def test_an_uncertain_last_cannot_be_accused_of_a_double_play() -> None:
    table = started()
    table.lay("3D")
    table.at += 2500
    assert codes(table.slap("B", "4D"))[0] == "ok"
    table.check_conserved()


# The scoreboard


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_scoreboard_says_what_each_button_means(language: str) -> None:
    table = started()
    board = table.referee.view(Audience(language=language))
    assert (board.needed, board.top, board.over) == ("3", Card("2C"), False)
    assert [seat.is_last for seat in board.seats] == [True, False, False, False]
    assert len({seat.can for seat in board.seats}) == 2
    assert all(label for _, label in board.calls)
