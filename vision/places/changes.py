"""What has changed about the places and lies still: one change a place, looked at until it can be told what it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.candidate import Candidate
from vision.evidence import NO_CARD, Sighting, best
from vision.places.areas import Area
from vision.scene import SURE_ENOUGH
from vision.window import Box, Mask, Window

SURE_AT_ONCE, LOOK_AGAIN_NS = 0.98, 160_000_000
ASK_AFTER_NS, WORTH_ASKING = 700_000_000, 0.55
GIVE_UP_NS = 1_500_000_000
"""What nothing can be made of by then belongs to the table."""
BACK_AFTER_NS, BACK_READS = 200_000_000, 3
"""A card on which no index was read for so long, in so many pictures, lies face down."""
SURELY_BACK, BACK_LOOKS = 0.9, 2
"""Where a whole card looks so much like a back, so many pictures are enough."""
_HOPELESS_READS, _SURELY_NONE = 4, 0.95
DOUBTFUL_MM = 18.0
"""No card can lie so near another one's middle without hiding it: one of the two readings is wrong."""


@dataclass(slots=True, eq=False)
class Change:
    """One place that looks otherwise than before."""

    area: Area
    since_ns: int
    candidates: list[Candidate] = field(default_factory=list)
    """Cards that may lie there face up."""
    reads: int = 0

    def add(self, sightings: list[Sighting], window: Window, t_ns: int) -> None:
        """Takes in what one picture shows."""
        self.reads += 1
        for candidate, seen in self._sorted(sightings, t_ns):
            candidate.add(seen, window, t_ns)
        self.candidates = [one for one in self.candidates if not _is_hopeless(one)]

    def _sorted(self, sightings: list[Sighting], t_ns: int) -> list[tuple[Candidate, list[Sighting]]]:
        found: dict[int, tuple[Candidate, list[Sighting]]] = {}
        for sighting in sightings:
            candidate = next((one for one in self.candidates if one.could_show(sighting)), None)
            if candidate is None:
                candidate = Candidate(sighting.pose, t_ns)
                self.candidates.append(candidate)
            found.setdefault(id(candidate), (candidate, []))[1].append(sighting)
        return list(found.values())

    def is_read(self, now_ns: int) -> bool:
        """Whether every card that may lie there is read, or cannot be read better."""
        present = [one for one in self.candidates if one.last_ns == now_ns or one.evidence.reads > 2]
        ready = [one for one in present if self._is_ready(one, now_ns)]
        return all(one in ready or _is_within(one, ready) for one in present)

    def _is_ready(self, candidate: Candidate, now_ns: int) -> bool:
        sure, age_ns = best(candidate.evidence.chances())[0][1], now_ns - candidate.since_ns
        if now_ns - self.since_ns > ASK_AFTER_NS:
            return True
        return candidate.evidence.reads > 1 and sure >= (SURE_ENOUGH if age_ns > LOOK_AGAIN_NS else SURE_AT_ONCE)


def _is_within(candidate: Candidate, others: list[Candidate]) -> bool:
    """Whether it lies in another one's very place: a part of its print, of which nothing need be known."""
    pose = candidate.pose
    return any(math.hypot(pose.x - other.pose.x, pose.y - other.pose.y) < DOUBTFUL_MM for other in others)


def _is_hopeless(candidate: Candidate) -> bool:
    evidence = candidate.evidence
    chance = float(evidence.chances()[NO_CARD])
    return chance > _SURELY_NONE or (evidence.reads >= _HOPELESS_READS and chance > 0.5)


def patches(changed: Mask, least_px: int) -> list[tuple[Mask, Box]]:
    """What hangs together of the changed pixels, without specks."""
    # Half the size is quicker and joins what is a pixel apart.
    half = cv2.resize(changed.astype(np.uint8) * 255, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    near = cv2.dilate((half > 0).astype(np.uint8), np.ones((3, 3), dtype=np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near)
    height, width = changed.shape
    found = []
    for label in range(1, count):
        x, y, wide, high, area = stats[label].tolist()
        if 4 * area < least_px:
            continue
        part = labels[y : y + high, x : x + wide] == label
        box = Box(2 * x, 2 * y, min(width, 2 * (x + wide)), min(height, 2 * (y + high)))
        own = np.zeros_like(changed)
        whole = np.repeat(np.repeat(part, 2, axis=0), 2, axis=1)[: box.bottom - box.top, : box.right - box.left]
        own[box.slices] = whole & changed[box.slices]
        if np.count_nonzero(own[box.slices]) >= least_px:
            found.append((own, box))
    return found
