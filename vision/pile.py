"""The cards that lie in the pile, bottom to top, and what the pile's pictures say about each of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from engine.seats import Seat
from vision.evidence import Evidence, Pose, Sighting
from vision.window import Grey, Mask, Part, Window

LAY_STEP = 100
"""Numbers left free between lays, for a card that is found later to lie between two others."""
_PLAIN = 20  # brightness by which two looks must differ at a pixel for it to tell them apart
_PRINT = 40
_LEAST_PIXELS = 30
HARDLY = 0.04
"""Below this share a card is hardly what was read."""
_ALIKE_MM = 20.0
CLEAR = 0.98
"""An index read so surely is not half covered."""
_SAME_SPOT_MM, _LOOSE_MM, _LOOSE_DEGREES = 7.0, 14.0, 18.0
_HALF_SEEN_MM = 10.0  # half covered, an index seems to lie elsewhere
_UPPER = 12  # cards further down hardly show


@dataclass(frozen=True, slots=True)
class Spot:
    """Where an index has been seen."""

    at: tuple[float, float]
    """mm."""
    part: Part
    """Its pixels in the small picture."""

    def shows_in(self, now: Grey, then: Grey) -> bool:
        """Whether it looks as it did."""
        return bool((cv2.absdiff(now[self.part], then[self.part]) > _PLAIN).mean() < 0.05)


@dataclass(slots=True, eq=False)
class Placed:
    """One card as it lies in the pile."""

    card: Card
    pose: Pose
    evidence: Evidence
    inside: Mask
    """The pixels it covers."""
    before: Grey
    """What the pile looked like without it."""
    before_known: Mask
    """Where that is sure to have been without a hand."""
    look: Grey
    """What the pile looked like once it lay there."""
    known: Mask
    """Where that has been seen with no hand near."""
    spots: dict[bool, Spot]
    """Where its upper and its lower index have been seen."""
    touch_ns: int
    within_ns: int
    laid_at_ns: int
    """Time of the frame in which it was recognised."""
    sure: float
    stood_ns: int = 0
    """When it was last certain that it lies there."""
    hand: frozenset[Seat] = frozenset()
    rival: int | None = None
    lay: int = 0
    missed: int = 0
    """Looks in a row in which it was not where it had lain."""
    lost_ns: int | None = None
    """When it was first seen not to lie where it had lain; None: it does."""
    adrift_ns: int | None = None
    """When it was pushed under cover, so that its place is not known; None: it is."""

    @property
    def is_adrift(self) -> bool:
        """Whether its place is not known."""
        return self.adrift_ns is not None

    def from_indices(self, sighting: Sighting) -> float:
        """How far the index lies from where the card's indices have been seen or must be, mm."""
        places = [spot.at for spot in self.spots.values()]
        places += [self.pose.index(is_upper=True), self.pose.index(is_upper=False)]
        return min(math.dist(place, (sighting.x, sighting.y)) for place in places)

    def is_alike(self, card: Card) -> bool:
        """Whether only the shape of the pip tells the two apart: the part of an index that is covered first."""
        return card.rank is self.card.rank and card.suit.is_red == self.card.suit.is_red

    def has_shown_at(self, x_mm: float, y_mm: float) -> bool:
        """Whether one of its indices has been seen about there."""
        return any(math.dist(spot.at, (x_mm, y_mm)) < 2 * _SAME_SPOT_MM for spot in self.spots.values())

    def could_show(self, sighting: Sighting) -> bool:
        """Whether the index may be this card's, lying where it lay; half covered, it tells little of pose and suit."""
        if self.is_adrift:
            return False
        chance = float(sighting.chances[DECK_52.index(self.card)])
        away = min((math.dist(spot.at, (sighting.x, sighting.y)) for spot in self.spots.values()), default=math.inf)
        if away < _SAME_SPOT_MM and chance > HARDLY * sighting.sure:
            return True
        if sighting.sure < CLEAR and sighting.card.rank is self.card.rank:
            return self.from_indices(sighting) < _HALF_SEEN_MM
        if self.is_alike(sighting.card) and sighting.sure < CLEAR:
            is_near = self.pose.is_near(sighting.pose, mm=2 * _LOOSE_MM, degrees=2 * _LOOSE_DEGREES)
            return self.from_indices(sighting) < (_ALIKE_MM if is_near else 2 * _SAME_SPOT_MM)
        return chance > 0.5 and self.pose.is_near(sighting.pose, mm=_LOOSE_MM, degrees=_LOOSE_DEGREES)


@dataclass(slots=True)
class Pile:
    """Cards bottom to top; `lay` numbers rise with them."""

    cards: list[Placed] = field(default_factory=list)
    _highest: int = 0
    _lowest: int = 0
    _cover: list[tuple[Placed, Mask]] | None = None

    def put(self, card: Placed, *, above: int | None = None) -> None:
        """Adds a card on top, or on top of the `above` lowest ones, and gives it its number."""
        place = len(self.cards) if above is None else above
        if place == len(self.cards):
            self._highest += LAY_STEP
            card.lay = self._highest
        else:
            floor = self.cards[place - 1].lay if place else self._lowest
            card.lay = (floor + self.cards[place].lay) // 2
        self.cards.insert(place, card)
        self.forget_cover()

    def take(self, card: Placed) -> None:
        """Removes a card, wherever it lies."""
        self.cards.remove(card)
        self.forget_cover()

    def clear(self) -> None:
        """Removes all."""
        self.cards.clear()
        self._lowest = self._highest
        self.forget_cover()

    def named(self, card: Card) -> Placed | None:
        """The one of that name, if it is in the pile."""
        return next((placed for placed in self.cards if placed.card is card), None)

    def downwards(self) -> list[tuple[Placed, Mask]]:
        """The upper cards, top first, each with the pixels that no later card covers."""
        if self._cover is None:
            self._cover = list(self._uncovered())
        return self._cover

    def forget_cover(self) -> None:
        """To be called when a card's `inside` has changed."""
        self._cover = None

    def _uncovered(self) -> Iterator[tuple[Placed, Mask]]:
        lying = [placed for placed in reversed(self.cards) if not placed.is_adrift][:_UPPER]
        free = np.ones_like(lying[0].inside) if lying else np.zeros((0, 0), dtype=np.bool_)
        for placed in lying:
            yield placed, placed.inside & free
            free = free & ~placed.inside


def share(part: Mask, whole: Mask) -> float:
    """How much of `whole` is in `part`, 0 to 1; 0 where `whole` is too small to tell."""
    total = np.count_nonzero(whole)
    return float(np.count_nonzero(part & whole)) / total if total >= _LEAST_PIXELS else 0.0


def is_enough(mask: Mask) -> bool:
    """Whether there are enough pixels to judge by."""
    return bool(np.count_nonzero(mask) >= _LEAST_PIXELS)


def looks_like(now: Grey, then: Grey, where: Mask, tolerance: float) -> float:
    """Share of the pixels at which the picture is as it was, 0 to 1."""
    return share(np.asarray(cv2.absdiff(now, then) <= tolerance, dtype=np.bool_), where)


def telling(placed: Placed, visible: Mask) -> Mask:
    """The pixels that tell whether the card lies there or not."""
    known = visible & placed.known & placed.before_known
    return known & np.asarray(cv2.absdiff(placed.before, placed.look) > _PLAIN, dtype=np.bool_)


def printed(look: Grey, where: Mask) -> Mask:
    """Pixels of `where` that are printed on, not plain paper."""
    if not where.any():
        return where
    paper = float(np.percentile(look[where], 80))
    return where & np.asarray(look < paper - _PRINT, dtype=np.bool_)


def outline_mask(window: Window, pose: Pose, inset_mm: float = 0.0) -> Mask:
    """The pixels of a card lying at `pose`."""
    return window.polygon(pose.outline(window.layout.card_mm, inset_mm=inset_mm))


def covers(pose: Pose, card_mm: tuple[float, float], points_mm: Sequence[tuple[float, float]], inset_mm: float) -> bool:
    """Whether a card at `pose` covers one of the points, by at least `inset_mm`."""
    if not points_mm:
        return False
    own: NDArray[np.float64] = np.abs(pose.own(np.array(points_mm)))
    return bool(((own[:, 0] < card_mm[0] / 2 - inset_mm) & (own[:, 1] < card_mm[1] / 2 - inset_mm)).any())
