"""Which of two cards lies on top: from what covers what, and from when they came."""

from __future__ import annotations

from enum import Enum

import cv2
import numpy as np

from vision.evidence import Pose
from vision.layout import Points
from vision.pile import Pile, Placed, covers, is_enough, looks_like, printed
from vision.window import Grey, Window

_RECENT_NS = 3_000_000_000
_SHARP_NS, _SAME_FRAME_NS = 90_000_000, 15_000_000  # both touches were seen, at 30 frames a second
_INSET_MM = 3.0
_MATCHES = 18.0
_LEAST_EDGE, _CLEARER = (
    10.0,
    1.6,
)  # brightness step along a card's edge, and by which factor one edge must beat the other


class Order(Enum):
    """How a new card lies to one that is known."""

    ABOVE = "above"
    BELOW = "below"
    UNSEEN = "unseen"


def place_in(pile: Pile, new: Placed, *, settled: Grey, window: Window) -> tuple[int, Placed | None]:
    """How many cards lie below `new`, and the card to which its order could not be seen, if there is one.

    A card found now may have come before others that were recognised a moment earlier; older ones surely lie below.
    """
    place = len(pile.cards)
    while place > 0 and new.laid_at_ns - pile.cards[place - 1].laid_at_ns < _RECENT_NS:
        other = pile.cards[place - 1]
        order = compare(new, other, settled=settled, window=window)
        if order is Order.UNSEEN:
            return place, other
        if order is Order.ABOVE:
            break
        place -= 1
    return place, None


def compare(new: Placed, old: Placed, *, settled: Grey, window: Window) -> Order:
    """Whether `new` lies above or below `old`, or that this can't be seen."""
    if new.touch_ns - new.within_ns > old.laid_at_ns:
        return Order.ABOVE
    if new.within_ns + old.within_ns < _SHARP_NS and abs(new.touch_ns - old.touch_ns) > _SAME_FRAME_NS:
        # Both were seen to arrive, in different frames of one camera: that is sharper than any edge.
        return Order.ABOVE if new.touch_ns > old.touch_ns else Order.BELOW
    seen = None
    if is_enough(new.inside & old.inside):
        card_mm = window.layout.card_mm
        seen = _by_shown_indices(new, old, settled, card_mm) or _by_print(new, old, settled)
        seen = seen or _by_edges(new, old, settled, window) or _by_missing_indices(new, old, settled, card_mm)
    return seen or _by_time(new, old)


def _by_shown_indices(new: Placed, old: Placed, settled: Grey, card_mm: tuple[float, float]) -> Order | None:
    """An index that is seen where the other card lies is on top of it."""
    above = covers(old.pose, card_mm, [spot.at for spot in new.spots.values()], _INSET_MM)
    below = covers(new.pose, card_mm, list(_shown(old, settled).values()), _INSET_MM)
    return _one_of(above, below)


def _by_missing_indices(new: Placed, old: Placed, settled: Grey, card_mm: tuple[float, float]) -> Order | None:
    """An index that isn't seen where the other card lies is perhaps below it; or a hand hides it."""
    below = _is_missing_under(new, set(new.spots), old, card_mm)
    above = _is_missing_under(old, set(_shown(old, settled)), new, card_mm)
    return _one_of(above, below)


def _shown(card: Placed, settled: Grey) -> dict[bool, tuple[float, float]]:
    return {upper: spot.at for upper, spot in card.spots.items() if spot.shows_in(settled, card.look)}


def _is_missing_under(card: Placed, shown: set[bool], other: Placed, card_mm: tuple[float, float]) -> bool:
    missing = [card.pose.index(is_upper=upper, card_mm=card_mm) for upper in (True, False) if upper not in shown]
    return covers(other.pose, card_mm, missing, _INSET_MM)


def _one_of(above: bool, below: bool) -> Order | None:
    if above == below:
        return None
    return Order.ABOVE if above else Order.BELOW


def _by_print(new: Placed, old: Placed, settled: Grey) -> Order | None:
    """What was printed where they overlap: either it still shows, or the new card hides it."""
    if new.laid_at_ns == old.laid_at_ns:
        return None
    print_of_old = printed(old.look, new.inside & old.inside)
    if not is_enough(print_of_old):
        return None
    kept = looks_like(settled, old.look, print_of_old, _MATCHES)
    if kept > 0.75:
        return Order.BELOW
    return Order.ABOVE if kept < 0.5 else None


def _by_edges(new: Placed, old: Placed, settled: Grey, window: Window) -> Order | None:
    """The edge that runs visibly across the other card belongs to the upper one."""
    steps = np.asarray(cv2.morphologyEx(settled, cv2.MORPH_GRADIENT, np.ones((3, 3), dtype=np.uint8)), dtype=np.uint8)
    new_edge = _edge_on(new.pose, old.pose, steps, window)
    old_edge = _edge_on(old.pose, new.pose, steps, window)
    if max(new_edge, old_edge) < _LEAST_EDGE or max(new_edge, old_edge) < _CLEARER * min(new_edge, old_edge):
        return None
    return Order.ABOVE if new_edge > old_edge else Order.BELOW


def _edge_on(pose: Pose, other: Pose, steps: Grey, window: Window) -> float:
    """How strongly the outline of a card at `pose` shows across a card at `other`: median brightness step."""
    card_mm = window.layout.card_mm
    points = _along(pose.outline(card_mm))
    own = np.abs(other.own(points))
    crossing = points[(own[:, 0] < card_mm[0] / 2 - _INSET_MM) & (own[:, 1] < card_mm[1] / 2 - _INSET_MM)]
    if len(crossing) < 10:
        return 0.0
    columns, rows = np.round(window.to_small(crossing)).astype(int).T
    height, width = steps.shape
    return float(np.median(steps[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]))


def _along(outline: Points) -> Points:
    """Points a millimetre apart along a closed outline."""
    parts = np.linspace(0, 1, 80)[:, None]
    return np.concatenate([a + (b - a) * parts for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True)])


def _by_time(new: Placed, old: Placed) -> Order:
    if abs(new.touch_ns - old.touch_ns) <= max(new.within_ns, old.within_ns):
        return Order.UNSEEN
    return Order.ABOVE if new.touch_ns > old.touch_ns else Order.BELOW
