"""What every game must stand: add a game's player simulator to `PARTIES` and it is put through all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from engine.games.bong import State as Bong
from engine.games.ton import State as Ton
from tests.engine.players import party
from tests.engine.table import AnyTable
from tests.engine.ton_players import ton_party


class Party(Protocol):
    """A game played by a simulator that knows the true cards."""

    due: Counter[tuple[str, str]]
    """Code and seat of everything planted that ought to be ruled."""
    verdicts: list[tuple[str, str, str]]
    """Card, seat and code of every lay."""

    @property
    def table(self) -> AnyTable[Any]:
        """Where it was played."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        ...

    def found(self) -> Counter[tuple[str, str]]:
        """What the referee ruled of all that may have been planted."""
        ...

    def judged(self) -> list[tuple[str, str, str]]:
        """What the referee ruled every lay."""
        ...


PARTIES: dict[str, Callable[..., Party]] = {"bong": party, "ton": ton_party}
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
    "ton": {
        "wrong-seat",
        "one-card-only",
        "dealer-may-not-buy",
        "not-entitled",
        "false-no-trump",
        "bad-exchange",
        "revoke",
    },
}
"""What every simulator must have planted somewhere."""

HOUSES: dict[str, list[dict[str, int | str]]] = {
    "bong": [{}, {"stall_collect": "pile"}, {"foul_penalty": "mark", "bare_slap": "mark"}, {"claim_s": 8}],
    "ton": [{"others": "optional"}, {}, {"others": "optional", "end_check": "deal", "revoke": "mark"}],
}
"""House rules under which each game is tried."""


def check_bong(state: Bong) -> None:
    """Hands and pile make 52; a card of uncertain owner is in the pile and still counted in a hand."""
    uncertain = sum(len(laid.seats) != 1 for laid in state.pile)
    assert sum(state.hands) + len(state.pile) - uncertain == 52
    assert len({laid.card for laid in state.pile}) == len(state.pile)


def check_ton(state: Ton) -> None:
    """Every card seen is in one place, everybody's five are played or in hand, and the pot holds what purses lack."""
    played = [one.card for one in state.played]
    assert len(set(played)) == len(played)
    in_hand = {one.card for one in state.known}
    assert len(in_hand) == len(state.known)
    assert not in_hand & {*played, *state.proof}
    assert sum(state.left(seat) for seat in state.house.seats) + len(played) == 5 * len(state.house.seats)
    assert state.pot.holds + sum(state.pot.purses) == 0


CHECKS: dict[str, Callable[[Any], None]] = {"bong": check_bong, "ton": check_ton}
"""What holds at every moment of a game: every card, and every point staked, is in exactly one place."""
