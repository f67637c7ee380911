"""Drivers: other threads reach a session only through its own thread; sources are looked at in the right order."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from cardtable.live import LiveDriver
from cardtable.loop import Loop
from cardtable.player import RecordingDriver
from cardtable.recording import EdgeInput, Recording
from cardtable.session import Session
from engine.errors import BadLog
from engine.events import Press
from engine.seats import Seat
from hardware.records import Edge, Kind
from tests.cardtable.helpers import MS, SECOND, plan

PATIENCE_S = 30


class IdleLoop(Loop):
    """Nothing happens by itself."""

    def turn(self) -> bool:
        return True


def test_posted_jobs_run_in_the_sessions_thread_and_give_back_what_they_find() -> None:
    loop = IdleLoop(Session(plan()))
    loop.start()
    name = loop.post(lambda session: threading.current_thread().name).result(PATIENCE_S)
    refused = loop.post(lambda session: session.undo(who="host"))
    with pytest.raises(BadLog):
        refused.result(PATIENCE_S)
    assert loop.post(lambda session: session.plan).result(PATIENCE_S) == plan(), "a refusal does not end the loop"
    loop.stop()
    assert name == "session"


class BrokenLoop(Loop):
    """Something in it is broken."""

    def turn(self) -> bool:
        raise RuntimeError("broken")


def test_what_ends_the_loop_is_told() -> None:
    ended = threading.Event()
    loop = BrokenLoop(Session(plan()))
    loop.on_failure = ended.set
    loop.start()
    with pytest.raises(RuntimeError, match="broken"):
        loop.wait()
    assert ended.is_set()


class Buttons:
    """A source whose edges are put in by the test; it notes what it is asked."""

    name = "test"

    def __init__(self) -> None:
        self.waiting: list[Edge] = []
        self.asked: list[str] = []
        self.lag_ns = 20 * MS

    def edges(self) -> tuple[Edge, ...]:
        self.asked.append("edges")
        edges, self.waiting = tuple(self.waiting), []
        return edges

    def mark_ns(self, now_ns: int) -> int:
        self.asked.append("mark")
        return now_ns - self.lag_ns

    def close(self) -> None:
        """Nothing to let go of."""


def edge(kind: Kind, t_ns: int) -> Edge:
    return Edge(seat=Seat("B"), source="test", kind=kind, t_ns=t_ns, within_ns=1000, number=1)


def test_sessions_clock_begins_at_its_own_zero_and_marks_are_asked_before_edges() -> None:
    clock = [500 * SECOND]
    session, buttons = Session(plan()), Buttons()
    driver = LiveDriver(session, buttons=[buttons], clock=lambda: clock[0])
    session.call("dealt", who="host")
    buttons.waiting = [edge(Kind.UP, 500 * SECOND + 60 * MS), edge(Kind.DOWN, 500 * SECOND + 10 * MS)]
    clock[0] += 100 * MS
    driver.turn()
    driver.close()
    assert buttons.asked == ["mark", "edges"]
    presses = [told.event for told in session.referee.history() if isinstance(told.event, Press)]
    assert [press.t_ns for press in presses] == [10 * MS]
    assert session.now_ns == 100 * MS


def test_clock_of_a_session_gone_on_with_runs_on_from_where_it_stands() -> None:
    clock = [500 * SECOND]
    session = Session(plan())
    driver = LiveDriver(session, clock=lambda: clock[0])
    session.now_ns = 90 * SECOND
    clock[0] += 30 * MS
    driver.turn()
    clock[0] += 40 * MS
    driver.turn()
    assert session.now_ns == 90 * SECOND + 40 * MS


def test_a_recording_is_played_at_its_own_pace() -> None:
    clock = [7 * SECOND]
    inputs = (EdgeInput(SECOND, edge(Kind.DOWN, SECOND)), EdgeInput(SECOND + 60 * MS, edge(Kind.UP, SECOND + 60 * MS)))
    session = Session(plan())
    session.call("dealt", who="host")
    driver = RecordingDriver(session, Recording(Path(), plan(), inputs, 2 * SECOND), clock=lambda: clock[0])

    def presses() -> int:
        return sum(isinstance(told.event, Press) for told in session.referee.history())

    for elapsed_ms, seen in ((0, 0), (990, 0), (1200, 1)):
        clock[0] = 7 * SECOND + elapsed_ms * MS
        assert driver.turn()
        assert presses() == seen
