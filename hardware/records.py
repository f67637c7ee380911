"""The one record that every source of button edges produces, whatever it is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.seats import Seat


class Kind(Enum):
    """What an adapter saw of a seat's line or of itself."""

    DOWN = "down"
    UP = "up"
    LEVEL = "level"
    """The state found when the source was opened or asked; `is_down` says which. No edge."""
    LOST = "lost"
    """Edges are known to be missing before this one."""
    GONE = "gone"
    """The source disappeared."""
    BACK = "back"
    """The source is there again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One change of one seat's line, stamped where it happened, not where Python noticed."""

    seat: Seat | None
    """None for what concerns a whole source (`lost`, `gone`, `back`)."""
    source: str
    """Which adapter, e.g. `gpio`, `keyboard`, `box:2e8a:000a:E66…`."""
    kind: Kind
    t_ns: int
    """On the table's monotonic clock."""
    within_ns: int
    """The true moment lies at most this far from `t_ns`."""
    jitter_ns: int | None = None
    """The same beside other edges of this source, where it is less: what the whole source is off by cancels out."""
    number: int
    """The source's sequence number."""
    is_down: bool = False
    """For `level`: whether the button is down."""
