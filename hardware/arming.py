"""Is a button fit to be used, was a slap too early? Pure functions of edges and stamps; the page shows the answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.seats import Seat
from hardware.records import Edge, Kind

MS = 1_000_000
QUIET_NS = 25 * MS
"""A button that was held counts again after this long without contact."""
ANTICIPATION_NS = 100 * MS
"""Nobody reacts faster: World Athletics, Technical Rules, rule 16.6, uses the same limit for sprinters."""


class Condition(Enum):
    """What may be expected of a button."""

    READY = "ready"
    UNKNOWN = "unknown"
    """Nothing has been heard of it yet."""
    STUCK = "stuck"
    """Down ever since its source was opened: it cannot take part before it has been let go."""
    HELD = "held"
    """Down when the round opens, or let go too short a time ago: excluded until it has been quiet."""
    GONE = "gone"
    """Its source is not there."""


class Start(Enum):
    """How a slap stands to the cue."""

    FALSE_START = "false-start"
    """Certainly before the cue."""
    DOUBTFUL = "doubtful"
    """Before or after it: the stamps cannot tell, so the table is asked."""
    ANTICIPATION = "anticipation"
    """After the cue, but too soon to be an answer to it."""
    FAIR = "fair"


@dataclass(frozen=True, slots=True)
class Cue:
    """The moment from which slaps count: a lamp, a tone, or the picture in which a card came to lie."""

    t_ns: int
    within_ns: int


def judge_start(t_ns: int, within_ns: int, cue: Cue, *, anticipation_ns: int = ANTICIPATION_NS) -> Start:
    """What a slap at `t_ns`, good to `within_ns`, is in the light of `cue`; 0 switches anticipation off."""
    after_ns, doubt_ns = t_ns - cue.t_ns, within_ns + cue.within_ns
    if after_ns < -doubt_ns:
        return Start.FALSE_START
    if after_ns <= doubt_ns:
        return Start.DOUBTFUL
    return Start.ANTICIPATION if after_ns < anticipation_ns else Start.FAIR


@dataclass(slots=True)
class _Line:
    is_down: bool
    since_ns: int
    is_stuck: bool


@dataclass(slots=True)
class Buttons:
    """The condition of every button, from all edges in order of time."""

    _lines: dict[tuple[str, Seat], _Line] = field(default_factory=dict)
    _gone: set[str] = field(default_factory=set)

    def take(self, edge: Edge) -> None:
        """Takes one edge into account."""
        match edge.kind:
            case Kind.GONE:
                self._gone.add(edge.source)
                for key in [key for key in self._lines if key[0] == edge.source]:
                    del self._lines[key]
            case Kind.BACK:
                self._gone.discard(edge.source)
            case Kind.DOWN | Kind.UP | Kind.LEVEL if edge.seat is not None:
                self._change(edge, (edge.source, edge.seat))

    @property
    def known(self) -> tuple[tuple[str, Seat], ...]:
        """Every button that has been heard of and whose source is there, by its source and seat."""
        return tuple(self._lines)

    def condition(self, source: str, seat: Seat, at_ns: int) -> Condition:
        """What `seat`'s button of `source` is when a round opens at `at_ns`."""
        line = self._lines.get((source, seat))
        if source in self._gone:
            return Condition.GONE
        if line is None:
            return Condition.UNKNOWN
        if line.is_down:
            return Condition.STUCK if line.is_stuck else Condition.HELD
        return Condition.READY if at_ns >= line.since_ns + QUIET_NS else Condition.HELD

    def _change(self, edge: Edge, key: tuple[str, Seat]) -> None:
        is_down = edge.kind is Kind.DOWN or edge.is_down
        line = self._lines.get(key)
        if line is None:
            # A button found open has been quiet for ever, as far as anybody knows.
            since_ns = edge.t_ns if is_down or edge.kind is Kind.UP else edge.t_ns - QUIET_NS
            self._lines[key] = _Line(is_down, since_ns, edge.kind is Kind.LEVEL and is_down)
        elif line.is_down != is_down:
            self._lines[key] = _Line(is_down, edge.t_ns, False)
