"""A phone's touches as a button's edges: a touch is never a contact's glitch, and lasts as long as the phone says."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from cardtable.page.phone import PhoneButton
from engine.events import Press
from engine.seats import Seat
from hardware.debounce import Debounce
from hardware.records import Edge, Kind

MS, S = 1_000_000, 1_000_000_000
VERA = Seat("C")


class Desk:
    """Takes what the phone gives, as a session does."""

    def __init__(self) -> None:
        self.edges: list[Edge] = []

    async def edge(  # noqa: PLR0913  (all by keyword)
        self, source: str, seat: Seat | None, kind: Kind, *, number: int, t_ns: int, within_ns: int
    ) -> bool:
        self.edges.append(Edge(seat=seat, source=source, kind=kind, t_ns=t_ns, within_ns=within_ns, number=number))
        return True

    async def report_mark(self, source: str, mark_ns: int | None) -> bool:
        return False

    def presses(self) -> list[Press]:
        """What the debounce makes of it."""
        debounce = Debounce()
        events = [event for edge in self.edges for event in debounce.feed(edge)]
        events += debounce.pass_to(3_600 * S)
        return [event for event in events if isinstance(event, Press)]


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def phone(desk: Desk) -> PhoneButton:
    return PhoneButton(desk, VERA)  # type: ignore[arg-type]


def run(*steps: Coroutine[Any, Any, Any]) -> None:
    async def one_by_one() -> None:
        for step in steps:
            await step

    # A thread of its own: where a browser's test came before, this thread's event loop is the browser's.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, one_by_one()).result()


@pytest.mark.parametrize("lasting_ms", [0.0, 0.3, 60.0])
def test_however_short_a_touch_is_it_counts(phone: PhoneButton, desk: Desk, lasting_ms: float) -> None:
    """A touchpad's tap and a mouse's click may come down and go up within a tenth of a millisecond."""
    run(
        phone.answer(asked_ns=S, phone_ms=0.0, came_ns=S + 2 * MS),
        phone.touch(Kind.DOWN, 500.0, now_ns=2 * S),
        phone.touch(Kind.UP, 500.0 + lasting_ms, now_ns=2 * S),
    )
    assert [press.t_ns for press in desk.presses()] == [S + 501 * MS]


def test_a_better_answer_during_a_touch_does_not_change_how_long_it_lasted(phone: PhoneButton, desk: Desk) -> None:
    """The first answer was 400 ms under way, the second 2 ms: by each its own, the finger would go before it came."""
    run(
        phone.answer(asked_ns=S, phone_ms=10.0, came_ns=S + 400 * MS),
        phone.touch(Kind.DOWN, 500.0, now_ns=2 * S),
        phone.answer(asked_ns=2 * S, phone_ms=1_010.0, came_ns=2 * S + 2 * MS),
        phone.touch(Kind.UP, 560.0, now_ns=2 * S + 3 * MS),
    )
    down, up = desk.edges
    assert up.t_ns - down.t_ns == 60 * MS
    assert len(desk.presses()) == 1
