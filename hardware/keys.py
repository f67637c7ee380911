"""Keyboards and gamepads as buttons through evdev: several at once, stamped by the kernel, with real releases.

The kernel stamps when the report comes over USB, and a device is asked every 1 to 8 ms, so that is what a stamp is
worth. Keys in one report carry one stamp: that is a tie.
"""

from __future__ import annotations

import fcntl
import struct
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Protocol

import evdev
from evdev import InputDevice, InputEvent, ecodes

from engine.seats import Seat
from hardware.errors import BadButtons, NoKeys
from hardware.records import Edge, Kind
from hardware.sources import QueuedSource

MS = 1_000_000
WITHIN_NS = 8 * MS
"""The longest that a USB keyboard or gamepad waits until it is asked."""
LAG_NS = 10 * MS
RETRY_NS = 500 * MS
SET_CLOCK = 0x400445A0
"""EVIOCSCLOCKID of linux/input.h: in which clock events are stamped."""


class Device(Protocol):
    """What is used of `evdev.InputDevice`."""

    def read(self) -> Iterable[InputEvent]:
        """The events that wait; raises `BlockingIOError` when there are none, `OSError` when it was unplugged."""
        ...

    def active_keys(self) -> list[int]:
        """The codes of the keys that are down."""
        ...

    def close(self) -> None:
        """Lets go of it."""
        ...


class KeysSource(QueuedSource):
    """The keys of one device; it may be unplugged and come back. See `open_keys`."""

    def __init__(
        self,
        name: str,
        keys: Mapping[int, Seat],
        find: Callable[[], Device | None],
        *,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """`keys` by their codes; `find` opens the device, or gives None while it is away."""
        super().__init__(name, lag_ns=LAG_NS)
        self._keys, self._find, self._clock = dict(keys), find, clock
        self._device = find()
        self._read_ns = self._retry_ns = clock()
        self._skips = False
        if self._device is not None:
            self._put_levels(self._device)

    def edges(self) -> tuple[Edge, ...]:
        """What has come since the last call, sorted by stamp."""
        if self._device is None:
            self._come_back()
        else:
            self._read(self._device)
        return super().edges()

    def mark_ns(self, now_ns: int) -> int:
        """`now_ns` less what a report takes; a device that is gone holds nobody up."""
        return now_ns if self._device is None else super().mark_ns(now_ns)

    def close(self) -> None:
        """Lets go of the device."""
        if self._device is not None:
            self._device.close()

    def _read(self, device: Device) -> None:
        before_ns = self._clock()
        try:
            # One read gives a part of a long queue, and the mark promises all of it.
            while True:
                for event in device.read():
                    self._take(device, event)
        except BlockingIOError:
            pass
        except OSError:
            self._go(device)
        self._read_ns = before_ns

    def _take(self, device: Device, event: InputEvent) -> None:
        t_ns = event.sec * 1_000 * MS + event.usec * 1_000
        if event.type == ecodes.EV_SYN:
            self._synchronize(device, event.code, t_ns)
        elif event.type == ecodes.EV_KEY and event.code in self._keys and event.value != 2 and not self._skips:
            kind = Kind.DOWN if event.value else Kind.UP
            self.put(kind, self._keys[event.code], t_ns=t_ns, within_ns=WITHIN_NS)

    def _synchronize(self, device: Device, code: int, t_ns: int) -> None:
        if code == ecodes.SYN_DROPPED:
            span_ns = max(0, t_ns - self._read_ns)
            self.put(Kind.LOST, None, t_ns=t_ns - span_ns // 2, within_ns=WITHIN_NS + (span_ns + 1) // 2)
            self._skips = True
        elif code == ecodes.SYN_REPORT and self._skips:
            # What came up to here is a torso: the kernel's documentation says to ask for the state instead.
            self._skips = False
            self._put_levels(device)

    def _put_levels(self, device: Device) -> None:
        down = set(device.active_keys())
        for code, seat in self._keys.items():
            self.put(Kind.LEVEL, seat, t_ns=self._clock(), within_ns=WITHIN_NS, is_down=code in down)

    def _go(self, device: Device) -> None:
        now_ns = self._clock()
        device.close()
        self._device, self._skips = None, False
        self._retry_ns = now_ns + RETRY_NS
        self.put(Kind.GONE, None, t_ns=now_ns, within_ns=now_ns - self._read_ns)

    def _come_back(self) -> None:
        now_ns = self._clock()
        if now_ns >= self._retry_ns:
            self._retry_ns = now_ns + RETRY_NS
            self._device = self._find()
            if self._device is not None:
                self.put(Kind.BACK, None, t_ns=now_ns, within_ns=RETRY_NS)
                self._put_levels(self._device)


def open_keys(chosen: Mapping[Seat, str]) -> tuple[KeysSource, ...]:
    """One source for every keyboard or gamepad that has one of the `chosen` keys.

    A key is named as in linux/input-event-codes.h, `KEY_A` or `BTN_SOUTH`, on every device that has it, or on one:
    `event3/BTN_SOUTH`. Raises `BadButtons` for an unknown name, `NoKeys` for a key that no device has.
    """
    wanted = {seat: _wanted(seat, name) for seat, name in chosen.items()}
    opened: list[KeysSource] = []
    for path in sorted(evdev.list_devices(writable=False)):
        device = InputDevice(path, readonly=True)
        keys = {code: seat for seat, (where, code) in wanted.items() if _has(device, where, code)}
        identity = _identity(device)
        device.close()
        if keys:
            opened.append(KeysSource(f"keys:{Path(path).name}", keys, _finder(identity)))
    _check_all_found(wanted, opened)
    return tuple(opened)


def _wanted(seat: Seat, name: str) -> tuple[str, int]:
    where, _, key = name.rpartition("/")
    code = ecodes.ecodes.get(key.upper())
    if not isinstance(code, int) or not key.upper().startswith(("KEY_", "BTN_")):
        raise BadButtons(f"seat {seat}: there is no key {key!r}; name one like KEY_A or BTN_SOUTH (evtest shows them)")
    return where, code


def _has(device: InputDevice[str], where: str, code: int) -> bool:
    is_there = not where or Path(str(device.path)).name == where
    return is_there and code in device.capabilities().get(ecodes.EV_KEY, [])


def _identity(device: InputDevice[str]) -> tuple[object, ...]:
    return device.info.vendor, device.info.product, device.uniq, device.phys, device.name


def _finder(identity: tuple[object, ...]) -> Callable[[], Device | None]:
    def find() -> Device | None:
        for path in sorted(evdev.list_devices(writable=False)):
            device = InputDevice(path, readonly=True)
            if _identity(device) == identity:
                # From now on in the table's clock; what had come before is in another.
                fcntl.ioctl(device.fd, SET_CLOCK, struct.pack("i", time.CLOCK_MONOTONIC))
                found: Device = device
                return found
            device.close()
        return None

    return find


def _check_all_found(wanted: Mapping[Seat, tuple[str, int]], opened: Iterable[KeysSource]) -> None:
    opened = tuple(opened)
    found = {seat for source in opened for seat in source._keys.values()}
    missing = sorted(set(wanted) - found)
    if not missing:
        return
    for source in opened:
        source.close()
    where, code = wanted[missing[0]]
    key = ecodes.bytype[ecodes.EV_KEY][code]
    name = key if isinstance(key, str) else key[0]
    raise NoKeys(
        f"seat {missing[0]}: no keyboard or gamepad{f' on {where}' if where else ''} with the key {name} can be read; "
        "plug it in, and add this user to the group input (sudo usermod -aG input $USER)"
    )
