"""Judging that goes all the way: what is kept of it never changes what comes out."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine.games import GAMES
from engine.replacing import replacing_fast
from engine.stepping import Stepping
from tests.engine.conformance import PARTIES

STEPPING = sorted(name for name, game in GAMES.items() if isinstance(game, Stepping))


@pytest.mark.parametrize("game", STEPPING)
def test_carrying_out_stored_rulings_gives_the_same_states_as_judging_anew(game: str) -> None:
    """As after a restart, and where a person has confirmed what the rules say."""
    for seed in range(3):
        referee = PARTIES[game](seed, players=4, mischief=0.3, moves=60).table.referee
        rules = referee.rules
        assert isinstance(rules, Stepping)
        state = rules.start(referee.setup)
        for told in referee.history():
            if told.rulings == rules.judge(state, told.event):  # a press that became a hold is ruled nothing
                judged = rules.apply(state, told.event, rules.judge(state, told.event))
                assert rules.carry_out(state, told.event, told.rulings) == judged
                state = judged


class Counts(NamedTuple):
    """Something that changes."""

    taken: int
    left: tuple[int, ...]
    name: str = ""


def test_a_fast_replace_changes_what_it_is_told_and_nothing_else() -> None:
    counts, fast = Counts(1, (2, 3), "x"), replacing_fast(Counts)
    assert fast is Counts
    assert counts._replace(left=(), taken=0) == Counts(0, (), "x")
    assert type(counts._replace()) is Counts
    with pytest.raises(KeyError, match="lost"):
        counts._replace(lost=1)  # type: ignore[call-arg]
