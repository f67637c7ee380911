"""Where the time goes at the table: a simulated party of Bong, frame by frame and stage by stage.

Counted is what the session's thread computes; drawing the pictures is the table's affair and counts for nothing. The
networks and OpenCV may use a second core beside it, which `cores` contains.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import cv2
import numpy as np

import vision.dating
import vision.follow
import vision.laying
import vision.scene
from cardtable.bench.spread import spread
from cardtable.eyes import Eyes
from cardtable.session import Session
from cardtable.simulated.demo import Demo
from cardtable.simulated.table import FRAME_NS
from engine.events import CardLaid, Event
from vision.dating import Dating
from vision.finding.watch import Watch
from vision.follow import MovingPile
from vision.frames import Frame, Picture
from vision.laying import Laying
from vision.motion import Motion
from vision.reader import Reader
from vision.window import Window

SEED, LAYS = 10, 12
_STAGES: tuple[tuple[str, Any, str], ...] = (
    ("bumps", Watch, "see"),
    ("small picture", Window, "small"),
    ("motion", Motion, "see"),
    ("where to look", MovingPile, "_worth_reading"),
    ("reading", Reader, "corners"),
    ("cutting out", Window, "detail"),
    ("arms", vision.scene, "arms"),
    ("arms", vision.dating, "arms"),
    ("looks", MovingPile, "_learn"),
    ("looks", MovingPile, "_look_around"),
    ("gone", MovingPile, "_gone"),
    ("outline", vision.laying, "fitted"),
    ("touch", Dating, "touch"),
    ("hand", Laying, "_hand"),
    ("order", vision.laying, "place_in"),
    ("deciding", Laying, "decide"),
    ("rulings", Session, "on_seen"),
)
"""What a frame goes through, and the function that does it; each counts without the others within it."""


@dataclass(slots=True)
class Stopwatch:
    """The time spent in stages, each without the stages within it."""

    spent_ms: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    _within: list[float] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Counts what is done meanwhile to `name`."""
        start = time.thread_time()
        self._within.append(0.0)
        try:
            yield
        finally:
            took = (time.thread_time() - start) * 1e3
            self.spent_ms[name] += took - self._within.pop()
            if self._within:
                self._within[-1] += took

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """`work`, counted to `name`."""

        @wraps(work)
        def run(*args: Any, **kwargs: Any) -> Any:
            with self.stage(name):
                return work(*args, **kwargs)

        return run


@contextmanager
def watched(stopwatch: Stopwatch, stages: Sequence[tuple[str, Any, str]] = _STAGES) -> Iterator[None]:
    """Counts every stage meanwhile."""
    with ExitStack() as stack:
        for stage, owner, name in stages:
            work = getattr(owner, name)
            setattr(owner, name, stopwatch.timed(stage, work))
            stack.callback(setattr, owner, name, work)
        yield


@dataclass(slots=True)
class Frames:
    """What each frame has cost the eyes, in ms, by what was to be seen in it."""

    unchanged: list[float] = field(default_factory=list)
    hand: list[float] = field(default_factory=list)
    laid: list[float] = field(default_factory=list)

    def of(self, events: Sequence[Event], *, is_still: bool) -> list[float]:
        """Those of the same kind."""
        if any(isinstance(event, CardLaid) for event in events):
            return self.laid
        return self.unchanged if is_still else self.hand


def bench_table(seed: int = SEED, lays: int = LAYS) -> dict[str, Any]:
    """`{"frames": {"unchanged": {"ms": …}, "hand": …, "laid": …}, "yardstick", "stages_percent", "cores", …}`.

    `frames` is what a frame costs from the camera to the tracker's events: when nothing is to be seen but the table and
    nothing is left to look at; with a hand or something to look at in view; when a card is told. `yardstick` is one
    grey copy and one difference of the whole 1920×1080 picture; `unchanged_yardsticks` is the first in the second.
    `cores` is the processor time of all threads, in cores, at 30 frames a second. Latency is from rest to ruling.
    """
    demo, frames, stopwatch = Demo(seed=seed, lays=lays), Frames(), Stopwatch()
    cores_s = [0.0]
    with watched(stopwatch), _eyes_timed(demo, frames, stopwatch, cores_s):
        while not demo.is_over:
            demo.step()
    yardstick = spread(list(_yardstick(demo)), 3)
    unchanged = spread(frames.unchanged)
    whole = sum(stopwatch.spent_ms.values())
    return {
        "frames": {"unchanged": unchanged, "hand": spread(frames.hand), "laid": spread(frames.laid)},
        "yardstick": yardstick,
        "unchanged_yardsticks": round(float(np.divide(unchanged["ms"], yardstick["ms"])), 2),
        "stages_percent": {name: round(100 * ms / whole, 1) for name, ms in _costliest_first(stopwatch)},
        "cores": round(cores_s[0] / (demo.table.now_ns / 1e9), 2),
        "dropped_percent": round(100 * demo.table.dropped / (demo.table.now_ns / FRAME_NS), 1),
        "latency_ms": demo.summary(demo.compare())["latency_ms"],
    }


def _costliest_first(stopwatch: Stopwatch) -> list[tuple[str, float]]:
    return sorted(stopwatch.spent_ms.items(), key=lambda stage: -stage[1])


@contextmanager
def _eyes_timed(demo: Demo, frames: Frames, stopwatch: Stopwatch, cores_s: list[float]) -> Iterator[None]:
    """Notes what each look of the eyes costs."""
    see, world = Eyes.see, demo.table.world

    def timed(eyes: Eyes, frame: Frame) -> tuple[Event, ...]:
        was_quiet = eyes.is_quiet
        start, start_all = time.thread_time(), time.process_time()
        with stopwatch.stage("the rest"):
            events = see(eyes, frame)
        took_ms = (time.thread_time() - start) * 1e3
        cores_s[0] += time.process_time() - start_all
        is_still = was_quiet and eyes.is_quiet and not world.arms(frame.t_ns)
        frames.of(events, is_still=is_still).append(took_ms)
        return events

    with ExitStack() as stack:
        stack.callback(setattr, Eyes, "see", see)
        setattr(Eyes, "see", timed)  # noqa: B010  (a method is not assigned to in typed code)
        yield


def _yardstick(demo: Demo, runs: int = 30) -> Iterator[float]:
    """What the plainest look at a whole picture costs, in ms."""
    one, other = (_picture(demo, t_ns) for t_ns in (0, FRAME_NS))
    before = cv2.cvtColor(one, cv2.COLOR_BGR2GRAY)
    for _ in range(runs):
        start = time.thread_time()
        cv2.absdiff(cv2.cvtColor(other, cv2.COLOR_BGR2GRAY), before)
        yield (time.thread_time() - start) * 1e3


def _picture(demo: Demo, t_ns: int) -> Picture:
    return demo.table.scene.frame((), (), t_ns)
