"""The cards that lie in the places, lowest first, and how each of them looks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from engine.cards import BACK, Card
from vision.evidence import Pose
from vision.pile import looks_like
from vision.places.areas import Area
from vision.scene import ALIKE
from vision.window import Grey, Mask, Part, Window

_BURIED_PX = 60
"""Of a card of which less than this is to be seen nothing can be said."""
_STANDS, _SHOWS, _BARE = 0.75, 0.2, 0.65
_SAME_PRINT = 0.7
"""Correlation from which two looks are of the same print in another light."""


@dataclass(slots=True, eq=False)
class Lying:
    """One card as it lies; `look`, `before` and `known` are of the pixels of `part`."""

    card: Card
    """`BACK`: face down."""
    pose: Pose
    area: Area
    inside: Mask
    """The pixels it covers, of the whole small picture."""
    part: Part
    """Rows and columns around them."""
    before: Grey
    """What was there without it."""
    look: Grey
    """What is there with it."""
    known: Mask
    """Where it has been seen."""
    touch_ns: int
    within_ns: int
    lay: int | None = None
    """Its number, where it was told."""
    hidden: Card | None = None
    """What lies face down there, where that has been seen."""

    @property
    def is_new(self) -> bool:
        """Whether something else was to be seen there before, not this card in another light."""
        where = self.known & (self.look != self.before)
        if np.count_nonzero(where) < _BURIED_PX:
            return False
        return float(np.corrcoef(self.before[self.known], self.look[self.known])[0, 1]) < _SAME_PRINT

    @property
    def is_back(self) -> bool:
        """Whether it lies face down."""
        return self.card is BACK


@dataclass(slots=True)
class Spread:
    """All cards that lie."""

    cards: list[Lying] = field(default_factory=list)

    def visible(self, lying: Lying) -> Mask:
        """The pixels of `lying.part` in which the card is to be seen, where nothing else lies on it."""
        free = lying.inside[lying.part].copy()
        for other in self.cards[self.cards.index(lying) + 1 :]:
            free &= ~other.inside[lying.part]
        return free

    def stands(self, lying: Lying, now: Grey, still: Mask) -> bool:
        """Whether it lies as it did, or nothing of it can be seen."""
        return self._likeness(lying, now, still) > _STANDS

    def shows(self, lying: Lying, now: Grey, still: Mask) -> bool:
        """Whether some of it looks as it did."""
        return self._likeness(lying, now, still) > _SHOWS

    def _likeness(self, lying: Lying, now: Grey, still: Mask) -> float:
        where = self.visible(lying) & still[lying.part] & lying.known
        return looks_like(now[lying.part], lying.look, where, ALIKE) if np.count_nonzero(where) >= _BURIED_PX else 1.0

    def is_bare(self, lying: Lying, now: Grey, still: Mask, ground: Grey) -> bool:
        """Whether what it lay on shows in its place; `ground`: how all looked when the cards lay there.

        Cards that lay over each other may have gone together.
        """
        where = self.visible(lying) & still[lying.part] & lying.known
        if looks_like(now[lying.part], lying.before, where, ALIKE) > _BARE:
            return True
        away = [one for one in self.cards if one.area == lying.area and not self.stands(one, now, still)]
        if len(away) < 2 or lying not in away:
            return False
        return looks_like(now[lying.part], self.without(away, ground)[lying.part], where, ALIKE) > _BARE

    def row(self, area: Area) -> list[Lying]:
        """The cards of one place in the order in which they came."""
        return [lying for lying in self.cards if lying.area == area]

    def faces(self, area: Area) -> tuple[Card, ...]:
        """The cards that lie face up in one place."""
        return tuple(lying.card for lying in self.row(area) if not lying.is_back)

    def take(self, gone: Lying) -> None:
        """A card is gone: what lay beneath it is now what the cards above it lie on."""
        place = self.cards.index(gone)
        for other in self.cards[place + 1 :]:
            _pass_down(gone, other)
        del self.cards[place]

    def without(self, away: Iterable[Lying], ground: Grey) -> Grey:
        """The places as they would look if these cards did not lie there."""
        bare, rest = ground.copy(), Spread([replace(one, before=one.before.copy()) for one in self.cards])
        for lying in [rest.cards[place] for place in sorted(self.cards.index(one) for one in away)]:
            where = rest.visible(lying)
            bare[lying.part][where] = lying.before[where]
            rest.take(lying)
        return bare


def _pass_down(gone: Lying, other: Lying) -> None:
    whole = np.zeros(other.inside.shape, dtype=np.uint8)
    whole[gone.part] = gone.before
    where = (gone.inside & other.inside)[other.part]
    other.before[where] = whole[other.part][where]


def part_around(window: Window, pose: Pose) -> Part:
    """Rows and columns around a card."""
    return window.box_of(pose.outline(window.layout.card_mm)).grown(1, window.shape).slices


def covered_by(where: Mask, covers: Iterable[Mask]) -> float:
    """Share of the pixels that lie under one of the `covers`; 1 where there are none."""
    total = int(np.count_nonzero(where))
    left = where.copy()
    for cover in covers:
        left &= ~cover
    return 1.0 - np.count_nonzero(left) / total if total else 1.0
