"""`cardtable demo --headless`: the whole way from rendered pictures to rulings, compared with the truth."""

from __future__ import annotations

import json

import pytest

from cardtable.simulated.demo import Demo, open_demo, run_demo
from engine.errors import TableError


@pytest.mark.slow  # renders, reads and judges about ten seconds of video
def test_a_short_party_is_ruled_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    status = run_demo("bong", seed=1, lays=4, headless=True, json=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    summary = lines[-1]
    assert list(summary) == ["game", "seed", "lays", "fouls", "missed", "wrong", "questions", "latency_ms"]
    assert (summary["game"], summary["seed"]) == ("bong", 1)
    assert summary["lays"] >= 4
    assert list(summary["latency_ms"]) == ["p50", "p95"]
    assert [line for line in lines if "difference" in line] == []
    assert (status, summary["missed"], summary["wrong"]) == (0, 0, 0)
    assert sum("card" in line for line in lines) == summary["lays"]


@pytest.mark.slow  # loads the weights
def test_a_referee_that_is_blind_misses_every_card_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    demo = Demo(seed=1, lays=2)
    monkeypatch.setattr(demo.session.tracker, "see", lambda frame: ())
    while not demo.is_over or demo.table.now_ns < demo.table.world.lays[-1].touch_ns + 6_000_000_000:
        demo.step()
    summary = demo.summary(demo.compare())
    assert summary["missed"] >= 2
    pile = [laid.card for laid in demo.session.referee.state.pile]
    assert pile == demo.table.world.book.pile, "the host has put the record right"


@pytest.mark.slow  # renders, reads and judges about half a minute of video a game
@pytest.mark.parametrize("game", ["debertz", "ton", "ochko"])
def test_a_short_party_at_a_table_with_places_is_ruled_as_it_was(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Cards dealt in rows, turned up, laid in tricks, gathered: seen by the camera, none missed, none that was not."""
    status = run_demo(game, seed=1, lays=8, headless=True, json=True)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if "difference" in line] == []
    assert (status, lines[-1]["missed"], lines[-1]["wrong"]) == (0, 0, 0)
    assert lines[-1]["lays"] == 8


def test_a_game_that_nobody_there_plays_is_refused_in_a_sentence() -> None:
    with pytest.raises(TableError, match="do not play 'whist'"):
        open_demo("whist", seed=1)
