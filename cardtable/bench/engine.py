"""How fast the engine judges: events a second of Bong on one core, and the time that folding a long log takes."""

from __future__ import annotations

import time
from statistics import median, quantiles
from typing import Any

from cardtable.bench.party import played_party
from cardtable.bench.spread import spread
from engine.events import Event
from engine.fold import Fold
from engine.games import find_game
from engine.log import Entry, Log
from engine.referee import Referee

PARTIES, RUNS = 30, 9
FOLDED = 10_000


def bench_engine(parties: int = PARTIES, runs: int = RUNS) -> dict[str, Any]:
    """`{"bong": {"events_per_s": …, "fold_10000_ms": …}}`, medians of `runs`, with the spread beside them.

    The events are those of whole parties with fouls, bare slaps, lots, stalls and new deals, as the referee has put
    them in order. Time is the processor's, so that other programs do not count. Folding applies the log's own edits
    too; a party has some hundred events, several make up 10,000.
    """
    played = [played_party(seed) for seed in range(parties)]
    rates = [_rate(played) for _ in range(runs)]
    low, _, high = quantiles(rates, n=4)
    folded = [_fold_ms(played) for _ in range(runs)]
    speed = {"events_per_s": round(median(rates)), "events_per_s_quartiles": [round(low), round(high)]}
    fold = {"fold_10000_ms": round(median(folded), 1), "fold": spread(folded), "events": sum(map(_count, played))}
    return {"bong": speed | fold}


def _count(referee: Referee[object]) -> int:
    return len(referee.history())


def _rate(played: list[Referee[object]]) -> float:
    evenings = [[told.event for told in referee.history()] for referee in played]
    start = time.process_time()
    for referee, evening in zip(played, evenings, strict=True):
        _judge_and_apply(referee, evening)
    return sum(map(len, evenings)) / (time.process_time() - start)


def _judge_and_apply(referee: Referee[object], evening: list[Event]) -> None:
    rules = find_game("bong")
    judge, apply, state = rules.judge, rules.apply, rules.start(referee.setup)
    for event in evening:
        state = apply(state, event, judge(state, event))


def _fold_ms(played: list[Referee[object]]) -> float:
    """Milliseconds for logs with `FOLDED` events together."""
    rules, total, start = find_game("bong"), 0, time.process_time()
    while total < FOLDED:
        for referee in played:
            entries: list[Entry] = referee.log.entries
            fold = Fold(rules, rules.start(referee.setup), Log(entries).standing())
            fold.run()
            total += len(fold.items)
            if total >= FOLDED:
                break
    return (time.process_time() - start) * 1e3 * FOLDED / total
