"""Money is points that always add up (Ton §3 and §6, Ochko §3 and §6), whatever happens and whatever is put right.

Parties are played, then anything may happen: presses, words, cards that make no sense; the host voids, corrects,
inserts, overrules and undoes whatever he likes. Nothing is ever made or lost on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import BACK, DECK_36, UNKNOWN
from engine.errors import BadLog
from engine.events import Call, CardLaid, Event, Hold, Passed, Press, Release, Shown
from engine.games import find_game
from engine.games.ochko.settling import VERDICTS
from engine.log import Entry, Log
from engine.pots import Pot
from engine.referee import Referee
from engine.rules import Audience, Option, Setup
from engine.rulings import Ruling
from engine.seats import Seat
from engine.stepping import Stepping
from tests.engine.conformance import PARTIES

HOUSES: list[tuple[str, dict[str, Option]]] = [
    ("ton", {"others": "optional"}),
    ("ton", {"others": "optional", "zero_penalty": "own_stake", "end_check": "deal", "stake": 7}),
    ("ton", {"lone_taker": "award0", "revoke": "mark", "stake": 0}),
    ("ochko", {}),
    ("ochko", {"pot_mode": "common_pot", "natural_scope": "all", "natural_pays": "2", "tie": "push"}),
    ("ochko", {"bank_limit": "false", "hidden_bust_double": "true", "illegal_hit": "lose", "natural_pays": "2"}),
    ("ochko", {"knock_multiple": 2, "bank": 20, "deck_out": "reshuffle_discard"}),
    ("debertz", {}),
    ("debertz", {"tie": "each", "bait": "burn", "bait_penalty_every": 1, "no_trick_penalty": 100, "target": 301}),
    ("debertz", {"tie": "bait", "hang_to": "same_maker", "revoke": "replay"}),
]

Deed = Callable[["Evening"], None]


@cache
def played(game: str, house: int, seed: int) -> tuple[Setup, tuple[Entry, ...]]:
    """The log of a party."""
    referee = PARTIES[game](seed, players=2 + seed % 4, mischief=0.2, moves=60, **HOUSES[house][1]).table.referee
    return referee.setup, tuple(referee.log.entries)


class Evening:
    """A party that was played, and goes on."""

    def __init__(self, game: str, setup: Setup, entries: tuple[Entry, ...]) -> None:
        self.game, self.setup = find_game(game), setup
        self.referee: Referee[Any] = Referee.restore(self.game, setup, Log(entries))
        self.t_ns = max((told.event.t_ns for told in self.referee.history()), default=0)
        self.lays = 10_000
        self.is_overruled = False

    def feed(self, event: Event) -> None:
        """Two seconds later; what was due in between has passed."""
        self.t_ns += 2_000_000_000
        deadline = self.referee.deadline()
        while deadline is not None and deadline < self.t_ns:
            self.referee.feed(Passed(t_ns=deadline))
            deadline = self.referee.deadline()
        self.referee.feed(replace(event, t_ns=self.t_ns + event.t_ns))

    def number(self, place: int) -> int:
        """The log number of some event that counts."""
        history = self.referee.history()
        return history[place % len(history)].number if history else 0


# What can happen

SEATS = st.sampled_from([Seat(seat) for seat in "ABCDEZ"])
CARDS = st.sampled_from([*DECK_36, UNKNOWN, BACK])
PLACES = st.integers(0, 999)


def press(seat: Seat) -> Deed:
    """A tap."""

    def deed(at: Evening) -> None:
        at.feed(Press(t_ns=0, seat=seat))
        at.referee.feed(Release(t_ns=at.t_ns + 60_000_000, seat=seat, pressed_ns=at.t_ns))

    return deed


def hold(seat: Seat) -> Deed:
    """A hold."""

    def deed(at: Evening) -> None:
        at.feed(Press(t_ns=0, seat=seat))
        at.referee.feed(Hold(t_ns=at.t_ns + 800_000_000, seat=seat, pressed_ns=at.t_ns))

    return deed


@st.composite
def calls(draw: st.DrawFn) -> Deed:
    """Any word of the game, about anybody, with any number."""
    place, seat = draw(PLACES), draw(st.none() | SEATS)
    count, card = draw(st.none() | st.integers(-5, 500)), draw(st.none() | CARDS)

    def deed(at: Evening) -> None:
        assert isinstance(at.game, Stepping)
        words = [*sorted(at.game.calls), "staked", "staked"]
        at.feed(Call(t_ns=0, word=words[place % len(words)], who="host", seat=seat, count=count, card=card))

    return deed


@st.composite
def lays(draw: st.DrawFn) -> Deed:
    """Any card anywhere."""
    card, sure = draw(CARDS), draw(st.sampled_from([1.0, 1.0, 0.5]))
    zone = draw(st.sampled_from(["", "", "widow-1", "trump", "seat-A", "seat-B-1", "seat-C-2"]))

    def deed(at: Evening) -> None:
        at.lays += 1
        at.feed(CardLaid(t_ns=0, card=card, lay=at.lays, sure=sure, zone=zone))

    return deed


@st.composite
def shows(draw: st.DrawFn) -> Deed:
    """Any cards."""
    seat, cards = draw(SEATS), tuple(draw(st.lists(CARDS, max_size=5)))
    return lambda at: at.feed(Shown(t_ns=0, seat=seat, cards=cards))


@st.composite
def corrections(draw: st.DrawFn) -> Deed:
    """The host puts something right, or makes it worse."""
    kind = draw(st.sampled_from(["void", "card", "again", "overrule", "undo"]))
    place, choice = draw(PLACES), draw(PLACES)
    card, is_rewind = draw(CARDS), draw(st.booleans())

    def deed(at: Evening) -> None:
        number, referee = at.number(place), at.referee
        if kind == "undo":
            referee.undo(who="host", why="")
        elif kind == "void":
            referee.void(number, who="host", why="", rewind=is_rewind)
        elif kind == "overrule":
            options = referee.options(number)
            at.is_overruled = True
            chosen = options[choice % len(options) : choice % len(options) + 1] if options else ()
            referee.overrule(number, chosen, who="host", why="", rewind=is_rewind)
        elif kind == "again":
            referee.insert(replace(referee.event(number).event, number=0), who="host", why="", rewind=is_rewind)
        else:
            event = referee.event(number).event
            event = replace(event, card=card) if isinstance(event, CardLaid) else event
            referee.correct(number, event, who="host", why="", rewind=is_rewind)

    def sensible(at: Evening) -> None:
        with suppress(BadLog):  # there is nothing left to undo, or no such event
            deed(at)

    return sensible


DEEDS = st.lists(
    st.one_of(SEATS.map(press), SEATS.map(hold), calls(), calls(), lays(), shows(), corrections(), corrections()),
    max_size=25,
)


# What must hold


def adds_up(at: Evening) -> None:
    """Nothing is made or lost; what is shown is what there is."""
    state = at.referee.state
    pot = getattr(state, "pot", None)
    board = at.referee.view(Audience())
    if isinstance(pot, Pot):
        assert pot.holds >= 0
        assert pot.holds + sum(pot.purses) == 0
        assert board.pot == pot.holds
    else:
        assert state.scores == tuple(map(sum, zip((0, 0), *state.record, strict=True)))
        assert min(state.hanging) >= 0


SIGNS = {
    "ton": {"staked": -1, "zero-trick": -1, "won": 1},
    "ochko": {"bank-laid": -1, "bank-taken": 1},
}
"""Rulings that tell of money, and whether their seat gets it or pays it; in Ochko a stake is only promised."""


def told(at: Evening, seat: Seat) -> int:
    """What that seat was told that it has won and paid."""
    rulings = (ruling for one in at.referee.history() for ruling in one.rulings if ruling.seat == seat)
    return sum(ruling.points if ruling.code in VERDICTS else _amount(at, ruling) for ruling in rulings)


def _amount(at: Evening, ruling: Ruling) -> int:
    amount = ruling.get("pot" if ruling.code == "won" else "amount")
    return SIGNS[at.game.name].get(ruling.code, 0) * (amount if isinstance(amount, int) else 0)


def is_told(game: str, options: Mapping[str, Option]) -> bool:
    """Whether every payment is told: in a common pot stakes are not, nor is what a banker adds to an unlimited bank."""
    return game == "ton" or (game == "ochko" and not {"pot_mode", "bank_limit"} & options.keys())


@pytest.mark.parametrize("house", range(len(HOUSES)), ids=lambda place: f"{HOUSES[place][0]}-{place}")
@settings(max_examples=25, deadline=None, derandomize=True)
@given(seed=st.integers(0, 5), deeds=DEEDS)
def test_money_adds_up_whatever_happens_and_is_put_right(house: int, seed: int, deeds: list[Deed]) -> None:
    game, options = HOUSES[house]
    at = Evening(game, *played(game, house, seed))
    adds_up(at)
    for deed in deeds:
        deed(at)
        adds_up(at)
    if is_told(game, options) and not at.is_overruled:
        assert [told(at, seat) for seat in at.setup.seats] == [*at.referee.state.pot.purses]
