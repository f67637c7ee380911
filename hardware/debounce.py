"""From button edges to presses: the first contact is the time, what follows only confirms it.

A filter that waits until a switch has been still moves its time, and a bouncy switch then loses to a clean one. So the
stamp is taken from the first edge and everything else happens afterwards, on stamps alone: no clock, no thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from heapq import heappop, heappush
from itertools import count

from engine.events import Hold, Press, Release
from engine.seats import Seat
from hardware.records import Edge, Kind

MS = 1_000_000
LONG_AGO = -(1 << 63)

ButtonEvent = Press | Release | Hold


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a switch may take for what, in nanoseconds. The same for every seat."""

    contact_ns: int = 1 * MS
    """Contact that makes a press; less is a glitch, such as a spike from the neighbour's wire."""
    window_ns: int = 5 * MS
    """Counted from the first edge, the time in which that contact must add up."""
    quiet_ns: int = 25 * MS
    """A button is deaf after a press until its line has been open this long without a break."""
    hold_ns: int = 800 * MS
    """A press this long is a hold."""


class Debounce:
    """The presses, releases and holds in the edges of all seats and sources.

    Call it like this, every few milliseconds: ask each source for its mark, then `feed` everything its `edges()` gives,
    then `pass_to` the earliest of the marks. Edges wait, sorted by stamp, until the mark has passed them, so the
    outcome does not depend on the order in which they arrive or on how often anyone looks. An edge that comes after
    its time (a source was slower than it had promised) is taken at once, at its own stamp, and `feed` gives what
    follows from it; only then may a `Release` be older than a `Hold` that has been given already: that hold was none.

    A press is given when its contact is confirmed, up to 5 ms after the moment it carries: `mark_ns` says up to where
    all presses are out.

    A button belongs to one seat and one source. What is down when it is first seen is held: no press before it has been
    let go. A missing release is repaired by a `level` record. A source that is `gone` ends what its buttons had begun.
    """

    def __init__(self, timing: Timing | None = None) -> None:
        self._timing = timing or Timing()
        self._lines: dict[tuple[str, Seat], _Line] = {}
        self._waiting: list[tuple[int, str, int, int, Edge]] = []
        self._arrivals = count()
        self._passed_ns = LONG_AGO

    @property
    def mark_ns(self) -> int:
        """Every press that began before this moment has been given."""
        return min([self._passed_ns, *(line.contacts[0].down.t_ns for line in self._lines.values() if line.contacts)])

    def feed(self, edge: Edge) -> tuple[ButtonEvent, ...]:
        """Take one edge, in any order; gives events only if its time has passed already."""
        if edge.t_ns > self._passed_ns:
            heappush(self._waiting, (edge.t_ns, edge.source, edge.number, next(self._arrivals), edge))
            return ()
        return _in_order([*self._take(edge), *self._advance(self._passed_ns)])

    def pass_to(self, t_ns: int) -> tuple[ButtonEvent, ...]:
        """All that is certain once no edge up to `t_ns` is missing, sorted by time. Going back does nothing."""
        if t_ns <= self._passed_ns:
            return ()
        events: list[ButtonEvent] = []
        while self._waiting and self._waiting[0][0] <= t_ns:
            events += self._take(heappop(self._waiting)[-1])
        self._passed_ns = t_ns
        return _in_order([*events, *self._advance(t_ns)])

    def _advance(self, t_ns: int) -> Iterator[ButtonEvent]:
        for line in self._lines.values():
            yield from line.advance(t_ns)

    def _take(self, edge: Edge) -> list[ButtonEvent]:
        if edge.kind is Kind.GONE:
            return self._end(edge)
        if edge.seat is None or edge.kind in {Kind.LOST, Kind.BACK}:
            return []
        line = self._lines.setdefault((edge.source, edge.seat), _Line(edge.source, edge.seat, self._timing))
        return list(line.take(edge))

    def _end(self, gone: Edge) -> list[ButtonEvent]:
        ended = [line for (source, _), line in self._lines.items() if source == gone.source]
        events = [event for line in ended for event in line.advance(gone.t_ns)]
        for line in ended:
            del self._lines[line.source, line.seat]
        return events


def _in_order(events: list[ButtonEvent]) -> tuple[ButtonEvent, ...]:
    return tuple(sorted(events, key=lambda event: (event.t_ns, event.seat)))


class _Phase(Enum):
    IDLE = "idle"
    CONTACT = "contact"
    """An edge has come; whether it is a press is not certain yet."""
    LOCKED = "locked"
    """Pressed or held; nothing counts before the line has been quiet."""


@dataclass(slots=True)
class _Contact:
    down: Edge
    up_ns: int | None = None

    def until(self, t_ns: int) -> int:
        """How long it touched, looking no further than `t_ns`."""
        return max(0, (t_ns if self.up_ns is None else min(self.up_ns, t_ns)) - self.down.t_ns)


@dataclass(slots=True)
class _Line:
    """One button of one source."""

    source: str
    seat: Seat
    timing: Timing
    phase: _Phase = _Phase.IDLE
    contacts: list[_Contact] = field(default_factory=list)
    """In phase CONTACT: what may become a press, the first in front."""
    press: Press | None = None
    is_held: bool = False
    is_down: bool = False
    since_ns: int = LONG_AGO
    """In phase LOCKED: since when it is down or up."""

    def take(self, edge: Edge) -> Iterator[ButtonEvent]:
        yield from self.advance(edge.t_ns)
        match self.phase:
            case _Phase.IDLE:
                self._begin(edge)
            case _Phase.CONTACT:
                self._touch(edge)
            case _Phase.LOCKED:
                self._follow(_is_down(edge), edge.t_ns)

    def advance(self, t_ns: int) -> Iterator[ButtonEvent]:
        """What the mere passing of time up to `t_ns` settles."""
        if self.phase is _Phase.CONTACT:
            yield from self._confirm(t_ns)
        if self.phase is _Phase.LOCKED:
            yield from self._settle(t_ns)

    def _begin(self, edge: Edge) -> None:
        if edge.kind is Kind.DOWN:
            self.phase, self.contacts = _Phase.CONTACT, [_Contact(edge)]
        elif edge.kind is Kind.UP or edge.is_down:
            # Down without an edge that says when: no press can be made of it, and its release may bounce.
            self._lock(press=None, is_down=_is_down(edge), since_ns=edge.t_ns)

    def _touch(self, edge: Edge) -> None:
        last = self.contacts[-1]
        if edge.kind is Kind.DOWN and last.up_ns is not None:
            self.contacts.append(_Contact(edge))
        elif not _is_down(edge) and last.up_ns is None:
            last.up_ns = edge.t_ns

    def _follow(self, is_down: bool, t_ns: int) -> None:
        if is_down != self.is_down:
            self.is_down, self.since_ns = is_down, t_ns

    def _confirm(self, t_ns: int) -> Iterator[ButtonEvent]:
        while self.contacts:
            first = self.contacts[0].down
            end_ns = first.t_ns + self.timing.window_ns
            if sum(contact.until(min(t_ns, end_ns)) for contact in self.contacts) >= self.timing.contact_ns:
                yield self._pressed(first)
                return
            if t_ns < end_ns:
                return
            self.contacts.pop(0)
        self.phase = _Phase.IDLE

    def _pressed(self, first: Edge) -> Press:
        press = Press(
            t_ns=first.t_ns,
            within_ns=first.within_ns,
            seat=self.seat,
            source=self.source,
            jitter_ns=first.jitter_ns,
        )
        last = self.contacts[-1]
        self.contacts = []
        since_ns = last.down.t_ns if last.up_ns is None else last.up_ns
        self._lock(press=press, is_down=last.up_ns is None, since_ns=since_ns)
        return press

    def _lock(self, *, press: Press | None, is_down: bool, since_ns: int) -> None:
        self.phase, self.press, self.is_held = _Phase.LOCKED, press, False
        self.is_down, self.since_ns = is_down, since_ns

    def _settle(self, t_ns: int) -> Iterator[ButtonEvent]:
        if self.is_down:
            yield from self._hold(t_ns)
        elif t_ns >= self.since_ns + self.timing.quiet_ns:
            yield from self._release()
            self.phase, self.press = _Phase.IDLE, None

    def _hold(self, t_ns: int) -> Iterator[ButtonEvent]:
        if self.press and not self.is_held and t_ns >= self.press.t_ns + self.timing.hold_ns:
            self.is_held = True
            pressed = self.press
            yield Hold(
                t_ns=pressed.t_ns + self.timing.hold_ns,
                within_ns=pressed.within_ns,
                seat=self.seat,
                pressed_ns=pressed.t_ns,
            )

    def _release(self) -> Iterator[ButtonEvent]:
        if self.press:
            pressed = self.press
            yield Release(t_ns=self.since_ns, within_ns=pressed.within_ns, seat=self.seat, pressed_ns=pressed.t_ns)


def _is_down(edge: Edge) -> bool:
    return edge.kind is Kind.DOWN or (edge.kind is Kind.LEVEL and edge.is_down)
