"""What a session begins with: the game, who sits where, house rules, the seed of its lots."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.errors import BadSetup
from engine.rules import Option, Setup
from engine.seats import Seat, seats


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that must be known to judge a session again from its inputs."""

    game: str
    """Name in `engine.games.GAMES`."""
    setup: Setup
    seed: int = 0
    """Every lot of the session follows from it."""
    stills: bool = False
    """Every picture shows a settled pile top; nothing may be concluded from one picture to the next."""
    layout: Mapping[str, Any] | None = None
    """The camera's calibration as `vision.layout` writes it; None: a camera straight above."""
    table_mm: float = 1000.0
    """Without a calibration: the width of the table in the camera's view."""
    deck: str = ""
    """Name of the learnt deck on the table; empty: any deck."""


def seat_players(players: tuple[str, ...]) -> tuple[Seat, ...]:
    """A seat for each player, clockwise from A; raises `BadSetup` for names that cannot be told apart."""
    twice = next((name for name in players if players.count(name) > 1), None)
    if twice is not None:
        raise BadSetup(f"two players are called {twice!r}; give each a name of their own")
    if not all(name.strip() for name in players):
        raise BadSetup("a player has no name; write --players Anna,Boris,Vera")
    return seats(len(players))


def write_plan(plan: Plan) -> dict[str, Any]:
    """The plan as JSON values; `read_plan` takes them back."""
    return {
        "game": plan.game,
        "players": list(plan.setup.players),
        "seats": list(plan.setup.seats),
        "dealer": plan.setup.dealer,
        "options": dict(plan.setup.options),
        "seed": plan.seed,
        "stills": plan.stills,
        "layout": plan.layout,
        "table_mm": plan.table_mm,
        "learnt_deck": plan.deck,
    }


def read_plan(values: Mapping[str, Any]) -> Plan:
    """The plan that JSON `values` describe; raises `BadSetup` with a sentence about the first value that is wrong."""
    players = _texts(values, "players")
    around = _texts(values, "seats", tuple(seats(len(players))))
    dealer = values.get("dealer", _mapping(values, "deal").get("dealer"))
    setup = Setup(tuple(Seat(seat) for seat in around), players, _dealer(dealer, around), _options(values))
    return Plan(
        game=_of(str, values.get("game"), '"game" must be the name of a game'),
        setup=setup,
        seed=_of(int, values.get("seed", 0), '"seed" must be a whole number'),
        stills=_of(bool, values.get("stills", False), '"stills" must be true or false'),
        layout=_mapping(values, "layout") or None,
        table_mm=float(_of((int, float), values.get("table_mm", 1000.0), '"table_mm" must be a width in mm')),
        deck=_of(str, values.get("learnt_deck", ""), '"learnt_deck" must be the name of a learnt deck'),
    )


def _of(kind: Any, value: Any, sentence: str) -> Any:
    if not isinstance(value, kind):
        raise BadSetup(f"{sentence}, not {value!r}")
    return value


def _texts(values: Mapping[str, Any], key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
    found = values.get(key, default)
    if not isinstance(found, list | tuple) or not all(isinstance(item, str) for item in found):
        raise BadSetup(f'"{key}" must be a list of names')
    return tuple(found)


def _mapping(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key) or {}
    if not isinstance(found, Mapping):
        raise BadSetup(f'"{key}" must hold named values')
    return found


def _dealer(dealer: Any, around: tuple[str, ...]) -> Seat | None:
    if dealer is not None and dealer not in around:
        raise BadSetup(f"the dealer sits at {dealer!r}, but the seats are {', '.join(around)}")
    return None if dealer is None else Seat(dealer)


def _options(values: Mapping[str, Any]) -> dict[str, Option]:
    found = _mapping(values, "options")
    wrong = next((key for key, value in found.items() if not isinstance(value, int | str)), None)
    if wrong is not None:
        raise BadSetup(f'the option "{wrong}" must be a number or a word')
    return dict(found)
