"""Looks at buttons without a game, for `cardtable doctor`: how each one does, and whether all are alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from secrets import randbelow

from cardtable.buttons import Buttons
from cardtable.drills import FairnessDrill, FairnessView
from engine.seats import Seat
from hardware.fairness import SeatTimes
from hardware.inspection import ButtonReport
from hardware.lamps import Lamps
from hardware.sources import EdgeSource

TURN_S = 0.002
S = 1_000_000_000
MS = 1_000_000

Clock = Callable[[], int]


def listen(
    sources: Sequence[EdgeSource], seconds: float, *, clock: Clock = time.monotonic_ns
) -> tuple[tuple[ButtonReport, ...], int]:
    """What was found of every button in so many seconds, and the moment at which that was."""
    buttons = Buttons()
    for now_ns in _turns(seconds, clock):
        _fetch(buttons, sources, now_ns)
    now_ns = clock()
    buttons.look(now_ns, {})
    return buttons.shown.reports, now_ns


def run_fairness(  # noqa: PLR0913  (all by keyword)
    sources: Sequence[EdgeSource],
    seats: Sequence[Seat],
    *,
    lamps: Lamps | None,
    cue: Callable[[int, int], None],
    times: int,
    clock: Clock = time.monotonic_ns,
) -> tuple[SeatTimes, ...]:
    """Lights the lamps and calls `cue(number, of)` so many times; gives every button's times, the fastest first."""
    buttons = Buttons(seats)
    buttons.lights = lamps
    buttons.begin_drill(FairnessDrill(seats, now_ns=clock(), seed=randbelow(2**31), times=times))
    told = 0
    for now_ns in _turns(float("inf"), clock):
        _fetch(buttons, sources, now_ns)
        view = buttons.shown.drill
        assert isinstance(view, FairnessView)
        if view.cues > told:
            told = view.cues
            cue(told, view.of)
        if view.is_over:
            return view.times
    raise AssertionError("time ended")


def _turns(seconds: float, clock: Clock) -> Iterator[int]:
    until_ns = clock() + (seconds * S if seconds != float("inf") else float("inf"))
    while (now_ns := clock()) < until_ns:
        yield now_ns
        time.sleep(TURN_S)


def _fetch(buttons: Buttons, sources: Sequence[EdgeSource], now_ns: int) -> None:
    marks = {source.name: source.mark_ns(now_ns) for source in sources}
    for source in sources:
        for edge in source.edges():
            buttons.edge(edge)
    buttons.pass_to(min(marks.values(), default=now_ns))
    buttons.look(now_ns, marks)


def report_line(report: ButtonReport, now_ns: int) -> str:
    """One button in words."""
    chatter = f"chatters for {report.bounce_ns / MS:.1f} ms at most ({report.bounces})" if report.bounces else "clean"
    ago = ", ".join(f"{(now_ns - t_ns) / S:.1f}" for t_ns in report.times_ns)
    last = f"; last {ago} s ago" if ago else ""
    level = "down" if report.is_down else "up"
    return (
        f"{report.seat} ({report.source}): {level}, {report.condition.value}, "
        f"pressed {report.contacts} times, {chatter}, "
        f"times good to ± {report.within_ns / MS:.2g} ms{last}"
    )


def fairness_line(times: SeatTimes, of: int) -> str:
    """One button's answers in words."""
    median, spread, behind = (round(ns / MS) for ns in (times.median_ns, times.spread_ns, times.behind_ns))
    return (
        f"{times.seat}: {median} ms, spread {spread} ms, {behind} ms behind the fastest "
        f"({times.answered} of {of} cues answered)"
    )
