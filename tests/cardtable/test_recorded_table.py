"""A recorded table plays again to the same rulings although most pictures were not kept, and the rest in a film."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from cardtable.player import play, session_for
from cardtable.recorder import FolderRecorder
from cardtable.recording import FrameInput, read_recording
from cardtable.simulated import timed
from cardtable.simulated.demo import Demo
from tests.cardtable.helpers import codes

LAYS = 4


@pytest.mark.slow
def test_recorded_pictures_are_judged_as_the_table_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow: renders and reads some 400 pictures."""
    monkeypatch.setattr(timed, "time", SimpleNamespace(thread_time=lambda: 0.0))  # reading takes no time at this table
    demo = Demo(seed=1, lays=LAYS)
    recorder = FolderRecorder(tmp_path / "table", demo.session.plan)
    demo.session.record(recorder)
    frames = 0
    while not demo.is_over:
        demo.step()
        frames += 1
    recorder.close(at_ns=demo.session.now_ns)

    recording = read_recording(tmp_path / "table")
    again = session_for(recording)
    play(recording, again)
    assert codes(again) == codes(demo.session)
    assert len(codes(again)) >= LAYS
    kept = [item.place for item in recording.inputs if isinstance(item, FrameInput)]
    assert len(kept) < frames, "nothing was left out"
