"""A slap box as a real USB device: found by its identity, unplugged, and back under another name."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from engine.seats import seats
from hardware.box import BoxSource, open_box
from hardware.records import Edge, Kind
from hardware.simulated_box import Box
from tests.rig.simdevices import UsbBox

pytestmark = pytest.mark.rig

LEVELS = [Kind.LEVEL] * 3


class PluggedBox:
    """The box's own program at the far end of the cable, running in a thread while it is plugged in."""

    def __init__(self) -> None:
        self.usb, self.box = UsbBox(), Box()
        self._over = threading.Event()
        self._speaking = threading.Lock()

    def plug(self) -> str:
        path = self.usb.plug()
        self._over.clear()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return path

    def unplug(self) -> None:
        self._over.set()
        self._thread.join()
        self.usb.unplug()

    def press(self, bit: int) -> int:
        with self._speaking:
            pressed_ns = time.monotonic_ns()
            self._write(self.box.changes(pressed_ns, bit))
        return pressed_ns

    def _serve(self) -> None:
        self._write(self.box.boots())
        while not self._over.wait(0.02):
            with self._speaking:
                self._write(self.box.beats(time.monotonic_ns()))
                self._write(self.box.hears(self._read(), time.monotonic_ns()))

    def _read(self) -> bytes:
        try:
            return os.read(self.usb.device, 64)
        except BlockingIOError:
            return b""

    def _write(self, data: bytes) -> None:
        # Where nobody reads at the other end it is lost, as on a real cable.
        with contextlib.suppress(BlockingIOError):
            os.write(self.usb.device, data)


@pytest.fixture
def plugged() -> Iterator[PluggedBox]:
    box = PluggedBox()
    yield box
    if box.usb.device >= 0:
        box.unplug()
    box.usb.remove()


def until(source: BoxSource, is_so: Callable[[list[Edge]], bool]) -> list[Edge]:
    found: list[Edge] = []
    until_ns = time.monotonic_ns() + 20_000_000_000
    while not is_so(found):
        assert time.monotonic_ns() < until_ns, f"only {[edge.kind for edge in found]} came"
        time.sleep(0.005)
        found += source.edges()
    return found


def test_pyserial_410_124_a_box_that_has_been_running_is_found_by_usb_identity_and_answers(plugged: PluggedBox) -> None:
    plugged.plug()
    time.sleep(0.3)  # its boot line is long gone by the time anybody opens the port
    source = open_box(None, seats(3))
    assert source.name == "box:2e8a:000a:E6614C311B5A"
    assert [edge.kind for edge in until(source, lambda found: len(found) >= 3)] == LEVELS
    pressed_ns = plugged.press(1)
    (down,) = until(source, bool)
    assert (down.kind, down.seat) == (Kind.DOWN, "B")
    assert abs(down.t_ns - pressed_ns) <= down.within_ns
    source.close()


def test_pyserial_36_401_417_331_unplugged_in_mid_game_it_is_gone_once_and_back_wherever_it_reappears(
    plugged: PluggedBox,
) -> None:
    plugged.plug()
    source = open_box(None, seats(3))
    until(source, lambda found: len(found) >= 3)
    plugged.unplug()
    assert [edge.kind for edge in until(source, bool)] == [Kind.GONE]
    plugged.box = Box(boot_id=0x2B)
    plugged.plug()
    assert [edge.kind for edge in until(source, lambda found: len(found) >= 4)] == [Kind.BACK, *LEVELS]
    plugged.press(2)
    assert [(edge.kind, edge.seat) for edge in until(source, bool)] == [(Kind.DOWN, "C")]
    source.close()
