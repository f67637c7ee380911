"""Whether a card that lay in the pile, or the whole pile, is there no more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.evidence import Sighting
from vision.motion import Motion
from vision.pile import Pile, Placed, Spot, is_enough, looks_like, share, telling
from vision.window import Grey, Mask, Part

_MATCHES = 20.0
_LOOKS_NEEDED = 2
_STILL_NS = 25_000_000
_LIFTED_WITHIN_NS = 300_000_000
_LEAST_BESIDE = 0.15
_READ = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Present:
    """The pile's surroundings as they are now."""

    settled: Grey
    still: Mask
    """What has lain still for a moment."""
    arms: Mask
    """Where an arm is, or hangs together with one."""
    sightings: tuple[tuple[Sighting, Part], ...]
    """Indices read just now, and where in the small picture."""


def is_gone(placed: Placed, visible: Mask, pile: Pile, *, now: Present) -> bool:
    """Counts a look in which the card isn't where it lay; true once that has been seen twice.

    Either an older card's index is read where this one would hide it, or what was there before shows again.
    """
    if any(placed.could_show(sighting) for sighting, _ in now.sightings):
        return False
    spots = [spot for spot in placed.spots.values() if visible[spot.part].mean() > 0.8]
    if any(spot.shows_in(now.settled, placed.look) for spot in spots):
        placed.missed = 0
    elif _shows_older(placed, visible, pile, now) or (
        _is_free(placed, spots, visible, now) and _is_bared(placed, visible, now)
    ):
        placed.missed += 1
    return placed.missed >= _LOOKS_NEEDED


def _is_free(placed: Placed, spots: Sequence[Spot], visible: Mask, now: Present) -> bool:
    """Whether no arm is in the way of seeing that the card isn't there."""
    free = now.still & ~now.arms
    if spots:
        return all(free[spot.part].mean() > 0.9 for spot in spots)
    tells = telling(placed, visible)
    return is_enough(tells) and share(free, tells) > 0.9


def _is_bared(placed: Placed, visible: Mask, now: Present) -> bool:
    """Whether what was there before the card shows again, rather than the card."""
    tells = telling(placed, visible) & now.still & ~now.arms
    as_before = looks_like(now.settled, placed.before, tells, _MATCHES)
    return as_before > 0.5 and as_before > looks_like(now.settled, placed.look, tells, _MATCHES) + 0.2


def _shows_older(placed: Placed, visible: Mask, pile: Pile, now: Present) -> bool:
    """Whether an index of a lower card is read where this one lay and something else was to be seen."""
    older = {other.card for other in pile.cards if other.lay < placed.lay}
    return any(
        sighting.sure > 0.8
        and sighting.card in older
        and visible[part].mean() > 0.9
        and (cv2.absdiff(now.settled[part], placed.look[part]) > _MATCHES).mean() > 0.15
        for sighting, part in now.sightings
    )


def is_pile_gone(pile: Pile, *, bare: Grey | None, ground: Grey, now: Present) -> bool:
    """Whether the table shows bare where two or more cards lay; `ground` is how it looked with them."""
    lying = [placed.inside for placed in pile.cards]
    if bare is None or len(lying) < 2 or any(sighting.sure > _READ for sighting, _ in now.sightings):
        return False
    was = np.logical_or.reduce(lying)
    tells = was & (np.abs(ground.astype(np.int16) - bare) > _MATCHES)
    return share(now.still, tells) > 0.95 and looks_like(now.settled, bare, tells, _MATCHES) > 0.9


def cover_lifted_from(placed: Placed, pile: Pile, motion: Motion, arms: Mask) -> Placed | None:
    """The card that has hidden `placed` until now and has just been taken away; None if it was laid in the open.

    Beside the newly seen card the place of the cover shows again what was there before it.
    """
    for cover, visible in pile.downwards()[:1]:
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
