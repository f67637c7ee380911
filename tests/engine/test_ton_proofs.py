"""Hidden hands, honest proof (§8): a simulator that knows every hand plants revokes and watches each ruling.

Checked at every single card: what is ruled is what is provable then, no revoke earlier, later or missing. At the end of
each deal every revoke made has been found with its true kind, and nobody else is accused.
"""

from __future__ import annotations

import pytest

from engine.rules import Option
from tests.engine.ton_players import straight_deals

HOUSES: list[dict[str, Option]] = [
    {"others": "optional"},
    {},
    {"others": "optional", "beat_after_trump": "true", "overtrump": "true"},
    {"others": "optional", "end_check": "deal", "revoke": "mark"},
    {"others": "optional", "revoke": "replay", "direction": "clockwise"},
]


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_honest_players_are_never_accused(house: int) -> None:
    for seed in range(5):
        evening = straight_deals(seed, deals=60, mischief=0.0, options=HOUSES[house])
        assert evening.revokes == 0
        assert not evening.due


@pytest.mark.parametrize("house", range(len(HOUSES)))
def test_every_planted_revoke_is_found_at_the_earliest_provable_moment(house: int) -> None:
    found = 0
    for seed in range(5):
        found += straight_deals(100 + seed, deals=120, mischief=0.2, options=HOUSES[house]).revokes
    assert found > 50


@pytest.mark.slow
@pytest.mark.parametrize("mischief", [0.0, 0.2])
def test_a_hundred_thousand_deals(mischief: float) -> None:
    """Slow: 100,000 deals, half of them honest."""
    found = 0
    for seed in range(100):
        found += straight_deals(1000 + seed, deals=500, mischief=mischief, options=HOUSES[seed % 5]).revokes
    assert (found == 0) == (mischief == 0)
