"""Writes a session as a recording while it happens."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from cardtable.edits import write_targets
from cardtable.errors import BadRecording
from cardtable.lines import lay_lines
from cardtable.plan import Plan, write_plan
from cardtable.recording import FORMAT, FRAMES, RULINGS, SESSION
from engine.events import Event
from engine.log import Edit, Entry, Log
from engine.referee import Told
from engine.text import write_entry, write_event
from hardware.records import Edge
from hardware.text import write_edge

if TYPE_CHECKING:
    from vision.frames import Frame

JPEG_QUALITY = 92
BEFORE, AFTER = 6, 6
"""How many quiet frames around a busy one are kept: the tracker sees from them what was there and what lies still."""
KEY_NS = 1_000_000_000
"""In quiet times one frame a second is kept, so that slow changes of light stay slow when played again."""
BACKLOG = 30
"""Frames that may wait to be written; a slow disk then makes the session wait rather than eat all memory."""


class FolderRecorder:
    """Writes `session.jsonl`, `rulings.jsonl` and `frames/` into a new folder, line by line as things happen."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begins a recording in `folder`; raises `BadRecording` if it holds one already or cannot be written."""
        if (folder / SESSION).exists():
            raise BadRecording(f"{folder} already holds a recording; name a new folder")
        try:
            (folder / FRAMES).mkdir(parents=True, exist_ok=True)
            self._inputs, self._rulings = _open(folder / SESSION), _open(folder / RULINGS)
        except OSError as error:
            raise BadRecording(f"cannot record into {folder} ({error.strerror}); name another folder") from None
        self._folder = folder
        self._writing = ThreadPoolExecutor(1, "recorder")
        self._pending: deque[Future[None]] = deque()
        self._quiet: deque[tuple[int, Frame]] = deque(maxlen=BEFORE)
        self._after, self._kept_ns = 0, -KEY_NS
        _write(self._inputs, {"format": FORMAT, **write_plan(plan)})

    def edge(self, edge: Edge, *, at_ns: int) -> None:
        """A line changed."""
        _write(self._inputs, {"at_ns": at_ns, "edge": write_edge(edge)})

    def call(self, event: Event, *, at_ns: int) -> None:
        """A person said something."""
        _write(self._inputs, {"at_ns": at_ns, "event": write_event(event)})

    def edit(self, edit: Edit, log: Log, *, at_ns: int) -> None:
        """A person put the record right."""
        _write(
            self._inputs, {"at_ns": at_ns, "edit": write_entry(cast(Entry, edit)), "targets": write_targets(edit, log)}
        )

    def settled(self, told: Told) -> None:
        """A lay's ruling can no longer change by itself."""
        for line in lay_lines(told):
            _write(self._rulings, line)

    def frame(self, frame: Frame, *, at_ns: int, is_quiet: bool) -> None:
        """A picture; those in which nothing happens are kept only around others and once a second."""
        if not is_quiet:
            self._flush_quiet()
            self._after = AFTER
        elif self._after > 0:
            self._after -= 1
        elif frame.t_ns - self._kept_ns < KEY_NS:
            self._quiet.append((at_ns, frame))
            return
        self._keep(at_ns, frame)

    def close(self, *, at_ns: int) -> None:
        """Ends the recording; every picture is on disk afterwards, or `BadRecording` says why not."""
        with self._inputs, self._rulings:
            _write(self._inputs, {"at_ns": at_ns, "end": True})
            self._writing.shutdown(wait=True)
            self._wait_for(0)

    def _wait_for(self, backlog: int) -> None:
        """Waits until at most `backlog` pictures are still to be written; raises what went wrong with the others."""
        while len(self._pending) > backlog or (self._pending and self._pending[0].done()):
            self._pending.popleft().result()

    def _flush_quiet(self) -> None:
        while self._quiet:
            self._keep(*self._quiet.popleft())

    def _keep(self, at_ns: int, frame: Frame) -> None:
        name = f"{frame.t_ns // 1_000_000:07d}.jpg"
        self._wait_for(BACKLOG)
        self._pending.append(self._writing.submit(_write_jpeg, self._folder / FRAMES / name, frame))
        self._kept_ns = frame.t_ns
        line = {"t_ns": frame.t_ns, "within_ns": frame.within_ns, "number": frame.number}
        _write(self._inputs, {"at_ns": at_ns, "frame": name, **line})


def _open(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", buffering=1)


def _write(file: TextIO, values: Mapping[str, Any]) -> None:
    try:
        file.write(json.dumps(values, ensure_ascii=False) + "\n")
    except OSError as error:
        raise BadRecording(f"cannot go on recording into {file.name} ({error.strerror}); is the disk full?") from None


def _write_jpeg(path: Path, frame: Frame) -> None:
    import cv2  # noqa: PLC0415  (slow to import)

    is_done, data = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not is_done:
        raise BadRecording(f"the picture {path} cannot be encoded")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadRecording(f"cannot go on recording into {path} ({error.strerror}); is the disk full?") from None
