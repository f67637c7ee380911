"""How each button does: its level, how long its contacts chatter, when it was pressed. Pure; a page shows it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from engine.seats import Seat
from hardware.arming import QUIET_NS, Buttons, Condition
from hardware.records import Edge, Kind

LAST = 5
"""So many times of its presses are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonReport:
    """One button as it was found."""

    source: str
    seat: Seat
    condition: Condition
    is_down: bool
    contacts: int
    """How often it went down after a quiet time."""
    bounces: int
    """Contacts that came too soon after another to be a press of their own."""
    bounce_ns: int
    """The longest that one press or release has chattered."""
    within_ns: int
    """The newest stamp is good to this."""
    times_ns: tuple[int, ...]
    """Its last presses, the newest first."""


@dataclass(slots=True)
class _Button:
    is_down: bool = False
    contacts: int = 0
    bounces: int = 0
    bounce_ns: int = 0
    within_ns: int = 0
    times_ns: deque[int] = field(default_factory=lambda: deque(maxlen=LAST))
    began_ns: int | None = None
    """The edge that ended the last quiet time."""
    edge_ns: int | None = None

    def take(self, edge: Edge) -> None:
        self.within_ns = edge.within_ns
        if edge.kind is Kind.LEVEL:
            self.is_down = edge.is_down
            return
        self.is_down = edge.kind is Kind.DOWN
        is_quiet = self.edge_ns is None or edge.t_ns - self.edge_ns >= QUIET_NS
        if is_quiet or self.began_ns is None:
            self.began_ns = edge.t_ns
        if self.is_down and is_quiet:
            self.contacts += 1
            self.times_ns.appendleft(edge.t_ns)
        elif self.is_down:
            self.bounces += 1
            self.bounce_ns = max(self.bounce_ns, edge.t_ns - self.began_ns)
        self.edge_ns = edge.t_ns


class Inspection:
    """Keeps count of every button from all edges, each source's in order of time."""

    def __init__(self) -> None:
        self.buttons = Buttons()
        self._found: dict[tuple[str, Seat], _Button] = {}

    def take(self, edge: Edge) -> None:
        """Takes one edge into account."""
        self.buttons.take(edge)
        if edge.seat is not None and edge.kind in (Kind.DOWN, Kind.UP, Kind.LEVEL):
            self._found.setdefault((edge.source, edge.seat), _Button()).take(edge)

    def reports(self, now_ns: int) -> tuple[ButtonReport, ...]:
        """Every button that has been heard of, by its seat."""
        by_seat = sorted(self._found, key=lambda key: (key[1], key[0]))
        return tuple(self._report(key, now_ns) for key in by_seat)

    def _report(self, key: tuple[str, Seat], now_ns: int) -> ButtonReport:
        found = self._found[key]
        return ButtonReport(
            source=key[0],
            seat=key[1],
            condition=self.buttons.condition(*key, now_ns),
            is_down=found.is_down,
            contacts=found.contacts,
            bounces=found.bounces,
            bounce_ns=found.bounce_ns,
            within_ns=found.within_ns,
            times_ns=tuple(found.times_ns),
        )
