"""Keeps a phone's clock and this machine's in step, so that a press counts when it happened, not when it arrived.

As in NTP (RFC 5905 §8): the phone is asked for its time again and again; half a round trip bounds the error of each
answer, and the quickest recent answer is believed.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

MS = 1_000_000
DRIFT = 1e-4
"""How far two quartz clocks may part, a generous hundred parts in a million."""


@dataclass(frozen=True, slots=True)
class _Answer:
    offset_ns: int
    """This machine's clock less the phone's."""
    within_ns: int
    at_ns: int


class PhoneClock:
    """What the phone's milliseconds are on this machine's monotonic clock."""

    def __init__(self) -> None:
        """Knows nothing yet."""
        self._answers: deque[_Answer] = deque(maxlen=20)

    def note(self, *, asked_ns: int, phone_ms: float, came_ns: int) -> None:
        """The phone, asked at `asked_ns`, said `phone_ms`, and that came at `came_ns`."""
        middle_ns = (asked_ns + came_ns) // 2
        self._answers.append(_Answer(middle_ns - round(phone_ms * MS), (came_ns - asked_ns + 1) // 2, came_ns))

    def within_ns(self, now_ns: int) -> int | None:
        """How far its times may be off at present; None: not known yet."""
        return min((_within(answer, now_ns) for answer in self._answers), default=None)

    def at(self, phone_ms: float, *, now_ns: int) -> tuple[int, int] | None:
        """`phone_ms` on this machine's clock, and how far that may be off; None while nothing is known."""
        if not self._answers:
            return None
        best = min(self._answers, key=lambda answer: _within(answer, now_ns))
        return round(phone_ms * MS) + best.offset_ns, _within(best, now_ns)


def _within(answer: _Answer, now_ns: int) -> int:
    return answer.within_ns + round(DRIFT * (now_ns - answer.at_ns))
