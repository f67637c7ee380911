"""Which of two cards lies on top: from what covers what, and from when they came."""

from __future__ import annotations

from enum import Enum

from vision.pile import Pile, Placed, covers, is_enough, looks_like, printed
from vision.window import Grey

_RECENT_NS = 3_000_000_000
_INSET_MM = 4.0
_MATCHES = 18.0


class Order(Enum):
    """How a new card lies to one that is known."""

    ABOVE = "above"
    BELOW = "below"
    UNSEEN = "unseen"


def place_in(pile: Pile, new: Placed, *, settled: Grey, card_mm: tuple[float, float]) -> tuple[int, Placed | None]:
    """How many cards lie below `new`, and the card to which its order could not be seen, if there is one.

    A card found now may have come before others that were recognised a moment earlier; older ones surely lie below.
    """
    place = len(pile.cards)
    while place > 0 and new.laid_at_ns - pile.cards[place - 1].laid_at_ns < _RECENT_NS:
        other = pile.cards[place - 1]
        order = compare(new, other, settled=settled, card_mm=card_mm)
        if order is Order.UNSEEN:
            return place, other
        if order is Order.ABOVE:
            break
        place -= 1
    return place, None


def compare(new: Placed, old: Placed, *, settled: Grey, card_mm: tuple[float, float]) -> Order:
    """Whether `new` lies above or below `old`, or that this can't be seen."""
    common = new.inside & old.inside
    if is_enough(common):
        seen = _by_indices(new, old, card_mm) or _by_print(new, old, settled)
        if seen is not None:
            return seen
    return _by_time(new, old)


def _by_indices(new: Placed, old: Placed, card_mm: tuple[float, float]) -> Order | None:
    """An index that is seen where the other card lies is on top of it."""
    new_on_old = covers(old.pose, card_mm, new.indices, _INSET_MM)
    old_on_new = new.laid_at_ns == old.laid_at_ns and covers(new.pose, card_mm, old.indices, _INSET_MM)
    if new_on_old == old_on_new:
        return None
    return Order.ABOVE if new_on_old else Order.BELOW


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


def _by_time(new: Placed, old: Placed) -> Order:
    if abs(new.touch_ns - old.touch_ns) <= max(new.within_ns, old.within_ns):
        return Order.UNSEEN
    return Order.ABOVE if new.touch_ns > old.touch_ns else Order.BELOW
