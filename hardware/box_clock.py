"""A slap box's clock on the table's clock, with bounds that hold rather than guesses that look good.

A ping's answer carries a tick that lies between sending and receiving: a hard bound. The rate between the two clocks is
bounded by pairs of such bounds, the better the further they lie apart (Cristian, Probabilistic clock synchronization,
1989, gives the bound of one exchange; Marzullo's intersection, 1984, joins them).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

MS = 1_000_000
S = 1_000 * MS
WRAP = 1 << 32

PRIOR = 0.01
"""No box is further off than this: ceramic resonators are within 0.5 %, crystals within 0.01 %."""
WANDER = 50e-6
"""The rate may change by this much within the two minutes that are remembered: temperature."""
KEEP_NS = 2 * S
"""Of all exchanges within this time only the quickest is remembered."""
REMEMBERED = 60
APART_NS = 250 * MS
"""Edges further apart than this are placed anew, each as well as is known by then."""
CLOSE_NS = 1 * MS
STEPS_APART = 4
"""… and so are nearer ones that this many times the step from the old line to the new one leaves far apart. Closer ones
keep to one line even where better bounds have come in between: a step would move them against each other by more than
a box's stamps are off among themselves."""


class Unwrapper:
    """Counts on where the box's 32-bit microseconds wrap, forward and backward, up to half a period."""

    def __init__(self) -> None:
        self._last: int | None = None

    def count(self, tick: int) -> int:
        """`tick` in nanoseconds since the counter's beginning, or since where it was first seen."""
        if self._last is None:
            self._last = tick
        else:
            self._last += (tick - self._last + WRAP // 2) % WRAP - WRAP // 2
        return self._last * 1_000


@dataclass(frozen=True, slots=True)
class Exchange:
    """At `box_ns` by the box the table's clock stood between `sent_ns` and `received_ns`."""

    box_ns: int
    sent_ns: int
    received_ns: int

    @property
    def width_ns(self) -> int:
        """How little is known."""
        return self.received_ns - self.sent_ns


@dataclass(frozen=True, slots=True)
class _Placing:
    """One straight line from the box's clock to the table's."""

    box_ns: int
    t_ns: int
    rate: float

    def moment(self, box_ns: int) -> int:
        return self.t_ns + round((box_ns - self.box_ns) * self.rate)


class BoxClock:
    """Places the box's moments on the table's clock. Pure: every stamp is handed in."""

    def __init__(self) -> None:
        self.restarts = 0
        """How often the bounds contradicted one another, as after the computer had slept."""
        self._exchanges: deque[Exchange] = deque(maxlen=REMEMBERED)
        self._rates = (1 - PRIOR, 1 + PRIOR)
        self._placing: _Placing | None = None
        self._last: tuple[int, int] | None = None

    @property
    def is_set(self) -> bool:
        """Whether anything is known yet."""
        return bool(self._exchanges)

    def answered(self, exchange: Exchange) -> None:
        """A ping was answered."""
        if self.is_set and not _overlap(self.bounds(exchange.box_ns), (exchange.sent_ns, exchange.received_ns)):
            self._restart()
        self._remember(exchange)
        self._rates = self._bound_rate()
        if self._rates[0] > self._rates[1]:
            self._restart()
            self._remember(exchange)

    def bounds(self, box_ns: int) -> tuple[int, int]:
        """The earliest and the latest that `box_ns` can have been, in the table's nanoseconds."""
        slow, fast = self._rates
        lows, highs = [], []
        for each in self._exchanges:
            apart = box_ns - each.box_ns
            lows.append(each.sent_ns + apart * (slow if apart >= 0 else fast))
            highs.append(each.received_ns + apart * (fast if apart >= 0 else slow))
        low, high = int(max(lows)), int(min(highs)) + 1
        # Where they contradict one another, the truth is somewhere in between until the next answer clears it up.
        return min(low, high), max(low, high)

    def earliest(self, box_ns: int) -> int:
        """No edge from `box_ns` on will be placed before this."""
        low, _ = self.bounds(box_ns)
        return min(low, self._placing.moment(box_ns)) if self._placing and self._is_near(box_ns) else low

    def moment(self, box_ns: int) -> tuple[int, int]:
        """`t_ns` and `within_ns` of an edge at `box_ns`. Later on the box is never earlier at the table."""
        low, high = self.bounds(box_ns)
        t_ns = self._place(box_ns, low, high)
        if self._last is not None and box_ns >= self._last[0]:
            t_ns = max(t_ns, self._last[1] + (box_ns > self._last[0]))
        self._last = (box_ns, t_ns)
        return t_ns, max(high - t_ns, t_ns - low)

    def _place(self, box_ns: int, low: int, high: int) -> int:
        if self._placing and self._is_near(box_ns):
            t_ns = self._placing.moment(box_ns)
            step_ns = abs(t_ns - (low + high) // 2)
            if low <= t_ns <= high or self._apart_ns(box_ns) < CLOSE_NS + STEPS_APART * step_ns:
                return t_ns
        self._placing = _Placing(box_ns, (low + high) // 2, sum(self._rates) / 2)
        return self._placing.t_ns

    def _is_near(self, box_ns: int) -> bool:
        return self._apart_ns(box_ns) < APART_NS

    def _apart_ns(self, box_ns: int) -> int:
        return APART_NS if self._last is None else abs(box_ns - self._last[0])

    def _restart(self) -> None:
        self.restarts += 1
        self._exchanges.clear()
        self._rates = (1 - PRIOR, 1 + PRIOR)
        self._placing = self._last = None

    def _remember(self, exchange: Exchange) -> None:
        kept = self._exchanges
        is_new = len(kept) < 2 or exchange.box_ns - kept[-2].box_ns > KEEP_NS
        if is_new:
            kept.append(exchange)
        elif exchange.width_ns <= kept[-1].width_ns:
            kept[-1] = exchange

    def _bound_rate(self) -> tuple[float, float]:
        # One of the latest, but not one that happened to take long.
        newest = min(list(self._exchanges)[:-4:-1], key=lambda each: each.width_ns)
        slow, fast = 1 - PRIOR, 1 + PRIOR
        for each in self._exchanges:
            earlier, later = sorted((each, newest), key=lambda exchange: exchange.box_ns)
            apart = later.box_ns - earlier.box_ns
            if apart > 0:
                slow = max(slow, (later.sent_ns - earlier.received_ns) / apart - WANDER)
                fast = min(fast, (later.received_ns - earlier.sent_ns) / apart + WANDER)
        return slow, fast


def _overlap(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return max(a[0], b[0]) <= min(a[1], b[1])
