"""The eyes of a session: reader, layout and tracker, and whoever watches that the layout still holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.plan import Plan
from cardtable.zones import kinds_of, manner_of
from engine.events import Event

if TYPE_CHECKING:
    from vision.finding.watch import Watch
    from vision.frames import Frame, Picture
    from vision.layout import Layout
    from vision.places import Places
    from vision.reader import Reader
    from vision.table import Tracker

ASTRAY_FRAMES = 20
"""The table may be covered for so many frames before people are told that it is not found."""


class Eyes:
    """A tracker that is laid out with the first frame it sees; a `Watcher` for a session.

    While the table is not where the layout says, nothing is read. Only `lay_out` is for other threads.
    """

    def __init__(self, plan: Plan, reader: Reader, *, reference: Picture | None = None, camera: str = "") -> None:
        """Eyes for `plan`; raises `BadLayout` now if its calibration makes no sense.

        `reference` is a picture in which the plan's layout was certain; None: the first frame is one. `camera` is what
        its set-up is kept under; empty: it is not kept.
        """
        from vision.layout import Layout  # noqa: PLC0415  (OpenCV is slow to import)

        self.plan, self.reader, self.camera = plan, reader, camera
        self.kept_in: Path | None = None
        """File in which the set-up is kept; None: the one beside the settings."""
        self.layout: Layout | None = Layout.from_json(plan.layout) if plan.layout else None
        """Where the table is, as far as it is known."""
        self.picture: Picture | None = None
        """The newest that was seen."""
        self.is_astray = False
        """Whether the table is not where the layout says, and people should know."""
        self.on_restart: Callable[[], object] = lambda: None
        """Called before the first events of a new tracker, which knows nothing of the old one's pile."""
        self._reference, self._next = reference, self.layout
        self._tracker: Tracker | Places | None = None
        self._watch: Watch | None = None
        self._unsteady = 0

    @property
    def mark_ns(self) -> int:
        """Cards touched before this are all reported."""
        return self._tracker.mark_ns if self._tracker else 0

    @property
    def is_quiet(self) -> bool:
        """Whether the last frame brought nothing new to look at."""
        return self._unsteady == 0 and (self._tracker is None or self._tracker.is_quiet)

    @property
    def is_unwatched(self) -> bool:
        """Whether there is too little on the table to notice by that camera or table is moved."""
        return self._watch is not None and self._watch.is_blind

    def lay_out(self, layout: Layout) -> None:
        """From the next frame on the table is where `layout` says; may be called from any thread."""
        self._next = layout

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What `frame` adds."""
        self.picture = frame.picture
        if (self._tracker is None or self._next is not self.layout) and not self._begin(frame):
            return ()
        assert self._tracker is not None
        if self._watch is not None and not self._is_where_it_was(frame.picture):
            return ()
        return self._tracker.see(frame)

    def _is_where_it_was(self, picture: Picture) -> bool:
        from vision.finding.watch import FoundAgain  # noqa: PLC0415

        assert self._watch is not None
        news = self._watch.see(picture)
        if isinstance(news, FoundAgain) and news.is_moved and self._tracker is not None:
            self.layout = self._next = news.layout
            self._tracker.lay_out(news.layout)
        self._unsteady = 0 if self._watch.is_steady else self._unsteady + 1
        self.is_astray = self._unsteady > ASTRAY_FRAMES
        return self._watch.is_steady

    def _begin(self, frame: Frame) -> bool:
        """A new tracker for a new layout; False when the layout is none for such pictures."""
        from vision.finding.watch import Watch  # noqa: PLC0415
        from vision.layout import BadLayout, Layout  # noqa: PLC0415

        height, width = frame.picture.shape[:2]
        seats = self.plan.setup.seats
        try:
            layout = self._next or Layout.above((width, height), table_mm=self.plan.table_mm, seats=seats)
            layout = layout.resized((width, height))
            tracker = self._open_tracker(layout)
        except BadLayout:
            self.is_astray = True
            return False
        if self._tracker is not None:
            self._reference = None
            self.on_restart()
        self.layout = self._next = layout
        self._tracker = tracker
        is_same = self._reference is not None and self._reference.shape == frame.picture.shape
        self._watch = None if self.plan.stills else Watch(self.layout, self._reference if is_same else None)
        self._unsteady, self.is_astray = 0, False
        return True

    def _open_tracker(self, layout: Layout) -> Tracker | Places:
        """Who follows what this game's cards are laid in; raises `BadLayout` where the table has no room for it."""
        from vision.places import Places  # noqa: PLC0415
        from vision.table import Tracker  # noqa: PLC0415

        manner = manner_of(self.plan)
        if manner is None or self.plan.stills:
            return Tracker(self.reader, layout, stills=self.plan.stills)
        return Places(self.reader, with_places(layout, self.plan), manner)


def with_places(layout: Layout, plan: Plan) -> Layout:
    """The layout with the places of the plan's game, where nobody has laid them out; raises `BadLayout`."""
    from vision.finding.zones import arrange  # noqa: PLC0415

    if layout.zones:
        return layout
    zones = arrange(layout.table or layout.in_view(), kinds_of(plan.game), plan.setup.seats)
    pile = zones.pop("pile")
    return replace(layout, pile=pile, zones=tuple(zones.items()))
