"""What a seat's lamp can say, and how that looks and sounds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

MS = 1_000_000


class Signal(Enum):
    """What a seat is told by its lamp."""

    NOTHING = "nothing"
    SLAPPED = "slapped"
    """The press has been taken: a short light."""
    TURN = "your-turn"
    """Slow blinking."""
    FIRST = "first"
    """Steady."""
    TIE = "tie"
    """Quick blinking, in step with the others who are tied."""
    FALSE_START = "false-start"
    """Three flashes."""
    LOCKED_OUT = "locked-out"
    """One flash every two seconds: slaps do not count now."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Light for `on_ns` of every `period_ns`, `times` times over (0: for ever), then dark."""

    on_ns: int
    period_ns: int
    times: int = 0

    def is_lit(self, age_ns: int) -> bool:
        """Whether it is lit so long after its beginning."""
        return not self._is_over(age_ns) and age_ns % self.period_ns < self.on_ns

    def next_change_ns(self, age_ns: int) -> int | None:
        """The age at which it changes next; None when it never will."""
        if self._is_over(age_ns) or self.on_ns in {0, self.period_ns}:
            return None
        begun_ns = age_ns - age_ns % self.period_ns
        return begun_ns + (self.on_ns if age_ns % self.period_ns < self.on_ns else self.period_ns)

    def _is_over(self, age_ns: int) -> bool:
        return self.times > 0 and age_ns >= self.times * self.period_ns


PATTERNS = {
    Signal.NOTHING: Pattern(0, 1_000 * MS),
    Signal.SLAPPED: Pattern(200 * MS, 250 * MS, times=1),
    Signal.TURN: Pattern(500 * MS, 1_000 * MS),
    Signal.FIRST: Pattern(1_000 * MS, 1_000 * MS),
    Signal.TIE: Pattern(100 * MS, 200 * MS),
    Signal.FALSE_START: Pattern(80 * MS, 160 * MS, times=3),
    Signal.LOCKED_OUT: Pattern(50 * MS, 2_000 * MS),
}
TONES = {Signal.FIRST: (880.0, 150 * MS), Signal.TIE: (660.0, 150 * MS), Signal.FALSE_START: (220.0, 300 * MS)}
"""Hertz and length: a short tone for the first, a low one for a false start. TonalBuzzer plays 220 to 880 Hz."""
