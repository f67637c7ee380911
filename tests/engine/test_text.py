"""Events, rulings and log entries as JSON, and back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import events
from engine.cards import DECK_52, UNKNOWN, Card
from engine.errors import BadLog, TableError
from engine.events import Event
from engine.rules import Setup
from engine.seats import Seat, seats
from engine.text import (
    read_entry,
    read_event,
    read_ruling,
    read_setup,
    write_entry,
    write_event,
    write_ruling,
    write_setup,
)
from tests.engine.players import party

times = st.integers(0, 10**15)
some_seats = st.sampled_from(seats(6))
some_cards = st.sampled_from([*DECK_52, UNKNOWN])
base: dict[str, Any] = {"t_ns": times, "within_ns": st.integers(0, 10**8), "number": st.integers(0, 10**6)}
any_event: st.SearchStrategy[Event] = st.one_of(
    st.builds(events.Press, **base, seat=some_seats, source=st.text(max_size=8)),
    st.builds(events.Release, **base, seat=some_seats, pressed_ns=times),
    st.builds(events.Hold, **base, seat=some_seats, pressed_ns=times),
    st.builds(
        events.CardLaid,
        **base,
        card=some_cards,
        lay=st.integers(0, 9999),
        rest_ns=times,
        sure=st.floats(0, 1),
        likely=st.lists(some_cards, max_size=3).map(tuple),
        hand=st.frozensets(some_seats),
        rival=st.none() | st.integers(0, 99),
        seats=st.frozensets(some_seats),
        slap_ns=st.none() | times,
    ),
    st.builds(events.CardGone, **base, card=some_cards, lay=st.integers(0, 99)),
    st.builds(events.PileGone, **base),
    st.builds(events.Shown, **base, seat=some_seats, cards=st.lists(some_cards, max_size=4).map(tuple)),
    st.builds(
        events.Call,
        **base,
        word=st.text(max_size=9),
        who=st.text(max_size=9),
        seat=st.none() | some_seats,
        count=st.none() | st.integers(0, 52),
        card=st.none() | some_cards,
        cards=st.lists(some_cards, max_size=3).map(tuple),
    ),
    st.builds(events.Drawn, **base, lot=st.text(max_size=9), seat=some_seats),
    st.builds(events.Passed, **base),
)


def through_json(data: dict[str, Any]) -> dict[str, Any]:
    """What is left after JSON has carried it."""
    carried: dict[str, Any] = json.loads(json.dumps(data, ensure_ascii=False))
    return carried


@given(any_event)
def test_every_event_comes_back(event: Event) -> None:
    assert read_event(through_json(write_event(event))) == event


def test_every_log_entry_of_a_party_comes_back() -> None:
    played = party(2, players=3, mischief=0.4, moves=40)
    referee = played.table.referee
    referee.void(referee.log.entries[5].number, who="host", why="trying")
    referee.undo(who="host", why="no")
    for entry in referee.log.entries:
        assert read_entry(through_json(write_entry(entry))) == entry
    for told in referee.history():
        assert tuple(read_ruling(through_json(write_ruling(one))) for one in told.rulings) == told.rulings


def test_a_setup_comes_back() -> None:
    setup = Setup(seats(3), ("Анна", "Борис", "Вера"), Seat("C"), {"claim_s": 5})
    assert read_setup(through_json(write_setup(setup))) == setup


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({}, "no event is of the kind None"),
        ({"kind": "Sneeze"}, "Press"),
        ({"kind": "Press", "t_ns": 1}, "lacks seat"),
        ({"kind": "Press", "t_ns": "soon", "seat": "A"}, "whole number"),
        ({"kind": "Press", "t_ns": 1, "seat": "A", "mood": "bad"}, "not known"),
        ({"kind": "CardLaid", "t_ns": 1, "card": "11H", "lay": 1}, "no card"),
        ({"kind": "CardLaid", "t_ns": 1, "card": "2H", "lay": 1, "hand": 7}, "cannot be read"),
        ({"kind": "Shown", "t_ns": 1, "seat": "A", "cards": ["2H", "xx"]}, "no card"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(data: dict[str, Any], says: str) -> None:
    with pytest.raises(BadLog, match=says):
        read_event(data)


@pytest.mark.parametrize(
    "nonsense", [[], "x", None, 5, {"kind": ["Press"]}, {"kind": "Happened", "event": 3, "rulings": []}]
)
def test_nonsense_of_another_shape_too(nonsense: Any) -> None:
    with pytest.raises(TableError):
        read_entry(nonsense)
    with pytest.raises(TableError):
        read_setup(nonsense)


def test_cards_are_the_same_objects_again() -> None:
    event = read_event({"kind": "CardLaid", "t_ns": 1, "card": "10♥", "lay": 1})
    assert getattr(event, "card", None) is Card("10H")
