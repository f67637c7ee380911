"""Following the pile of a live table from frame to frame: cards laid, taken back, pushed, gathered."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from engine.cards import Card
from engine.events import CardGone, CardLaid, Event, PileGone
from engine.seats import Seat
from vision.candidate import Candidate
from vision.evidence import NO_CARD, Chances, Sighting, best, sight
from vision.frames import Frame, Picture
from vision.gone import Present, cover_lifted_from, is_gone, is_pile_gone
from vision.hands import arms, seats_reaching
from vision.layout import Layout
from vision.motion import Look, Motion, differs
from vision.order import place_in
from vision.pile import Pile, Placed, looks_like, outline_mask, printed
from vision.reader import Reader
from vision.touch import Touch, find_touch, take_print
from vision.window import Box, Grey, Mask, Part, Window, joined

SURE_ENOUGH = 0.9
"""From this probability on a card counts as read."""
_STILL_NS = 25_000_000
_WORTH_ASKING = 0.55
_ASK_AFTER_NS = 450_000_000  # a lay that cannot be read better is told as a question after this
_UNSEEN_NS, _GIVE_UP_NS = 400_000_000, 3_000_000_000
_LEAST_CHANGED_PX = 12
_SAME_MM, _SAME_DEGREES = 9.0, 12.0
_READ_MARGIN_PX = 10
_READ_AROUND_MM = 25.0
_ABSORB_NS = 3_000_000_000
_LONGEST_LAG_NS = 600_000_000
_HAND_BEFORE_NS, _HAND_AFTER_NS = 75_000_000, 40_000_000
_MEANWHILE_NS = 300_000_000
_COVERED_WITHIN_NS = 60_000_000
_CALM_NS = 150_000_000
_OUTLINE_MARGIN_MM = 3.0
_WELL_INSIDE_MM, _CONTRADICTS = 8.0, 0.6  # the pose that follows from one index may be off by a centimetre


class MovingPile:
    """The pile as told by a camera's frames."""

    def __init__(self, reader: Reader, layout: Layout) -> None:
        self.mark_ns, self.is_quiet = 0, True
        self.pile = Pile()
        self._reader, self._window, self._motion = reader, Window(layout), Motion()
        self._candidates: list[Candidate] = []
        self._near_pile = self._window.polygon(layout.pile.grown(_READ_AROUND_MM).corners())
        self._looked: Grey | None = None
        self._ground: Grey
        self._ground_colour: Picture
        self._bare: Grey | None = None
        self._has_begun, self._is_starting = False, True
        self._busy_since_ns: int | None = None
        self._absorbed_ns = 0

    def lay_out(self, layout: Layout) -> None:
        """The camera sees the same table, with the same pile zone, from elsewhere."""
        self._window = Window(layout)

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What has become certain with this frame."""
        look = Look.of(self._window.small(frame.picture), frame.t_ns, frame.within_ns)
        moved = self._motion.see(look)
        boxes = self._worth_reading(look)
        events = self._study(frame, boxes, look) if boxes else ()
        self._absorb(look.t_ns)
        self._mark(is_busy=bool(boxes) or int(np.count_nonzero(moved)) > _LEAST_CHANGED_PX, t_ns=look.t_ns)
        return events

    # --- where to look ---

    def _worth_reading(self, look: Look) -> list[Box]:
        if self._looked is None:
            self._looked, self._ground, self._ground_colour = ~look.grey, look.grey.copy(), look.colour.copy()
        poses = [candidate.pose for candidate in self._candidates]
        poses += [placed.pose for placed in self.pile.cards if placed.missed]
        boxes = [self._window.box_of(pose.outline(self._card_mm)) for pose in poses]
        boxes += self._changed()
        return joined([box.grown(_READ_MARGIN_PX, self._window.shape) for box in boxes])

    def _changed(self) -> list[Box]:
        """Parts that lie still and look different from when they were last read."""
        assert self._looked is not None
        settled, threshold, still = self._motion.settled, self._motion.threshold, self._motion.still_for(_STILL_NS)
        back = ~differs(settled, self._ground, threshold) & still & bool(self.pile.cards or self._has_begun)
        self._looked[back] = settled[back]
        new = differs(settled, self._looked, threshold) & still & self._near_pile
        if np.count_nonzero(new) < _LEAST_CHANGED_PX:
            return []
        near = cv2.dilate(new.astype(np.uint8), np.ones((9, 9), dtype=np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(near)
        sizes = np.bincount(labels[new], minlength=count)
        return [
            Box(int(x), int(y), int(x + width), int(y + height))
            for (x, y, width, height, _), size in zip(stats[1:], sizes[1:], strict=True)
            if size >= _LEAST_CHANGED_PX
        ]

    # --- what is there ---

    def _study(self, frame: Frame, boxes: list[Box], look: Look) -> tuple[Event, ...]:
        still = self._motion.still_for(_STILL_NS)
        sightings = [sighting for box in boxes for sighting in self._sight(frame, box, still)]
        self._note_looked(boxes, still)
        known, fresh = self._sort(sightings)
        for candidate, seen in fresh:
            candidate.add(seen, self._window, look.t_ns)
        reaching = arms(look.colour, self._ground_colour)
        free = self._free(reaching)
        mended = [event for placed, seen in known for event in self._mend(placed, seen, free)]
        if not self._has_begun and not sightings:
            self._bare = self._motion.settled.copy()
        self._has_begun = True
        laid = self._decide(look)
        seen_at = tuple((sighting, self._window.patch(sighting.x, sighting.y)) for sighting in sightings)
        gone = self._gone(Present(self._motion.settled, still, reaching, seen_at), look)
        self._is_starting &= bool(self._candidates)
        self._accept(free)
        return (*mended, *gone, *laid)

    def _sight(self, frame: Frame, box: Box, still: Mask) -> list[Sighting]:
        piece, offset, factor = self._window.detail(frame.picture, box)
        seen = [sight(corner, offset, self._window.layout) for corner in self._reader.corners(piece, factor)]
        pile = self._window.layout.pile
        return [s for s in seen if pile.has(s.pose.x, s.pose.y) and still[self._window.patch(s.x, s.y)].mean() > 0.8]

    def _note_looked(self, boxes: list[Box], still: Mask) -> None:
        assert self._looked is not None
        for box in boxes:
            part = box.slices
            self._looked[part][still[part]] = self._motion.settled[part][still[part]]

    def _sort(
        self, sightings: Iterable[Sighting]
    ) -> tuple[list[tuple[Placed, list[Sighting]]], list[tuple[Candidate, list[Sighting]]]]:
        """Sightings of cards that lie there already, and of what may be new."""
        known: dict[int, tuple[Placed, list[Sighting]]] = {}
        fresh: dict[int, tuple[Candidate, list[Sighting]]] = {}
        for sighting in sightings:
            placed = self._known(sighting)
            if placed is not None:
                known.setdefault(id(placed), (placed, []))[1].append(sighting)
            elif not self._is_other_print(sighting):
                candidate = self._candidate(sighting)
                fresh.setdefault(id(candidate), (candidate, []))[1].append(sighting)
        return list(known.values()), list(fresh.values())

    def _known(self, sighting: Sighting) -> Placed | None:
        for placed in reversed(self.pile.cards):
            if placed.could_show(sighting):
                return placed
            is_near = placed.pose.is_near(sighting.pose, mm=_SAME_MM, degrees=_SAME_DEGREES)
            if is_near and not placed.is_adrift and self._is_unchanged(placed, sighting):
                return placed
        return None

    def _is_unchanged(self, placed: Placed, sighting: Sighting) -> bool:
        part = self._window.patch(sighting.x, sighting.y)
        return float(differs(self._motion.settled[part], placed.look[part], self._motion.threshold).mean()) < 0.03

    def _is_other_print(self, sighting: Sighting) -> bool:
        """Whether it is a pip or an ornament of a card that lies there, mistaken for an index."""
        x, y = self._window.to_small(np.array([(sighting.x, sighting.y)]))[0]
        row, column = (int(np.clip(v, 0, limit - 1)) for v, limit in zip((y, x), self._window.shape, strict=True))
        top = next((placed for placed, visible in self.pile.downwards() if visible[row, column]), None)
        return top is not None and self._is_unchanged(top, sighting)

    def _candidate(self, sighting: Sighting) -> Candidate:
        for candidate in self._candidates:
            if candidate.could_show(sighting):
                return candidate
        self._candidates.append(Candidate(sighting.pose, self._motion.looks[-1].t_ns))
        return self._candidates[-1]

    # --- cards that lie there ---

    def _mend(self, placed: Placed, seen: list[Sighting], free: Mask) -> list[CardLaid]:
        """Takes in what is seen of a card laid before; tells of it again if its name becomes another, or sure."""
        placed.missed = 0
        visible = next((mask for other, mask in self.pile.downwards() if other is placed), None)
        if visible is not None:
            placed.look[visible & free] = self._motion.settled[visible & free]
        placed.evidence.add(seen)
        card, sure = best(placed.evidence.chances(unlikely=self._others(placed)))[0]
        if sure < SURE_ENOUGH or (card is placed.card and placed.sure >= SURE_ENOUGH) or card in self._others(placed):
            return []
        placed.card, placed.sure = card, sure
        return [self._tell(placed)]

    def _others(self, placed: Placed) -> set[Card]:
        return {other.card for other in self.pile.cards if other is not placed}

    def _gone(self, now: Present, look: Look) -> tuple[Event, ...]:
        if is_pile_gone(self.pile, bare=self._bare, ground=self._ground, now=now):
            self.pile.clear()
            self._candidates.clear()
            self._accept(np.ones_like(now.still))
            return (PileGone(t_ns=look.t_ns, within_ns=look.within_ns),)
        gone = [placed for placed, visible in self.pile.downwards() if is_gone(placed, visible, self.pile, now=now)]
        for placed in gone:
            self.pile.take(placed)
            self._accept(placed.inside)
        return tuple(CardGone(t_ns=look.t_ns, within_ns=look.within_ns, card=p.card, lay=p.lay) for p in gone)

    # --- cards that may be new ---

    def _decide(self, look: Look) -> list[CardLaid | CardGone]:
        ready = []
        for candidate in self._candidates.copy():
            card, sure = best(self._chances(candidate))[0]
            placed = self.pile.named(card)
            if placed is not None and sure >= SURE_ENOUGH:
                self._move(placed, candidate)
            elif self._is_ready(candidate, sure, look.t_ns):
                ready.append((candidate, card, self._touch(candidate)))
            elif self._is_hopeless(candidate, look.t_ns):
                self._candidates.remove(candidate)
        told: list[CardLaid | CardGone] = []
        for candidate, card, touch in sorted(ready, key=lambda one: one[2].t_ns):
            if self.pile.named(card) is None:
                told += self._lay(candidate, touch, look)
            else:  # two indices of one card that did not seem to belong together
                self._candidates.remove(candidate)
        return sorted(told, key=lambda event: event.lay)

    def _chances(self, candidate: Candidate) -> Chances:
        standing = {placed.card for placed, visible in self.pile.downwards() if self._stands(placed, visible)}
        return candidate.evidence.chances(standing, unlikely={p.card for p in self.pile.cards} - standing)

    def _stands(self, placed: Placed, visible: Mask) -> bool:
        return looks_like(self._motion.settled, placed.look, visible, self._motion.threshold) > 0.7

    def _is_ready(self, candidate: Candidate, sure: float, t_ns: int) -> bool:
        if not candidate.is_steady or candidate.last_ns != t_ns:
            return False
        if not self._is_starting and (not self._is_new(candidate) or self._is_contradicted(candidate)):
            return False
        if sure >= SURE_ENOUGH:
            return True
        waited = t_ns - candidate.since_ns >= _ASK_AFTER_NS
        return waited and sure > _WORTH_ASKING and self._is_calm(candidate)

    def _is_new(self, candidate: Candidate) -> bool:
        """Whether one of its indices is printed where nothing of the kind was to be seen before."""
        return any(self._is_new_at(spot.part) for spot in candidate.spots.values())

    def _is_new_at(self, part: Part) -> bool:
        now, before = self._motion.settled[part], self._ground[part]
        dark = printed(now, np.ones_like(now, dtype=np.bool_))
        return bool(differs(now, before, self._motion.threshold)[dark].mean() > 0.5) if dark.any() else False

    def _is_calm(self, candidate: Candidate) -> bool:
        inside = outline_mask(self._window, candidate.pose)
        return bool(self._motion.still_for(_ASK_AFTER_NS // 2)[inside].mean() > 0.95)

    def _is_hopeless(self, candidate: Candidate, t_ns: int) -> bool:
        if t_ns - candidate.last_ns > _UNSEEN_NS or t_ns - candidate.since_ns > _GIVE_UP_NS:
            return True
        return candidate.evidence.reads >= 4 and float(candidate.evidence.chances()[NO_CARD]) > 0.5

    def _is_contradicted(self, candidate: Candidate) -> bool:
        """Whether what would lie under such a card is still to be seen, apart from what came to lie on it meanwhile."""
        inside = outline_mask(self._window, candidate.pose, _WELL_INSIDE_MM)
        if not inside.any():
            return True
        settled, ground = self._motion.settled, self._ground
        paper = float(np.percentile(settled[inside], 75))
        tells = inside & (ground < paper - 40) & self._motion.still_for(_STILL_NS)
        for other in self.pile.cards:
            if other.laid_at_ns > candidate.since_ns - _MEANWHILE_NS:
                tells &= ~other.inside
        if np.count_nonzero(tells) < _LEAST_CHANGED_PX:
            return False
        return float((~differs(settled, ground, self._motion.threshold))[tells].mean()) > _CONTRADICTS

    def _move(self, placed: Placed, candidate: Candidate) -> None:
        """A card of the pile lies elsewhere now: pushed, turned or uncovered, but not laid again."""
        self._candidates.remove(candidate)
        settled, old = self._motion.settled, placed.inside
        for other, visible in self.pile.downwards():
            other.is_adrift |= bool((other.inside & old).any()) and not self._stands(other, visible)
        placed.pose, placed.inside = candidate.pose, outline_mask(self._window, candidate.pose)
        # What lay at its new place before is not known: nothing there can tell that it is gone.
        placed.before, placed.look = settled.copy(), settled.copy()
        placed.spots = candidate.spots
        placed.is_adrift, placed.missed = False, 0
        self._accept(old | placed.inside)
        self.pile.forget_cover()

    def _touch(self, candidate: Candidate) -> Touch:
        looks = tuple(self._motion.looks)
        inside = outline_mask(self._window, candidate.pose)
        # What came to lie on it meanwhile tells nothing about when it came itself.
        for other in self.pile.cards:
            if other.laid_at_ns > candidate.since_ns - _MEANWHILE_NS:
                inside &= ~other.inside
        spots = [spot.part for spot in candidate.spots.values()]
        marks = take_print(looks[-1].grey, self._ground, (candidate.pose, inside, spots), self._window)
        return find_touch(looks, marks, lambda look: self._is_hidden(look, spots))

    def _is_hidden(self, look: Look, spots: list[Part]) -> bool:
        """Whether an arm is over an index: it hangs together with the outside, and is no paper."""
        reaching = arms(look.colour, self._ground_colour)
        return any(float(reaching[part].mean()) > 0.5 and not self._motion.is_paper(look.grey, part) for part in spots)

    def _lay(self, candidate: Candidate, touch: Touch, look: Look) -> list[CardLaid | CardGone]:
        self._candidates.remove(candidate)
        card, sure = best(self._chances(candidate))[0]
        placed = Placed(
            card=card,
            pose=candidate.pose,
            evidence=candidate.evidence,
            inside=outline_mask(self._window, candidate.pose),
            before=self._ground.copy(),
            look=self._motion.settled.copy(),
            spots=candidate.spots,
            touch_ns=touch.t_ns,
            within_ns=touch.within_ns,
            laid_at_ns=look.t_ns,
            sure=sure,
        )
        cover = cover_lifted_from(placed, self.pile, self._motion, arms(look.colour, self._ground_colour))
        told = self._lay_open(placed) if cover is None else self._lay_hidden(placed, cover, look)
        self._accept(placed.inside)
        return told

    def _lay_open(self, placed: Placed) -> list[CardLaid | CardGone]:
        placed.hand = self._hand(placed)
        place, rival = place_in(self.pile, placed, settled=self._motion.settled, window=self._window)
        placed.rival = None if rival is None else rival.lay
        self.pile.put(placed, above=place)
        return [self._tell(placed)]

    def _lay_hidden(self, placed: Placed, cover: Placed, look: Look) -> list[CardLaid | CardGone]:
        """A card that only shows now that the one laid over it at once has been taken away."""
        placed.within_ns = cover.within_ns + _COVERED_WITHIN_NS
        placed.touch_ns = cover.touch_ns - placed.within_ns
        self.pile.put(placed, above=self.pile.cards.index(cover))
        self.pile.take(cover)
        return [self._tell(placed), CardGone(t_ns=look.t_ns, within_ns=look.within_ns, card=cover.card, lay=cover.lay)]

    def _hand(self, placed: Placed) -> frozenset[Seat]:
        early, late = placed.touch_ns - _HAND_BEFORE_NS, placed.touch_ns + _HAND_AFTER_NS
        looks = [look for look in self._motion.looks if early <= look.t_ns <= late]
        return seats_reaching(looks, before=self._ground_colour, inside=placed.inside, window=self._window)

    def _tell(self, placed: Placed) -> CardLaid:
        chances = best(placed.evidence.chances(unlikely=self._others(placed)))
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

    # --- housekeeping ---

    @property
    def _card_mm(self) -> tuple[float, float]:
        return self._window.layout.card_mm

    def _absorb(self, t_ns: int) -> None:
        """Whatever has lain still for long around the cards belongs to the table."""
        if t_ns - self._absorbed_ns < _ABSORB_NS:
            return
        self._absorbed_ns = t_ns
        settled = self._motion.still_for(_ABSORB_NS)
        for placed in self.pile.cards:
            settled &= ~placed.inside
        self._accept(settled)

    def _free(self, arms: Mask) -> Mask:
        """What has lain still with no arm over it and nothing open about it: that is how the table looks."""
        free = self._motion.still_for(_CALM_NS) & ~arms
        for candidate in self._candidates:
            free &= ~outline_mask(self._window, candidate.pose, -_OUTLINE_MARGIN_MM)
        return free

    def _accept(self, where: Mask) -> None:
        """These pixels are as they should be without any hand."""
        self._ground[where] = self._motion.settled[where]
        self._ground_colour[where] = self._motion.settled_colour[where]

    def _mark(self, *, is_busy: bool, t_ns: int) -> None:
        self.is_quiet = not is_busy and not self._candidates
        if self.is_quiet:
            self._busy_since_ns, self.mark_ns = None, t_ns
            return
        if self._busy_since_ns is None:
            self._busy_since_ns = t_ns
        self.mark_ns = max(self.mark_ns, min(self._busy_since_ns - 1, t_ns), t_ns - _LONGEST_LAG_NS)
