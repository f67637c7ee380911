"""A real V4L2 camera: pictures are fresh after a pause, and a pulled cable is noticed and mended."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.rig import simdevices
from vision.frames import Camera

pytestmark = pytest.mark.rig

MS = 1_000_000


def until(is_so: Callable[[], bool], *, within_s: float = 30) -> None:
    end = time.monotonic() + within_s
    while not is_so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.02)


def test_opencv_13145_after_a_pause_the_picture_is_a_fresh_one() -> None:
    camera = Camera("/dev/video0")
    time.sleep(2)
    frame = camera.newest()
    assert frame is not None
    assert time.monotonic_ns() - frame.t_ns < 500 * MS
    camera.close()


def test_opencv_14044_6107_a_pulled_cable_is_told_and_the_camera_is_taken_up_again() -> None:
    camera, cable = Camera("/dev/video0"), simdevices.Camera()
    cable.unplug()
    until(lambda: camera.trouble is not None)
    camera.newest()
    assert camera.newest() is None
    simdevices.Camera.plug()
    until(lambda: camera.newest() is not None)
    assert camera.trouble is None
    camera.close()
