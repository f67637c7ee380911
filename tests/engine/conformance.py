"""What every game must stand: add a game's player simulator to `PARTIES` and it is put through all of it."""

from __future__ import annotations

from collections.abc import Callable

from tests.engine.players import Party, party

PARTIES: dict[str, Callable[..., Party]] = {"bong": party}
"""A simulator for each game: plays one game by seed, remembers the true cards and everything that ought to be ruled."""

PLANTED: dict[str, set[str]] = {
    "bong": {
        "wrong-rank",
        "double-play",
        "false-claim",
        "unclaimed-two",
        "false-stall",
        "stall-refused",
        "bare-slap",
        "false-nocard-proven",
        "owed",
    },
}
"""What every simulator must have planted somewhere."""

HOUSES: dict[str, list[dict[str, int | str]]] = {
    "bong": [{}, {"stall_collect": "pile"}, {"foul_penalty": "mark", "bare_slap": "mark"}, {"claim_s": 8}],
}
"""House rules under which each game is tried."""
