"""Cards of the pile that show at another place: pushed, uncovered, or taken out and laid again."""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np

from vision.candidate import Candidate
from vision.evidence import Pose, Sighting
from vision.fit import Edges, fitted
from vision.pile import Placed, Spot, is_enough, looks_like, share, telling
from vision.scene import ALIKE, Scene
from vision.window import PX_PER_MM, Mask

_BURIED, _LEFT = 0.2, 0.3
_HAND_OVER, _SHOWS = 0.05, 0.5
_BARED, _LATELY_NS = 0.6, 1_500_000_000
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


def missing(scene: Scene, *, but: Mask) -> list[Placed]:
    """Cards that are to be seen no more where they lay, and nowhere else; what `but` covers may lie there unseen."""
    arms = scene.arms()
    return [placed for placed in scene.pile.cards if _is_lately_adrift(scene, placed)] + [
        placed for placed, visible in scene.pile.downwards() if _is_lately_missing(scene, placed, visible & ~but, arms)
    ]


def _is_lately_missing(scene: Scene, placed: Placed, visible: Mask, arms: Mask) -> bool:
    """Whether it has been missing for a moment: one that has not come to light by then explains no new card."""
    if not _is_missing(scene, placed, visible, arms):
        return False
    if placed.lost_ns is None:
        placed.lost_ns = scene.look.t_ns
    return scene.look.t_ns - placed.lost_ns < _LATELY_NS


def _is_missing(scene: Scene, placed: Placed, visible: Mask, arms: Mask) -> bool:
    settled, tells = scene.motion.settled, telling(placed, visible)
    clear = tells & ~arms
    if is_enough(clear) and looks_like(settled, placed.look, clear, ALIKE) < _LEFT:
        return True
    # An arm, and what hangs together with it, does not look as the place did without the card.
    is_bared = is_enough(tells) and looks_like(settled, placed.before, tells, ALIKE) > _BARED
    return is_bared and looks_like(settled, placed.look, tells, ALIKE) < _LEFT


def _is_lately_adrift(scene: Scene, placed: Placed) -> bool:
    """Whether it was pushed under cover a moment ago, so that it may come to light any time."""
    return placed.adrift_ns is not None and scene.look.t_ns - placed.adrift_ns < _LATELY_NS


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
        if is_stirred and (other.inside & old).any():
            other.adrift_ns = scene.look.t_ns
    placed.pose, placed.inside = candidate.pose, scene.outline(candidate.pose)
    # What lay at its new place before is not known: nothing there can tell that it is gone.
    placed.before, placed.look = settled.copy(), settled.copy()
    placed.known = np.zeros_like(placed.known)
    placed.spots = candidate.spots
    placed.adrift_ns, placed.lost_ns, placed.missed = None, None, 0
    scene.accept(old | placed.inside)
    scene.pile.forget_cover()


def push(scene: Scene, placed: Placed, seen: Sighting) -> None:
    """A card of the pile lies a little beside its place, an index of it as `seen`; nothing changes under an arm."""
    seen = seen.beside(placed.pose.turn)
    if share(scene.arms(), scene.outline(seen.pose)) > _HAND_OVER:
        return
    edges = Edges(scene.frame.picture, scene.window.layout, seen.pose.x, seen.pose.y)
    fit = fitted(edges, seen.pose, [(seen.x, seen.y)], scene.card_mm)
    if fit.shown < _SHOWS:
        return
    placed.pose, placed.inside = fit.pose, scene.outline(fit.pose)
    placed.spots = {seen.is_upper: Spot((seen.x, seen.y), scene.window.patch(seen.x, seen.y))}
    placed.known = np.zeros_like(placed.known)
    scene.pile.forget_cover()


def _around(scene: Scene, spots_mm: Collection[tuple[float, float]]) -> Mask:
    near = np.zeros(scene.window.shape, dtype=np.uint8)
    for x, y in scene.window.to_small(np.array(list(spots_mm))):
        cv2.circle(near, (round(x), round(y)), round(_AROUND_MM * PX_PER_MM), 1, -1)
    return near.astype(np.bool_)
