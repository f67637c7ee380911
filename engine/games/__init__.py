"""The games, one folder or file each. A new one is registered by its line in `GAMES`."""

from __future__ import annotations

from typing import Any

from engine.errors import UnknownGame
from engine.games.bong import Bong
from engine.games.debertz import Debertz
from engine.games.ochko import Ochko
from engine.games.ton import Ton
from engine.rules import Rules

GAMES: dict[str, Rules[Any]] = {game.name: game for game in (Bong(), Ton(), Ochko(), Debertz())}
"""Every game by the name under which it is started."""


def find_game(name: str) -> Rules[Any]:
    """The game of that name, in any case; raises `UnknownGame`."""
    if name.lower() not in GAMES:
        raise UnknownGame(f"no game called {name!r}; there are: {', '.join(sorted(GAMES))}")
    return GAMES[name.lower()]
