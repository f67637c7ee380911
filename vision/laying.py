"""Which of the things that may be cards just laid are cards just laid: when, by whose hand, above or below which."""

from __future__ import annotations

import numpy as np

from engine.cards import Card
from engine.events import CardGone, CardLaid
from engine.seats import Seat
from vision.again import has_left, is_buried, is_laid_again, missing, move
from vision.candidate import Candidate
from vision.dating import Dating
from vision.evidence import NO_CARD, best
from vision.fit import Edges, fitted
from vision.gone import cover_lifted_from
from vision.hands import seats_reaching
from vision.motion import Look, differs
from vision.order import place_in
from vision.pile import Placed, looks_like, printed, share
from vision.reader import Reader
from vision.scene import ALIKE, SURE_ENOUGH, Scene
from vision.touch import Touch
from vision.window import Mask, Part

_SURE_AT_ONCE, _LOOK_AGAIN_NS = 0.98, 160_000_000  # who is less sure looks a few frames longer
_STILL_NS = 25_000_000
_LIES_NS, _UNSTIRRED = 60_000_000, 0.9
_WORTH_ASKING = 0.55
_ASK_AFTER_NS = 450_000_000  # a lay that cannot be read better is told as a question after this
_ASK_ANYWAY_NS = 2_000_000_000
_UNSEEN_NS, _GIVE_UP_NS = 400_000_000, 3_000_000_000
_LEAST_TELLING_PX = 12
_HAND_BEFORE_NS, _HAND_AFTER_NS = 75_000_000, 40_000_000
_MEANWHILE_NS, _MOMENT_NS = 300_000_000, 50_000_000
_BEYOND_DOUBT, _READS_ENOUGH, _OUTLINE_SHOWS, _HAND_OVER = 0.99, 4, 0.67, 0.05
_SHOWS_ELSEWHERE_NS = 400_000_000  # by then a card that was pushed is read itself
_READ_EARLY_NS = 100_000_000
_COVERED_WITHIN_NS = 60_000_000
_OPEN_NS = 700_000_000  # what has lain open for so long has been seen
_SUDDEN_NS = 1_000_000_000  # a card laid again shows all at once
_TWIN_MM, _TWIN_DEGREES = 12.0, 20.0
_SAME_PLACE_MM, _SAME_PLACE_DEGREES = 6.0, 5.0
_INSET_MM, _CONTRADICTS = 3.0, 0.6

Laid = list[CardLaid | CardGone]


class Laying:
    """Decides about the scene's candidates."""

    def __init__(self, scene: Scene, reader: Reader) -> None:
        self._scene = scene
        self._dating = Dating(scene, reader)

    def decide(self) -> Laid:
        """What has been laid, as far as it has become certain, and what must have been taken away before."""
        ready: list[tuple[Candidate, Touch]] = []
        gone: Laid = []
        self._dating.forget()
        self._scene.note_standing()
        for candidate in self._scene.candidates.copy():
            placed = self._in_pile(candidate)
            if placed is not None and has_left(self._scene, placed):
                self._move(placed, candidate)
            elif not self._is_ready(candidate):
                self._drop_hopeless(candidate)
            elif placed is None:
                ready.append((candidate, self._dating.touch(candidate)))
            elif self._is_again(placed, candidate):
                gone.append(_gone(placed, self._scene.look))
                self._scene.take(placed)
                ready.append((candidate, self._dating.touch(candidate)))
        return gone + sorted(self._lay_all(ready), key=lambda event: event.lay)

    def _lay_all(self, ready: list[tuple[Candidate, Touch]]) -> Laid:
        """Lays the one that shows best first; another one may be nothing but an index that it half covers."""
        told: Laid = []
        taken = np.zeros_like(self._scene.look.grey, dtype=np.bool_)
        for candidate, touch in sorted(ready, key=lambda one: -one[0].shown):
            inside = self._scene.outline(candidate.pose)
            if self._scene.pile.named(self._best(candidate)[0]) is not None:
                self._scene.candidates.remove(candidate)  # two indices of one card that did not seem to belong together
            elif not taken[inside].any() or self._is_ready(candidate):
                taken |= inside
                told += self._lay(candidate, touch)
        return told

    def _best(self, candidate: Candidate) -> tuple[Card, float]:
        return best(self._scene.chances(candidate))[0]

    def _in_pile(self, candidate: Candidate) -> Placed | None:
        card, sure = self._best(candidate)
        return self._scene.pile.named(card) if sure >= SURE_ENOUGH else None

    def _move(self, placed: Placed, candidate: Candidate) -> None:
        self._scene.candidates.remove(candidate)
        move(self._scene, placed, candidate)

    def _is_again(self, placed: Placed, candidate: Candidate) -> bool:
        """Whether a buried card has been laid again; if it only shows again, or elsewhere, that is noted."""
        age_ns = self._scene.look.t_ns - candidate.since_ns
        if placed.pose.is_near(candidate.pose, mm=_SAME_PLACE_MM, degrees=_SAME_PLACE_DEGREES):
            self._scene.candidates.remove(candidate)
            return False
        if missing(self._scene, but=self._scene.outline(candidate.pose, -_INSET_MM)):
            self._move(placed, candidate)
            return False
        again = is_laid_again(self._scene, placed, candidate.pose, [spot.at for spot in candidate.spots.values()])
        if again is None and is_buried(self._scene, placed) and age_ns <= _SUDDEN_NS // 3:
            return False
        if again is None and not is_buried(self._scene, placed):
            again = False
        if again is not False and age_ns < _SUDDEN_NS:
            return True
        self._move(placed, candidate)
        return False

    # --- whether it is a card ---

    def _is_ready(self, candidate: Candidate) -> bool:
        now_ns = self._scene.look.t_ns
        if not candidate.is_steady or candidate.last_ns != now_ns or not self._lies_still(candidate):
            return False
        if not self._scene.is_starting and not self._is_new(candidate):
            return False
        self._fit(candidate)
        if not self._scene.is_starting and self._is_something_else(candidate):
            return False
        sure, age_ns = self._best(candidate)[1], now_ns - candidate.since_ns
        if sure >= (SURE_ENOUGH if age_ns > _LOOK_AGAIN_NS else _SURE_AT_ONCE):
            return True
        return age_ns >= _ASK_AFTER_NS and sure > _WORTH_ASKING and self._is_calm(candidate)

    def _is_something_else(self, candidate: Candidate) -> bool:
        """Whether what is read is no card just laid, or may not be."""
        if self._is_contradicted(candidate) or self._lacks_outline(candidate):
            return True
        if self._was_read_elsewhere(candidate):
            self._scene.candidates.remove(candidate)
            return True
        return self._may_be_missing_one(candidate)

    def _lies_still(self, candidate: Candidate) -> bool:
        """Whether the print of an index has not stirred at all: a hand that holds a card in the air always wavers."""
        motion = self._scene.motion
        still = motion.still_for(_LIES_NS)
        parts = [spot.part for spot in candidate.spots.values()]
        inked = [(part, printed(motion.settled[part], np.ones_like(still[part]))) for part in parts]
        return any(ink.any() and bool(still[part][ink].mean() > _UNSTIRRED) for part, ink in inked)

    def _fit(self, candidate: Candidate) -> None:
        """Puts it where its outline shows in the picture."""
        pose = candidate.pose
        edges = Edges(self._scene.frame.picture, self._scene.window.layout, pose.x, pose.y)
        fit = fitted(edges, pose, candidate.read_at, self._scene.card_mm)
        candidate.settle(fit.pose, self._scene.card_mm)
        candidate.shown = fit.shown

    def _lacks_outline(self, candidate: Candidate) -> bool:
        """Whether it is in doubt and too little of its outline shows with no hand over it: a new card lies on top."""
        if candidate.evidence.reads < _READS_ENOUGH or self._best(candidate)[1] >= _BEYOND_DOUBT:
            return False
        is_open = share(self._scene.arms(), self._scene.outline(candidate.pose)) < _HAND_OVER
        return is_open and candidate.shown < _OUTLINE_SHOWS

    def _may_be_missing_one(self, candidate: Candidate) -> bool:
        """Whether it may be a card that was pushed away from its place, rather than one laid on top of all."""
        scene, (card, sure) = self._scene, self._best(candidate)
        if any(placed.is_alike(card) and self._stands_there(placed, candidate) for placed in scene.pile.cards):
            return True
        lost = missing(scene, but=scene.outline(candidate.pose, -_INSET_MM))
        if not lost:
            return False
        twin = next((placed for placed in lost if placed.is_alike(card)), None)
        if twin is not None and scene.look.t_ns - candidate.since_ns > _SHOWS_ELSEWHERE_NS:
            self._move(twin, candidate)
        return twin is not None or (sure < _BEYOND_DOUBT and not self._is_open_on_top(candidate))

    def _stands_there(self, placed: Placed, candidate: Candidate) -> bool:
        """Whether a card lies in that very place, to be seen: a new one would hide its print."""
        is_near = placed.pose.is_near(candidate.pose, mm=_TWIN_MM, degrees=_TWIN_DEGREES)
        return is_near and not placed.is_adrift and placed.stood_ns == self._scene.look.t_ns

    def _is_open_on_top(self, candidate: Candidate) -> bool:
        is_open = share(self._scene.arms(), self._scene.outline(candidate.pose)) < _HAND_OVER
        return is_open and candidate.shown >= _OUTLINE_SHOWS

    def _is_new(self, candidate: Candidate) -> bool:
        """Whether one of its indices is printed where nothing of the kind was to be seen before."""
        return any(self._is_new_at(spot.part) for spot in candidate.spots.values())

    def _is_new_at(self, part: Part) -> bool:
        now, before = self._scene.motion.settled[part], self._scene.ground.grey[part]
        dark = printed(now, np.ones_like(now, dtype=np.bool_))
        return bool(differs(now, before, self._scene.motion.threshold)[dark].mean() > 0.5) if dark.any() else False

    def _is_calm(self, candidate: Candidate) -> bool:
        """Whether nothing moves there, and no hand is in the way that will soon let it be read better."""
        still = self._scene.motion.still_for(_ASK_AFTER_NS // 2)
        inside = self._scene.outline(candidate.pose)
        is_free = share(self._scene.arms(), inside) < _HAND_OVER
        is_free |= self._scene.look.t_ns - candidate.since_ns > _ASK_ANYWAY_NS
        return bool(still[inside].mean() > 0.95) and is_free

    def _drop_hopeless(self, candidate: Candidate) -> None:
        now_ns = self._scene.look.t_ns
        is_old = now_ns - candidate.last_ns > _UNSEEN_NS or now_ns - candidate.since_ns > _GIVE_UP_NS
        is_none = candidate.evidence.reads >= 4 and float(candidate.evidence.chances()[NO_CARD]) > 0.5
        is_print = now_ns - candidate.since_ns > _ASK_AFTER_NS and not self._scene.is_starting
        is_print = is_print and not self._is_new(candidate)
        if (is_old or is_none or is_print) and candidate in self._scene.candidates:
            self._scene.candidates.remove(candidate)

    def _is_contradicted(self, candidate: Candidate) -> bool:
        """Whether what would lie under such a card is still to be seen, apart from what came to lie on it meanwhile."""
        inside, touch = self._scene.outline(candidate.pose, _INSET_MM), self._dating.touch(candidate)
        if not inside.any() or (not touch.is_hidden and candidate.since_ns - touch.t_ns > _OPEN_NS):
            return True
        for other in self._scene.pile.cards:
            if other.touch_ns + other.within_ns > touch.t_ns - touch.within_ns - _MOMENT_NS:
                inside &= ~other.inside
        return self._shows_as_before(inside) or self._showed_already(inside, touch)

    def _was_read_elsewhere(self, candidate: Candidate) -> bool:
        """Whether it was read long before it came to lie there: then that was of something else, or on its way."""
        touch = self._dating.touch(candidate)
        return candidate.since_ns < touch.t_ns - touch.within_ns - _READ_EARLY_NS

    def _shows_as_before(self, inside: Mask) -> bool:
        """Whether the print that was there without any hand shows through."""
        settled, ground = self._scene.motion.settled, self._scene.ground.grey
        paper = float(np.percentile(settled[inside], 75)) if inside.any() else 0.0
        tells = inside & (ground < paper - 40) & self._scene.motion.still_for(_STILL_NS)
        if np.count_nonzero(tells) < _LEAST_TELLING_PX:
            return False
        return float((~differs(settled, ground, self._scene.motion.threshold))[tells].mean()) > _CONTRADICTS

    def _showed_already(self, inside: Mask, touch: Touch) -> bool:
        """Whether most of the print that shows there now had been there a moment before the card came."""
        settled = self._scene.motion.settled
        tells = printed(settled, inside)
        early_ns, late_ns = touch.t_ns - _MEANWHILE_NS, touch.t_ns - touch.within_ns - _MOMENT_NS
        looks = [look for look in self._scene.motion.looks if early_ns <= look.t_ns <= late_ns]
        return any(looks_like(settled, look.grey, tells, ALIKE) > _CONTRADICTS for look in looks[-3:])

    # --- by whom ---

    def _hand(self, placed: Placed) -> frozenset[Seat]:
        early, late = placed.touch_ns - _HAND_BEFORE_NS, placed.touch_ns + _HAND_AFTER_NS
        looks = [look for look in self._scene.motion.looks if early <= look.t_ns <= late]
        before, window = self._scene.ground.colour, self._scene.window
        return seats_reaching(looks, before=before, inside=placed.inside, window=window)

    # --- laying it ---

    def _lay(self, candidate: Candidate, touch: Touch) -> Laid:
        scene = self._scene
        scene.candidates.remove(candidate)
        card, sure = self._best(candidate)
        placed = Placed(
            card=card,
            pose=candidate.pose,
            evidence=candidate.evidence,
            inside=scene.outline(candidate.pose),
            before=scene.ground.grey.copy(),
            before_known=scene.ground.known.copy(),
            look=scene.motion.settled.copy(),
            known=np.zeros_like(scene.ground.known),
            spots=candidate.spots,
            touch_ns=touch.t_ns,
            within_ns=touch.within_ns,
            laid_at_ns=scene.look.t_ns,
            sure=sure,
        )
        cover = cover_lifted_from(placed, scene.pile, scene.motion, scene.arms())
        told = self._lay_open(placed) if cover is None else self._lay_hidden(placed, cover)
        scene.accept(placed.inside, is_known=False)
        self._dating.forget()
        return told

    def _lay_open(self, placed: Placed) -> Laid:
        scene = self._scene
        placed.hand = self._hand(placed)
        place, rival = place_in(scene.pile, placed, settled=scene.motion.settled, window=scene.window)
        placed.rival = None if rival is None else rival.lay
        scene.pile.put(placed, above=place)
        return [scene.tell(placed)]

    def _lay_hidden(self, placed: Placed, cover: Placed) -> Laid:
        """A card that only shows now that the one laid over it at once has been taken away."""
        placed.within_ns = cover.within_ns + _COVERED_WITHIN_NS
        placed.touch_ns = cover.touch_ns - placed.within_ns
        self._scene.pile.put(placed, above=self._scene.pile.cards.index(cover))
        self._scene.pile.take(cover)
        return [self._scene.tell(placed), _gone(cover, self._scene.look)]


def _gone(placed: Placed, look: Look) -> CardGone:
    return CardGone(t_ns=look.t_ns, within_ns=look.within_ns, card=placed.card, lay=placed.lay)
