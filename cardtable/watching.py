"""Sets up the eyes of a session: reader, layout and tracker, once the size of the camera's picture is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.plan import Plan
from engine.events import Event

if TYPE_CHECKING:
    from vision.frames import Frame
    from vision.layout import Layout
    from vision.reader import Reader
    from vision.table import Tracker


class Eyes:
    """A tracker that is laid out with the first frame it sees; a `Watcher` for a session."""

    def __init__(self, plan: Plan, reader: Reader) -> None:
        """Eyes for `plan`; raises `BadLayout` now if its calibration makes no sense."""
        from vision.layout import Layout  # noqa: PLC0415  (OpenCV is slow to import)

        self._plan, self._reader = plan, reader
        self._layout: Layout | None = Layout.from_json(plan.layout) if plan.layout else None
        self._tracker: Tracker | None = None

    @property
    def mark_ns(self) -> int:
        """Cards touched before this are all reported."""
        return self._tracker.mark_ns if self._tracker else 0

    @property
    def is_quiet(self) -> bool:
        """Whether the last frame brought nothing new to look at."""
        return self._tracker is None or self._tracker.is_quiet

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What `frame` adds."""
        if self._tracker is None:
            self._tracker = self._lay_out(frame)
        return self._tracker.see(frame)

    def _lay_out(self, frame: Frame) -> Tracker:
        from vision.layout import Layout  # noqa: PLC0415
        from vision.table import Tracker  # noqa: PLC0415

        height, width = frame.picture.shape[:2]
        layout = self._layout or Layout.above(
            (width, height), table_mm=self._plan.table_mm, seats=self._plan.setup.seats
        )
        return Tracker(self._reader, layout, stills=self._plan.stills)


def open_eyes(plan: Plan) -> Eyes:
    """Eyes with the released reader; raises `BadModel` if its weights aren't there or aren't as released."""
    from vision.reader import Reader  # noqa: PLC0415  (ONNX Runtime is slow to import)

    return Eyes(plan, Reader.load())
