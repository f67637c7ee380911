"""A real stream over the network: fresh after a pause, and its ailments told while it goes on by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from tests.vision.cameras.rtsp import RtspTable
from tests.vision.cameras.stream import NetworkTable, read_stamp
from vision.cameras import LiveCamera, open_camera
from vision.cameras.network import NetworkCamera, NetworkDevice
from vision.frames import Frame
from vision.troubles import NoCamera

PATIENCE_S = 20


def until(is_so: Callable[[], object]) -> None:
    """Waits for it, however busy the machine is; how soon a silence is told shows in test_inbox, by its own clock."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


def code_of(camera: LiveCamera) -> str | None:
    trouble = camera.trouble
    return None if trouble is None else trouble.code


@pytest.fixture
def table() -> Iterator[NetworkTable]:
    with NetworkTable() as table:
        yield table


@pytest.fixture
def camera(table: NetworkTable) -> Iterator[LiveCamera]:
    source = open_camera(table.address)
    assert isinstance(source, LiveCamera)
    yield source
    source.close()


def next_frame(camera: LiveCamera) -> Frame:
    found: list[Frame] = []

    def is_there() -> bool:
        frame = camera.newest()
        found.extend([frame] if frame else [])
        return bool(found)

    until(is_there)
    return found[0]


def pause(table: NetworkTable | RtspTable) -> int:
    """Two seconds' worth of pictures in which nobody asks for any; returns the number of the first."""
    first = table.sent
    until(lambda: table.sent >= first + 50)
    return first


def test_opencv_13145_a_pause_of_two_seconds_never_yields_an_old_picture(
    table: NetworkTable, camera: LiveCamera
) -> None:
    next_frame(camera)
    first = pause(table)
    assert read_stamp(next_frame(camera).picture) > first + 10


def test_a_stream_that_falls_silent_is_told_and_taken_up_again(table: NetworkTable, camera: LiveCamera) -> None:
    next_frame(camera)
    table.is_mute = True
    until(lambda: code_of(camera) == "stopped")
    camera.newest()
    assert camera.newest() is None
    table.is_mute = False
    next_frame(camera)
    assert camera.trouble is None


def test_a_frozen_stream_is_told_and_forgiven(table: NetworkTable, camera: LiveCamera) -> None:
    next_frame(camera)
    table.is_frozen = True
    until(lambda: code_of(camera) == "frozen")
    table.is_frozen = False
    next_frame(camera)
    assert camera.trouble is None


def test_a_stream_that_is_turned_round_in_mid_game_is_told_and_play_goes_on(
    table: NetworkTable, camera: LiveCamera
) -> None:
    next_frame(camera)
    table.size = (240, 320)
    until(lambda: code_of(camera) == "size")
    table.size = (320, 240)
    next_frame(camera)
    assert camera.trouble is None


def test_a_stream_that_is_gone_for_a_while_comes_back(table: NetworkTable, camera: LiveCamera) -> None:
    next_frame(camera)
    table.__exit__()
    until(lambda: code_of(camera) in ("stopped", "unreachable"))
    with NetworkTable(port=table.port):
        next_frame(camera)
        assert camera.trouble is None


def test_a_stream_that_never_sends_is_one_sentence() -> None:
    with NetworkTable(is_mute=True) as table, pytest.raises(NoCamera, match=r"cannot be reached|sends no picture"):
        open_camera(table.address)


def test_a_black_stream_is_one_sentence() -> None:
    with NetworkTable() as table:
        table.level = 2
        with pytest.raises(NoCamera, match="black picture"):
            LiveCamera(table.address, NetworkCamera(table.address, time.monotonic_ns), first_picture_s=4)


def test_an_rtsp_camera_is_fresh_after_a_pause_and_told_when_it_falls_silent() -> None:
    with RtspTable() as table:
        camera = open_camera(table.address)
        assert isinstance(camera, LiveCamera)
        next_frame(camera)
        first = pause(table)
        assert read_stamp(next_frame(camera).picture) > first + 10
        table.is_mute = True
        until(lambda: code_of(camera) == "stopped")
        table.is_mute = False
        next_frame(camera)
        assert camera.trouble is None
        camera.close()


def test_the_picture_that_ffmpeg_held_back_through_a_silence_is_not_a_new_one() -> None:
    with RtspTable() as table:
        device = NetworkDevice(table.address, time.monotonic_ns)
        number = 0
        while shot := device.read():
            number = read_stamp(shot.picture)
            table.is_mute = number >= 20
        device.close()
    assert 20 <= number < table.sent


def test_an_rtsp_picture_is_stamped_with_its_coming_though_ffmpeg_waits_for_the_next() -> None:
    with RtspTable() as table:
        device = NetworkDevice(table.address, lambda: 0)
        shots = [device.read() for _ in range(20)]
        device.close()
    assert min(shot.t_ns for shot in shots if shot) < 0
