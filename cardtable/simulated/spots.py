"""Where people put cards on a table with places: in the trick, on the widow, beside the stock, before themselves."""

from __future__ import annotations

import math
import random

from cardtable.simulated.camera import Place
from cardtable.simulated.cards import HEIGHT_MM, WIDTH_MM
from cardtable.simulated.placing import toward
from engine.seats import Seat
from vision.layout import Layout, Zone

WIDOW = 4
_TRUMP_SHOWS_MM = 31.0
"""How much of the trump card looks out from under the stock."""
_FANNED_MM, _SECOND_MM, _CLOSE_MM = 22.0, 24.0, 16.0
_SHOULDER_MM = 420.0


class Spots:
    """The places of one table, as people use them: near enough, never exactly."""

    def __init__(self, layout: Layout, rng: random.Random) -> None:
        self._zones, self._rng = dict(layout.zones), rng
        assert layout.table is not None
        self._table = layout.table
        self._angles = dict(layout.seats)

    @property
    def has_widow(self) -> bool:
        """Whether the table has a place for a widow."""
        return "widow" in self._zones

    def turn_of(self, seat: Seat) -> float:
        """How a card is turned that stands upright for that seat, degrees clockwise."""
        return self._angles[seat] - 90

    def shoulder(self, seat: Seat) -> tuple[float, float]:
        """Where that seat's arm comes from, mm."""
        x, y = self._table.centre
        angle = math.radians(self._angles[seat])
        across, down = math.cos(angle), math.sin(angle)
        reach = min(self._table.width / 2 / max(abs(across), 1e-6), self._table.height / 2 / max(abs(down), 1e-6))
        return x + across * (reach + _SHOULDER_MM), y + down * (reach + _SHOULDER_MM)

    def trick(self, seat: Seat, *, is_second: bool = False) -> Place:
        """Before that seat, in the trick; a second card beside and over the first."""
        x, y = self._zones[f"trick-{seat}"].centre
        turn = self.turn_of(seat)
        if is_second:
            dx, dy = toward(turn + 90, self._rng.choice((-1, 1)) * _SECOND_MM)
            x, y = x + dx, y + dy
        return self._about(x, y, turn, 5.0, 7.0)

    def widow(self, slot: int) -> Place:
        """The card of the widow in that slot, from 0, lying across."""
        zone = self._zones["widow"]
        return self._about(zone.centre[0], zone.y + (slot + 0.5) * zone.height / WIDOW, 90, 1.5, 1.2)

    def trump(self) -> Place:
        """The card turned up, lying across, half under the stock."""
        zone = self._zones["stock"]
        return self._about(zone.x + zone.width - HEIGHT_MM / 2 + 2, zone.centre[1], 90, 1.0, 1.5)

    def stock(self) -> Place:
        """The pack."""
        zone = self._zones["stock"]
        middle = zone.x + zone.width + 2 - _TRUMP_SHOWS_MM - WIDTH_MM / 2
        return self._about(middle, zone.centre[1], 0, 1.0, 1.5)

    def discard(self) -> Place:
        """Out of play."""
        return self._about(*self._zones["discard"].centre, 0, 4.0, 8.0)

    def packet(self, seat: Seat) -> Place:
        """Tricks taken, face down, at the left of the seat's own area."""
        return self._along(seat, -76.0, 2.0)

    def shown(self, seat: Seat, count: int, *, beside_packet: bool) -> list[Place]:
        """So many cards side by side in the seat's own area, each over its left neighbour."""
        first, last = (-11.0, 74.0) if beside_packet else (-76.0, 76.0)
        step = min(_FANNED_MM, (last - first) / max(1, count - 1))
        return [self._along(seat, first + step * place, 0.8) for place in range(count)]

    def row(self, seat: Seat, place: int, step_mm: float) -> Place:
        """The card at that place, from 0, of a row from the left of the seat's own area; at its end they lie closer."""
        zone = self._own(seat)
        length = max(zone.width, zone.height) - WIDTH_MM
        wide = min(place, int(length / step_mm))
        return self._along(seat, wide * step_mm + (place - wide) * _CLOSE_MM - length / 2, 1.5)

    def _along(self, seat: Seat, right_mm: float, spread_mm: float) -> Place:
        """In the seat's own area, so far to the right of its middle as its player sees it."""
        zone = self._own(seat)
        turn = self._squared(seat, zone)
        dx, dy = toward(turn + 90, right_mm)
        return self._about(zone.centre[0] + dx, zone.centre[1] + dy, turn, spread_mm, 1.2)

    def _own(self, seat: Seat) -> Zone:
        return self._zones[f"seat-{seat}"]

    def _squared(self, seat: Seat, zone: Zone) -> float:
        """Upright for that seat, as the area lies along the table's edge."""
        x, y = self._table.centre
        if zone.width > zone.height:
            return 0.0 if zone.centre[1] > y else 180.0
        return 90.0 if zone.centre[0] < x else 270.0

    def _about(self, x: float, y: float, turn: float, spread_mm: float, spread_turn: float) -> Place:
        def near(value: float, spread: float) -> float:
            return value + max(-1.6 * spread, min(1.6 * spread, self._rng.gauss(0, spread)))

        return Place(near(x, spread_mm), near(y, spread_mm), near(turn, spread_turn))
