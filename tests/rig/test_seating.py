"""Seats by slapping on real lines: every free pin is listened to, and nobody types a number."""

from __future__ import annotations

from contextlib import closing

import pytest

from engine.seats import Seat, seats
from hardware.choose import open_buttons
from hardware.pins import ON_HEADER, open_pins
from hardware.records import Kind
from tests.rig.simdevices import Pin
from tests.rig.waiting import fetched

pytestmark = pytest.mark.rig

TAKEN, LAMP = 6, 17


def test_every_free_pin_of_the_header_is_a_button_until_everybody_has_slapped() -> None:
    with closing(open_pins({Seat("X"): TAKEN})):
        (source,) = open_buttons("gpio", seats(3), reserved=(LAMP,))
        with closing(source):
            found = {edge.seat for edge in source.edges() if edge.kind is Kind.LEVEL}
            assert found == {f"GPIO{pin}" for pin in ON_HEADER if pin not in (TAKEN, LAMP)}
            Pin(26).press()
            downs = [edge.seat for edge in fetched(source, 1, Kind.DOWN)]
            Pin(26).release()
            assert downs == ["GPIO26"]
