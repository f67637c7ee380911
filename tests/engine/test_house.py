"""House rules are read and refused in the same words for every game."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import BadSetup
from engine.games import GAMES
from engine.house import Offers
from engine.rules import Option, Setup
from engine.seats import Seat, seats

OFFERS = Offers("Bura", {"trump": ("last", "first"), "open": ("false", "true")}, {"stake": (10, 0, 50)})


def setup(count: int = 3, **more: Any) -> Setup:
    """Three players at three seats, or otherwise as said."""
    return Setup(**{"seats": seats(count), "players": ("Ann", "Boris", "Vera")[:count], **more})


def test_what_is_not_said_is_at_its_default() -> None:
    assert OFFERS.chosen({"open": True}) == {"trump": "last", "open": "true"}
    assert OFFERS.counted({}) == {"stake": 10}
    assert OFFERS.counted({"stake": "20"}) == {"stake": 20}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"trump": "none"}, "the option trump can be last or first, not 'none'"),
        ({"stake": 51}, "the option stake is a whole number from 0 to 50, not 51"),
        ({"stake": "-1"}, "the option stake is a whole number from 0 to 50, not '-1'"),
        ({"widow": 1}, "Bura has no option 'widow'; there are: open, stake, trump"),
    ],
)
def test_an_option_that_does_not_fit_is_refused_with_a_sentence(options: dict[str, Option], sentence: str) -> None:
    with pytest.raises(BadSetup) as refusal:
        OFFERS.check(options)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"count": 1}, "Bura is for 2 to 3 players, not 1"),
        ({"players": ("Ann",)}, "there are 3 seats but 1 players"),
        ({"seats": (Seat("B"), Seat("A"), Seat("C"))}, "seats must be named clockwise"),
        ({"dealer": Seat("Z")}, "the dealer sits at Z, but the seats are A B C"),
    ],
)
def test_players_that_do_not_fit_are_refused_with_a_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadSetup, match=sentence):
        OFFERS.check_seats(setup(**given), least=2, most=3)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_refuses_what_it_does_not_know(game: str) -> None:
    with pytest.raises(BadSetup, match="has no option 'colour'"):
        GAMES[game].start(Setup(seats(3), ("Ann", "Boris", "Vera"), None, {"colour": "red"}))
    with pytest.raises(BadSetup, match="players, not 1"):
        GAMES[game].start(Setup(seats(1), ("Ann",), None))
