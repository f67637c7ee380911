"""How fast the engine judges: events a second of each game on one core, and the time that folding a long log takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median, quantiles
from typing import Any

from cardtable.bench.debertz_party import played_debertz
from cardtable.bench.ochko_party import played_ochko
from cardtable.bench.party import played_party
from cardtable.bench.spread import spread
from cardtable.bench.ton_party import played_ton
from engine.events import Event, Hold, Press
from engine.fold import Fold
from engine.log import Entry, Log
from engine.referee import Referee
from engine.rules import Rules

PARTIES, RUNS = 30, 9
FOLDED = 10_000
PLAYED: dict[str, Callable[[int], Referee[Any]]] = {
    "bong": played_party,
    "ton": played_ton,
    "ochko": played_ochko,
    "debertz": played_debertz,
}
"""For each game, a party that was played; the same seed gives the same one."""


def bench_engine(parties: int = PARTIES, runs: int = RUNS) -> dict[str, Any]:
    """`{"bong": {"events_per_s": …, "fold_10000_ms": …}, …}`, medians of `runs`, with the spread beside them.

    The events are those of whole parties with fouls, lots and new deals, as the referee has put them in order. Time is
    the processor's, so that other programs do not count. Folding applies the log's own edits too; a party has some
    hundred events, several make up 10,000.
    """
    return {game: _bench(play, parties, runs) for game, play in PLAYED.items()}


def _bench(play: Callable[[int], Referee[Any]], parties: int, runs: int) -> dict[str, Any]:
    played = [play(seed) for seed in range(parties)]
    rates = [_rate(played) for _ in range(runs)]
    low, _, high = quantiles(rates, n=4)
    folded = [_fold_ms(played) for _ in range(runs)]
    speed = {"events_per_s": round(median(rates)), "events_per_s_quartiles": [round(low), round(high)]}
    fold = {"fold_10000_ms": round(median(folded), 1), "fold": spread(folded), "events": sum(map(_count, played))}
    return speed | fold


def _count(referee: Referee[Any]) -> int:
    return len(referee.history())


def _rate(played: list[Referee[Any]]) -> float:
    evenings = [_judged(referee) for referee in played]
    start = time.process_time()
    for referee, evening in zip(played, evenings, strict=True):
        _judge_and_apply(referee, evening)
    return sum(map(len, evenings)) / (time.process_time() - start)


def _judged(referee: Referee[Any]) -> list[Event]:
    """The events that are judged: a press that became a hold is not."""
    events = [told.event for told in referee.history()]
    held = {(event.seat, event.pressed_ns) for event in events if isinstance(event, Hold)}
    return [event for event in events if not (isinstance(event, Press) and (event.seat, event.t_ns) in held)]


def _judge_and_apply(referee: Referee[Any], evening: list[Event]) -> None:
    rules: Rules[Any] = referee.rules
    judge, apply, state = rules.judge, rules.apply, rules.start(referee.setup)
    for event in evening:
        state = apply(state, event, judge(state, event))


def _fold_ms(played: list[Referee[Any]]) -> float:
    """Milliseconds for logs with `FOLDED` events together."""
    total, start = 0, time.process_time()
    while total < FOLDED:
        for referee in played:
            entries: list[Entry] = referee.log.entries
            fold = Fold(referee.rules, referee.rules.start(referee.setup), Log(entries).standing())
            fold.run()
            total += len(fold.items)
            if total >= FOLDED:
                break
    return (time.process_time() - start) * 1e3 * FOLDED / total
