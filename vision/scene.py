"""What is known of the pile and its surroundings at this moment: shared by those who find out what has changed."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.cards import Card
from engine.events import CardLaid
from vision.candidate import Candidate
from vision.evidence import Chances, Pose, best
from vision.frames import Frame, Picture
from vision.hands import arms
from vision.motion import Look, Motion
from vision.pile import Pile, Placed, looks_like, outline_mask, telling
from vision.window import Grey, Mask, Window

SURE_ENOUGH = 0.9
"""From this probability on a card counts as read."""
ALIKE = 18.0
"""Brightness by which a pixel may differ and still show the same."""
_STANDS = 0.7
_CALM_NS = 150_000_000
_OUTLINE_MARGIN_MM = 3.0


@dataclass(slots=True, eq=False)
class Ground:
    """How everything looks without hands."""

    grey: Grey
    colour: Picture
    known: Mask
    """Where that has been seen with no hand near; elsewhere there may have been one."""

    @classmethod
    def of(cls, look: Look) -> Ground:
        """The table as it lies there."""
        return cls(look.grey.copy(), look.colour.copy(), np.ones_like(look.grey, dtype=np.bool_))

    def accept(self, where: Mask, motion: Motion, *, is_known: bool = True) -> None:
        """These pixels are as they should be now."""
        np.copyto(self.known, is_known, where=where)
        mask = where.view(np.uint8)
        cv2.copyTo(motion.settled, mask, self.grey)
        cv2.copyTo(motion.settled_colour, mask, self.colour)


@dataclass(slots=True, eq=False)
class Scene:
    """The pile, what may be new in it, and what it looks like."""

    window: Window
    motion: Motion = field(default_factory=Motion)
    pile: Pile = field(default_factory=Pile)
    candidates: list[Candidate] = field(default_factory=list)
    is_starting: bool = True
    """Whether the cards lay there before anybody looked."""
    frame: Frame = field(init=False)
    ground: Ground = field(init=False)

    @property
    def look(self) -> Look:
        """The newest small picture."""
        return self.motion.looks[-1]

    @property
    def card_mm(self) -> tuple[float, float]:
        """Width and height of a card."""
        return self.window.layout.card_mm

    def outline(self, pose: Pose, inset_mm: float = 0.0) -> Mask:
        """The pixels of a card lying at `pose`."""
        return outline_mask(self.window, pose, inset_mm)

    def arms(self) -> Mask:
        """What reaches in from outside."""
        return arms(self.look.colour, self.ground.colour)

    def accept(self, where: Mask, *, is_known: bool = True) -> None:
        """These pixels are as they should be without any hand; not known: there may be one."""
        self.ground.accept(where, self.motion, is_known=is_known)

    def free(self, reaching: Mask) -> Mask:
        """What has lain still with no arm over it and nothing open about it: that is how the table looks."""
        free = self.motion.still_for(_CALM_NS) & ~reaching
        for candidate in self.candidates:
            free &= ~self.outline(candidate.pose, -_OUTLINE_MARGIN_MM)
        return free

    def note_standing(self) -> None:
        """Notes of which cards it is to be seen that they still lie there."""
        for placed, visible in self.pile.downwards():
            if looks_like(self.motion.settled, placed.look, telling(placed, visible), ALIKE) > _STANDS:
                placed.stood_ns, placed.lost_ns = self.look.t_ns, None

    def chances(self, candidate: Candidate) -> Chances:
        """(53,) which card it may be: none that still lay elsewhere when this one had been seen already."""
        standing = {placed.card for placed in self.pile.cards if placed.stood_ns >= candidate.since_ns}
        return candidate.evidence.chances(standing, unlikely={p.card for p in self.pile.cards} - standing)

    def others(self, placed: Placed) -> set[Card]:
        """The other cards of the pile."""
        return {other.card for other in self.pile.cards if other is not placed}

    def take(self, placed: Placed) -> None:
        """A card is gone: what lay beneath it is now what the cards above it lie on."""
        free = placed.inside.copy()
        for other in self.pile.cards[self.pile.cards.index(placed) + 1 :]:
            part = other.inside & free
            other.before[part], other.before_known[part] = placed.before[part], placed.before_known[part]
            free &= ~other.inside
        self.pile.take(placed)
        self.accept(placed.inside)

    def tell(self, placed: Placed) -> CardLaid:
        """The event that says what is known of a card of the pile."""
        chances = best(placed.evidence.chances(unlikely=self.others(placed)))
        return CardLaid(
            t_ns=placed.touch_ns,
            within_ns=placed.within_ns,
            card=placed.card,
            lay=placed.lay,
            rest_ns=placed.touch_ns + placed.within_ns,
            sure=placed.sure,
            likely=() if placed.sure >= SURE_ENOUGH else tuple(card for card, _ in chances),
            hand=placed.hand,
            rival=placed.rival,
        )
