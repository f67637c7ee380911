"""Something that may be a card just laid, before it is certain which one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from vision.evidence import Evidence, Pose, Sighting, best
from vision.pile import Spot
from vision.window import Window

_SURE = 0.8
_STEADY_MM = 3.0
_SAME_MM, _SAME_DEGREES = 9.0, 12.0
_LOOSE_MM, _LOOSE_DEGREES = 14.0, 18.0  # an index that is half covered tells little of the pose


@dataclass(slots=True, eq=False)
class Candidate:
    """Something that may be a card just laid: what has been seen of it so far."""

    pose: Pose
    since_ns: int
    last_ns: int = 0
    evidence: Evidence = field(default_factory=Evidence)
    spots: dict[bool, Spot] = field(default_factory=dict)
    """Where its upper and its lower index were seen."""
    shown: float = 0.0
    """How much of its outline shows where it is thought to lie, 0 to 1."""
    is_steady: bool = False
    """Whether it lay in the same place when it was seen before."""

    def add(self, sightings: list[Sighting], window: Window, t_ns: int) -> None:
        """Takes in one frame's sightings."""
        self.evidence.add(sightings)
        self.is_steady = any(self._is_where_it_was(sighting) for sighting in sightings)
        for sighting in sightings:
            self.spots[sighting.is_upper] = Spot((sighting.x, sighting.y), window.patch(sighting.x, sighting.y))
        self.pose = max(sightings, key=lambda sighting: sighting.score).pose
        self.last_ns = t_ns

    def could_show(self, sighting: Sighting) -> bool:
        """Whether the index may be this card's."""
        if self._is_where_it_was(sighting):
            return True
        card, sure = best(self.evidence.chances())[0]
        if sure > _SURE and sighting.sure > _SURE:
            return card is sighting.card and self.pose.is_near(sighting.pose, mm=_LOOSE_MM, degrees=_LOOSE_DEGREES)
        return self.pose.is_near(sighting.pose, mm=_SAME_MM, degrees=_SAME_DEGREES)

    def _is_where_it_was(self, sighting: Sighting) -> bool:
        spot = self.spots.get(sighting.is_upper)
        return spot is not None and math.dist(spot.at, (sighting.x, sighting.y)) < _STEADY_MM
