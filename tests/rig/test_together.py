"""Pins, a box and a keyboard in one round: one clock, one verdict, which waits until every source has spoken."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("evdev", reason="needs evdev (pip install 'cardtable[keys]')")

from engine.events import Press
from engine.seats import Seat, seats
from hardware.choose import open_buttons
from hardware.debounce import Debounce
from hardware.records import Edge
from hardware.sources import EdgeSource
from hardware.verdict import Verdict, judge
from tests.rig.simdevices import Pin, keyboard, strike
from tests.rig.test_usb import PluggedBox
from tests.rig.waiting import opened, wait_until

pytestmark = pytest.mark.rig

MS = 1_000_000


class Table:
    """Seat A's button on a pin, B's in a box, C's on a keyboard."""

    def __init__(self) -> None:
        self.box, self.board = PluggedBox(), keyboard(["KEY_C"], name="right")
        spec = f"gpio:A=26+box:{self.box.plug()}=B+keys:C=KEY_C"
        self.sources: tuple[EdgeSource, ...] = opened(lambda: open_buttons(spec, seats(3)))
        self.pin = Pin(26)
        self._debounce = Debounce()
        self.edges: list[Edge] = []
        self.slaps: list[Press] = []

    def close(self) -> None:
        for source in self.sources:
            source.close()
        self.board.close()
        self.box.remove()

    def slap(self, seat: str) -> int:
        """Presses the seat's button; gives the earliest moment that it can have been."""
        match seat:
            case "A":
                return self.pin.press()[0]
            case "B":
                return self.box.press(0)
        return strike(self.board, "KEY_C")[0]

    def look(self) -> Verdict | None:
        """One turn of the loop, and the verdict on all slaps so far if there is one."""
        now_ns = time.monotonic_ns()
        marks = {source.name: source.mark_ns(now_ns) for source in self.sources}
        self.edges += [edge for source in self.sources for edge in source.edges()]
        for edge in self.edges:
            self._debounce.feed(edge)
        self.edges.clear()
        for event in self._debounce.pass_to(min(marks.values())):
            if isinstance(event, Press):
                self.slaps.append(event)
        return judge(self.slaps, marks=marks, now_ns=now_ns)


@pytest.fixture
def table() -> Iterator[Any]:
    table = Table()
    yield table
    table.close()


@pytest.mark.parametrize("order", ["ABC", "CAB", "BCA"])
def test_the_order_is_that_of_the_presses_whatever_they_were_made_on(table: Table, order: str) -> None:
    for seat in order:
        table.slap(seat)
        time.sleep(0.03)  # more than a keyboard's stamp may be off by
    wait_until(lambda: table.look() and len(table.slaps) == 3)
    verdict = table.look()
    assert verdict is not None
    assert (verdict.first, [slap.seat for slap in verdict.order]) == ((Seat(order[0]),), list(order))
    assert verdict.doubted == ()


def test_a_pin_and_a_key_pressed_2_ms_apart_are_a_tie_since_the_key_may_have_been_first(table: Table) -> None:
    table.slap("A")
    time.sleep(0.002)
    table.slap("C")
    wait_until(lambda: table.look() and len(table.slaps) == 2)
    pin, key = sorted(table.slaps, key=lambda slap: slap.seat)
    verdict = judge(table.slaps, marks={}, now_ns=time.monotonic_ns())
    assert verdict is not None
    # The machine may have been held up in between: then they are not as close as they were meant.
    is_close = key.t_ns - pin.t_ns <= pin.within_ns + key.within_ns
    assert verdict.first == (("A", "C") if is_close else ("A",))
