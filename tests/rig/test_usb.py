"""A slap box as a real USB device: found by its identity, unplugged, and back under another name."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from engine.seats import seats
from hardware.box import BoxSource, open_box
from hardware.choose import open_buttons
from hardware.records import Kind
from hardware.simulated_box import Box
from tests.rig.simdevices import UsbBox
from tests.rig.waiting import opened, until

pytestmark = pytest.mark.rig

LEVELS = [Kind.LEVEL] * 3


class PluggedBox:
    """The box's own program at the far end of the cable, running in a thread while it is plugged in."""

    def __init__(self, **usb: Any) -> None:
        self.usb, self.box = UsbBox(**usb), Box()
        self._over = threading.Event()
        self._speaking = threading.Lock()
        self._thread: threading.Thread | None = None

    def plug(self) -> str:
        self.path = self.usb.plug()
        self._over.clear()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()
        return self.path

    def unplug(self) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self.usb.unplug()

    def press(self, bit: int) -> int:
        with self._speaking:
            pressed_ns = time.monotonic_ns()
            self._write(self.box.changes(pressed_ns, bit))
        return pressed_ns

    def reset(self) -> None:
        with self._speaking:
            self._write(self.box.resets(self.box.boot_id + 1))

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

    def remove(self) -> None:
        if self.usb.device >= 0:
            self.unplug()
        self.usb.remove()


@pytest.fixture
def make() -> Iterator[Callable[..., PluggedBox]]:
    """Makes boxes that are taken away in the end."""
    made: list[PluggedBox] = []

    def make(**usb: Any) -> PluggedBox:
        made.append(PluggedBox(**usb))
        return made[-1]

    yield make
    for box in made:
        box.remove()


@pytest.fixture
def plugged(make: Callable[..., PluggedBox]) -> PluggedBox:
    return make()


def found_box() -> BoxSource:
    """The box that is found by itself."""
    return opened(lambda: open_box(None, seats(3)))


def test_pyserial_410_124_a_box_that_has_been_running_is_found_by_usb_identity_and_answers(plugged: PluggedBox) -> None:
    plugged.plug()
    time.sleep(0.3)  # its boot line is long gone by the time anybody opens the port
    source = found_box()
    assert source.name == "box:2e8a:000a:E6614C311B5A"
    assert [edge.kind for edge in until(source, lambda found: len(found) >= 3)] == LEVELS
    pressed_ns = plugged.press(1)
    (down,) = until(source, bool)
    assert (down.kind, down.seat) == (Kind.DOWN, "B")
    assert abs(down.t_ns - pressed_ns) <= down.within_ns
    source.close()


def test_pyserial_401_417_331_unplugged_in_mid_game_it_is_gone_once_and_back_when_it_is_back(
    plugged: PluggedBox,
) -> None:
    plugged.plug()
    with closing(found_box()) as source:
        until(source, lambda found: len(found) >= 3)
        for boot_id in (0x2B, 0x2C):
            plugged.unplug()
            assert [edge.kind for edge in until(source, bool)] == [Kind.GONE]
            plugged.box = Box(boot_id=boot_id)
            plugged.plug()
            assert [edge.kind for edge in until(source, lambda found: len(found) >= 4)] == [Kind.BACK, *LEVELS]
            plugged.press(2)
            assert [(edge.kind, edge.seat) for edge in until(source, bool)] == [(Kind.DOWN, "C")]


@pytest.mark.parametrize("serial", ["E6614C311B5A", None])
def test_pyserial_36_it_is_the_same_box_under_another_port_name_also_without_a_serial_number(
    make: Callable[..., PluggedBox], serial: str | None
) -> None:
    plugged = make(serial=serial)
    before = plugged.plug()
    with closing(found_box()) as source:
        until(source, lambda found: len(found) >= 3)
        other_program = os.open(before, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        plugged.unplug()
        assert [edge.kind for edge in until(source, bool)] == [Kind.GONE]
        plugged.box = Box(boot_id=0x2B)
        assert plugged.plug() != before
        os.close(other_program)
        assert [edge.kind for edge in until(source, lambda found: len(found) >= 4)] == [Kind.BACK, *LEVELS]
        plugged.press(0)
        (down,) = until(source, bool)
        assert (down.kind, down.seat, down.source) == (Kind.DOWN, "A", source.name)


def test_a_box_that_is_reset_in_mid_game_is_gone_and_back_and_counts_on(plugged: PluggedBox) -> None:
    plugged.plug()
    with closing(found_box()) as source:
        until(source, lambda found: len(found) >= 3)
        plugged.reset()
        assert [edge.kind for edge in until(source, lambda found: len(found) >= 5)] == [Kind.GONE, Kind.BACK, *LEVELS]
        plugged.press(1)
        assert [(edge.kind, edge.seat) for edge in until(source, bool)] == [(Kind.DOWN, "B")]


def test_two_boxes_at_one_table_and_one_of_them_is_unplugged(make: Callable[..., PluggedBox]) -> None:
    left, right = make(socket=0, serial="L"), make(socket=1, serial="R")
    left.box.boot_id, right.box.boot_id = 1, 2
    paths = left.plug(), right.plug()
    spec = "+".join(f"box:{path}={seat}" for path, seat in zip(paths, "AB", strict=True))
    sources = opened(lambda: open_buttons(spec, seats(2)))
    try:
        for source in sources:
            until(source, bool)
        assert [source.name for source in sources] == ["box:2e8a:000a:L", "box:2e8a:000a:R"]
        left.unplug()
        assert [edge.kind for edge in until(sources[0], bool)] == [Kind.GONE]
        pressed_ns = right.press(0)
        (down,) = until(sources[1], bool)
        assert (down.kind, down.seat) == (Kind.DOWN, "B")
        assert abs(down.t_ns - pressed_ns) <= down.within_ns
    finally:
        for source in sources:
            source.close()


def test_another_serial_device_of_a_boards_maker_is_passed_over(make: Callable[..., PluggedBox]) -> None:
    gauge, plugged = UsbBox(1, vendor=0x1A86, product=0x7523, serial=None, name="gauge"), make(socket=0)
    try:
        gauge.plug()
        os.write(gauge.device, b"21.5 C\r\n" * 20)
        plugged.plug()
        with closing(found_box()) as source:
            assert source.name == "box:2e8a:000a:E6614C311B5A"
    finally:
        gauge.remove()
