"""Frames come with their times, once, the newest first; what is no camera is told in one sentence."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.errors import TableError
from vision.cameras import Stills, Video, open_camera
from vision.reader import UnreadablePicture


class Hand:
    """A clock that is moved by hand."""

    now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


def picture(level: int) -> np.ndarray:
    return np.full((48, 64, 3), level, dtype=np.uint8)


def write_stills(folder: Path, *times_ms: int) -> None:
    for t_ms in times_ms:
        cv2.imwrite(str(folder / f"{t_ms:07d}.png"), picture(t_ms // 100))


def write_video(path: Path, frames: int, fps: float) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for i in range(frames):
        writer.write(picture(10 * i))
    writer.release()


def test_stills_carry_the_time_of_their_name(tmp_path: Path) -> None:
    write_stills(tmp_path, 1500, 200)
    frames = list(Stills(tmp_path))
    assert [frame.t_ns for frame in frames] == [200_000_000, 1_500_000_000]
    assert [int(frame.picture[0, 0, 0]) for frame in frames] == [2, 15]


def test_stills_wait_for_their_time_and_none_is_lost(tmp_path: Path) -> None:
    write_stills(tmp_path, 100, 200)
    clock = Hand()
    source = Stills(tmp_path, clock)
    assert source.newest() is None
    clock.now_ns = 1_000_000_000
    seen = [source.newest(), source.newest(), source.newest()]
    assert [frame.number for frame in seen if frame] == [0, 1]
    assert source.is_over


def test_a_paused_reader_of_a_video_gets_the_newest_frame_not_a_stale_one(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    write_video(path, frames=20, fps=10)
    clock = Hand()
    source = Video(path, clock)
    first = source.newest()
    clock.now_ns = 1_050_000_000
    later = source.newest()
    assert first is not None
    assert later is not None
    assert (first.number, later.number) == (0, 10)
    assert later.t_ns == pytest.approx(1_000_000_000, abs=2_000_000)
    assert later.within_ns == 100_000_000
    assert source.newest() is None
    assert not source.is_over


def test_a_video_played_without_waiting_gives_every_frame(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    write_video(path, frames=5, fps=25)
    assert [round(frame.t_ns / 1e6) for frame in Video(path)] == [0, 40, 80, 120, 160]


def test_a_video_can_be_named_as_camera(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    write_video(path, frames=2, fps=25)
    assert open_camera(str(path)).newest() is not None


@pytest.mark.parametrize("spec", ["/dev/video97", "97", "no/such/folder"])
def test_a_missing_camera_is_named_in_one_sentence(spec: str) -> None:
    with pytest.raises(TableError, match=r"97|no/such/folder") as error:
        open_camera(spec)
    assert "\n" not in str(error.value)


def test_a_stream_that_is_not_there_is_named() -> None:
    with pytest.raises(TableError, match=r"http://127\.0\.0\.1:9/"):
        open_camera("http://127.0.0.1:9/")


def test_an_empty_folder_is_no_camera(tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture, match="holds no pictures"):
        open_camera(tmp_path)


def test_a_picture_that_is_no_picture_is_named(tmp_path: Path) -> None:
    (tmp_path / "0000100.jpg").write_bytes(b"not a picture")
    with pytest.raises(UnreadablePicture, match=r"0000100\.jpg"):
        list(Stills(tmp_path))


def test_a_picture_without_a_time_is_named(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "holiday.png"), picture(3))
    with pytest.raises(UnreadablePicture, match=r"holiday\.png"):
        open_camera(tmp_path)


def test_a_file_that_is_no_video_is_named(tmp_path: Path) -> None:
    path = tmp_path / "notes.mp4"
    path.write_text("not a video")
    with pytest.raises(UnreadablePicture, match=r"notes\.mp4"):
        open_camera(path)
