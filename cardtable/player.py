"""Plays a recording to a session in place of camera, buttons and people."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import accumulate

from cardtable.edits import aim
from cardtable.lines import Printer
from cardtable.loop import Loop
from cardtable.recorder import FolderRecorder
from cardtable.recording import CallInput, EdgeInput, EditInput, FrameInput, Input, Recording
from cardtable.session import Session
from cardtable.settings import Output, Settings
from cardtable.table import run_driver
from cardtable.watching import open_eyes

END_NS = 3_000_000_000
"""Time that passes after the last input: longer than a slap can wait for its card and a hold for its length."""


def run_recording(recording: Recording, settings: Settings, output: Output) -> None:
    """Plays `recording`: headless as fast as it goes, else at its own pace with the page."""
    session = session_for(recording)
    recorder = FolderRecorder(output.record, recording.plan) if output.record else None
    if recorder:
        session.record(recorder)
    if output.is_printed:
        session.subscribe(Printer(settings.lang, is_json=output.is_json))
    if output.is_headless:
        play(recording, session)
    else:
        run_driver(RecordingDriver(session, recording), settings)
    session.settle()
    if recorder:
        recorder.close(at_ns=session.now_ns)


def session_for(recording: Recording) -> Session:
    """A session at the beginning of `recording`, with eyes if a camera saw the table."""
    session = Session(recording.plan)
    session.tracker = open_eyes(recording.plan) if recording.has_frames else None
    return session


def play(recording: Recording, session: Session) -> None:
    """Feeds everything to `session` as fast as it can take it; raises `BadPicture` for a frame that is no picture."""
    for _ in steps(recording, session):
        pass


def steps(recording: Recording, session: Session) -> Iterator[tuple[int, int]]:
    """Feeds input after input; before each, yields its time and the time up to which all edges are in by then."""
    for item, edges_ns in zip(recording.inputs, _edge_marks(recording), strict=True):
        yield item.at_ns, edges_ns
        session.on_time(item.at_ns, edges_ns)
        _feed(item, session)
    end_ns = recording.end_ns + END_NS
    yield end_ns, end_ns
    session.on_time(end_ns)


class RecordingDriver(Loop):
    """Plays a recording at its own pace, so that people can watch its page; then waits."""

    def __init__(self, session: Session, recording: Recording, clock: Callable[[], int] = time.monotonic_ns) -> None:
        super().__init__(session)
        self._clock, self._zero_ns = clock, clock()
        self._steps = steps(recording, session)
        self._next = next(self._steps, None)

    def turn(self) -> bool:
        """Feeds what is due."""
        now_ns = self._clock() - self._zero_ns
        while self._next is not None and self._next[0] <= now_ns:
            self._next = next(self._steps, None)
        if self._next is not None:
            self.session.on_time(now_ns, min(now_ns, self._next[1]))
        return True


def _edge_marks(recording: Recording) -> tuple[int, ...]:
    """Up to when all edges are in, for each input: an edge may have reached the session later than a picture."""
    ahead = list(accumulate(reversed(recording.inputs), _earlier, initial=2**63))[:0:-1]
    return tuple(min(item.at_ns, edge_ns) for item, edge_ns in zip(recording.inputs, ahead, strict=True))


def _earlier(so_far_ns: int, item: Input) -> int:
    return min(so_far_ns, item.edge.t_ns) if isinstance(item, EdgeInput) else so_far_ns


def _feed(item: Input, session: Session) -> None:
    match item:
        case EdgeInput(edge=edge):
            session.on_edge(edge)
        case FrameInput():
            session.on_frame(item.load())
        case CallInput(event=event):
            session.on_call(event)
        case EditInput(edit=edit, targets=targets):
            session.edit(aim(edit, targets, session.referee.log))
