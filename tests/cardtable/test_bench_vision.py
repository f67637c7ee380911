"""What `cardtable bench vision` measures is measured; how fast it is, is no test's business."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cardtable.bench import rival, vision


def test_the_figures_have_their_names_and_every_card_was_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(vision, "COUNTS", (1,))
    monkeypatch.setattr(vision, "UNCHANGED_FRAMES", 14)
    monkeypatch.setattr(rival, "find_spec", lambda name: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    measured = json.loads(json.dumps(vision.bench_vision(runs=1)))
    assert measured["new_cards"]["1"]["read"] == [1]
    assert measured["frame"]["ms"] > measured["finder"]["640"]["ms"] > 0
    assert measured["yolo26n"].startswith("not measured")
    assert measured["peak_mb"] > 50


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")
def test_the_rival_is_built_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("ultralytics", reason="needs ultralytics (extra `train`)")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = rival.rival_network()
    assert path is not None
    assert path.parent == tmp_path / "cardtable"
    made = path.stat().st_mtime_ns
    assert rival.rival_network() == path
    assert path.stat().st_mtime_ns == made
