"""Something that may be a card just laid, before it is certain which one."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from engine.cards import DECK_52
from vision.evidence import Evidence, Pose, Sighting, best
from vision.pile import Spot
from vision.window import Window

_SURE, _HARDLY = 0.8, 0.01
_STEADY_MM, _OWN_MM = 3.0, 10.0
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
    _is_joined: bool = False
    _clearest: bool = True
    is_steady: bool = False
    """Whether it lay in the same place when it was seen before."""

    def add(self, sightings: list[Sighting], window: Window, t_ns: int) -> None:
        """Takes in one frame's sightings."""
        sightings = [sighting.beside(self.pose.turn) for sighting in sightings]
        self.evidence.add(sightings)
        self.is_steady = any(self._is_where_it_was(sighting) for sighting in sightings)
        for sighting in sightings:
            self.spots[sighting.is_upper] = Spot((sighting.x, sighting.y), window.patch(sighting.x, sighting.y))
        clearest = max(sightings, key=lambda sighting: sighting.score)
        self.pose, self._clearest = clearest.pose, clearest.is_upper
        self._join(window.layout.card_mm)
        self.last_ns = t_ns

    def could_show(self, sighting: Sighting) -> bool:
        """Whether the index may be this card's."""
        sighting = sighting.beside(self.pose.turn)
        if self._is_where_it_was(sighting):
            return True
        chances = self.evidence.chances()
        card, sure = best(chances)[0]
        if sighting.sure > _SURE and (sure > _SURE or chances[DECK_52.index(sighting.card)] < _HARDLY):
            return card is sighting.card and self.pose.is_near(sighting.pose, mm=_LOOSE_MM, degrees=_LOOSE_DEGREES)
        return self.pose.is_near(sighting.pose, mm=_SAME_MM, degrees=_SAME_DEGREES)

    @property
    def read_at(self) -> tuple[tuple[float, float], ...]:
        """Where its indices were seen, mm; one of them where the two don't fit one card."""
        if self._is_joined:
            return tuple(spot.at for spot in self.spots.values())
        return (self.spots[self._clearest].at,)

    def settle(self, pose: Pose, card_mm: tuple[float, float]) -> None:
        """It lies at `pose`: an index that was seen elsewhere is another card's."""
        self.pose = pose
        for upper, spot in tuple(self.spots.items()):
            away = math.dist(spot.at, pose.index(is_upper=upper, card_mm=card_mm))
            if upper is not self._clearest and away > _OWN_MM:
                del self.spots[upper]

    def _join(self, card_mm: tuple[float, float]) -> None:
        """Two indices say better where it lies than the direction of either."""
        self._is_joined = False
        if len(self.spots) < 2:
            return
        joint = Pose.between(self.spots[True].at, self.spots[False].at, card_mm)
        if joint is not None and joint.is_near(self.pose, mm=_LOOSE_MM, degrees=_LOOSE_DEGREES):
            self.pose, self._is_joined = joint, True

    def _is_where_it_was(self, sighting: Sighting) -> bool:
        spot = self.spots.get(sighting.is_upper)
        return spot is not None and math.dist(spot.at, (sighting.x, sighting.y)) < _STEADY_MM
