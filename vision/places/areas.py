"""The places that are watched, what a card in each of them means, and the window over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.cards import Card
from engine.seats import Seat
from vision.layout import BadLayout, Layout, Zone
from vision.window import MARGIN_MM, Mask, Window

KINDS = ("trick", "widow", "stock", "seat", "show")
"""Kinds of zone that are watched; what lies on the discard is out of play."""
OWN = ("seat", "show")
WIDOW = 4
"""Cards of a widow; their places go along the zone's longer side."""
_AROUND_MM = 25.0
_ASTRAY_MM = 14.0
"""A card may lie so far over its place's rim."""


@dataclass(frozen=True, slots=True)
class Manner:
    """What a game does with its places."""

    deck: frozenset[Card]
    has_rows: bool = False
    """Whether a seat's own area holds a row of cards that come face down; else cards are shown there."""


@dataclass(frozen=True, slots=True)
class Area:
    """One place, or one row of places."""

    name: str
    kind: str
    seat: Seat | None
    zone: Zone

    @property
    def is_own(self) -> bool:
        """Whether it is a seat's own area."""
        return self.kind in OWN

    def told(self, x_mm: float, y_mm: float) -> str:
        """What a card that lies there is told to lie in, see `CardLaid.zone`."""
        match self.kind:
            case "widow":
                return f"widow-{self._slot(x_mm, y_mm)}"
            case "stock":
                return "trump"
            case "trick":
                return "trick"
        return self.name

    def _slot(self, x_mm: float, y_mm: float) -> int:
        zone = self.zone
        is_wide = zone.width > zone.height
        share = (x_mm - zone.x) / zone.width if is_wide else (y_mm - zone.y) / zone.height
        return 1 + min(WIDOW - 1, max(0, int(share * WIDOW)))


def areas_of(layout: Layout) -> tuple[Area, ...]:
    """The layout's places; raises `BadLayout` where there is none."""
    found: dict[Zone, Area] = {}
    for name, zone in layout.zones:
        kind, _, seat = name.partition("-")
        if kind in KINDS:
            found.setdefault(zone, Area(name, kind, Seat(seat) if seat else None, zone))
    if not found:
        raise BadLayout("table-too-small", width=round(layout.pile.width), height=round(layout.pile.height))
    return tuple(found.values())


def area_at(areas: Sequence[Area], x_mm: float, y_mm: float) -> Area | None:
    """The place that a card with its middle there belongs to."""
    near = [area for area in areas if area.zone.grown(_ASTRAY_MM).has(x_mm, y_mm)]
    return min(near, key=lambda area: _outside(area.zone, x_mm, y_mm), default=None)


def window_over(layout: Layout, areas: Sequence[Area]) -> Window:
    """The small picture of all places and a little around them."""
    corners = np.concatenate([area.zone.corners() for area in areas])
    (left, top), (right, foot) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    whole = Zone(left, top, right - left, foot - top)
    return Window(replace(layout, pile=whole.grown(_AROUND_MM - MARGIN_MM)))


def mask_of(window: Window, areas: Sequence[Area]) -> Mask:
    """The pixels in which a card of any place may lie."""
    mask = np.zeros(window.shape, dtype=np.bool_)
    for area in areas:
        mask |= window.polygon(area.zone.grown(_ASTRAY_MM).corners())
    return mask


def _outside(zone: Zone, x_mm: float, y_mm: float) -> float:
    """How far outside the zone a point lies, mm; below zero inside."""
    x, y = zone.centre
    return max(abs(x_mm - x) - zone.width / 2, abs(y_mm - y) - zone.height / 2)
