"""Runs a session at a real table: camera and buttons in, on one clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cardtable.eyes import Eyes
from cardtable.loop import Loop
from cardtable.session import Session
from hardware.sources import EdgeSource

if TYPE_CHECKING:
    from vision.frames import Frame, FrameSource
    from vision.troubles import Trouble

LOOK_S = 0.002
"""How long the camera's thread rests when there is no new picture."""
CAMERA, TABLE = "camera", "table"


class LiveDriver(Loop):
    """The session's thread takes edges, words and time; a second thread looks at pictures and posts what it saw.

    The session's clock starts at 0 with the session: CLOCK_MONOTONIC less a constant, so that a session can go on after
    the computer was restarted.
    """

    def __init__(
        self,
        session: Session,
        *,
        buttons: Sequence[EdgeSource] = (),
        camera: FrameSource | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Sources stamp with `clock`; the session goes on from its own `now_ns`."""
        super().__init__(session)
        self.camera = camera
        self.on_trouble: Callable[[Trouble | None], object] = lambda trouble: None
        """Called, in the camera's thread, when the camera has failed and when it is back."""
        self._trouble: Trouble | None = None
        self._is_astray = False
        self._buttons, self._clock = tuple(buttons), clock
        self._zero_ns = clock() - session.now_ns
        self._watching = threading.Thread(target=self._watch, name=CAMERA, daemon=True)

    def start(self) -> None:
        """Begins; returns at once."""
        super().start()
        if self.camera is not None:
            self._watching.start()

    def turn(self) -> bool:
        """Takes what the buttons have, then lets time pass."""
        now_ns = self._clock()
        # A session that was gone on with stands further on than this driver's clock.
        self._zero_ns = min(self._zero_ns, now_ns - self.session.now_ns)
        # Marks first: an edge that comes after them is younger than they are.
        marks = {source.name: source.mark_ns(now_ns) - self._zero_ns for source in self._buttons}
        edges = sorted((edge for source in self._buttons for edge in source.edges()), key=lambda edge: edge.t_ns)
        for edge in edges:
            self.session.on_edge(replace(edge, t_ns=edge.t_ns - self._zero_ns))
        session_ns = now_ns - self._zero_ns
        self.session.on_time(session_ns, min(marks.values(), default=session_ns), marks)
        return True

    def session_ns(self, clock_ns: int) -> int:
        """A moment of CLOCK_MONOTONIC on the session's clock."""
        return clock_ns - self._zero_ns

    def close(self) -> None:
        """Waits for the camera's thread; the sources are closed by whoever has opened them."""
        self._stopping.set()
        if self._watching.is_alive():
            self._watching.join(timeout=2)

    def _watch(self) -> None:
        camera, tracker = self.camera, self.session.tracker
        assert camera is not None
        if isinstance(tracker, Eyes):
            tracker.on_restart = lambda: self.post(lambda session: session.restart_tracker())
        try:
            while not self._stopping.is_set() and not camera.is_over:
                self._note_trouble()
                frame = camera.newest()
                if frame is None or tracker is None:
                    self._stopping.wait(LOOK_S)
                    continue
                self._look(replace(frame, t_ns=frame.t_ns - self._zero_ns))
        except Exception as error:
            self.failure = error
        self.post(lambda session: session.set_lost(CAMERA, True))

    def _look(self, frame: Frame) -> None:
        tracker = self.session.tracker
        assert tracker is not None
        events, mark_ns, is_quiet = tracker.see(frame), tracker.mark_ns, tracker.is_quiet
        self.post(lambda session: session.on_seen(frame, events, mark_ns=mark_ns, is_quiet=is_quiet))
        if isinstance(tracker, Eyes) and tracker.is_astray != self._is_astray:
            self._is_astray = is_astray = tracker.is_astray
            self.post(lambda session: session.set_lost(TABLE, is_astray))

    def _note_trouble(self) -> None:
        trouble = self.camera.trouble if self.camera is not None else None
        if trouble != self._trouble:
            self._trouble = trouble
            self.on_trouble(trouble)
            self.post(lambda session: session.set_camera_trouble(trouble))
