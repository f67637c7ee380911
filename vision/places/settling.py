"""What a change of a place comes to: which cards lie there now, which are gone, and what is told of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.cards import BACK, Card
from engine.events import CardGone, CardLaid, Event, Shown
from engine.seats import Seat
from vision.candidate import Candidate
from vision.evidence import Pose, best
from vision.fit import Edges, fitted
from vision.frames import Frame
from vision.hands import seats_reaching
from vision.motion import Motion, differs
from vision.pile import looks_like, outline_mask
from vision.places.areas import Area, Manner, area_at
from vision.places.backs import Beneath, card_shapes, cards_upon
from vision.places.changes import DOUBTFUL_MM, WORTH_ASKING, Change
from vision.places.lying import Lying, Spread, covered_by, part_around
from vision.scene import ALIKE, SURE_ENOUGH, Ground
from vision.window import Grey, Mask, Window

_STILL_NS = 60_000_000
_TURNED_MM = 24.0
"""A card turned over comes to lie no farther from where it lay."""
_STAYED_MM, _STAYED_DEGREES = 10.0, 15.0
_COVERED = 0.8
_SHOWS, _SHOWS_IN_ROW = 0.55, 0.35
"""How much of a card's outline shows at least; in a row each lies over its neighbour."""
_LEAST_RECENT = 0.3
_OLD_NS = 3_000_000_000
"""What looks as it did for so long was not laid just now: only the light on it has changed, or a hand lay beside it."""
_DOUBT = 0.6
"""How sure it is at most that a card was laid of which nobody knows when."""
_LEAST_NEW = 0.4
"""How much of a card's place has changed at least when it comes to lie there."""
_RIM_MM, _EDGE_MM = 2.5, 1.0
_LEAST_BESIDE_PX, _STANDS = 300, 0.75
"""By so much of a card that others cover it is told whether it still lies there, and so much of that must look so."""
_LEAST_LEFT = 0.1
"""How much of a change other than that cards are gone is still none: shadows at their rims."""
_EARLY = 0.12
"""Of the pixels that a card has changed, so many showed it as soon as it lay there: the hand covers the others."""
_LEAST_TELLING_PX = 20
_HAND_BEFORE_NS, _HAND_AFTER_NS = 130_000_000, 60_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """The picture in which a change is settled."""

    frame: Frame
    motion: Motion
    ground: Ground
    """How everything looked before."""
    still: Mask

    @classmethod
    def of(cls, frame: Frame, motion: Motion, ground: Ground) -> Sight:
        """What is to be seen now."""
        return cls(frame, motion, ground, motion.still_for(_STILL_NS))


@dataclass(frozen=True, slots=True)
class Find:
    """A card that is to be seen."""

    card: Card
    pose: Pose
    area: Area
    sure: float = 1.0
    likely: tuple[Card, ...] = ()


@dataclass(slots=True, eq=False)
class Outcome:
    """What a change comes to."""

    fresh: list[Find] = field(default_factory=list)
    moved: list[tuple[Lying, Find]] = field(default_factory=list)
    """Cards that lie a little elsewhere."""
    turned: list[tuple[Lying, Find]] = field(default_factory=list)
    """What was turned over, and what is to be seen of it now."""
    gone: list[Lying] = field(default_factory=list)

    @property
    def finds(self) -> list[Find]:
        """Everything that is to be seen."""
        return [*self.fresh, *(find for _, find in (*self.moved, *self.turned))]


class Settling:
    """Keeps what lies in the places, and tells what changes of it."""

    def __init__(self, window: Window, areas: Sequence[Area], manner: Manner) -> None:
        self.spread = Spread()
        self.window, self.areas = window, areas
        self._manner = manner
        self._lays = 0

    def settle(self, change: Change, patch: Mask, sight: Sight) -> list[Event]:
        """What `change`, in the pixels of `patch`, comes to; all of it belongs to the ground from now on."""
        near = self._near(patch)
        disturbed = [one for one in near if not self.spread.stands(one, sight.motion.settled, sight.still)]
        standing = [one for one in near if one not in disturbed]
        finds = self._faces(change, patch, disturbed, sight)
        finds += self.backs(patch, sight, finds)
        for one in [one for one in disturbed if self._shows_beside(one, finds, sight)]:
            disturbed.remove(one)
            standing.append(one)
        outcome = Outcome()
        for find in finds:
            self._match(find, disturbed, outcome)
        outcome.gone = [one for one in disturbed if self._is_gone(one, change, outcome, sight)]
        gone, laid = self._carry_out(outcome, sight)
        gone += self._uncovered(standing, sight)
        told = self._tell(laid, sight)
        self._look_again(standing, sight)
        self._accept(patch, sight)
        return [*gone, *told]

    def _is_bare(self, lying: Lying, sight: Sight) -> bool:
        return self.spread.is_bare(lying, sight.motion.settled, sight.still, sight.ground.grey)

    def _near(self, patch: Mask) -> list[Lying]:
        return [lying for lying in self.spread.cards if patch[lying.part].any()]

    # --- what is to be seen ---

    def _faces(self, change: Change, patch: Mask, disturbed: Sequence[Lying], sight: Sight) -> list[Find]:
        """The cards face up that are new to be seen, the surest first."""
        standing = [one for one in self._near(patch) if one not in disturbed]
        read = [find for one in change.candidates if (find := self._read(one, patch, disturbed, sight)) is not None]
        found: list[Find] = []
        for find in sorted(read, key=lambda one: -one.sure):
            # Two cards cannot lie in the very same place: the surer reading is right.
            if not any(_is_there(one, find) for one in standing) and not any(_is_there(one, find) for one in found):
                found.append(find)
        return found

    def _read(self, candidate: Candidate, patch: Mask, disturbed: Sequence[Lying], sight: Sight) -> Find | None:
        """The card face up that a candidate is, put where its outline shows; None where no new card shows."""
        chances = best(candidate.evidence.chances())
        card, sure = chances[0]
        pose = candidate.pose
        edges = Edges(sight.frame.picture, self.window.layout, pose.x, pose.y)
        fit = fitted(edges, pose, candidate.read_at, self.window.layout.card_mm)
        area = area_at(self.areas, fit.pose.x, fit.pose.y)
        if area is None or sure < WORTH_ASKING or fit.shown < (_SHOWS_IN_ROW if area.is_own else _SHOWS):
            return None
        backs = [one for one in disturbed if one.is_back and _distance(one.pose, fit.pose) < _TURNED_MM]
        if not self._is_new(outline_mask(self.window, fit.pose), patch, backs):
            return None
        return Find(card, fit.pose, area, sure, () if sure >= SURE_ENOUGH else tuple(other for other, _ in chances))

    def _is_new(self, inside: Mask, patch: Mask, backs: Sequence[Lying]) -> bool:
        """Whether enough of that card's place has changed, or enough of what shows of a back that was turned there."""
        if patch[inside].mean() >= _LEAST_NEW:
            return True
        return any(patch[one.part][self.spread.visible(one)].mean() >= _LEAST_NEW for one in backs)

    def backs(self, patch: Mask, sight: Sight, finds: Sequence[Find] = ()) -> list[Find]:
        """Cards face down: what has changed besides cards that are read and places that are bare again."""
        left = patch.copy()
        for find in finds:
            left &= ~outline_mask(self.window, find.pose, -_RIM_MM)
        beneath = []
        for lying in self._near(patch):
            if self._is_bare(lying, sight):
                left &= ~outline_mask(self.window, lying.pose, -_RIM_MM)
            elif self.has_row(lying.area) and self.spread.shows(lying, sight.motion.settled, sight.still):
                beneath.append(lying.pose)
        poses = self._upon(beneath, left, sight) if beneath else card_shapes(left, self.window)
        placed = [(pose, area_at(self.areas, pose.x, pose.y)) for pose in poses]
        return [Find(BACK, pose, area) for pose, area in placed if area is not None]

    def _upon(self, beneath: Sequence[Pose], left: Mask, sight: Sight) -> list[Pose]:
        cover = np.logical_or.reduce([outline_mask(self.window, pose, -_EDGE_MM) for pose in beneath])
        return cards_upon(left, Beneath(beneath, cover), sight.frame.picture, self.window)

    def is_cleared(self, patch: Mask, sight: Sight) -> bool:
        """Whether all that has changed is that cards are gone, as what they lay on shows."""
        left, now = patch.copy(), sight.motion.settled
        for lying in self._near(patch):
            if not self.spread.stands(lying, now, sight.still) and not self._is_bare(lying, sight):
                return False
            left &= ~outline_mask(self.window, lying.pose, -_RIM_MM)
        return bool(left.sum() < _LEAST_LEFT * patch.sum())

    def has_row(self, area: Area) -> bool:
        """Whether it is a seat's own area in which cards come face down in a row."""
        return self._manner.has_rows and area.is_own

    def _shows_beside(self, lying: Lying, finds: Sequence[Find], sight: Sight) -> bool:
        """Whether enough of a card looks as it did beside new ones that cover the rest."""
        beside = self.spread.visible(lying) & sight.still[lying.part] & lying.known
        for find in finds:
            beside &= ~outline_mask(self.window, find.pose, -_RIM_MM)[lying.part]
        if np.count_nonzero(beside) < _LEAST_BESIDE_PX:
            return False
        return looks_like(sight.motion.settled[lying.part], lying.look, beside, ALIKE) > _STANDS

    def _match(self, find: Find, disturbed: list[Lying], outcome: Outcome) -> None:
        """Puts a find down as a card that was moved, one that was turned over, or a new one."""
        here = [one for one in disturbed if one.area == find.area]
        same = [one for one in here if one.card is find.card and (not one.is_back or _away(one, find) < _TURNED_MM)]
        other = [one for one in here if one.is_back is not (find.card is BACK) and _away(one, find) < _TURNED_MM]
        kept = min(same or other, key=lambda one: _away(one, find), default=None)
        if kept is None:
            outcome.fresh.append(find)
            return
        disturbed.remove(kept)
        (outcome.moved if same else outcome.turned).append((kept, find))

    def _is_gone(self, lying: Lying, change: Change, outcome: Outcome, sight: Sight) -> bool:
        """Whether what it lay on shows in its place, or what has come would not hide it so well."""
        if self._is_bare(lying, sight):
            return True
        if lying.is_back and any(_distance(one.pose, lying.pose) < _TURNED_MM for one in change.candidates):
            return False  # turned up, but nobody can read it yet
        where = np.zeros_like(lying.inside)
        where[lying.part] = self.spread.visible(lying)
        return covered_by(where, [outline_mask(self.window, find.pose) for find in outcome.finds]) < _COVERED

    # --- what lies there from now on ---

    def _carry_out(self, outcome: Outcome, sight: Sight) -> tuple[list[Event], list[tuple[Lying, Find]]]:
        """Changes the spread; returns what is told of cards that are gone, and the cards that have come."""
        kept = [*outcome.moved, *outcome.turned]
        bare = self.spread.without([*outcome.gone, *(one for one, _ in kept)], sight.ground.grey)
        laid: list[tuple[Lying, Find]] = []
        for old, find in kept:
            new = self._lying(find, bare, sight)
            self.spread.cards[self.spread.cards.index(old)] = new
            if new.card in (old.card, old.hidden):
                new.touch_ns, new.within_ns, new.lay = old.touch_ns, old.within_ns, old.lay
                new.hidden = old.hidden if new.is_back else None
            elif new.is_back:
                new.hidden, new.lay = old.card, old.lay
            else:
                laid.append((new, find))
        fresh = [(self._lying(find, bare, sight), find) for find in outcome.fresh]
        gone = [event for lying in outcome.gone for event in self._take(lying, sight)]
        fresh.sort(key=lambda one: one[0].touch_ns)
        self.spread.cards += [lying for lying, _ in fresh]
        return gone, laid + fresh

    def _uncovered(self, near: list[Lying], sight: Sight) -> list[Event]:
        """Cards that seemed to lie under those that are gone now, and went with them."""
        now, still = sight.motion.settled, sight.still
        events: list[Event] = []
        while True:
            away = [one for one in near if not self.spread.stands(one, now, still)]
            away = [one for one in away if self._is_bare(one, sight)]
            if not away:
                return events
            near.remove(away[0])
            events += self._take(away[0], sight)

    def _lying(self, find: Find, bare: Grey, sight: Sight) -> Lying:
        inside, part = outline_mask(self.window, find.pose), part_around(self.window, find.pose)
        now, motion = sight.motion.settled, sight.motion
        told_by = inside & sight.still & differs(now, bare, motion.threshold)
        if np.count_nonzero(told_by) < _LEAST_TELLING_PX:
            told_by = inside
        recent = told_by & ~motion.still_for(_OLD_NS)
        if np.count_nonzero(recent) > _LEAST_RECENT * np.count_nonzero(told_by):
            told_by = recent
        within_ns = motion.looks[-1].within_ns
        return Lying(
            card=find.card,
            pose=find.pose,
            area=find.area,
            inside=inside,
            part=part,
            before=bare[part].copy(),
            look=now[part].copy(),
            known=(inside & sight.still)[part],
            touch_ns=motion.since_ns(told_by, _EARLY) - within_ns,
            within_ns=2 * within_ns,
        )

    def _look_again(self, near: Sequence[Lying], sight: Sight) -> None:
        """How the cards look that stand, now that something has changed about them."""
        now = sight.motion.settled
        for lying in near:
            where = self.spread.visible(lying) & sight.still[lying.part]
            lying.look[where] = now[lying.part][where]
            lying.known |= where

    def _accept(self, patch: Mask, sight: Sight) -> None:
        where = patch.copy()
        for lying in self.spread.cards:
            if patch[lying.part].any():
                where |= lying.inside & sight.still
        sight.ground.accept(where, sight.motion)

    # --- what is told ---

    def _take(self, lying: Lying, sight: Sight) -> list[Event]:
        self.spread.take(lying)
        if lying.lay is None:
            return []
        look = sight.motion.looks[-1]
        return [CardGone(t_ns=look.t_ns, within_ns=look.within_ns, card=lying.card, lay=lying.lay)]

    def _tell(self, laid: list[tuple[Lying, Find]], sight: Sight) -> list[Event]:
        oldest_ns = sight.frame.t_ns - _OLD_NS
        told = [(lying, find) for lying, find in laid if self._is_told(lying)]
        recent = [one for one in told if one[0].touch_ns > oldest_ns]
        told = recent + [(one, _in_doubt(find)) for one, find in told if one.touch_ns <= oldest_ns and one.is_new]
        events: list[Event] = []
        for area in {lying.area.name: lying.area for lying, _ in told}.values():
            here = [(lying, find) for lying, find in told if lying.area == area]
            if len(here) > 1 and area.seat is not None and area.is_own and not self._manner.has_rows:
                events.append(self._shown(area, area.seat, [lying for lying, _ in here]))
            else:
                events += [self._laid(lying, find, sight) for lying, find in here]
        return events

    def _is_told(self, lying: Lying) -> bool:
        return not lying.is_back or self.has_row(lying.area)

    def _shown(self, area: Area, seat: Seat, fresh: Sequence[Lying]) -> Shown:
        """Several cards at once before a seat: they are shown, with those that lie open there already."""
        last = max(fresh, key=lambda lying: lying.touch_ns)
        return Shown(t_ns=last.touch_ns, within_ns=last.within_ns, seat=seat, cards=self.spread.faces(area))

    def _laid(self, lying: Lying, find: Find, sight: Sight) -> CardLaid:
        self._lays += 1
        lying.lay = self._lays
        return CardLaid(
            t_ns=lying.touch_ns,
            within_ns=lying.within_ns,
            rest_ns=lying.touch_ns + lying.within_ns,
            card=lying.card,
            lay=lying.lay,
            sure=find.sure,
            likely=find.likely,
            hand=self._hand(lying, sight),
            zone=self._zone(lying),
        )

    def _zone(self, lying: Lying) -> str:
        told = lying.area.told(lying.pose.x, lying.pose.y)
        if not self.has_row(lying.area) or lying.is_back:
            return told
        return f"{told}-{1 + self.spread.row(lying.area).index(lying)}"

    def _hand(self, lying: Lying, sight: Sight) -> frozenset[Seat]:
        """Whose card it is: by its place, where every seat has its own, else by the hand that was there."""
        if self.has_row(lying.area):
            return frozenset()
        if lying.area.seat is not None:
            return frozenset((lying.area.seat,))
        early = lying.touch_ns - _HAND_BEFORE_NS
        late = lying.touch_ns + lying.within_ns + _HAND_AFTER_NS
        looks = [look for look in sight.motion.looks if early <= look.t_ns <= late]
        return seats_reaching(looks, before=sight.ground.colour, inside=lying.inside, window=self.window)


def _in_doubt(find: Find) -> Find:
    """The same find, of which a person is asked."""
    return replace(find, sure=min(find.sure, _DOUBT), likely=find.likely or (find.card,))


def _away(lying: Lying, find: Find) -> float:
    return _distance(lying.pose, find.pose)


def _is_there(one: Lying | Find, find: Find) -> bool:
    """Whether `find` is but `one` seen again; in doubt also where no card could lie so near another one's middle."""
    if one.card is BACK:
        return False
    is_doubtful = find.sure < SURE_ENOUGH and _distance(one.pose, find.pose) < DOUBTFUL_MM
    return is_doubtful or one.pose.is_near(find.pose, mm=_STAYED_MM, degrees=_STAYED_DEGREES)


def _distance(one: Pose, other: Pose) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
