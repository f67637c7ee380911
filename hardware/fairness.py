"""Are the buttons alike? Everybody slaps on a cue ten times, and the table sees each seat's times.

It is a report and never a correction: who reacts slowly and whose button goes hard cannot be told apart by times.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from engine.events import Press
from engine.seats import Seat

MS = 1_000_000
LATEST_NS = 1_500 * MS
"""A slap later than this was no answer to the cue."""
TIMES = 10
"""How often everybody slaps."""


@dataclass(frozen=True, slots=True)
class SeatTimes:
    """How one seat answered the cues."""

    seat: Seat
    answered: int
    """To how many cues."""
    median_ns: int
    """From cue to slap."""
    spread_ns: int
    """Between the fastest and the slowest."""
    behind_ns: int
    """How much later than the fastest seat, by the medians."""


def fairness(cues: Sequence[int], presses: Iterable[Press]) -> tuple[SeatTimes, ...]:
    """Each seat's times, the fastest first; `cues` are the moments at which the lamps were lit, in order.

    Of a seat's presses the first after a cue counts, and only before the next one.
    """
    answers: dict[Seat, dict[int, int]] = {}
    for press in sorted(presses, key=lambda press: press.t_ns):
        cue_ns = max((cue for cue in cues if cue <= press.t_ns), default=None)
        if cue_ns is not None and press.t_ns - cue_ns <= LATEST_NS:
            answers.setdefault(press.seat, {}).setdefault(cue_ns, press.t_ns - cue_ns)
    times = {seat: list(each.values()) for seat, each in answers.items()}
    fastest = min((median(each) for each in times.values()), default=0)
    report = [
        SeatTimes(seat, len(each), round(median(each)), max(each) - min(each), round(median(each) - fastest))
        for seat, each in times.items()
    ]
    return tuple(sorted(report, key=lambda seat: (seat.median_ns, seat.seat)))
