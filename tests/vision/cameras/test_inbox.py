"""What arrives from a camera: the newest only, never an old one, and every ailment by its name."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cameras.inbox import Inbox
from vision.frames import Picture

MS, SECOND = 1_000_000, 1_000_000_000


class Bench:
    """An inbox and a clock that is moved by hand; pictures come every 40 ms."""

    def __init__(self) -> None:
        self.now_ns = 10 * SECOND
        self.inbox = Inbox("eye", lambda: self.now_ns)
        self._rng = np.random.default_rng(3)

    def send(self, picture: Picture | None = None, *, seconds: float = 0.04) -> None:
        for _ in range(round(seconds / 0.04)):
            self.now_ns += 40 * MS
            self.inbox.put(self.noise() if picture is None else picture, self.now_ns, 40 * MS)

    def noise(self, width: int = 64, height: int = 48, level: int = 120) -> Picture:
        return self._rng.integers(level - 3, level + 4, (height, width, 3)).astype(np.uint8)

    @property
    def code(self) -> str | None:
        trouble = self.inbox.trouble
        return None if trouble is None else trouble.code


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_only_the_newest_picture_is_handed_out_and_once(bench: Bench) -> None:
    bench.send(seconds=0.4)
    frame = bench.inbox.newest()
    assert frame is not None
    assert (frame.number, frame.t_ns) == (10, bench.now_ns)
    assert bench.inbox.newest() is None


def test_after_a_pause_of_two_seconds_the_last_picture_of_a_dead_camera_is_not_handed_out(bench: Bench) -> None:
    bench.send()
    bench.now_ns += 2 * SECOND
    assert bench.inbox.newest() is None


def test_opencv_14044_a_picture_whose_stamp_does_not_advance_is_none(bench: Bench) -> None:
    bench.send()
    stamp_ns = bench.now_ns
    for _ in range(50):
        bench.now_ns += 40 * MS
        bench.inbox.put(bench.noise(), stamp_ns, 40 * MS)
    assert bench.code == "stopped"


def test_pictures_that_always_come_too_late_are_told_as_such(bench: Bench) -> None:
    bench.send()
    for _ in range(50):
        bench.now_ns += 40 * MS
        bench.inbox.put(bench.noise(), bench.now_ns - 900 * MS, 40 * MS)
    assert bench.inbox.newest() is None
    assert bench.code == "late"
    bench.send(seconds=1)
    assert bench.code is None


def test_a_silent_camera_is_told_within_two_seconds_and_forgiven_at_once(bench: Bench) -> None:
    bench.send()
    bench.now_ns += 1900 * MS
    assert bench.code == "stopped"
    bench.send()
    assert bench.code is None


def test_the_very_same_picture_for_two_seconds_is_a_frozen_camera(bench: Bench) -> None:
    same = bench.noise()
    bench.send(same, seconds=1.2)
    assert bench.code is None
    bench.send(same, seconds=0.8)
    assert bench.code == "frozen"
    assert bench.inbox.newest() is None
    bench.send()
    assert bench.code is None
    assert bench.inbox.newest() is not None


def test_a_still_table_under_a_real_sensor_is_not_frozen(bench: Bench) -> None:
    bench.send(seconds=20)
    assert bench.code is None


def test_a_black_picture_is_told_and_never_judged(bench: Bench) -> None:
    bench.send()
    bench.inbox.newest()
    bench.send(bench.noise(level=5), seconds=0.4)
    assert bench.inbox.newest() is None
    assert bench.code is None
    bench.send(bench.noise(level=5), seconds=1.2)
    assert bench.code == "black"
    bench.send()
    assert bench.code is None


def test_a_dim_picture_is_not_black(bench: Bench) -> None:
    bench.send(seconds=2)
    for _ in range(50):
        bench.send(bench.noise(level=30))
    assert bench.code is None


def test_the_same_view_in_other_pixels_is_scaled_so_that_the_table_stays_where_it_was(bench: Bench) -> None:
    bench.send(bench.noise(64, 48))
    bench.send(bench.noise(128, 96))
    frame = bench.inbox.newest()
    assert frame is not None
    assert frame.picture.shape == (48, 64, 3)
    assert bench.code is None


def test_another_view_is_refused_and_told_with_both_sizes(bench: Bench) -> None:
    bench.send(bench.noise(64, 48))
    bench.inbox.newest()
    bench.send(bench.noise(48, 64))
    assert bench.inbox.newest() is None
    trouble = bench.inbox.trouble
    assert trouble is not None
    assert "48×64 instead of 64×48" in trouble.tell("en")
    bench.send(bench.noise(64, 48))
    assert bench.code is None
