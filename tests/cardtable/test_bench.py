"""What `cardtable bench --json` prints has the agreed form; how fast it is, is no test's business."""

from __future__ import annotations

import json

from cardtable.bench.debertz_party import played_debertz
from cardtable.bench.engine import PLAYED, bench_engine
from cardtable.bench.ochko_party import played_ochko
from cardtable.bench.party import played_party
from cardtable.bench.spread import spread
from cardtable.bench.ton_party import played_ton
from engine.rules import Audience


def test_measured_parties_are_whole_and_have_fouls_stalls_and_a_loser() -> None:
    parties = [played_party(seed) for seed in range(3)]
    assert all(party.view(Audience()).over for party in parties)
    codes = {ruling.code for party in parties for told in party.history() for ruling in told.rulings}
    assert {"ok", "wrong-rank", "double-play", "bare-slap", "stall", "flong", "lot-start", "loser"} <= codes


def test_same_seed_gives_the_same_party() -> None:
    assert played_party(5).log.entries == played_party(5).log.entries


def test_engine_figures_have_their_names() -> None:
    measured = json.loads(json.dumps(bench_engine(parties=1, runs=2)))
    assert set(measured) == set(PLAYED)
    assert all(game["events_per_s"] > 0 and game["fold_10000_ms"] > 0 for game in measured.values())


def test_measured_parties_of_ton_are_bought_played_and_won_and_have_revokes() -> None:
    codes = {ruling.code for seed in range(6) for told in played_ton(seed).history() for ruling in told.rulings}
    assert {"took", "refused", "joined", "trick", "deal-over", "revoke", "audit", "won"} <= codes


def test_measured_parties_of_debertz_are_bid_declared_played_and_won_and_have_revokes() -> None:
    codes = {ruling.code for seed in range(6) for told in played_debertz(seed).history() for ruling in told.rulings}
    assert codes >= {"plays", "thrown-in", "sequences-shown", "trick", "made", "bait", "revoke", "won"}


def test_measured_parties_of_ochko_have_every_kind_of_duel() -> None:
    codes = {ruling.code for seed in range(6) for told in played_ochko(seed).history() for ruling in told.rulings}
    assert {"duel", "hit", "stands", "draws", "punter-wins", "banker-wins", "must-stand", "next-banker"} <= codes


def test_spread_is_median_quartiles_and_worst() -> None:
    assert spread([1.0, 2.0, 3.0, 4.0, 10.0]) == {"ms": 3.0, "quartiles_ms": [1.5, 7.0], "worst_ms": 10.0, "runs": 5}
