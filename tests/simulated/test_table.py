"""The joint between the simulated table and the session: pictures, edges, words and time go in, and no truth."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from cardtable.session import Session
from cardtable.simulated.table import FRAME_NS, SimulatedTable, plan_for
from cardtable.simulated.world import MS
from engine.events import Call, Event
from engine.seats import seats
from hardware.records import Edge
from vision.frames import Frame

AROUND = seats(4)
FRAMES = 330
"""Enough for a deal, the claims, the lot and some cards."""


class Listener:
    """A tracker that sees nothing and takes its time, and notes what it was shown."""

    mark_ns = 0
    is_quiet = True

    def __init__(self) -> None:
        self.shown: list[tuple[int, int, int]] = []
        self.types: set[tuple[type, ...]] = set()

    def see(self, frame: Frame) -> tuple[Event, ...]:
        values = [getattr(frame, field.name) for field in dataclasses.fields(frame)]
        self.types.add(tuple(type(value) for value in values))
        self.shown.append((frame.number, frame.t_ns, frame.picture.shape[0]))
        self.mark_ns = frame.t_ns
        return ()


class SpiedSession(Session):
    """A real session that notes every input."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.inputs: list[tuple[str, object]] = []

    def on_edge(self, edge: Edge) -> None:
        self.inputs.append(("edge", edge))
        super().on_edge(edge)

    def on_frame(self, frame: Frame) -> None:
        self.inputs.append(("frame", frame.t_ns))
        super().on_frame(frame)

    def on_call(self, event: Event) -> None:
        self.inputs.append(("call", event))
        super().on_call(event)

    def on_time(
        self, now_ns: int, buttons_ns: int | None = None, marks: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.inputs.append(("time", now_ns))
        super().on_time(now_ns, buttons_ns, marks)


@pytest.fixture(scope="module")
def played() -> tuple[SpiedSession, Listener, SimulatedTable]:
    table = SimulatedTable(AROUND, seed=2, dealer=AROUND[0])
    tracker = Listener()
    plan = plan_for(table, ("Anna", "Boris", "Vera", "Daria"), game="bong", seed=2, dealer=AROUND[0])
    session = SpiedSession(plan, tracker=tracker)
    for _ in range(FRAMES):
        table.step(session)
    return session, tracker, table


def test_the_session_gets_pictures_edges_words_and_time_only(
    played: tuple[SpiedSession, Listener, SimulatedTable],
) -> None:
    session, tracker, table = played
    assert {kind for kind, _ in session.inputs} == {"edge", "frame", "call", "time"}
    assert tracker.types == {(np.ndarray, int, int, int)}
    assert len(table.world.lays) > 0, "cards were laid"
    calls = [event for kind, event in session.inputs if kind == "call"]
    assert [(call.word, call.card) for call in calls if isinstance(call, Call)] == [("dealt", None)]


def test_the_plan_tells_nothing_of_the_cards(played: tuple[SpiedSession, Listener, SimulatedTable]) -> None:
    plan = played[0].plan
    assert plan.layout is not None
    assert set(plan.layout) == {"size_px", "px_from_mm", "pile_mm", "seats", "card_mm"}
    assert plan.setup.options == {}


def test_a_referee_without_eyes_knows_no_card(played: tuple[SpiedSession, Listener, SimulatedTable]) -> None:
    session, _, table = played
    assert len(table.world.book.pile) > 0
    assert session.referee.state.pile == ()


def test_nothing_comes_before_its_time(played: tuple[SpiedSession, Listener, SimulatedTable]) -> None:
    waiting: list[int] = []
    for kind, value in played[0].inputs:
        if kind == "time":
            assert all(stamp <= value for stamp in waiting)  # type: ignore[operator]
            waiting = []
        else:
            waiting.append(value.t_ns if isinstance(value, Edge | Call) else value)  # type: ignore[arg-type]
    assert played[0].now_ns >= FRAMES * FRAME_NS


class SlowTracker(Listener):
    """A tracker that thinks for as long as it is told."""

    def __init__(self, spend: Any) -> None:
        super().__init__()
        self._spend = spend

    def see(self, frame: Frame) -> tuple[Event, ...]:
        self._spend()
        return super().see(frame)


def test_the_time_that_reading_takes_passes_at_the_table_and_drops_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def spend() -> None:
        clock[0] += 0.080

    monkeypatch.setattr("cardtable.simulated.timed.time.thread_time", lambda: clock[0])
    table = SimulatedTable(AROUND, seed=2, dealer=AROUND[0])
    tracker = SlowTracker(spend)
    plan = plan_for(table, ("Anna", "Boris", "Vera", "Daria"), game="bong", seed=2, dealer=AROUND[0])
    session = Session(plan, tracker=tracker)
    for _ in range(10):
        table.step(session)
    numbers = [number for number, _, _ in tracker.shown]
    assert {later - earlier for earlier, later in pairwise(numbers)} <= {2, 3}
    assert table.dropped == numbers[-1] - len(numbers)
    assert table.now_ns >= numbers[-1] * FRAME_NS + 80 * MS


def test_frames_come_thirty_times_a_second_when_nothing_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardtable.simulated.timed.time.thread_time", lambda: 0.0)
    table = SimulatedTable(AROUND, seed=2, dealer=AROUND[0])
    tracker = Listener()
    plan = plan_for(table, ("Anna", "Boris", "Vera", "Daria"), game="bong", seed=2, dealer=AROUND[0])
    session = Session(plan, tracker=tracker)
    for _ in range(10):
        table.step(session)
    assert [t_ns for _, t_ns, _ in tracker.shown] == [number * FRAME_NS for number in range(1, 11)]
