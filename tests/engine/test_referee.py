"""The referee: late facts, edits, restoring, settling (design: state is a fold over an append-only log)."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.errors import BadLog
from engine.events import Call, CardLaid, Drawn, Event, Hold, Passed, Press, Release
from engine.games import find_game
from engine.games.bong import Bong, State
from engine.log import Happened, Log, Overrule
from engine.referee import Referee, Told
from engine.rulings import Ruling
from engine.seats import Seat
from engine.text import read_entry, write_entry
from tests.engine.players import party
from tests.engine.table import MS, Table


def started(**options: int | str) -> Table:
    """A party of four in which A has laid 2C, B 3C."""
    table = Table(options=options)
    table.start("A")
    table.run("B")
    return table


def final(referee: Referee[State]) -> Counter[tuple[Any, ...]]:
    """Everything as it is ruled, without log numbers."""
    return Counter(
        (
            type(told.event).__name__,
            told.event.t_ns,
            getattr(told.event, "seat", None),
            getattr(told.event, "lay", None),
            getattr(told.event, "seats", None),
            tuple((ruling.code, ruling.seat, ruling.detail) for ruling in told.rulings),
        )
        for told in referee.history()
    )


def raw(referee: Referee[State]) -> list[Event]:
    """What was reported, before anything was attributed."""
    events = [replace(entry.event, number=0) for entry in referee.log.entries if isinstance(entry, Happened)]
    return [
        replace(event, seats=frozenset(), slap_ns=None) if isinstance(event, CardLaid) else event for event in events
    ]


# Late facts


def test_a_slap_that_is_reported_late_is_judged_at_its_own_moment() -> None:
    table = started()
    at = table.at * MS
    table.referee.feed(CardLaid(t_ns=at + 90 * MS, card=Card("4S"), lay=50))
    told = table.referee.feed(Press(t_ns=at, seat=Seat("C")))
    laid = next(one for one in told if isinstance(one.event, CardLaid))
    assert laid.before is not None
    assert [ruling.code for ruling in laid.before] == ["ok", "unattributed"]
    assert [(ruling.code, ruling.seat) for ruling in laid.rulings] == [("ok", "C")]


def test_only_what_changes_is_told_again() -> None:
    table = started()
    at = table.at * MS
    table.referee.feed(Press(t_ns=at, seat=Seat("C")))
    table.referee.feed(CardLaid(t_ns=at + 90 * MS, card=Card("4S"), lay=50))
    told = table.referee.feed(Press(t_ns=at - 1200 * MS, seat=Seat("D")))
    assert [type(one.event) for one in told] == [Press]


def test_a_lower_card_that_is_seen_later_is_judged_first() -> None:
    """Between cards pile order wins over time stamps and over arrival."""
    table = started()
    at = table.at * MS
    for seat, after in (("C", 0), ("D", 30)):
        table.referee.feed(Press(t_ns=at + after * MS, seat=Seat(seat)))
    table.referee.feed(CardLaid(t_ns=at + 120 * MS, card=Card("5S"), lay=51))
    assert table.codes()[-1] == "wrong-rank"
    told = table.referee.feed(CardLaid(t_ns=at + 125 * MS, card=Card("4S"), lay=50))
    assert table.codes()[-2:] == ["ok", "ok"]
    assert table.whose()[-2:] == ["C", "D"]
    assert {one.number for one in told if one.before is not None} == {table.laid()[-1].number}


def test_a_press_that_becomes_a_hold_is_withdrawn_as_a_slap() -> None:
    table = started()
    at = table.at * MS
    table.referee.feed(Press(t_ns=at, seat=Seat("C")))
    table.referee.feed(CardLaid(t_ns=at + 90 * MS, card=Card("4S"), lay=50))
    assert table.whose()[-1] == "C"
    told = table.referee.feed(Hold(t_ns=at + 800 * MS, pressed_ns=at, seat=Seat("C")))
    assert table.whose()[-1] == ""
    press = next(one for one in told if isinstance(one.event, Press))
    assert press.rulings == ()
    assert press.before is not None


def test_a_better_reading_of_the_same_lay_corrects_it() -> None:
    table = started()
    table.press("C")
    table.at += 90
    table.lay("9S", sure=0.6, likely=(Card("9S"), Card("4S")))
    assert [question.kind for question in table.referee.questions()] == ["what"]
    assert not table.laid()[-1].rulings[0].is_foul
    event = table.laid()[-1].event
    told = table.referee.feed(replace(event, card=Card("4S"), sure=0.99, likely=(), number=0))  # type: ignore[call-arg]
    assert [one.rulings[0].code for one in told] == ["ok"]
    assert table.referee.questions() == ()


def test_the_camera_does_not_overrule_what_a_person_said() -> None:
    table = started()
    table.press("C")
    table.at += 90
    table.lay("9S", sure=0.6, likely=(Card("9S"), Card("4S")))
    event = table.laid()[-1].event
    table.referee.answer(table.referee.questions()[0], card=Card("4S"), who="host")
    table.referee.feed(replace(event, sure=0.99, likely=(), number=0))  # type: ignore[call-arg]
    assert table.laid()[-1].event.card == Card("4S")  # type: ignore[attr-defined]


def test_a_slap_that_no_card_claims_is_bare_once_its_time_is_over() -> None:
    table = started()
    table.press("C")
    assert "bare-slap" not in table.all_codes()
    table.wait(1400)
    assert "bare-slap" not in table.all_codes()
    table.wait(200)
    assert table.all_codes()[-1] == "bare-slap"


def test_a_late_card_takes_the_blame_from_a_bare_slap() -> None:
    table = started()
    at = table.at * MS
    table.press("C")
    table.wait(1600)
    told = table.referee.feed(CardLaid(t_ns=at + 100 * MS, card=Card("4S"), lay=50))
    assert any(isinstance(one.event, Passed) and one.rulings == () for one in told)
    assert "bare-slap" not in table.all_codes()


def test_a_slap_that_may_have_served_an_uncertain_lay_is_not_called_bare() -> None:
    table = started()
    at = table.at * MS
    for seat in "CD":
        table.referee.feed(Press(t_ns=at, seat=Seat(seat), within_ns=20 * MS))
    table.referee.feed(CardLaid(t_ns=at + 100 * MS, card=Card("4S"), lay=50))
    assert table.whose()[-1] == "CD"
    table.wait(4000)
    assert "bare-slap" not in table.all_codes()


@given(st.integers(0, 40), st.integers(0, 10**6), st.sampled_from([50, 400, 2000, 10**6]))
@settings(max_examples=15, deadline=None)
def test_order_of_arrival_changes_no_ruling(seed: int, shuffle: int, lateness_ms: int) -> None:
    played = party(seed, players=3 + seed % 4, mischief=0.25, moves=25)
    events = raw(played.table.referee)
    chance = random.Random(shuffle)
    arrival = {id(event): event.t_ns + chance.uniform(0, lateness_ms) * MS for event in events}
    in_turn, shuffled = Referee(Bong(), played.table.setup), Referee(Bong(), played.table.setup)
    for event in events:
        in_turn.feed(event)
    for event in sorted(events, key=lambda event: arrival[id(event)]):
        shuffled.feed(event)
    assert final(shuffled) == final(in_turn)


def test_refolding_equals_stepping() -> None:
    played = party(3, players=5, mischief=0.3, moves=60)
    referee = played.table.referee
    again = Referee.restore(Bong(), played.table.setup, Log(referee.log.entries))
    assert again.differences == ()
    assert again.state == referee.state
    assert again.history() == tuple(
        replace(told, settled=one.settled) for told, one in zip(referee.history(), again.history(), strict=True)
    )


# Restoring


def test_a_restored_game_goes_on_as_if_nothing_had_happened() -> None:
    played = party(5, players=4, mischief=0.3, moves=30)
    table = played.table
    stored = [write_entry(entry) for entry in table.referee.log.entries]
    restored = Referee.restore(Bong(), table.setup, Log(map(read_entry, stored)))
    assert restored.state == table.referee.state
    more = (
        Press(t_ns=table.at * MS + 5, seat=Seat("A")),
        CardLaid(t_ns=table.at * MS + 60 * MS, card=Card("9S"), lay=999),
    )
    assert [restored.feed(event)[0].rulings for event in more] == [
        table.referee.feed(event)[0].rulings for event in more
    ]


def test_stored_rulings_stand_and_differences_are_listed() -> None:
    table = started()
    table.slap("C", "4S")
    entries = list(table.referee.log.entries)
    place = table.laid()[-1].number - 1
    happened = entries[place]
    assert isinstance(happened, Happened)
    other = (Ruling("wrong-rank", Seat("C"), is_foul=True),)
    entries[place] = replace(happened, rulings=other)
    restored = Referee.restore(Bong(), table.setup, Log(entries))
    assert [(change.number, change.before, change.after[0].code) for change in restored.differences] == [
        (place + 1, other, "ok")
    ]
    assert str(restored.state.needed) == "4"


def test_a_log_with_missing_entries_is_refused() -> None:
    table = started()
    with pytest.raises(BadLog, match="missing or mixed up"):
        Log(table.referee.log.entries[1:])


# Settling


def test_lays_are_told_as_settled_once_and_in_pile_order() -> None:
    for seed in range(6):
        played = party(seed, players=3 + seed % 4, mischief=0.2 * (seed % 2), moves=40)
        referee: Referee[State] = Referee(Bong(), played.table.setup)
        events = raw(played.table.referee)
        settled: list[Told] = []
        for event in events:
            referee.feed(event)
            settled += referee.settled_lays(event.t_ns - 250 * MS)
        settled += referee.settled_lays(events[-1].t_ns + 5000 * MS)
        lays = [told for told in referee.history() if isinstance(told.event, CardLaid)]
        assert [told.number for told in settled] == [told.number for told in lays]
        assert [told.event.seats for told in settled] == [told.event.seats for told in lays]  # type: ignore[attr-defined]
        assert all(told.settled for told in settled)


def test_a_slap_that_may_yet_become_a_hold_settles_nothing() -> None:
    table = started()
    at = table.at * MS
    table.referee.settled_lays(at)
    table.referee.feed(Press(t_ns=at, seat=Seat("C")))
    table.referee.feed(CardLaid(t_ns=at + 90 * MS, card=Card("4S"), lay=50))
    assert table.referee.settled_lays(at + 500 * MS) == ()
    table.referee.feed(Release(t_ns=at + 510 * MS, seat=Seat("C"), pressed_ns=at))
    assert [told.number for told in table.referee.settled_lays(at + 520 * MS)] == [table.laid()[-1].number]


# Lots


def test_an_unseen_pile_order_is_decided_by_lot() -> None:
    for winner, verdicts in (("C", ["ok", "wrong-rank"]), ("D", ["wrong-rank", "ok"])):
        table = started()
        at = table.at * MS
        for seat, after in (("C", 0), ("D", 10)):
            table.referee.feed(Press(t_ns=at + after * MS, seat=Seat(seat)))
        table.referee.feed(CardLaid(t_ns=at + 90 * MS, card=Card("4S"), lay=50, hand=frozenset((Seat("C"),))))
        table.referee.feed(CardLaid(t_ns=at + 90 * MS, card=Card("4D"), lay=51, hand=frozenset((Seat("D"),)), rival=50))
        assert table.referee.lot() == ("first-50-51", ("C", "D"))
        table.referee.feed(Drawn(t_ns=at + 200 * MS, lot="first-50-51", seat=Seat(winner)))
        by_seat = {next(iter(told.event.seats)): told.rulings[0].code for told in table.laid()[-2:]}  # type: ignore[attr-defined]
        assert [by_seat[Seat(seat)] for seat in "CD"] == verdicts
        assert table.referee.lot() is None


def test_the_first_dealer_is_drawn_by_lot() -> None:
    table = Table(dealer=None)
    assert table.referee.lot() == ("dealer", ("A", "B", "C", "D"))
    table.draw("B")
    table.call("dealt")
    assert table.state.dealer == "B"
    assert table.referee.lot() is None


def test_games_are_found_by_name() -> None:
    assert find_game("Bong").name == "bong"
    assert Overrule(target=1, rulings=(), who="", why="").rewind is False
    assert Call(t_ns=0, word="dealt", who="host").seat is None
