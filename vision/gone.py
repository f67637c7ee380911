"""Whether a card that lay in the pile, or the whole pile, is there no more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.evidence import Sighting
from vision.motion import Motion
from vision.pile import Pile, Placed, Spot, covers, is_enough, looks_like, share, telling
from vision.window import Grey, Mask

_MATCHES = 20.0
_LOOKS_NEEDED = 2
_INSET_MM = 8.0
_STILL_NS = 25_000_000
_LIFTED_WITHIN_NS = 300_000_000
_LEAST_BESIDE = 0.15


@dataclass(frozen=True, slots=True, eq=False)
class Present:
    """The pile's surroundings as they are now."""

    settled: Grey
    still: Mask
    """What has lain still for a moment."""
    arms: Mask
    """Where an arm is, or hangs together with one."""
    sightings: tuple[Sighting, ...]
    """Indices read just now."""


def is_gone(placed: Placed, visible: Mask, pile: Pile, *, now: Present, card_mm: tuple[float, float]) -> bool:
    """Counts a look in which the card isn't where it lay; true once that has been seen twice.

    Either what was there before shows again, or an older card's index is read where this one would hide it.
    """
    if any(placed.could_show(sighting) for sighting in now.sightings):
        return False
    spots = [spot for spot in placed.spots.values() if visible[spot.part].mean() > 0.8]
    missing = _is_missing_at(placed, spots, now) if spots else _is_missing_from(placed, visible, now)
    if missing is False:
        placed.missed = 0
    elif missing:
        is_proven = _shows_older(placed, pile, now.sightings, card_mm) or _is_bared(placed, visible, now)
        placed.missed += is_proven
    return placed.missed >= _LOOKS_NEEDED


def _is_missing_at(placed: Placed, spots: Sequence[Spot], now: Present) -> bool | None:
    """Whether nothing shows where its indices were; None while that can't be told."""
    if any((now.still & ~now.arms)[spot.part].mean() < 0.9 for spot in spots):
        return None
    return not any(spot.shows_in(now.settled, placed.look) for spot in spots)


def _is_missing_from(placed: Placed, visible: Mask, now: Present) -> bool | None:
    """The same by whatever is to be seen of the card."""
    tells = telling(placed, visible)
    if not is_enough(tells) or share(now.still & ~now.arms, tells) < 0.9:
        return None
    return looks_like(now.settled, placed.look, tells, _MATCHES) < 0.35


def _is_bared(placed: Placed, visible: Mask, now: Present) -> bool:
    """Whether what was there before the card shows again, rather than the card."""
    tells = telling(placed, visible) & now.still & ~now.arms
    as_before = looks_like(now.settled, placed.before, tells, _MATCHES)
    return as_before > 0.5 and as_before > looks_like(now.settled, placed.look, tells, _MATCHES) + 0.2


def _shows_older(placed: Placed, pile: Pile, sightings: Iterable[Sighting], card_mm: tuple[float, float]) -> bool:
    """Whether an index of a lower card is read where it could not be seen before."""
    older = {other.card: other for other in pile.cards if other.lay < placed.lay}
    points = [
        (s.x, s.y) for s in sightings if s.sure > 0.8 and s.card in older and not older[s.card].has_shown_at(s.x, s.y)
    ]
    return covers(placed.pose, card_mm, points, _INSET_MM)


def is_pile_gone(pile: Pile, *, bare: Grey | None, ground: Grey, now: Present) -> bool:
    """Whether the table shows bare where two or more cards lay; `ground` is how it looked with them."""
    lying = [placed.inside for placed in pile.cards if not placed.is_adrift]
    if bare is None or len(lying) < 2:
        return False
    was = np.logical_or.reduce(lying)
    tells = was & (np.abs(ground.astype(np.int16) - bare) > _MATCHES)
    return share(now.still, tells) > 0.95 and looks_like(now.settled, bare, tells, _MATCHES) > 0.9


def cover_lifted_from(placed: Placed, pile: Pile, motion: Motion, arms: Mask) -> Placed | None:
    """The card that has hidden `placed` until now and has just been taken away; None if it was laid in the open.

    Beside the newly seen card the place of the cover shows again what was there before it.
    """
    for cover, visible in pile.downwards()[:3]:
        tells = telling(cover, visible)
        beside = tells & ~placed.inside & ~arms & motion.still_for(_STILL_NS)
        if share(beside, tells) < _LEAST_BESIDE or not is_enough(beside) or not _hides(cover, placed):
            continue
        if any(spot.shows_in(motion.settled, cover.look) for spot in cover.spots.values()):
            continue
        is_there = looks_like(motion.settled, cover.look, beside, _MATCHES) > 0.3
        if not is_there and looks_like(motion.settled, cover.before, beside, _MATCHES) > 0.75:
            lifted_ns = motion.median_since_ns(beside)
            return cover if abs(placed.touch_ns - lifted_ns) < _LIFTED_WITHIN_NS else None
    return None


def _hides(cover: Placed, placed: Placed) -> bool:
    return share(cover.inside, placed.inside) > 0.4
