"""How long reading takes: a 1920×1080 frame in which cards have newly come to lie, whole frames, the networks alone."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from cardtable.bench.rival import ABSENT, rival_network
from cardtable.bench.spread import spread
from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX, Place
from cardtable.simulated.reach import Piece
from cardtable.simulated.scene import Scene
from engine.cards import DECK_52
from engine.events import CardLaid
from vision.frames import Frame, Picture
from vision.layout import Layout, Zone
from vision.reader import Reader
from vision.reader.finder import fitted
from vision.reader.weights import load_weights, open_session, released_models
from vision.table import Tracker

FRAME_NS = 33_333_333
COUNTS = (1, 4, 12)
RUNS = 7
UNCHANGED_FRAMES = 60
_STILL_FRAMES = 30
_SIDES_PX = (640, 1280)
_THREADS = 2
_STEP_MM = (78.0, 102.0)
"""From card to card, so that none covers another."""


def bench_vision(runs: int = RUNS) -> dict[str, Any]:
    """`{"new_cards": {"1": {"ms": …}, …}, "unchanged": …, "frame": …, "finder": {"640": …}, "yolo26n": …, "peak_mb"}`.

    The figure for new cards is the costliest single frame from their appearing until they are all reported and nothing
    changes any more; `read` says how many were. `frame` is a whole frame with a dozen cards, found at 1280 px and read;
    `finder` and `yolo26n` are the bare networks on that frame, its longer side 640 and 1280 px. `peak_mb` is the most
    memory that this process took before the rival was loaded. Medians over `runs`, quartiles beside them.
    """
    reader = Reader.load()
    _measure_new(reader, 1, seed=0)  # the first pass through a network allocates its memory
    new = {str(count): _bench_new(reader, count, runs) for count in COUNTS}
    found = {"new_cards": new, "unchanged": spread(list(_measure_unchanged(reader)))}
    frame = Scene(0).frame(_spread_out(12, random.Random(0)), (), 0)
    found["frame"] = _timed(partial(reader.corners, frame, 1280 / WIDTH_PX), runs)
    found["finder"] = _bench_finder(frame, runs)
    found["peak_mb"] = _peak_mb()
    return found | {"yolo26n": _bench_rival(frame, runs)}


def _bench_finder(frame: Picture, runs: int) -> dict[str, Any]:
    network = load_weights(released_models(), threads=_THREADS).finder
    seen = {side: fitted(frame, side / WIDTH_PX)[0][None] for side in _SIDES_PX}
    return {str(side): _timed(partial(network.run, None, {"picture": seen[side]}), runs) for side in _SIDES_PX}


def _bench_rival(frame: Picture, runs: int) -> dict[str, Any] | str:
    path = rival_network()
    if path is None:
        return ABSENT
    network = open_session(path, _THREADS)
    name = network.get_inputs()[0].name
    found = {}
    for side in _SIDES_PX:
        planes = fitted(frame, side / WIDTH_PX)[0].transpose(2, 0, 1)[None].astype(np.float32) / 255
        found[str(side)] = _timed(partial(network.run, None, {name: planes}), runs)
    return found


def _timed(work: Callable[[], Any], runs: int) -> dict[str, Any]:
    costs = []
    for _ in range(runs + 2):
        start = time.perf_counter_ns()
        work()
        costs.append((time.perf_counter_ns() - start) / 1e6)
    return spread(costs[2:])  # the first passes allocate memory


def _peak_mb() -> int | None:
    try:
        import resource  # noqa: PLC0415  (not on Windows)
    except ImportError:
        return None
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def _bench_new(reader: Reader, count: int, runs: int) -> dict[str, Any]:
    found = [_measure_new(reader, count, seed=seed) for seed in range(runs)]
    return spread([ms for ms, _ in found]) | {"read": [read for _, read in found]}


def _measure_new(reader: Reader, count: int, *, seed: int) -> tuple[float, int]:
    """The costliest frame in ms, and how many of the cards were reported."""
    scene = Scene(seed)
    tracker = Tracker(reader, _layout(scene))
    frames = _frames(scene, count, seed)
    for _ in range(5):
        tracker.see(next(frames))
    costs, read = [], set[int]()
    for frame in frames:
        start = time.perf_counter_ns()
        events = tracker.see(frame)
        costs.append((time.perf_counter_ns() - start) / 1e6)
        read |= {event.lay for event in events if isinstance(event, CardLaid)}
    return max(costs), len(read)


def _measure_unchanged(reader: Reader) -> Iterator[float]:
    scene = Scene(1)
    tracker = Tracker(reader, _layout(scene))
    for number in range(UNCHANGED_FRAMES):
        frame = Frame(scene.frame((), (), number * FRAME_NS), number * FRAME_NS, FRAME_NS // 2, number)
        start = time.perf_counter_ns()
        tracker.see(frame)
        if frame.number >= 10:  # the first ones set up the background
            yield (time.perf_counter_ns() - start) / 1e6


def _frames(scene: Scene, count: int, seed: int) -> Iterator[Frame]:
    """Five frames of the bare table, then `count` cards lying there from one frame to the next."""
    pieces = _spread_out(count, random.Random(seed))
    for number in range(5 + _STILL_FRAMES):
        t_ns = number * FRAME_NS
        picture: Picture = scene.frame(pieces if number >= 5 else (), (), t_ns)
        yield Frame(picture, t_ns, FRAME_NS // 2, number)


def _spread_out(count: int, rng: random.Random) -> tuple[Piece, ...]:
    columns = min(4, count)
    cards = rng.sample(DECK_52, count)
    rows = -(-count // columns)
    return tuple(
        Piece(card, Place(_at(i % columns, columns, 0), _at(i // columns, rows, 1), rng.uniform(-8, 8)), key=i)
        for i, card in enumerate(cards)
    )


def _at(place: int, places: int, axis: int) -> float:
    return (place - (places - 1) / 2) * _STEP_MM[axis]


def _layout(scene: Scene) -> Layout:
    """The camera as calibrated, with a pile zone in which a dozen cards fit side by side."""
    rows = [tuple(float(value) for value in row) for row in scene.camera.calibration()]
    zone = Zone(-190.0, -190.0, 380.0, 380.0)
    return Layout((WIDTH_PX, HEIGHT_PX), (rows[0], rows[1], rows[2]), zone)  # type: ignore[arg-type]
