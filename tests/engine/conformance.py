"""What every game must stand: add a game's player simulator to `PARTIES` and it is put through all of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Protocol

from engine.games.bong import State as Bong
from engine.games.debertz import State as Debertz
from engine.games.ochko import State as Ochko
from engine.games.ton import State as Ton
from tests.engine.debertz_players import debertz_party
from tests.engine.ochko_party import ochko_party
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


PARTIES: dict[str, Callable[..., Party]] = {
    "bong": party,
    "ton": ton_party,
    "ochko": ochko_party,
    "debertz": debertz_party,
}
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
    "ochko": {
        "wrong-seat",
        "too-early",
        "misdeal",
        "new-hand-required",
        "not-asked",
        "no-card",
        "not-shown",
        "must-stand",
        "must-draw",
        "hidden-bust",
    },
    "debertz": {
        "wrong-seat",
        "one-card-only",
        "not-now",
        "suit-refused",
        "no-exchange",
        "struck",
        "not-held",
        "bella-struck",
        "revoke",
    },
}
"""What every simulator must have planted somewhere."""

HOUSES: dict[str, list[dict[str, int | str]]] = {
    "bong": [{}, {"stall_collect": "pile"}, {"foul_penalty": "mark", "bare_slap": "mark"}, {"claim_s": 8}],
    "debertz": [{}, {"declare": "before_own_card", "show_bottom": "true"}, {"revoke": "mark", "bella": "trick"}],
    "ton": [{"others": "optional"}, {}, {"others": "optional", "end_check": "deal", "revoke": "mark"}],
    "ochko": [
        {},
        {"first_deal": "one", "pot_mode": "common_pot", "natural_scope": "all", "tie": "push", "natural_pays": "2"},
        {
            "punter_stand": "free",
            "punter21": "compare",
            "late_natural": "stands",
            "banker_rule": "draw_to_17",
            "deck_out": "reshuffle_discard",
        },
        {
            "illegal_hit": "dead",
            "max_extra": "3",
            "bank_limit": "false",
            "banker_rule": "draw_to_16",
            "deck": "52",
            "hidden_bust_double": "true",
        },
        {"illegal_hit": "lose", "ace_low": "true", "gold_punter": "false", "deck": "2x52"},
    ],
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


def check_ochko(state: Ochko) -> None:
    """Every card is in the pack, in a hand or out of play, none is seen twice, and the bank holds what purses lack."""
    assert state.left + state.discarded + sum(len(hand.cards) for hand in state.hands) == state.house.pack_size
    seen = Counter(state.spent) + Counter(card for hand in state.hands for card in hand.cards if card.is_known)
    assert all(count <= state.house.pack[card] for card, count in seen.items())
    assert state.pot.holds + sum(state.pot.purses) == 0
    assert state.pot.holds >= 0


def check_debertz(state: Debertz) -> None:
    """Every card seen is in one place, and the points won are those of the cards in won tricks."""
    played, in_hand = {one.card for one in state.played}, {one.card for one in state.known}
    assert len(played) == len(state.played)
    assert len(in_hand) == len(state.known)
    assert not in_hand & played
    assert not (played | in_hand) & {state.upcard, state.bottom}
    assert len(played) - len(state.trick) == 2 * sum(state.tricks)
    open_cards = {play.card for play in state.trick}
    if state.trump is not None:
        won = sum(state.house.worth(one.card, state.trump) for one in state.played if one.card not in open_cards)
        assert sum(state.points) == won + 10 * (sum(state.tricks) == 9)
    assert state.scores == tuple(map(sum, zip((0, 0), *state.record, strict=True)))


CHECKS: dict[str, Callable[[Any], None]] = {
    "bong": check_bong,
    "ton": check_ton,
    "ochko": check_ochko,
    "debertz": check_debertz,
}
"""What holds at every moment of a game: every card, and every point staked, is in exactly one place."""
