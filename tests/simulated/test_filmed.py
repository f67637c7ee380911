"""The tracker alone before a filmed party: every card once, in the order of the pile, at its time."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cardtable.simulated import timed
from tests.simulated.filmed import FilmedParty
from vision.reader import Reader
from vision.table import Tracker


@pytest.mark.slow  # renders and reads some fifteen seconds of video twice
def test_a_tracker_that_is_shown_a_party_again_tells_each_lay_once_in_order_and_honestly_dated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Reading takes no time at this table, so that the party takes the same course on every computer.
    monkeypatch.setattr(timed, "time", SimpleNamespace(thread_time=lambda: 0.0))
    film = FilmedParty.play(seed=4, lays=9)
    told = film.shown_to(Tracker(Reader.load(), film.demo.table.layout))
    assert [event.card for event in told] == [lay.card for lay in film.lays]
    late = [abs(event.t_ns - lay.touch_ns) - event.within_ns for event, lay in zip(told, film.lays, strict=True)]
    assert max(late) <= film.shots[0][0].within_ns, "a frame's own doubt"
