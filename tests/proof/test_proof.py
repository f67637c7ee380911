"""The last minutes can be looked at again, and a ruling's two seconds show every slap where it was."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from cardtable.errors import BadRecording
from cardtable.proof.clip import draw, write_clip
from cardtable.proof.evidence import AFTER_NS, BEFORE_NS, Evidence, Mark, evidence_of
from cardtable.proof.ring import QUIET_NS, VideoRing
from cardtable.session import Session
from engine.errors import TableError
from engine.events import CardLaid
from tests.cardtable.helpers import MS, SECOND, GreyWatcher, begin, lay, plan, tap
from vision.frames import Frame, Picture

GAP_NS = SECOND // 30
SIZE = (320, 240)


def filmed(number: int) -> Picture:
    """A noisy grey table with a bright spot that wanders one step a frame."""
    picture = np.random.default_rng(number).normal(90, 3, (SIZE[1], SIZE[0], 3)).clip(0, 255).astype(np.uint8)
    cv2.circle(picture, (20 + 8 * (number % 30), 120), 10, (255, 255, 255), -1)
    return picture


def spot(picture: Picture) -> int:
    """Which step the spot of `filmed` is at."""
    bright = np.argwhere(picture[:240, :, 1] > 200)
    return round((float(bright[:, 1].mean()) - 20) / 8)


def ring_of(frames: int, **limits: int) -> VideoRing:
    ring = VideoRing(**limits)
    for number in range(frames):
        ring.add(Frame(filmed(number), number * GAP_NS, GAP_NS, number), is_quiet=False)
        ring.drain()
    return ring


def test_any_two_seconds_come_back_with_their_own_times() -> None:
    ring = ring_of(200)
    found = list(ring.frames(2 * SECOND, 4 * SECOND))
    assert [t_ns for t_ns, _ in found] == [n * GAP_NS for n in range(200) if 2 * SECOND <= n * GAP_NS <= 4 * SECOND]
    assert [spot(picture) for _, picture in found] == [round(t_ns / GAP_NS) % 30 for t_ns, _ in found]
    ring.close()


def test_what_is_too_long_ago_is_given_up() -> None:
    ring = ring_of(300, kept_ns=3 * SECOND)
    assert list(ring.frames(0, SECOND)) == []
    assert len(list(ring.frames(8 * SECOND, 10 * SECOND))) >= 59
    ring.close()


def test_a_restless_table_cannot_eat_all_memory() -> None:
    ring = ring_of(200, most_bytes=200_000)
    assert ring.size_bytes <= 200_000
    assert list(ring.frames(6 * SECOND, 7 * SECOND))
    ring.close()


def test_quiet_times_cost_five_pictures_a_second() -> None:
    ring = VideoRing()
    for number in range(60):
        ring.add(Frame(filmed(number), number * GAP_NS, GAP_NS, number), is_quiet=True)
        ring.drain()
    times = [t_ns for t_ns, _ in ring.frames(0, 2 * SECOND)]
    assert 9 <= len(times) <= 11
    assert all(later - earlier >= QUIET_NS for earlier, later in pairwise(times))
    ring.close()


def test_another_camera_with_another_size_begins_anew() -> None:
    ring = ring_of(40)
    for number in range(40, 80):
        picture = np.ascontiguousarray(filmed(number)[:120, :160])
        ring.add(Frame(picture, number * GAP_NS, GAP_NS, number), is_quiet=False)
        ring.drain()
    shapes = [picture.shape[:2] for _, picture in ring.frames(0, 3 * SECOND)]
    assert shapes == [(240, 320)] * 40 + [(120, 160)] * 40
    ring.close()


@pytest.fixture
def session() -> Session:
    """Anna has laid a two; Boris and then Vera slap for the three, which Boris lays."""
    session = Session(plan(), tracker=GreyWatcher())
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    tap(session, "C", 8 * SECOND - 300 * MS)
    lay(session, "3D", "B", 8 * SECOND)
    session.on_time(10 * SECOND)
    return session


def last_lay(session: Session) -> int:
    return [told.number for told in session.referee.history() if isinstance(told.event, CardLaid)][-1]


def test_evidence_names_every_slap_and_its_margin(session: Session) -> None:
    evidence = evidence_of(session, last_lay(session))
    assert [mark.text for mark in evidence.marks] == ["Vera: first", "Boris: +300 ms ± 0.2", "3♦"]
    assert [mark.seat for mark in evidence.marks] == [2, 1, None]
    assert (evidence.about_ns - evidence.from_ns, evidence.to_ns - evidence.about_ns) == (BEFORE_NS, AFTER_NS)
    assert "Boris" in evidence.title
    assert evidence_of(session, last_lay(session), "ru").marks[0].text == "Vera: первый"


def test_an_event_that_is_not_there_is_one_sentence(session: Session) -> None:
    with pytest.raises(TableError):
        evidence_of(session, 12345)


def test_a_clip_plays_in_its_own_time(tmp_path: Path) -> None:
    slap_ns = 5 * SECOND
    evidence = Evidence("Boris lays 3♦: fine.", slap_ns - BEFORE_NS, slap_ns + AFTER_NS, slap_ns, ())
    ring = ring_of(180)
    write_clip(tmp_path / "proof.mp4", evidence, ring.frames(evidence.from_ns, evidence.to_ns))
    ring.close()
    frames = []
    with av.open(str(tmp_path / "proof.mp4")) as file:
        assert file.streams.video[0].codec_context.name == "h264"
        for frame in file.decode(video=0):
            frames.append((float(frame.time or 0), np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)))
    assert len(frames) == pytest.approx(60, abs=1)
    for seconds, picture in frames[:-1]:
        number = round((evidence.from_ns / SECOND + seconds) * 30)
        assert spot(picture[:480:2, ::2]) == number % 30
    assert frames[-1][0] - frames[0][0] == pytest.approx(2, abs=0.05)


def test_marks_light_up_at_their_moment_and_lie_where_they_happened() -> None:
    colour = (90, 166, 242)
    mark = Mark(5 * SECOND, 50 * MS, "Anna: first", 0)
    evidence = Evidence("", 4 * SECOND, 6 * SECOND, 5 * SECOND, (mark,))
    picture = np.zeros((480, 640, 3), np.uint8)

    def columns(now_ns: int) -> list[int]:
        lit = (np.abs(draw(evidence, picture, now_ns)[480:].astype(int) - colour).max(axis=2) < 12).sum(axis=0)
        return [int(x) for x in np.flatnonzero(lit > 15)]

    assert columns(5 * SECOND - 10 * MS) == []
    lit = columns(5 * SECOND + 10 * MS)
    # Half of the way, and as wide as the moment is uncertain: 100 ms of 2 s.
    way = 640 * 0.72 - 32
    assert (lit[0] + lit[-1]) / 2 == pytest.approx(16 + way / 2, abs=6)
    assert lit[-1] - lit[0] == pytest.approx(way * 0.05, abs=6)


def test_without_pictures_there_is_no_proof() -> None:
    with pytest.raises(BadRecording, match="no picture of that moment is left"):
        write_clip(Path("proof.mp4"), Evidence("", 0, SECOND, SECOND, ()), [])
