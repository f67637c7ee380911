"""Where a game's zones are on a table of a given size: in the middle what is laid, around it what is kept, at the edge
what is each seat's own.

Kinds of zone: `pile`, `trick` (one place a seat), `widow`, `stock`, `discard`, `show` (one a seat), `seat` (each seat's
own area). A zone of a seat is called by kind and seat: `trick-A`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.seats import Seat
from vision.layout import BadLayout, Zone, around

KINDS = ("pile", "trick", "widow", "stock", "discard", "show", "seat")

_PLACE_MM = 96.0
"""Room for a card however it is turned."""
_GAP_MM = 8.0
_PILE_MM, _LEAST_PILE_MM = 360.0, 120.0
_TRICK_RADIUS_MM = {2: 60.0, 3: 72.0, 4: 97.0, 5: 102.0, 6: 112.0}
"""By the number of seats: near the middle, yet no place over another."""
_SEAT_MM = (220.0, 100.0)
_ROW_MM = (340.0, 280.0, _SEAT_MM[0])
"""How long a seat's own area is where all its cards lie there in a row, the first that has room: five cards fit."""
_CORNER_MM = 50.0
"""Where a mat has its markers."""
_WIDOW_MM = (_PLACE_MM, 290.0)
_STACK_MM = (_PLACE_MM, 110.0)


def needed_mm(kinds: Sequence[str], seats: int) -> tuple[float, float]:
    """Width and height of a table on which these zones have room."""
    middle = _middle_mm(kinds, seats)
    edge = _SEAT_MM[1] + _GAP_MM if _has_edge(kinds) else 0.0
    side = _PLACE_MM + _GAP_MM if _has_sides(kinds) else 0.0
    # Without zones at the edge the markers need the room at two of them.
    width = middle + 2 * (side + edge) + (0.0 if side + edge else 2 * _CORNER_MM)
    beside = 2 * (_SEAT_MM[0] + _CORNER_MM) if edge and seats > 4 else 0.0
    return width, max(middle + 2 * edge, beside)


def arrange(table: Zone, kinds: Sequence[str], seats: Sequence[Seat]) -> dict[str, Zone]:
    """Every zone by name, the pile first; raises `BadLayout` where there is no room for it.

    On a small table the middle shrinks, and zones that would lie in it or outside are left out.
    """
    middle = _centred(table, _middle_side(table, kinds, len(seats)))
    zones = {"pile": middle}
    for name, zone in _around_middle(table, middle, kinds, seats):
        if _is_inside(table, zone) and (name.startswith("trick") or not _overlap(middle, zone)):
            zones[name] = zone
    return zones


def _middle_mm(kinds: Sequence[str], seats: int) -> float:
    if "trick" in kinds:
        return 2 * _trick_radius(seats) + _PLACE_MM
    return 300.0


def _middle_side(table: Zone, kinds: Sequence[str], seats: int) -> float:
    wide, narrow = max(table.width, table.height), min(table.width, table.height)
    edge = _SEAT_MM[1] + _GAP_MM if _has_edge(kinds) else 0.05 * narrow
    side = _PLACE_MM + _GAP_MM if _has_sides(kinds) else 0.0
    wished = _middle_mm(kinds, seats) if "trick" in kinds else _PILE_MM
    # What is laid needs its room before what is only kept.
    room = min(narrow - 2 * edge, max(wide - 2 * (edge + side), min(wished, wide - 2 * edge)))
    if room < _LEAST_PILE_MM:
        raise BadLayout("table-too-small", width=round(table.width), height=round(table.height))
    return min(room, wished)


def _has_edge(kinds: Sequence[str]) -> bool:
    return "seat" in kinds or "show" in kinds


def _has_sides(kinds: Sequence[str]) -> bool:
    return any(kind in kinds for kind in ("widow", "stock", "discard"))


def _around_middle(
    table: Zone, middle: Zone, kinds: Sequence[str], seats: Sequence[Seat]
) -> Iterator[tuple[str, Zone]]:
    x, y = middle.centre
    reach = middle.width / 2 + _GAP_MM + _PLACE_MM / 2
    if "trick" in kinds:
        radius = (middle.width - _PLACE_MM) / 2
        yield from ((f"trick-{seat}", _trick(x, y, angle, radius)) for seat, angle in around(seats))
    if "widow" in kinds:
        yield "widow", _box(x - reach, y, _WIDOW_MM)
    if "stock" in kinds:
        yield "stock", _box(x + reach, y - _STACK_MM[1] / 2 - _GAP_MM / 2, _STACK_MM)
    if "discard" in kinds:
        yield "discard", _box(x + reach, y + _STACK_MM[1] / 2 + _GAP_MM / 2, _STACK_MM)
    own = _own(table, middle, kinds, seats)
    for kind in ("seat", "show"):
        if kind in kinds:
            yield from ((f"{kind}-{seat}", zone) for seat, zone in own.items())


def _own(table: Zone, middle: Zone, kinds: Sequence[str], seats: Sequence[Seat]) -> dict[Seat, Zone]:
    """The seats' own areas, longer where there are no tricks and no pile to lay on."""
    for length in _ROW_MM if not {"trick", "pile"} & set(kinds) else _SEAT_MM[:1]:
        own = {seat: _at_edge(table, angle, length) for seat, angle in around(seats)}
        if not any(_overlap(one, other) for one, other in combinations((middle, *own.values()), 2)):
            break
    return own


def _trick_radius(seats: int) -> float:
    return _TRICK_RADIUS_MM.get(seats, 120.0)


def _trick(x: float, y: float, angle: float, radius: float) -> Zone:
    return _box(
        x + radius * math.cos(math.radians(angle)), y + radius * math.sin(math.radians(angle)), (_PLACE_MM, _PLACE_MM)
    )


def _at_edge(table: Zone, angle: float, length_mm: float) -> Zone:
    """A seat's own area: where the line from the middle to the seat meets the edge."""
    x, y = table.centre
    along_x, along_y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    is_side = abs(along_x) * table.height > abs(along_y) * table.width
    size = (_SEAT_MM[1], length_mm) if is_side else (length_mm, _SEAT_MM[1])
    free_x, free_y = (table.width - size[0]) / 2, (table.height - size[1]) / 2
    reach = free_x / abs(along_x) if is_side else free_y / abs(along_y)
    along = max(0.0, (free_y if is_side else free_x) - _CORNER_MM)
    most_x, most_y = (free_x, along) if is_side else (along, free_y)
    at_x, at_y = min(max(reach * along_x, -most_x), most_x), min(max(reach * along_y, -most_y), most_y)
    return _box(x + at_x, y + at_y, size)


def _box(x: float, y: float, size: tuple[float, float]) -> Zone:
    return Zone(x - size[0] / 2, y - size[1] / 2, *size)


def _centred(table: Zone, side: float) -> Zone:
    return _box(*table.centre, (side, side))


def _is_inside(table: Zone, zone: Zone) -> bool:
    rim = table.grown(0.5)
    return all(rim.has(x, y) for x, y in zone.corners().tolist())


def _overlap(one: Zone, other: Zone) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )
