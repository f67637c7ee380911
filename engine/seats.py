"""Seats: places at the table, named A, B, C … clockwise."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NewType

Seat = NewType("Seat", str)
"""A place at the table, `A` to `Z` clockwise; who sits there is a player."""


def seats(count: int) -> tuple[Seat, ...]:
    """The first `count` seats, clockwise."""
    return tuple(Seat(chr(ord("A") + i)) for i in range(count))


def clockwise(around: tuple[Seat, ...], after: Seat) -> Iterator[Seat]:
    """Every seat of `around` once, beginning at `after`'s left and ending with `after` itself (if it sits there).

    `after` need not be among them: seats come in clockwise order, so the first one beyond it starts.
    """
    later = [seat for seat in around if seat > after]
    yield from later
    yield from (seat for seat in around if seat <= after)


def only(seats: Collection[Seat]) -> Seat | None:
    """The seat, where there is but one."""
    return next(iter(seats)) if len(seats) == 1 else None


def added(counts: tuple[int, ...], place: int, more: int) -> tuple[int, ...]:
    """Counts by the seats' places, that at `place` raised by `more`."""
    return (*counts[:place], counts[place] + more, *counts[place + 1 :])


def in_turn(order: tuple[Seat, ...], after: Seat, among: Collection[Seat]) -> tuple[Seat, ...]:
    """The seats of `order` that are `among` those given, beginning behind `after` and ending with it.

    `order` is the direction of play: the seats clockwise, or reversed.
    """
    place = order.index(after) + 1
    return tuple(seat for seat in (*order[place:], *order[:place]) if seat in among)
