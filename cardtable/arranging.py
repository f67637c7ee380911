"""Setting a camera up by finger: four corners, then zones that can be dragged; what a page shows and a person moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cardtable.calibration import Calibration
from cardtable.zones import kinds_of
from engine.seats import Seat
from vision.finding.find import find_table, table_by_corners, turned
from vision.frames import Picture
from vision.layout import BadLayout, Layout, Zone

Spot = tuple[float, float]
"""x and y in the camera's picture, px."""
LEAST_MM = 60.0
"""No zone can be dragged smaller than a card's width."""


@dataclass(frozen=True, slots=True)
class Grip:
    """What a finger holds."""

    kind: str
    """`point`: a marked corner; `zone`: a whole zone; `corner`: a zone's lower right corner."""
    name: str
    off: Spot
    """From the finger to what it holds: px for a point, mm for a zone."""


class Arrangement:
    """One person's work on one camera's picture."""

    def __init__(self, calibration: Calibration | None, game: str | None, seats: Sequence[Seat], camera: str) -> None:
        """Begins with what is known already, if anything."""
        self.calibration = calibration
        self.points: list[Spot] = []
        """Corners marked so far, seat A's left one first."""
        self.size_px: tuple[int, int] = (0, 0)
        """Width and height of the picture that the spots are in."""
        self.table_mm = (900.0, 900.0)
        self.error: BadLayout | None = None
        self._game, self._seats, self._camera = game, tuple(seats), camera
        self._grip: Grip | None = None

    @property
    def layout(self) -> Layout | None:
        """The table with the game's zones, as far as it is found."""
        return self.calibration.layout_for(self._game, self._seats) if self.calibration else None

    @property
    def zones(self) -> Mapping[str, Zone]:
        """Every zone that the game uses by name, the pile first."""
        if self.layout is None:
            return {}
        zones = {"pile": self.layout.pile, **dict(self.layout.zones)}
        return {name: zone for name, zone in zones.items() if name.partition("-")[0] in kinds_of(self._game)}

    # --- finding ---

    def find(self, picture: Picture, finder: Callable[[Picture], Layout] = find_table) -> bool:
        """Lets `finder` look for the table; whether it has found it. What was there before stays where it hasn't."""
        return self._take(lambda: finder(picture))

    def begin_by_hand(self) -> None:
        """From now on taps mark corners."""
        self.calibration, self.points, self.error = None, [], None

    def use_corners(self) -> bool:
        """Takes the four marked corners for the table's."""
        return self._take(lambda: table_by_corners(self.points, self.size_px, self.table_mm))

    def turn(self) -> None:
        """Seat A sits at the next edge, clockwise."""
        known = self.calibration
        if known is not None:
            self._take(lambda: turned(known.layout, 1))

    def _take(self, find: Callable[[], Layout]) -> bool:
        try:
            found = Calibration(self._camera, find())
            found.layout_for(self._game, self._seats)
        except BadLayout as error:
            self.error = error
            return False
        self.calibration, self.error, self.points = found, None, []
        return True

    # --- fingers ---

    def press(self, spot: Spot, near_px: float) -> None:
        """A finger goes down; `near_px` is how far it may miss by. Without a table it marks or takes up a corner."""
        self._grip = self._gripped(spot, near_px)
        if self._grip is None and self.calibration is None and len(self.points) < 4:
            self.points.append(spot)
            self._grip = Grip("point", str(len(self.points) - 1), (0.0, 0.0))

    def drag(self, spot: Spot) -> None:
        """The finger that went down is now here."""
        if self._grip is None:
            return
        if self._grip.kind == "point":
            x, y = self._grip.off
            self.points[int(self._grip.name)] = self._inside((spot[0] + x, spot[1] + y))
        else:
            self._move_zone(self._grip, self._mm(spot))

    def release(self) -> None:
        """The finger goes up."""
        self._grip = None

    def put_zones_back(self) -> None:
        """All zones lie again where the game has them."""
        if self.calibration is not None:
            self.calibration = self.calibration.with_zones(self._game, self._seats, {})

    def _gripped(self, spot: Spot, near_px: float) -> Grip | None:
        for number, (x, y) in enumerate(self.points):
            if np.hypot(x - spot[0], y - spot[1]) <= near_px:
                return Grip("point", str(number), (x - spot[0], y - spot[1]))
        return self._gripped_zone(spot, near_px) if self.layout else None

    def _gripped_zone(self, spot: Spot, near_px: float) -> Grip | None:
        """The smallest zone under the finger: one within another can be taken up."""
        assert self.layout is not None
        x, y = self._mm(spot)
        reach = near_px / self.layout.px_per_mm
        for name, zone in sorted(self.zones.items(), key=lambda item: item[1].width * item[1].height):
            right, foot = zone.x + zone.width, zone.y + zone.height
            if np.hypot(right - x, foot - y) <= reach:
                return Grip("corner", name, (right - x, foot - y))
            if zone.has(x, y):
                return Grip("zone", name, (zone.x - x, zone.y - y))
        return None

    def _move_zone(self, grip: Grip, at_mm: Spot) -> None:
        assert self.calibration is not None
        zone, table = self.zones[grip.name], self.calibration.layout.table or self.calibration.layout.pile
        x, y = at_mm[0] + grip.off[0], at_mm[1] + grip.off[1]
        moved = _within(table, replace(zone, x=x, y=y)) if grip.kind == "zone" else _stretched(table, zone, (x, y))
        moved_zones = dict(self.calibration.moved_for(self._game, self._seats)) | {grip.name: moved}
        try:
            moved_on = self.calibration.with_zones(self._game, self._seats, moved_zones)
            moved_on.layout_for(self._game, self._seats)
        except BadLayout as error:
            self.error = error
            return
        self.calibration, self.error = moved_on, None

    def _mm(self, spot: Spot) -> Spot:
        assert self.calibration is not None
        x, y = self.calibration.layout.resized(self.size_px).to_mm(np.array([spot]))[0]
        return float(x), float(y)

    def _inside(self, spot: Spot) -> Spot:
        width, height = self.size_px
        return min(max(spot[0], 0.0), float(width)), min(max(spot[1], 0.0), float(height))


def _within(table: Zone, zone: Zone) -> Zone:
    """The zone pushed back onto the table."""
    x = min(max(zone.x, table.x), table.x + table.width - zone.width)
    y = min(max(zone.y, table.y), table.y + table.height - zone.height)
    return replace(zone, x=x, y=y)


def _stretched(table: Zone, zone: Zone, lower_right: Spot) -> Zone:
    """The zone with another lower right corner, still on the table and no smaller than `LEAST_MM`."""
    width = min(max(lower_right[0] - zone.x, LEAST_MM), table.x + table.width - zone.x)
    height = min(max(lower_right[1] - zone.y, LEAST_MM), table.y + table.height - zone.y)
    return replace(zone, width=width, height=height)
