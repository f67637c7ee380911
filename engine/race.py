"""Whose lay was it? Lays are matched to slaps by their times alone (rules of Bong, §8 row 14).

A slap belongs to a lay when it lies in [touch - 1500 ms, touch + 300 ms]; each slap serves one lay; the order of the
slaps is the order of the lays. Of the ways that remain, those that match most lays count, and of these the one with the
smallest total gap. A certain direction of the hand forbids every other seat's slap. Ways that the honest error of the
stamps cannot tell apart stay: the lay then has several candidates. Seats' letters and order of arrival play no part.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, product
from typing import NamedTuple

from engine.seats import Seat
from engine.ties import window_ns

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
    source: str = ""
    """As in `events.Press`."""
    jitter_ns: int | None = None
    """As in `events.Press`."""


class Match(NamedTuple):
    """Whose lay it was: one seat, several candidates, or (empty) nothing known; and the slap that surely served it."""

    seats: frozenset[Seat] = NOBODY
    slap_ns: int | None = None


def attribute(lays: Sequence[LayTime], slaps: Sequence[SlapTime], window: Window = Window()) -> tuple[Match, ...]:  # noqa: B008
    """One `Match` a lay. Lays come in pile order; slaps in any order."""
    slaps = sorted(slaps, key=lambda slap: (slap.t_ns, slap.seat or ""))
    race = _Race(lays, slaps, _bands(lays, slaps, window), window)
    if len(lays) == 1 and len(slaps) <= 1:
        return (_match(lays[0], slaps, {0 if slaps and race.fits(0, 0) else -1}),)
    found = _equal_ways(race, _best_way(race))
    _swap_where_order_is_unknown(race, found)
    return tuple(_match(lay, slaps, options) for lay, options in zip(lays, found, strict=True))


class _Race(NamedTuple):
    lays: Sequence[LayTime]
    slaps: Sequence[SlapTime]
    bands: list[tuple[int, int]]
    """Which slaps each lay can reach, from and to; neither end ever falls from one lay to the next."""
    window: Window

    def fits(self, i: int, j: int) -> bool:
        """Whether slap `j` can be lay `i`'s."""
        lay, slap = self.lays[i], self.slaps[j]
        if not -self.window.before_ns <= slap.t_ns - lay.t_ns <= self.window.after_ns:
            return False
        return not lay.hand or slap.seat is None or slap.seat in lay.hand


def _bands(lays: Sequence[LayTime], slaps: Sequence[SlapTime], window: Window) -> list[tuple[int, int]]:
    times = [slap.t_ns for slap in slaps]
    first = [bisect_left(times, lay.t_ns - window.before_ns) for lay in lays]
    end = [bisect_right(times, lay.t_ns + window.after_ns) for lay in lays]
    lows = list(accumulate(reversed(first), min))[::-1]
    return list(zip(lows, accumulate(end, max), strict=True))


def _match(lay: LayTime, slaps: Sequence[SlapTime], options: set[int]) -> Match:
    if -1 in options:
        return Match(lay.hand)
    by = {slaps[j].seat for j in options}
    seats = frozenset(seat for seat in by if seat is not None) or lay.hand
    if len(by) > 1:
        return Match(seats)
    nearest = min(options, key=lambda j: (abs(lay.t_ns - slaps[j].t_ns), slaps[j].t_ns))
    return Match(seats, slaps[nearest].t_ns)


class _Row(NamedTuple):
    """Best totals with the slaps before each place from `low` on; constant beyond its end."""

    low: int
    totals: list[int]

    def at(self, j: int) -> int:
        return self.totals[min(max(j - self.low, 0), len(self.totals) - 1)]


Worth = Callable[[int, int], int]
"""What it is worth that lay i has slap j; -1 for none at all."""


def _forward(race: _Race, worth: Worth) -> list[_Row]:
    """Row i: the best totals of the first i lays."""
    rows = [_Row(0, [0])]
    for i, (low, high) in enumerate(race.bands):
        above, none = rows[-1], worth(i, -1)
        totals = [above.at(low) + none]
        for j in range(low, high):
            totals.append(max(totals[-1], above.at(j + 1) + none, above.at(j) + worth(i, j)))
        rows.append(_Row(low, totals))
    return rows


def _backward(race: _Race, worth: Worth) -> list[_Row]:
    """Row i: the best totals of all lays but the first i, with the slaps from each place on."""
    last, end = len(race.lays) - 1, len(race.slaps)
    bands = [(end - high, end - low) for low, high in reversed(race.bands)]
    mirrored = race._replace(bands=bands)
    return _forward(mirrored, lambda i, j: worth(last - i, end - 1 - j if j >= 0 else -1))[::-1]


def _best_way(race: _Race) -> list[int]:
    """The slap of each lay in a best way by nominal times, -1 for none."""

    def worth(i: int, j: int) -> int:
        if j < 0:
            return 0
        return _MATCH - abs(race.lays[i].t_ns - race.slaps[j].t_ns) if race.fits(i, j) else _NEVER

    rows, way = _forward(race, worth), []
    j = len(race.slaps)
    for i in range(len(race.lays) - 1, -1, -1):
        low, high = race.bands[i]
        j = min(j, high)
        while j > low and rows[i + 1].at(j) == rows[i + 1].at(j - 1):
            j -= 1
        if j > low and rows[i + 1].at(j) == rows[i].at(j - 1) + worth(i, j - 1):
            j -= 1
            way.append(j)
        else:
            way.append(-1)
    return way[::-1]


def _equal_ways(race: _Race, best: list[int]) -> list[set[int]]:
    """For each lay the slaps (-1: none) that it has in any way not surely worse than `best`."""

    def worth(i: int, j: int) -> int:
        if j >= 0 and not race.fits(i, j):
            return _NEVER
        return (_MATCH if j >= 0 else 0) - _surely_longer(race.lays[i], race.slaps, j, best[i])

    end = len(race.slaps)
    before, after = _forward(race, worth), _backward(race, worth)
    enough = _MATCH * sum(chosen >= 0 for chosen in best)
    found: list[set[int]] = []
    for i, (low, high) in enumerate(race.bands):
        rest = after[i + 1]
        options = {j for j in range(low, high) if before[i].at(j) + worth(i, j) + rest.at(end - 1 - j) >= enough}
        if any(before[i].at(j) + worth(i, -1) + rest.at(end - j) >= enough for j in range(low, high + 1)):
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


def _swap_where_order_is_unknown(race: _Race, found: list[set[int]]) -> None:
    """Where the order of two slaps, or of two neighbouring lays, is not known, either slap may be either lay's."""
    chosen = [options - {-1} for options in found]
    for high in range(1, len(chosen)):
        for low in range(high - 1, -1, -1):
            if race.bands[low][1] <= race.bands[high][0]:
                break
            is_unseen = high == low + 1 and race.lays[high].is_rival
            for j, k in product(chosen[low], chosen[high]):
                if j != k and (is_unseen or _is_close(race, j, k)) and race.fits(low, k) and race.fits(high, j):
                    found[low].add(k)
                    found[high].add(j)


def _is_close(race: _Race, j: int, k: int) -> bool:
    one, other = race.slaps[j], race.slaps[k]
    return abs(one.t_ns - other.t_ns) <= window_ns(one, other)


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
