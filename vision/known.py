"""Which indices that are read belong to cards that lie there already."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.cards import DECK_52
from vision.again import is_laid_again
from vision.evidence import Sighting
from vision.motion import differs
from vision.pile import CLEAR, HARDLY, Placed, covers
from vision.scene import ALIKE, Scene

_SAME_MM, _SAME_DEGREES = 9.0, 12.0
_INSET_MM, _SAME_SPOT_MM = 4.0, 8.0
_AT_INDEX_MM, _LEANS = 5.0, 25.0
_FRESH_NS = 500_000_000
_UNCHANGED, _HARDLY_CHANGED, _VISIBLE = 0.03, 0.15, 0.9


def shown_by(scene: Scene, sighting: Sighting) -> Placed | None:
    """The card of the pile whose index it is; None if it may be a new one's."""
    for number, placed in reversed(list(enumerate(scene.pile.cards))):
        if placed.could_show(sighting):
            if not _may_be_laid_again(scene, number, sighting):
                return placed
        elif _is_where_it_was(scene, placed, sighting):
            return placed
    return None


def is_other_print(scene: Scene, sighting: Sighting) -> bool:
    """Whether it is a pip or an ornament of a card that lies there, mistaken for an index."""
    x, y = scene.window.to_small(np.array([(sighting.x, sighting.y)]))[0]
    row, column = (int(np.clip(v, 0, limit - 1)) for v, limit in zip((y, x), scene.window.shape, strict=True))
    top = next((placed for placed, visible in scene.pile.downwards() if visible[row, column]), None)
    return top is not None and _changed(scene, top, sighting, scene.motion.threshold) < _UNCHANGED


def is_open(scene: Scene, placed: Placed, sighting: Sighting) -> bool:
    """Whether nothing half covers the index: covered, it says little, and often something wrong."""
    part = scene.window.patch(sighting.x, sighting.y)
    visible = next((mask for other, mask in scene.pile.downwards() if other is placed), None)
    if visible is None or visible[part].mean() < _VISIBLE:
        return False
    return not placed.known[part].all() or _changed(scene, placed, sighting, ALIKE) < _HARDLY_CHANGED


def _may_be_laid_again(scene: Scene, number: int, sighting: Sighting) -> bool:
    """Whether it is read where a later card would hide it, and that later card doesn't prove to lie there."""
    at = (sighting.x, sighting.y)
    if scene.pile.cards[number].from_indices(sighting) < _SAME_SPOT_MM:
        return False
    over = (later for later in scene.pile.cards[number + 1 :] if not later.is_adrift)
    if not any(covers(later.pose, scene.card_mm, [at], _INSET_MM) for later in over):
        return False
    return is_laid_again(scene, scene.pile.cards[number], sighting.pose, [at]) is not False


def _is_where_it_was(scene: Scene, placed: Placed, sighting: Sighting) -> bool:
    """Whether it is the index that has been read of that card, whatever it was taken for."""
    may_be = sighting.sure < CLEAR or float(sighting.chances[DECK_52.index(placed.card)]) > HARDLY
    is_its_rank = may_be and sighting.card.rank is placed.card.rank and placed.has_shown_at(sighting.x, sighting.y)
    is_fresh = scene.look.t_ns - placed.laid_at_ns < _FRESH_NS  # it may have been read before it lay quite still
    if is_its_rank and (is_fresh or _changed(scene, placed, sighting, ALIKE) < _HARDLY_CHANGED):
        return True
    is_near = placed.pose.is_near(sighting.pose, mm=_SAME_MM, degrees=_SAME_DEGREES) or _is_at_index(placed, sighting)
    return is_near and not placed.is_adrift and _changed(scene, placed, sighting, scene.motion.threshold) < _UNCHANGED


def _is_at_index(placed: Placed, sighting: Sighting) -> bool:
    """Whether one of its indices must be printed just there, standing about so."""
    is_turned_so = placed.pose.is_near(replace(sighting.pose, x=placed.pose.x, y=placed.pose.y), mm=0, degrees=_LEANS)
    return is_turned_so and placed.from_indices(sighting) < _AT_INDEX_MM


def _changed(scene: Scene, placed: Placed, sighting: Sighting, tolerance: float) -> float:
    """How much of the index looks otherwise than when the card was laid, 0 to 1."""
    part = scene.window.patch(sighting.x, sighting.y)
    return float(differs(scene.motion.settled[part], placed.look[part], tolerance).mean())
