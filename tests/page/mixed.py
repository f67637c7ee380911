"""A program for tests: a live table with a slap box, a button on a (mock) pin, lamps, and phones on the page.

Run as `python mixed.py PORT BOX`, BOX being the path of a serial port. A line `tap` on its input has the pin go down
and up. Whoever claims the first card first lays it: nobody has to be in time for it.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace

from gpiozero.pins.mock import MockFactory

from cardtable.live import LiveDriver
from cardtable.page import serve
from cardtable.session import Session
from engine.seats import Seat
from hardware.box import open_box
from hardware.gpio import open_gpio
from hardware.lamps import open_lamps
from tests.cardtable.helpers import plan
from tests.hardware.pins import TimedPin

A, B = Seat("A"), Seat("B")
BUTTON, LAMP = 5, 17
TAP_S = 0.06


def listen(factory: MockFactory) -> None:
    for line in sys.stdin:
        if line.strip() == "tap":
            # A tap by its stamps, whenever this thread wakes.
            began_s = time.monotonic()
            factory.pin(BUTTON).edge_at(began_s, is_high=False)
            time.sleep(TAP_S)
            factory.pin(BUTTON).edge_at(began_s + TAP_S, is_high=True)


def main(port: str, path: str) -> None:
    """Serves until it is killed: Anna has the box's first button, Boris the pin, Vera a phone."""
    factory = MockFactory(pin_class=TimedPin)
    box, pins = open_box(path, (A,)), open_gpio({B: BUTTON}, factory=factory)
    session = Session(replace(plan(), setup=replace(plan().setup, options={"claim_s": 0})))
    lamps = open_lamps({B: LAMP}, factory=factory, others=box.lamps())
    session.buttons.lights = lamps
    lamps.start()
    driver = LiveDriver(session, buttons=(box, pins))
    driver.start()
    threading.Thread(target=listen, args=(factory,), daemon=True).start()
    serve(driver, host="127.0.0.1", port=int(port))
    driver.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
