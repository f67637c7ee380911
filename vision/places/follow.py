"""Following the places of a table from frame to frame: cards laid, turned over, shown, taken back, gathered."""

from __future__ import annotations

import cv2
import numpy as np

from engine.events import Event
from vision.evidence import Sighting, sight
from vision.frames import Frame
from vision.hands import arms
from vision.layout import Layout, as_quad
from vision.mark import Marked
from vision.motion import Look, Motion, differs, recoloured
from vision.places.areas import Area, Manner, area_at, areas_of, mask_of, window_over
from vision.places.changes import (
    BACK_AFTER_NS,
    BACK_LOOKS,
    BACK_READS,
    GIVE_UP_NS,
    SURELY_BACK,
    Change,
    patches,
)
from vision.places.lying import Spread
from vision.places.settling import Settling, Sight
from vision.reader import Reader, faces
from vision.reader.assembly import masked
from vision.scene import Ground
from vision.window import Box, Mask

_STILL_NS = 60_000_000
_WATCH_NS = 1_000_000_000
"""After nothing has moved for so long nothing new is looked for."""
_LEAST_CHANGED_PX, _LEAST_MOVED_PX = 45, 12
_ARM_PX, _READ_PX, _CALM_PX = 25, 12, 8
_CALM_SHARE, _LEAST_NEWS = 0.01, 0.1
_SETTLE_NS = 250_000_000
"""A change younger than this may still be one of several, e.g. the first card of a hand that is shown."""

Patches = dict[str, list[tuple[Mask, Box]]]


class Places(Marked):
    """The places as told by a camera's frames. It knows the deck, never what the game needs.

    What lies there when it first looks belongs to the table, and is told only once it is moved or turned.
    """

    def __init__(self, reader: Reader, layout: Layout, manner: Manner) -> None:
        """Raises `BadLayout` when the layout has no places."""
        super().__init__()
        self._reader, self._manner = reader, manner
        self._motion = Motion()
        self._ground: Ground | None = None
        self._changes: dict[str, Change] = {}
        self._stirred_ns = 0
        self._areas = areas_of(layout)
        self._window = window_over(layout, self._areas)
        self._watched = mask_of(self._window, self._areas)
        self._settling = Settling(self._window, self._areas, manner)

    @property
    def spread(self) -> Spread:
        """The cards that lie there."""
        return self._settling.spread

    def lay_out(self, layout: Layout) -> None:
        """The camera sees the same table, with the same places, from elsewhere."""
        self._window = self._settling.window = window_over(layout, self._areas)

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What has become certain with this frame."""
        look = Look.of(self._window.small(frame.picture), frame.t_ns, frame.within_ns)
        moved = int(np.count_nonzero(self._motion.see(look)))
        if self._ground is None:
            self._ground = Ground.of(look)
            self._stirred_ns = look.t_ns
            return ()
        if moved > _LEAST_MOVED_PX:
            self._stirred_ns = look.t_ns
        events: tuple[Event, ...] = ()
        if self._changes or look.t_ns - self._stirred_ns < _WATCH_NS:
            events = self._look_around(frame, look)
        self._mark(look.t_ns, is_quiet=not self._changes and moved <= _LEAST_MOVED_PX)
        return events

    # --- where to look ---

    def _look_around(self, frame: Frame, look: Look) -> tuple[Event, ...]:
        ground, motion = self._ground, self._motion
        assert ground is not None
        still = motion.still_for(_STILL_NS)
        changed = differs(motion.settled, ground.grey, motion.threshold)
        changed |= recoloured(motion.settled_colour, ground.colour)
        changed &= self._watched
        if np.count_nonzero(changed) < _LEAST_CHANGED_PX:
            self._changes.clear()
            return ()
        by_area = self._by_area(changed & still)
        self._changes = {name: change for name, change in self._changes.items() if name in by_area}
        reaching = arms(look.colour, ground.colour) if by_area else np.zeros_like(still)
        near = cv2.dilate(reaching.astype(np.uint8), np.ones((_ARM_PX, _ARM_PX), dtype=np.uint8)) > 0
        events: list[Event] = []
        for name, found in by_area.items():
            if self._is_calm(found, changed & ~still, near):
                events += self._study(name, found, frame, look)
            elif name in self._changes:
                self._changes[name].since_ns = look.t_ns
        return tuple(events)

    def _by_area(self, changed: Mask) -> Patches:
        found: Patches = {}
        for patch, box in patches(changed, _LEAST_CHANGED_PX):
            middle = np.array([((box.left + box.right) / 2, (box.top + box.bottom) / 2)])
            x, y = self._window.to_mm(middle)[0].tolist()
            area = area_at(self._areas, x, y)
            if area is not None:
                found.setdefault(area.name, []).append((patch, box))
        return found

    def _is_calm(self, found: list[tuple[Mask, Box]], stirring: Mask, near: Mask) -> bool:
        """Whether no arm is near these patches and nothing about them moves."""
        for patch, box in found:
            around = box.grown(_CALM_PX, self._window.shape).slices
            if near[around][patch[around]].any() or stirring[around].mean() > _CALM_SHARE:
                return False
        return True

    # --- what it is ---

    def _study(self, name: str, found: list[tuple[Mask, Box]], frame: Frame, look: Look) -> list[Event]:
        area = next(area for area in self._areas if area.name == name)
        change = self._changes.setdefault(name, Change(area, look.t_ns))
        box = found[0][1]
        for _, other in found[1:]:
            box = box.joined(other)
        patch = np.logical_or.reduce([one for one, _ in found])
        seen = self._sight(frame, box.grown(_READ_PX, self._window.shape), area)
        # An index about which nothing has changed is that of a card that lay there before.
        news = [one for one in seen if patch[self._window.patch(one.x, one.y)].mean() > _LEAST_NEWS]
        change.add(news, self._window, look.t_ns)
        assert self._ground is not None
        now = Sight.of(frame, self._motion, self._ground)
        if not self._is_due(change, look.t_ns) and not self._is_plain(change, patch, now):
            return []
        del self._changes[name]
        return self._settling.settle(change, patch, now)

    def _is_plain(self, change: Change, patch: Mask, now: Sight) -> bool:
        """Whether cards are surely gone, or one surely came face down, as its whole back shows."""
        if change.candidates or change.reads < BACK_LOOKS or not self._settling.has_row(change.area):
            return False
        if self._settling.is_cleared(patch, now):
            return True
        backs = self._settling.backs(patch, now)
        if not backs:
            return False
        card_mm, layout = self._window.layout.card_mm, self._window.layout
        outlines = [as_quad(layout.to_px(back.pose.outline(card_mm)).tolist()) for back in backs]
        return bool(self._reader.faces(now.frame.picture, outlines)[:, faces.BACK].min() > SURELY_BACK)

    def _is_due(self, change: Change, now_ns: int) -> bool:
        age_ns = now_ns - change.since_ns
        if age_ns > GIVE_UP_NS:
            return True
        if not change.is_read(now_ns):
            return False
        if change.candidates:
            return not change.area.is_own or self._manner.has_rows or age_ns > _SETTLE_NS
        return age_ns > BACK_AFTER_NS and change.reads >= BACK_READS

    def _sight(self, frame: Frame, box: Box, area: Area) -> list[Sighting]:
        piece, offset, factor = self._window.detail(frame.picture, box)
        corners = masked(self._reader.corners(piece, factor), self._manner.deck)
        seen = [sight(corner, offset, self._window.layout) for corner in corners]
        return [one for one in seen if area_at(self._areas, one.pose.x, one.pose.y) == area]
