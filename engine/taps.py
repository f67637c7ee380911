"""Buttons that answer: a tap says one thing, a hold another, and two taps in a row the game's third word."""

from __future__ import annotations

from typing import NamedTuple

from engine.events import Event, Passed, Press, Release
from engine.race import HOLD_NS
from engine.seats import Seat

DOUBLE_NS = 500_000_000
"""A second press of the same button this soon after the first makes a double tap."""


class Tap(NamedTuple):
    """A press that is yet to come up, or to become a hold."""

    seat: Seat
    t_ns: int
    number: int


Taps = tuple[Tap, ...]


def completed(taps: Taps, event: Event) -> Tap | None:
    """The press that `event`, a release or the passing of time, shows to have been a tap.

    A button that does not tell when it comes up would have been reported as held after `HOLD_NS`.
    """
    return next((tap for tap in taps if _is_answered(tap, event)), None)


def still_open(taps: Taps, event: Event) -> Taps:
    """The presses that `event` does not answer."""
    return tuple(tap for tap in taps if not _is_answered(tap, event)) if taps else taps


def with_press(taps: Taps, press: Press) -> Taps:
    """One more press is open."""
    return (*taps, Tap(press.seat, press.t_ns, press.number))


def deadline(taps: Taps) -> int | None:
    """The `t_ns` at which the oldest press is surely no hold any more, or None."""
    return min((tap.t_ns + HOLD_NS + 1 for tap in taps), default=None)


def is_double(before: Taps, press: Press) -> bool:
    """Whether `press` is the second of a double tap; `before` holds earlier presses."""
    return any(tap.seat == press.seat and 0 < press.t_ns - tap.t_ns <= DOUBLE_NS for tap in before)


def remember(taps: Taps, press: Press) -> Taps:
    """The newest two presses of every button, `press` among them: what double taps are told by."""
    mine = [tap for tap in taps if tap.seat == press.seat][-1:]
    others = (tap for tap in taps if tap.seat != press.seat)
    return with_press((*others, *mine), press)


def has_doubled(taps: Taps, seat: Seat, *, since_ns: int) -> bool:
    """Whether two remembered presses of that seat, both since then, make a double tap."""
    mine = [tap.t_ns for tap in taps if tap.seat == seat and tap.t_ns >= since_ns]
    return len(mine) > 1 and mine[-1] - mine[-2] <= DOUBLE_NS


def _is_answered(tap: Tap, event: Event) -> bool:
    if isinstance(event, Release):
        return (tap.seat, tap.t_ns) == (event.seat, event.pressed_ns)
    return isinstance(event, Passed) and event.t_ns > tap.t_ns + HOLD_NS
