"""Which zones of the table a game uses."""

from __future__ import annotations

from engine.games import find_game

ANY = ("pile", "seat")
"""For a table at which no game has been chosen yet."""
_KINDS: dict[str, tuple[str, ...]] = {
    "bong": ("pile",),
    "ton": ("trick", "widow", "stock", "discard", "seat"),
    "ochko": ("stock", "discard", "seat"),
    "debertz": ("trick", "stock", "show", "seat"),
}


def kinds_of(game: str | None) -> tuple[str, ...]:
    """Kinds of zone (`vision.finding.zones.KINDS`) that `game` uses; raises `UnknownGame`."""
    return ANY if game is None else _KINDS.get(find_game(game).name, ANY)
