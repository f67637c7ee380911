"""`cardtable proof`: a ruling of a recorded session as a video file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardtable.commands.play import LangOption
from cardtable.errors import BadRecording

if TYPE_CHECKING:
    from cardtable.recording import Recording
    from cardtable.session import Session
    from vision.frames import Picture


def proof(
    recording: Annotated[Path, typer.Argument(metavar="DIR", help="What cardtable play --record has kept.")],
    ruling: Annotated[int | None, typer.Argument(metavar="NUMBER", help="Which; without it all are listed.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="The video; else ruling-NUMBER.mp4.")] = None,
    lang: LangOption = None,
) -> None:
    """Cuts the two seconds of a ruling out of a recording, with every slap and its margin drawn in.

    Example: `cardtable proof evening/`

    Example: `cardtable proof evening/ 17 --out quarrel.mp4`
    """
    from cardtable.player import play, session_for
    from cardtable.proof.clip import write_clip
    from cardtable.proof.evidence import evidence_of
    from cardtable.recording import read_recording

    found = read_recording(recording)
    if not found.has_frames:
        raise BadRecording(f"{recording} keeps no pictures; there is nothing to see in it")
    session, language = session_for(found), lang or "en"
    play(found, session)
    if ruling is None:
        _list(session, language)
        return
    evidence = evidence_of(session, ruling, language)
    path = out or Path(f"ruling-{ruling}.mp4")
    write_clip(path, evidence, _pictures(found, evidence.from_ns, evidence.to_ns))
    typer.echo(f"{path}: {evidence.title}")


def _list(session: Session, language: str) -> None:
    from engine.events import CardLaid

    for told in session.referee.history():
        if isinstance(told.event, CardLaid):
            typer.echo(f"{told.number:5}  {told.sentence(language)}")


def _pictures(recording: Recording, from_ns: int, to_ns: int) -> Iterator[tuple[int, Picture]]:
    from cardtable.recording import FrameInput

    frames = (item for item in recording.inputs if isinstance(item, FrameInput))
    for item in sorted(frames, key=lambda item: item.t_ns):
        if from_ns <= item.t_ns <= to_ns:
            yield item.t_ns, item.load().picture
