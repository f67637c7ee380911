"""What people put right: undo, void, correct, insert, overrule, and what each would change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cards import Card
from engine.errors import BadLog
from engine.events import CardLaid, Passed, Press
from engine.log import TABLE, Correct, Rejudged, Undo, Void
from engine.seats import Seat
from tests.engine.table import MS, Table


def started(**options: int | str) -> Table:
    """A party of four in which A has laid 2C, B 3C."""
    table = Table(options=options)
    table.start("A")
    table.run("B")
    return table


def test_undo_takes_back_a_lay_with_its_slap() -> None:
    table = started()
    table.slap("C", "4S")
    before = table.state.needed
    told = table.referee.undo(who="host", why="mistaken")
    assert {type(one.event) for one in told} >= {Press, CardLaid}
    assert table.codes() == ["ok", "ok"]
    assert table.state.needed != before
    table.wait(3000)
    assert "bare-slap" not in table.all_codes()


def test_undo_goes_further_back_each_time_and_can_be_undone() -> None:
    table = started()
    table.slap("C", "4S")
    undo = table.referee.log.next_number
    table.referee.undo(who="host", why="")
    table.referee.undo(who="host", why="")
    assert table.codes() == ["ok"]
    table.referee.edit(Undo(targets=(undo,), who="host", why="no, it was right"))
    assert len(table.codes()) == 2


def test_nothing_left_to_undo_says_so() -> None:
    with pytest.raises(BadLog, match="nothing left"):
        Table().referee.undo(who="host", why="")


def test_void_judges_again_what_came_later() -> None:
    table = started()
    table.slap("C", "4S")
    table.slap("D", "5S")
    number = table.laid()[2].number
    changes = table.referee.preview(Void(target=number, who="host", why="misread"))
    assert [(c.before[0].code, [r.code for r in c.after][:1]) for c in changes if isinstance(c.event, CardLaid)] == [
        ("ok", ["wrong-rank"]),
        ("ok", []),
    ]
    assert table.codes() == ["ok"] * 4  # a preview changes nothing
    table.referee.void(number, who="host", why="misread")
    assert table.codes() == ["ok", "ok", "wrong-rank"]


def test_a_ruling_can_be_kept_as_it_was_played() -> None:
    table = started()
    table.slap("C", "4S")
    table.slap("D", "5S")
    void = Void(target=table.laid()[2].number, who="host", why="misread")
    table.referee.edit(void, keep=[table.laid()[3].number])
    assert table.codes() == ["ok", "ok", "ok"]
    assert str(table.state.needed) == "6"


def test_a_rewind_takes_back_what_came_later() -> None:
    table = started()
    table.slap("C", "4S")
    table.slap("D", "5S")
    void = Void(target=table.laid()[2].number, who="host", why="", rewind=True)
    back = table.referee.goes_back(void)
    assert [str(event.card) for event in back] == ["5S", "4S"]
    table.referee.edit(void)
    assert table.codes() == ["ok", "ok"]
    assert str(table.state.needed) == "4"
    table.slap("D", "4D")
    assert table.codes() == ["ok", "ok", "ok"]


def test_correct_changes_the_card_and_what_follows() -> None:
    table = started()
    table.slap("C", "4S")
    told = table.laid()[-1]
    event = told.event
    assert isinstance(event, CardLaid)
    table.referee.correct(told.number, replace(event, card=Card("9S")), who="host", why="it is a nine")
    assert table.codes()[-1] == "wrong-rank"
    assert table.hand("C") == 13


def test_insert_adds_a_card_that_nobody_saw() -> None:
    table = started()
    at = table.at
    table.at += 3000
    table.slap("D", "5S")
    assert table.codes()[-1] == "wrong-rank"
    missed = CardLaid(t_ns=at * MS, card=Card("4S"), lay=2, hand=frozenset((Seat("C"),)))
    told = table.referee.insert(replace(missed, lay=77), who="host", why="the camera was covered")
    assert told
    table.referee.undo(who="host", why="")
    assert table.codes()[-1] == "wrong-rank"


def test_overrule_and_its_options() -> None:
    table = started()
    table.slap("C", "9S")
    number = table.laid()[-1].number
    options = table.referee.options(number)
    assert {ruling.code for ruling in options} >= {"ok", "double-play"}
    chosen = next(ruling for ruling in options if ruling.code == "ok")
    table.referee.overrule(number, (chosen,), who="host", why="house rule")
    assert table.codes()[-1] == "ok"
    assert str(table.state.needed) == "10"
    assert table.hand("C") == 12


def test_an_edit_of_nothing_is_refused_with_a_sentence() -> None:
    table = started()
    with pytest.raises(BadLog, match="no event 999"):
        table.referee.void(999, who="host", why="")
    with pytest.raises(BadLog, match="another kind"):
        table.referee.correct(table.laid()[0].number, Passed(t_ns=1), who="host", why="")


def test_every_step_is_in_the_log_and_none_is_ever_changed() -> None:
    table = started()
    before = list(table.referee.log.entries)
    table.slap("C", "4S")
    table.referee.undo(who="host", why="")
    assert table.referee.log.entries[: len(before)] == before
    assert [entry.number for entry in table.referee.log.entries] == list(range(1, len(table.referee.log) + 1))
    assert isinstance(table.referee.log.entries[-1], Undo | Rejudged | Correct)


def test_rematched_slaps_are_logged_as_the_tables_own_corrections() -> None:
    table = started()
    at = table.at * MS
    table.referee.feed(CardLaid(t_ns=at + 90 * MS, card=Card("4S"), lay=50))
    table.referee.feed(Press(t_ns=at, seat=Seat("C")))
    own = [entry for entry in table.referee.log.entries if isinstance(entry, Correct)]
    assert [entry.who for entry in own] == [TABLE]
