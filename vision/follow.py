"""Following the pile of a live table from frame to frame: cards laid, taken back, pushed, gathered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import cv2
import numpy as np

from engine.events import CardGone, CardLaid, Event, PileGone
from vision.again import push
from vision.candidate import Candidate
from vision.evidence import Sighting, best, sight
from vision.frames import Frame
from vision.gone import Present, is_gone, is_pile_gone
from vision.known import is_open, is_other_print, shown_by
from vision.laying import Laying
from vision.layout import Layout
from vision.mark import Marked
from vision.motion import Look, differs
from vision.pile import Pile, Placed
from vision.reader import Reader
from vision.scene import SURE_ENOUGH, Ground, Scene
from vision.upheaval import Upheaval, adapt
from vision.window import Box, Grey, Mask, Window, joined

_STILL_NS = 25_000_000
_LEAST_CHANGED_PX = 12
_READ_MARGIN_PX = 10
_READ_AROUND_MM = 25.0
_SCALES = (1.0, 1.15)  # in turn: an index that is missed at one scale shows at another
_ABSORB_NS = 3_000_000_000
_RENAMED_WITHIN_NS = 3_000_000_000  # later readings are of a card half covered, more often than better
_PUSHED_MM = 2.5
_QUIET_NS = 200_000_000


class MovingPile(Marked):
    """The pile as told by a camera's frames."""

    def __init__(self, reader: Reader, layout: Layout) -> None:
        super().__init__()
        self._reader = reader
        self._scene = Scene(Window(layout))
        self._laying = Laying(self._scene, reader)
        self._near_pile = self._scene.window.polygon(layout.pile.grown(_READ_AROUND_MM).corners())
        self._upheaval = Upheaval()
        self._looked: Grey | None = None
        self._bare: Grey | None = None
        self._has_begun = False
        self._studied_ns: int | None = None
        self._absorbed_ns = 0

    @property
    def pile(self) -> Pile:
        """The cards that lie there."""
        return self._scene.pile

    def lay_out(self, layout: Layout) -> None:
        """The camera sees the same table, with the same pile zone, from elsewhere."""
        self._scene.window = Window(layout)
        self._upheaval.begin()

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What has become certain with this frame."""
        scene = self._scene
        scene.frame = frame
        look = Look.of(scene.window.small(frame.picture), frame.t_ns, frame.within_ns)
        moved = scene.motion.see(look)
        if self._looked is not None and self._upheaval.is_over(moved):
            adapt(scene, (self._looked, self._bare))
        boxes = self._worth_reading(look)
        events = self._study(frame, boxes, look) if boxes else ()
        self._look_around(look, is_busy=bool(boxes))
        self._absorb(look.t_ns)
        is_still = not boxes and int(np.count_nonzero(moved)) <= _LEAST_CHANGED_PX
        self._mark(look.t_ns, is_quiet=is_still and not scene.candidates)
        return events

    # --- where to look ---

    def _worth_reading(self, look: Look) -> list[Box]:
        scene = self._scene
        if self._looked is None:
            self._looked, scene.ground = ~look.grey, Ground.of(look)
        poses = [candidate.pose for candidate in scene.candidates]
        poses += [placed.pose for placed in scene.pile.cards if placed.missed]
        boxes = [scene.window.box_of(pose.outline(scene.card_mm)) for pose in poses]
        boxes += self._changed(self._looked)
        return joined([box.grown(_READ_MARGIN_PX, scene.window.shape) for box in boxes])

    def _changed(self, looked: Grey) -> list[Box]:
        """Parts that lie still and look different from when they were last read."""
        motion = self._scene.motion
        settled, threshold, still = motion.settled, motion.threshold, motion.still_for(_STILL_NS)
        back = ~differs(settled, self._scene.ground.grey, threshold) & still & bool(self.pile.cards or self._has_begun)
        looked[back] = settled[back]
        new = differs(settled, looked, threshold) & still & self._near_pile
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
        scene, settled = self._scene, self._scene.motion.settled
        still = scene.motion.still_for(_STILL_NS)
        sightings = [sighting for box in boxes for sighting in self._sight(frame, box, still)]
        self._note_looked(boxes, still)
        known, fresh = self._sort(sightings)
        for candidate, seen in fresh:
            candidate.add(seen, scene.window, look.t_ns)
        reaching = scene.arms()
        free = scene.free(reaching)
        mended = [event for placed, seen in known for event in self._mend(placed, seen)]
        self._learn({id(placed) for placed, _ in known}, free, reaching)
        if not self._has_begun and not sightings:
            self._bare = settled.copy()
        self._has_begun = True
        laid = self._laying.decide()
        seen_at = tuple((sighting, scene.window.patch(sighting.x, sighting.y)) for sighting in sightings)
        gone = self._gone(Present(settled, still, reaching, seen_at), look)
        scene.is_starting &= bool(scene.candidates)
        scene.accept(free)
        return (*mended, *gone, *laid)

    def _sight(self, frame: Frame, box: Box, still: Mask) -> list[Sighting]:
        window = self._scene.window
        piece, offset, factor = window.detail(frame.picture, box)
        factor *= _SCALES[frame.number % len(_SCALES)]
        seen = [sight(corner, offset, window.layout) for corner in self._reader.corners(piece, factor)]
        pile = window.layout.pile
        return [s for s in seen if pile.has(s.pose.x, s.pose.y) and still[window.patch(s.x, s.y)].mean() > 0.8]

    def _note_looked(self, boxes: list[Box], still: Mask) -> None:
        assert self._looked is not None
        for box in boxes:
            part = box.slices
            self._looked[part][still[part]] = self._scene.motion.settled[part][still[part]]

    def _sort(
        self, sightings: Iterable[Sighting]
    ) -> tuple[list[tuple[Placed, list[Sighting]]], list[tuple[Candidate, list[Sighting]]]]:
        """Sightings of cards that lie there already, and of what may be new."""
        known: dict[int, tuple[Placed, list[Sighting]]] = {}
        fresh: dict[int, tuple[Candidate, list[Sighting]]] = {}
        for sighting in sightings:
            placed = shown_by(self._scene, sighting)
            if placed is not None:
                known.setdefault(id(placed), (placed, []))[1].append(sighting)
            elif not is_other_print(self._scene, sighting):
                candidate = self._candidate(sighting)
                fresh.setdefault(id(candidate), (candidate, []))[1].append(sighting)
        return list(known.values()), list(fresh.values())

    def _candidate(self, sighting: Sighting) -> Candidate:
        candidates = self._scene.candidates
        for candidate in candidates:
            if candidate.could_show(sighting):
                return candidate
        candidates.append(Candidate(sighting.pose, self._scene.look.t_ns))
        return candidates[-1]

    # --- cards that lie there ---

    def _learn(self, sighted: Collection[int], free: Mask, reaching: Mask) -> None:
        """How the cards look that no arm is near; `sighted`: the identities of those that were just read."""
        settled = self._scene.motion.settled
        near = cv2.dilate(reaching.astype(np.uint8), np.ones((7, 7), dtype=np.uint8)).astype(np.bool_)
        for placed, visible in self.pile.downwards():
            if (near & placed.inside).any():
                continue
            spots = [spot for spot in placed.spots.values() if visible[spot.part].mean() > 0.8]
            if id(placed) in sighted or any(spot.shows_in(settled, placed.look) for spot in spots):
                fresh = visible & free
                placed.look[fresh] = settled[fresh]
                placed.known |= fresh

    def _mend(self, placed: Placed, seen: list[Sighting]) -> list[CardLaid]:
        """Takes in what is seen of a card laid before; tells of it again if its name becomes another, or sure."""
        placed.missed = 0
        scene_ns = self._scene.look.t_ns
        clear = [sighting for sighting in seen if is_open(self._scene, placed, sighting)]
        if not clear:
            return []
        placed.evidence.add(clear)
        self._follow_push(placed, clear)
        others = self._scene.others(placed)
        card, sure = best(placed.evidence.chances(unlikely=others))[0]
        is_settled = placed.sure >= SURE_ENOUGH and scene_ns - placed.laid_at_ns > _RENAMED_WITHIN_NS
        if sure < SURE_ENOUGH or (card is placed.card and placed.sure >= SURE_ENOUGH) or card in others or is_settled:
            return []
        placed.card, placed.sure = card, sure
        return [self._scene.tell(placed)]

    def _follow_push(self, placed: Placed, seen: Sequence[Sighting]) -> None:
        """Where an index of its own is read surely beside its place, the card was pushed a little."""
        own = max(seen, key=lambda sighting: sighting.sure)
        if own.card is placed.card and own.sure >= SURE_ENOUGH and placed.from_indices(own) > _PUSHED_MM:
            push(self._scene, placed, own)

    def _gone(self, now: Present, look: Look) -> tuple[Event, ...]:
        scene = self._scene
        if is_pile_gone(scene.pile, bare=self._bare, ground=scene.ground.grey, now=now):
            scene.pile.clear()
            scene.candidates.clear()
            scene.accept(np.ones_like(now.still))
            return (PileGone(t_ns=look.t_ns, within_ns=look.within_ns),)
        gone = [placed for placed, visible in scene.pile.downwards() if is_gone(placed, visible, scene.pile, now=now)]
        for placed in gone:
            scene.take(placed)
        return tuple(CardGone(t_ns=look.t_ns, within_ns=look.within_ns, card=p.card, lay=p.lay) for p in gone)

    # --- housekeeping ---

    def _look_around(self, look: Look, *, is_busy: bool) -> None:
        """Takes in how everything looks once nothing has happened for a moment."""
        if is_busy:
            self._studied_ns = look.t_ns
        elif self._studied_ns is not None and look.t_ns - self._studied_ns > _QUIET_NS:
            self._studied_ns = None
            reaching = self._scene.arms()
            free = self._scene.free(reaching)
            self._learn((), free, reaching)
            self._scene.accept(free)

    def _absorb(self, t_ns: int) -> None:
        """Whatever has lain still for long around the cards belongs to the table."""
        if t_ns - self._absorbed_ns < _ABSORB_NS:
            return
        self._absorbed_ns = t_ns
        settled = self._scene.motion.still_for(_ABSORB_NS)
        for placed in self.pile.cards:
            settled &= ~placed.inside
        self._scene.accept(settled)
