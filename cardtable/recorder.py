"""Writes a session as a recording while it happens."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
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
    from cardtable.proof.shelf import Shelf
    from vision.frames import Frame

BEFORE, AFTER = 6, 6
"""How many quiet frames around a busy one are kept: the tracker sees from them what was there and what lies still."""
KEY_NS = 1_000_000_000
"""In quiet times one frame a second is kept, so that slow changes of light stay slow when played again."""


class FolderRecorder:
    """Writes `session.jsonl`, `rulings.jsonl` and `frames/` into a new folder, line by line as things happen."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begins a recording in `folder`; raises `BadRecording` if it holds one already or cannot be written."""
        if (folder / SESSION).exists():
            raise BadRecording(f"{folder} already holds a recording; name a new folder")
        try:
            self._shelf = _shelf(folder / FRAMES, is_stills=plan.stills)
            self._inputs, self._rulings = _open(folder / SESSION), _open(folder / RULINGS)
        except OSError as error:
            raise BadRecording(f"cannot record into {folder} ({error.strerror}); name another folder") from None
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
            self._shelf.close()

    def _flush_quiet(self) -> None:
        while self._quiet:
            self._keep(*self._quiet.popleft())

    def _keep(self, at_ns: int, frame: Frame) -> None:
        self._kept_ns = frame.t_ns
        line = {"t_ns": frame.t_ns, "within_ns": frame.within_ns, "number": frame.number}
        _write(self._inputs, {"at_ns": at_ns, **self._shelf.keep(frame), **line})


def _shelf(folder: Path, *, is_stills: bool) -> Shelf:
    from cardtable.proof.shelf import Shelf  # noqa: PLC0415  (OpenCV is slow to import)

    return Shelf(folder, is_stills=is_stills)


def _open(path: Path) -> TextIO:
    return path.open("w", encoding="utf-8", buffering=1)


def _write(file: TextIO, values: Mapping[str, Any]) -> None:
    try:
        file.write(json.dumps(values, ensure_ascii=False) + "\n")
    except OSError as error:
        raise BadRecording(f"cannot go on recording into {file.name} ({error.strerror}); is the disk full?") from None
