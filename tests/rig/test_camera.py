"""A real V4L2 camera: opened, starved, pulled out, taken up again under another name, in use, black, locked."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.rig import simdevices
from tests.rig.waiting import wait_until as until
from vision.cameras import LiveCamera, open_camera
from vision.cameras.usb import list_cameras
from vision.cameras.usb_controls import UsbControls
from vision.frames import Frame
from vision.troubles import NoCamera

pytestmark = pytest.mark.rig

SECOND = 1_000_000_000
SOLID_BLACK = "100% Black"


def code_of(camera: LiveCamera) -> str | None:
    trouble = camera.trouble
    return None if trouble is None else trouble.code


def only_node() -> str:
    return str(next(Path("/dev").glob("video*")))


@pytest.fixture
def camera() -> Iterator[LiveCamera]:
    source = open_camera(only_node())
    assert isinstance(source, LiveCamera)
    yield source
    source.close()


@pytest.fixture
def cable() -> Iterator[simdevices.Camera]:
    cable = simdevices.Camera(only_node())
    yield cable
    cable.drop_frames(0)
    cable.close()


def test_pictures_carry_the_drivers_stamp_on_the_monotonic_clock(camera: LiveCamera) -> None:
    frames: list[Frame] = []
    while len(frames) < 20:
        frame = camera.newest()
        if frame is not None:
            assert 0 < time.monotonic_ns() - frame.t_ns < 60 * SECOND, "it is that clock"
            frames.append(frame)
        time.sleep(0.002)
    assert all(earlier.t_ns < later.t_ns for earlier, later in pairwise(frames))
    # The kernel stamps in whole microseconds; a time taken here would not be one.
    assert all(frame.t_ns % 1000 == 0 for frame in frames)


def test_many_pictures_are_preferred_to_large_ones(camera: LiveCamera) -> None:
    """This camera sends 5 pictures a second of full HD, 25 of 640x480."""
    until(lambda: (frame := camera.newest()) and frame.picture.shape == (480, 640, 3))


def test_opencv_13145_after_a_pause_the_picture_is_a_fresh_one(camera: LiveCamera) -> None:
    until(camera.newest)
    time.sleep(4)
    frame: Frame | None = None
    while frame is None:
        time.sleep(0.002)
        frame = camera.newest()
    assert time.monotonic_ns() - frame.t_ns < 2 * SECOND


def test_a_starved_camera_is_told_and_goes_on(camera: LiveCamera, cable: simdevices.Camera) -> None:
    cable.drop_frames(100)
    until(lambda: code_of(camera) == "stopped")
    camera.newest()
    assert camera.newest() is None
    cable.drop_frames(0)
    until(camera.newest)
    assert camera.trouble is None


def test_opencv_14044_6107_a_pulled_camera_is_told_and_taken_up_again_under_another_name(camera: LiveCamera) -> None:
    cable, before = simdevices.Camera(only_node()), only_node()
    with Path(before).open("rb", buffering=0):  # as another program might: the old name stays taken
        cable.unplug()
        until(lambda: code_of(camera) == "unplugged")
        camera.newest()
        assert camera.newest() is None
        back = simdevices.Camera.plug()
        until(camera.newest)
    assert camera.trouble is None
    assert back.path != before
    back.close()


def test_a_camera_is_found_by_a_part_of_its_name() -> None:
    (found,) = list_cameras()
    assert found.identity.name == "vivid-000-vid-cap"
    camera = open_camera("vivid")
    until(camera.newest)
    camera.close()


def test_a_camera_in_use_is_told_with_the_program_that_uses_it() -> None:
    hold = "import cv2, sys; eye = cv2.VideoCapture(int(sys.argv[1])); print(eye.read()[0], flush=True); input()"
    number = only_node().removeprefix("/dev/video")
    command = [sys.executable, "-c", hold, number]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == "True"
        with pytest.raises(NoCamera, match=rf"in use by python\S* \(process {other.pid}\)"):
            open_camera(number)
        other.communicate("\n")
    camera = open_camera(number)
    camera.close()


def test_a_wrong_number_lists_what_there_is() -> None:
    with pytest.raises(NoCamera, match=r"there is no camera 77; cameras here: /dev/video\d+ \(vivid"):
        open_camera("77")


def test_a_black_camera_is_told_at_the_start_and_in_mid_game(camera: LiveCamera, cable: simdevices.Camera) -> None:
    cable.set("Test Pattern", cable.menu("Test Pattern").index(SOLID_BLACK))
    cable.set("OSD Text Mode", cable.menu("OSD Text Mode").index("None"))
    try:
        until(lambda: code_of(camera) == "black")
        camera.newest()
        assert camera.newest() is None
    finally:
        cable.set("Test Pattern", 0)
        cable.set("OSD Text Mode", 0)
    until(camera.newest)
    assert camera.trouble is None


def test_what_the_camera_has_found_is_locked_and_stays(cable: simdevices.Camera) -> None:
    controls = UsbControls.open(Path(only_node()), 50)
    assert controls is not None
    controls.start()
    assert controls.get("AUTOGAIN") == 1
    controls.lock()
    assert controls.get("AUTOGAIN") == 0
    gain = controls.get("GAIN")
    time.sleep(1)
    assert controls.get("GAIN") == gain
    controls.close()


def test_a_played_camera_is_locked_by_itself(camera: LiveCamera) -> None:
    controls = UsbControls.open(Path(only_node()), 50)
    assert controls is not None
    until(lambda: controls.get("AUTOGAIN") == 0)
    controls.close()
