"""A recorded session plays again to the same rulings; the small form is a deal that is done and a folder of taps."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from cardtable.errors import BadRecording
from cardtable.lines import lay_lines
from cardtable.player import play
from cardtable.proof.shelf import BACKLOG
from cardtable.recorder import AFTER, BEFORE, FolderRecorder
from cardtable.recording import FrameInput, read_lines, read_recording
from cardtable.session import Session
from engine.events import CardLaid
from engine.log import Correct, Overrule
from engine.seats import Seat
from hardware.records import Edge, Kind
from tests.cardtable.helpers import MS, SECOND, GreyWatcher, begin, codes, grey_frame, lay, plan, tap, write_party
from vision.errors import UnreadablePicture


def recorded(folder: Path) -> tuple[Session, FolderRecorder]:
    recorder = FolderRecorder(folder, plan())
    return Session(plan(), tracker=GreyWatcher(), recorder=recorder), recorder


def play_again(folder: Path) -> Session:
    recording = read_recording(folder)
    session = Session(recording.plan, tracker=GreyWatcher())
    play(recording, session)
    return session


def numbers_of_lays(session: Session) -> list[int]:
    return [told.number for told in session.referee.history() if isinstance(told.event, CardLaid)]


def test_recorded_session_plays_again_to_the_same_rulings(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    settled: list[dict[str, object]] = []
    session.subscribe(lambda update: settled.extend(line for told in update.settled for line in lay_lines(told)))
    begin(session)
    for card, seat, second in (("2C", "A", 6), ("3D", "B", 8), ("5H", "C", 10), ("4H", "C", 12), ("5S", "A", 13)):
        lay(session, card, seat, second * SECOND)
    tap(session, "B", 15 * SECOND)
    session.on_time(20 * SECOND)
    recorder.close(at_ns=session.now_ns)

    again = play_again(tmp_path / "evening")
    assert codes(again) == codes(session)
    assert len(codes(again)) == 5
    assert [line for _, line in read_lines(tmp_path / "evening" / "rulings.jsonl")] == settled
    assert len(settled) >= 5


def test_corrections_find_what_they_are_about_when_log_numbers_differ(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    lay(session, "3D", "B", 8 * SECOND)
    # Late in arriving: such a report gets another log number when it is fed in order of time.
    session.on_edge(edge_of("C", Kind.DOWN, 8 * SECOND + 40 * MS))
    session.on_edge(edge_of("C", Kind.UP, 8 * SECOND + 90 * MS))
    session.on_time(11 * SECOND)
    first, second = numbers_of_lays(session)
    session.edit(Overrule(target=second, rulings=session.referee.options(second)[-1:], who="host", why="seen"))
    old = session.referee.event(first).event
    session.edit(Correct(target=first, event=old, who="host", why="looked again"))
    session.undo(who="host")
    recorder.close(at_ns=session.now_ns)
    assert codes(play_again(tmp_path / "evening")) == codes(session)
    assert codes(session)[1][1] != "ok"


def edge_of(seat: str, kind: Kind, t_ns: int) -> Edge:

    return Edge(seat=Seat(seat), source="late", kind=kind, t_ns=t_ns, within_ns=1000, number=1)


def test_quiet_pictures_are_kept_only_around_busy_ones_and_once_a_second(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    gap_ns = SECOND // 30
    for number in range(300):
        session.on_time(number * gap_ns)
        session.on_frame(grey_frame("2C" if number >= 150 else None, number * gap_ns, number))
    recorder.close(at_ns=session.now_ns)
    frames = [item for item in read_recording(tmp_path / "evening").inputs if isinstance(item, FrameInput)]
    kept = {frame.number for frame in frames}
    assert set(range(150 - BEFORE, 151 + AFTER)) <= kept
    assert 9 <= len(kept) - (BEFORE + 1 + AFTER) <= 12
    assert [frame.at_ns for frame in frames] == sorted(frame.at_ns for frame in frames)
    assert {path.name for path in (tmp_path / "evening" / "frames").iterdir()} == {frame.path.name for frame in frames}


def test_a_session_recorded_from_its_middle_plays_again_whole(tmp_path: Path) -> None:
    session = Session(plan(), tracker=GreyWatcher())
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    session.on_time(8 * SECOND)
    recorder = FolderRecorder(tmp_path / "rest", session.plan)
    session.record(recorder)
    lay(session, "3D", "B", 9 * SECOND)
    session.on_time(12 * SECOND)
    recorder.close(at_ns=session.now_ns)
    assert codes(play_again(tmp_path / "rest")) == codes(session) == [("2C", "ok", "A"), ("3D", "ok", "B")]


def test_a_session_that_ends_right_after_a_lay_keeps_its_ruling(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    session.settle()
    recorder.close(at_ns=session.now_ns)
    kept = [(line["card"], line["code"]) for _, line in read_lines(tmp_path / "evening" / "rulings.jsonl")]
    assert kept == [("2C", "ok")]
    assert codes(play_again(tmp_path / "evening")) == [("2C", "ok", "A")]


def test_a_recording_that_cannot_go_on_does_not_stop_the_game(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    shutil.rmtree(tmp_path / "evening")
    for number in range(BACKLOG + 3):
        session.on_frame(grey_frame(None, 6 * SECOND + number * SECOND, number))
    assert session.lost == {"recording"}
    lay(session, "2C", "A", 50 * SECOND)
    assert codes(session) == [("2C", "ok", "A")]
    with suppress(BadRecording):
        recorder.close(at_ns=session.now_ns)


def test_small_form_begins_with_the_deal_done_and_taps_that_are_no_holds(tmp_path: Path) -> None:
    folder = write_party(tmp_path / "party")
    presses = [(1000, "A"), (5600, "A"), (8000.5, "B")]
    (folder / "presses.jsonl").write_text("".join(f'{{"t_ms": {t}, "seat": "{seat}"}}\n' for t, seat in presses))
    recording = read_recording(folder)
    session = Session(recording.plan)
    play(recording, session)
    ruled = [(told.event.t_ns, ruling.code) for told in session.referee.history() for ruling in told.rulings]
    assert (1000 * MS, "claim") in ruled
    assert not any(code == "no-card" for _, code in ruled)
    assert recording.plan.stills


@pytest.mark.parametrize("seat", ["A", "B"])
def test_every_line_of_a_recording_is_json_that_people_can_read(tmp_path: Path, seat: str) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    tap(session, seat, 6 * SECOND)
    recorder.close(at_ns=session.now_ns)
    header, *lines = [json.loads(text) for text in (tmp_path / "evening" / "session.jsonl").read_text().splitlines()]
    assert header["format"] == 1
    assert header["players"] == ["Anna", "Boris", "Vera"]
    assert [line["edge"]["seat"] for line in lines if "edge" in line][-1] == seat
    assert lines[-1]["end"] is True


def test_of_a_killed_program_everything_is_played_that_came_to_the_disk(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    for number, card in enumerate(("2C", "3D", "4H", "5S")):
        lay(session, card, "ABCA"[number], (6 + 2 * number) * SECOND)
    session.on_time(20 * SECOND)
    # Pictures come to the disk by a thread of their own, in its time.
    for number in range(1_000):
        killed = shutil.copytree(tmp_path / "evening", tmp_path / f"killed {number}")
        played = codes(play_again(killed))
        if len(played) >= 2:
            break
    recorder.close(at_ns=session.now_ns)
    # What is still with the encoder or on its way when the power goes is lost, and nothing else.
    assert played == codes(session)[: len(played)]
    assert len(played) >= 2


@pytest.mark.parametrize("begun", [None, b"", b"\x1a\x45"])
def test_of_a_program_killed_before_its_first_picture_came_to_the_disk_the_rest_is_played(
    tmp_path: Path, begun: bytes | None
) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    shutil.copytree(tmp_path / "evening", tmp_path / "killed")
    recorder.close(at_ns=session.now_ns)
    film = tmp_path / "killed" / "frames" / "film-1.mkv"
    film.unlink(missing_ok=True)
    if begun is not None:
        film.write_bytes(begun)
    assert not codes(play_again(tmp_path / "killed"))


def test_a_film_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    recorder.close(at_ns=session.now_ns)
    (tmp_path / "evening" / "frames" / "film-1.mkv").unlink()
    with pytest.raises(BadRecording, match=r"film-1\.mkv"):
        play_again(tmp_path / "evening")


def test_a_film_that_is_too_short_is_one_sentence(tmp_path: Path) -> None:
    session, recorder = recorded(tmp_path / "evening")
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    recorder.close(at_ns=session.now_ns)
    (tmp_path / "evening" / "frames" / "film-1.mkv").write_bytes(b"no film")
    with pytest.raises(UnreadablePicture, match=r"film-1\.mkv"):
        play_again(tmp_path / "evening")
