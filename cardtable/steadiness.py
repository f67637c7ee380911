"""Whether there is enough to be seen on a table to notice that it, or the camera, is moved: for `cardtable doctor`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from cardtable.calibration import calibration_for
from cardtable.errors import BareTable
from cardtable.settings import Settings
from vision.finding.watch import Watch
from vision.frames import Frame, FrameSource
from vision.layout import Layout

_FRAMES, _PATIENCE_S, _TURN_S = 12, 5.0, 0.005


def check_steadiness(settings: Settings, source: FrameSource) -> str:
    """A sentence that says that bumps will be noticed; raises `BareTable` where they won't be."""
    watch: Watch | None = None
    for frame in _frames(source):
        if watch is None:
            watch = Watch(_layout(settings, frame))
        watch.see(frame.picture)
        if not watch.is_blind:
            return "a bump of camera or table will be noticed"
    raise BareTable(
        "this table is too bare to notice that it or the camera is moved; "
        "lay the printed markers on it: cardtable mat --markers-only"
    )


def _layout(settings: Settings, frame: Frame) -> Layout:
    size_px = (frame.picture.shape[1], frame.picture.shape[0])
    kept = calibration_for(settings)
    return kept[0].layout.resized(size_px) if kept else Layout.above(size_px, table_mm=settings.table_mm)


def _frames(source: FrameSource, clock: Callable[[], float] = time.monotonic) -> Iterator[Frame]:
    """So many pictures, or as many as come in a few seconds."""
    until_s, count = clock() + _PATIENCE_S, 0
    while count < _FRAMES and clock() < until_s and not source.is_over:
        frame = source.newest()
        if frame is None:
            time.sleep(_TURN_S)
            continue
        count += 1
        yield frame
