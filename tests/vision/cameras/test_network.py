"""A real stream over the network: fresh after a pause, and its ailments told while it goes on by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from tests.vision.cameras.rtsp import RtspTable
from tests.vision.cameras.stream import BITS, NetworkTable, read_stamp
from vision.cameras import LiveCamera, open_camera
from vision.cameras.network import NetworkCamera
from vision.frames import Frame
from vision.troubles import NoCamera

PATIENCE_S = 20


def until(is_so: Callable[[], object]) -> float:
    """How long it took, in seconds."""
    start = time.monotonic()
    while not is_so():
        assert time.monotonic() - start < PATIENCE_S, "it never came to that"
        time.sleep(0.01)
    return time.monotonic() - start


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


def age_ms(frame: Frame) -> int:
    """How old the picture's content is, read from its pixels."""
    return (time.monotonic_ns() // 1_000_000 - read_stamp(frame.picture)) % (1 << BITS)


def test_opencv_13145_a_pause_of_two_seconds_never_yields_an_old_picture(camera: LiveCamera) -> None:
    next_frame(camera)
    end = time.monotonic() + 2
    until(lambda: time.monotonic() > end)
    frame = next_frame(camera)
    assert age_ms(frame) < 500
    assert abs(time.monotonic_ns() - frame.t_ns) < frame.within_ns + 500_000_000


def test_a_stream_that_falls_silent_is_told_within_two_seconds_and_taken_up_again(
    table: NetworkTable, camera: LiveCamera
) -> None:
    next_frame(camera)
    table.is_mute = True
    assert until(lambda: code_of(camera) == "stopped") < 2
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
    assert until(lambda: code_of(camera) in ("stopped", "unreachable")) < 2
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
            LiveCamera(table.address, NetworkCamera(table.address, time.monotonic_ns), first_picture_s=2.5)


def test_an_rtsp_camera_is_fresh_after_a_pause_and_told_when_it_falls_silent() -> None:
    with RtspTable() as table:
        camera = open_camera(table.address)
        assert isinstance(camera, LiveCamera)
        next_frame(camera)
        end = time.monotonic() + 2
        until(lambda: time.monotonic() > end)
        assert age_ms(next_frame(camera)) < 500
        table.is_mute = True
        assert until(lambda: code_of(camera) == "stopped") < 2
        table.is_mute = False
        next_frame(camera)
        assert camera.trouble is None
        camera.close()
