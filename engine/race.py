"""Whose lay was it? Lays are matched to slaps by their times alone (rules of Bong, §8 row 14).

A slap belongs to a lay when it lies in [touch - 1500 ms, touch + 300 ms]; each slap serves one lay; the order of the
slaps is the order of the lays. Of the ways that remain, those that match most lays count, and of these the one with the
smallest total gap. A certain direction of the hand forbids every other seat's slap. Ways that the honest error of the
stamps cannot tell apart stay: the lay then has several candidates. Seats' letters and order of arrival play no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.seats import Seat

BEFORE_NS = 1_500_000_000
"""A slap may come this long before its card touches."""
AFTER_NS = 300_000_000
"""… or this long after it."""
HOLD_NS = 800_000_000
"""A press still down after this long is a hold, hence no slap."""

_MATCH = 1 << 60  # one more lay matched outweighs every gap
_NEVER = -(1 << 90)
NOBODY: frozenset[Seat] = frozenset()


class Window(NamedTuple):
    """How far a slap may lie from the touch of its card."""

    before_ns: int = BEFORE_NS
    after_ns: int = AFTER_NS


class LayTime(NamedTuple):
    """A lay as the race sees it."""

    t_ns: int
    within_ns: int = 0
    hand: frozenset[Seat] = NOBODY
    """The only seats it can have come from; empty: any."""
    is_rival: bool = False
    """Whether its order relative to the lay before it could not be seen."""


class SlapTime(NamedTuple):
    """A slap as the race sees it; `seat` None stands for one yet to come, by anybody."""

    t_ns: int
    seat: Seat | None
    within_ns: int = 0


class Match(NamedTuple):
    """Whose lay it was: one seat, several candidates, or (empty) nothing known; and the slap that surely served it."""

    seats: frozenset[Seat] = NOBODY
    slap_ns: int | None = None


def attribute(lays: Sequence[LayTime], slaps: Sequence[SlapTime], window: Window = Window()) -> tuple[Match, ...]:  # noqa: B008
    """One `Match` a lay. Lays come in pile order; slaps in any order."""
    slaps = sorted(slaps, key=lambda slap: (slap.t_ns, slap.seat or ""))
    fits = [[_fits(lay, slap, window) for slap in slaps] for lay in lays]
    if len(lays) == 1 and sum(fits[0]) <= 1:
        return (_match(lays[0], slaps, {fits[0].index(True) if True in fits[0] else -1}),)
    best = _best_way(lays, slaps, fits)
    found = _equal_ways(lays, slaps, fits, best)
    _swap_where_order_is_unknown(lays, slaps, fits, found)
    return tuple(_match(lay, slaps, options) for lay, options in zip(lays, found, strict=True))


def _fits(lay: LayTime, slap: SlapTime, window: Window) -> bool:
    if not lay.t_ns - window.before_ns <= slap.t_ns <= lay.t_ns + window.after_ns:
        return False
    return not lay.hand or slap.seat is None or slap.seat in lay.hand


def _match(lay: LayTime, slaps: Sequence[SlapTime], options: set[int]) -> Match:
    if -1 in options:
        return Match(lay.hand)
    by = {slaps[j].seat for j in options}
    if len(by) > 1 or None in by:
        return Match(frozenset(seat for seat in by if seat is not None) or lay.hand)
    nearest = min(options, key=lambda j: (abs(lay.t_ns - slaps[j].t_ns), slaps[j].t_ns))
    return Match(frozenset(seat for seat in by if seat is not None), slaps[nearest].t_ns)


Scores = list[list[int]]


def _forward(worth: Scores, count: int) -> Scores:
    """Best total of the first i lays with the first j slaps; a row of `worth` ends with the worth of no slap at all."""
    rows = [[0] * (count + 1)]
    for row in worth:
        above, here = rows[-1], [rows[-1][0] + row[-1]]
        for j in range(count):
            here.append(max(here[j], above[j + 1] + row[-1], above[j] + row[j]))
        rows.append(here)
    return rows


def _backward(worth: Scores, count: int) -> Scores:
    flipped = [[*reversed(row[:-1]), row[-1]] for row in reversed(worth)]
    return [list(reversed(row)) for row in reversed(_forward(flipped, count))]


def _best_way(lays: Sequence[LayTime], slaps: Sequence[SlapTime], fits: list[list[bool]]) -> list[int]:
    """The slap of each lay in a best way by nominal times, -1 for none."""
    worth = [
        [_MATCH - abs(lay.t_ns - slap.t_ns) if fit else _NEVER for slap, fit in zip(slaps, row, strict=True)] + [0]
        for lay, row in zip(lays, fits, strict=True)
    ]
    rows, j, way = _forward(worth, len(slaps)), len(slaps), []
    for i in range(len(lays), 0, -1):
        while j and rows[i][j] == rows[i][j - 1]:
            j -= 1
        if j and rows[i][j] == rows[i - 1][j - 1] + worth[i - 1][j - 1]:
            j -= 1
            way.append(j)
        else:
            way.append(-1)
    return way[::-1]


def _equal_ways(
    lays: Sequence[LayTime], slaps: Sequence[SlapTime], fits: list[list[bool]], best: list[int]
) -> list[set[int]]:
    """For each lay the slaps (-1: none) that it has in any way not surely worse than `best`."""
    worth = [
        [(_MATCH if fit else _NEVER) - _surely_longer(lay, slaps, j, chosen) for j, fit in enumerate(row)]
        + [-_surely_longer(lay, slaps, -1, chosen)]
        for lay, row, chosen in zip(lays, fits, best, strict=True)
    ]
    count = len(slaps)
    before, after = _forward(worth, count), _backward(worth, count)
    enough = _MATCH * sum(chosen >= 0 for chosen in best)
    found: list[set[int]] = []
    for i, row in enumerate(worth):
        options = {j for j in range(count) if fits[i][j] and before[i][j] + row[j] + after[i + 1][j + 1] >= enough}
        if any(before[i][j] + row[-1] + after[i + 1][j] >= enough for j in range(count + 1)):
            options.add(-1)
        found.append(options)
    return found


def _surely_longer(lay: LayTime, slaps: Sequence[SlapTime], one: int, other: int) -> int:
    """By how much the gap to slap `one` is at least longer than to slap `other`, whatever the true times are."""
    if one == other:
        return 0
    doubt = sum(slaps[j].within_ns for j in (one, other) if j >= 0)
    ends = (lay.t_ns - lay.within_ns, lay.t_ns + lay.within_ns)
    turns = [slaps[j].t_ns for j in (one, other) if j >= 0 and ends[0] < slaps[j].t_ns < ends[1]]
    return min(_gap(t, slaps, one) - _gap(t, slaps, other) for t in (*ends, *turns)) - doubt


def _gap(t_ns: int, slaps: Sequence[SlapTime], j: int) -> int:
    return abs(t_ns - slaps[j].t_ns) if j >= 0 else 0


def _swap_where_order_is_unknown(
    lays: Sequence[LayTime], slaps: Sequence[SlapTime], fits: list[list[bool]], found: list[set[int]]
) -> None:
    """Where the order of two slaps, or of two neighbouring lays, is not known, either slap may be either lay's."""
    chosen = [set(options) for options in found]
    for low in range(len(lays)):
        for high in range(low + 1, len(lays)):
            unseen = high == low + 1 and lays[high].is_rival
            for j in chosen[low] - {-1}:
                for k in chosen[high] - {-1, j}:
                    close = abs(slaps[j].t_ns - slaps[k].t_ns) <= slaps[j].within_ns + slaps[k].within_ns
                    if (unseen or close) and fits[low][k] and fits[high][j]:
                        found[low].add(k)
                        found[high].add(j)


def is_settled(
    place: int,
    lays: Sequence[LayTime],
    slaps: Sequence[SlapTime],
    mark_ns: int,
    window: Window = Window(),  # noqa: B008
) -> bool:
    """Whether no slap and no lay that may still come (all later than `mark_ns`) can change whose lay `place` was.

    What may come is tried out: lays at the earliest moment, which compete hardest for the slaps still open, and slaps
    at the earliest moment for the lays still open.
    """
    now = attribute(lays, slaps, window)[place]
    soon = mark_ns + 1
    open_slaps = sum(slap.t_ns >= soon - window.before_ns for slap in slaps)
    open_lays = sum(lay.t_ns >= soon - window.after_ns for lay in lays)
    for more_lays in range(open_slaps + 1):
        for more_slaps in range(open_lays + 1):
            later_lays = [*lays, *[LayTime(soon)] * more_lays]
            later_slaps = [*slaps, *[SlapTime(soon, None)] * more_slaps]
            if attribute(later_lays, later_slaps, window)[place] != now:
                return False
    return True
