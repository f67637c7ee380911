"""Cards of the pile that show at another place: pushed, uncovered, or taken out and laid again."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from vision.candidate import Candidate
from vision.evidence import Pose
from vision.pile import Placed, is_enough, looks_like, share, telling
from vision.scene import ALIKE, Scene
from vision.window import PX_PER_MM, Mask

_BURIED, _LEFT = 0.2, 0.3
_AROUND_MM, _INSET_MM = 40.0, 3.0


def is_laid_again(scene: Scene, placed: Placed, pose: Pose, spots_mm: Collection[tuple[float, float]]) -> bool | None:
    """Whether a card lies on top of what had been laid over it, where only a hand can bring it; None: that isn't seen.

    A card that was covered may also show because its cover was taken away: then the print below the cover is back.
    """
    inside = scene.outline(pose, _INSET_MM) & _around(scene, spots_mm)
    settled, is_over = scene.motion.settled, None
    for other, visible in scene.pile.downwards():
        if other is placed:
            break
        tells = telling(other, visible) & inside
        own, older = tells & (other.look < other.before), tells & (other.look > other.before)
        if is_enough(own) and looks_like(settled, other.look, own, ALIKE) > 0.6:
            return False
        if is_enough(own) and is_enough(older) and looks_like(settled, other.before, older, ALIKE) < 0.4:
            is_over = True
    return is_over


def has_left(scene: Scene, placed: Placed) -> bool:
    """Whether what was seen of the card is to be seen no more where it lay."""
    visible = next((mask for other, mask in scene.pile.downwards() if other is placed), None)
    if placed.is_adrift or visible is None:
        return placed.is_adrift
    tells = telling(placed, visible) & ~scene.arms()
    return is_enough(tells) and looks_like(scene.motion.settled, placed.look, tells, ALIKE) < _LEFT


def is_buried(scene: Scene, placed: Placed) -> bool:
    """Whether so little of the card shows, where it is known to lie, that nobody could push it to the top."""
    if placed.is_adrift:
        return False
    visible = next((mask for other, mask in scene.pile.downwards() if other is placed), None)
    return visible is None or share(visible, placed.inside) < _BURIED


def move(scene: Scene, placed: Placed, candidate: Candidate) -> None:
    """A card of the pile lies elsewhere now: pushed, turned or uncovered, but not laid again."""
    settled, old = scene.motion.settled, placed.inside
    for other, visible in scene.pile.downwards():
        is_stirred = looks_like(settled, other.look, visible, scene.motion.threshold) <= 0.7
        other.is_adrift |= bool((other.inside & old).any()) and is_stirred
    placed.pose, placed.inside = candidate.pose, scene.outline(candidate.pose)
    # What lay at its new place before is not known: nothing there can tell that it is gone.
    placed.before, placed.look = settled.copy(), settled.copy()
    placed.known = np.zeros_like(placed.known)
    placed.spots = candidate.spots
    placed.is_adrift, placed.missed = False, 0
    scene.accept(old | placed.inside)
    scene.pile.forget_cover()


def _around(scene: Scene, spots_mm: Collection[tuple[float, float]]) -> Mask:
    near = np.zeros(scene.window.shape, dtype=np.uint8)
    for x, y in scene.window.to_small(np.array(list(spots_mm))):
        cv2.circle(near, (round(x), round(y)), round(_AROUND_MM * PX_PER_MM), 1, -1)
    return near.astype(np.bool_)
