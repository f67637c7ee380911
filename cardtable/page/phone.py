"""A phone as a seat's button: its edges on this machine's clock, with what that is worth, and its mark."""

from __future__ import annotations

from itertools import count

from cardtable.page.desk import Desk
from cardtable.page.phone_clock import PhoneClock
from engine.seats import Seat
from hardware.debounce import Timing
from hardware.records import Kind

MS = 1_000_000
CONTACT_NS = Timing().contact_ns
"""A browser tells of touches, not of contacts that chatter: however short one was, it is no glitch."""
TOUCH_NS = 16 * MS
"""From the finger to the phone's own stamp: two scans of a touch panel that is read at 120 Hz."""
QUEUE_NS = 30 * MS
"""A touch may wait so long in the phone's browser before it is sent; an answer proves nothing about what came later."""


class PhoneButton:
    """One phone's button. Times are on CLOCK_MONOTONIC."""

    def __init__(self, desk: Desk, seat: Seat) -> None:
        self._desk, self._seat = desk, seat
        self._clock, self._numbers = PhoneClock(), count(1)
        self._source = f"phone:{seat}"
        self._is_used = False
        self._began: tuple[float, int] | None = None
        """The last touch on the phone's clock and on this machine's."""

    def within_ns(self, now_ns: int) -> int | None:
        """What a press is good to at present; None before the phone's clock is known."""
        within_ns = self._clock.within_ns(now_ns)
        return None if within_ns is None else within_ns + TOUCH_NS

    async def touch(self, kind: Kind, phone_ms: float, *, now_ns: int) -> bool:
        """A finger came or went when the phone's clock stood at `phone_ms`; whether the session has heard it."""
        stamp = self._clock.at(phone_ms, now_ns=now_ns)
        if stamp is None:
            return False
        self._is_used = True
        return await self._put(kind, self._seat, self._moment(kind, phone_ms, stamp[0]), stamp[1] + TOUCH_NS)

    def _moment(self, kind: Kind, phone_ms: float, t_ns: int) -> int:
        """How long a touch lasted, the phone's clock knows best: what is known of its offset may have changed since."""
        if kind is Kind.DOWN:
            self._began = (phone_ms, t_ns)
        elif self._began is not None:
            began_ms, began_ns = self._began
            return began_ns + max(CONTACT_NS, round((phone_ms - began_ms) * MS))
        return t_ns

    async def answer(self, *, asked_ns: int, phone_ms: float, came_ns: int) -> None:
        """The phone, asked at `asked_ns`, said `phone_ms`, and whatever it had to tell before that has come."""
        self._clock.note(asked_ns=asked_ns, phone_ms=phone_ms, came_ns=came_ns)
        stamp = self._clock.at(phone_ms, now_ns=came_ns)
        assert stamp is not None
        if await self._desk.report_mark(self._source, stamp[0] - stamp[1] - QUEUE_NS):
            await self._put(Kind.BACK, None, came_ns, stamp[1])

    async def leave(self, now_ns: int, silent_ns: int) -> None:
        """The phone is not there any more, and has said nothing for `silent_ns`."""
        await self._desk.report_mark(self._source, None)
        if self._is_used:
            await self._put(Kind.GONE, None, now_ns, silent_ns)

    async def _put(self, kind: Kind, seat: Seat | None, t_ns: int, within_ns: int) -> bool:
        number = next(self._numbers)
        return await self._desk.edge(self._source, seat, kind, number=number, t_ns=t_ns, within_ns=within_ns)
