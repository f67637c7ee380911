"""Recordings: a session's plan and inputs in a folder, read from either of two forms.

The full form is what `--record` writes: `session.jsonl` (first line: format, game, players, seats, dealer, options,
seed, stills, layout; then a line an input, in order of arrival) and in `frames/` films, in which each line
of a frame gives its place, or `NNNNNNN.jpg`, named by capture time in ms.
The small form is for writing by hand: `party.json`, `presses.jsonl` (`t_ms`, `seat`; each a tap), `frames/`; the deal
is done at 0. All times count from the recording's own zero.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardtable.errors import BadRecording
from cardtable.plan import Plan, read_plan
from engine.errors import TableError
from engine.events import Call, Event
from engine.log import Edit
from engine.seats import Seat
from engine.text import read_entry, read_event
from hardware.records import Edge, Kind
from hardware.text import read_edge

if TYPE_CHECKING:
    from cardtable.proof.film import Film
    from vision.frames import Frame

FORMAT = 1
"""Rises when an older program could not read a newer recording."""
SESSION, RULINGS, FRAMES = "session.jsonl", "rulings.jsonl", "frames"
PARTY, PRESSES = "party.json", "presses.jsonl"
TAP_NS = 60_000_000
"""How long a hand-written tap is down: any length well under a hold says the same."""
PRESS_WITHIN_NS = 1_000
"""Hand-written times have three decimals of a millisecond."""
STILL_WITHIN_NS = 33_333_333
"""A picture without a stamp of its own is as good as one frame of a 30 fps camera."""


@dataclass(frozen=True, slots=True)
class EdgeInput:
    """A line changed."""

    at_ns: int
    """When it reached the session; its own time is the edge's."""
    edge: Edge


@dataclass(frozen=True, slots=True)
class FrameInput:
    """The camera took a picture, kept as a file or in a film."""

    at_ns: int
    path: Path
    t_ns: int
    within_ns: int
    number: int
    film: Film | None = None
    place: int = 0
    """Where in the film it is."""

    def load(self) -> Frame:
        """The frame with its picture; raises `UnreadablePicture` when the file is none."""
        from vision.frames import Frame, read_picture  # noqa: PLC0415  (OpenCV is slow to import)

        picture = read_picture(self.path) if self.film is None else self.film.picture(self.place)
        return Frame(picture, self.t_ns, self.within_ns, self.number)


@dataclass(frozen=True, slots=True)
class CallInput:
    """A person said something."""

    at_ns: int
    event: Event


@dataclass(frozen=True, slots=True)
class EditInput:
    """A person put the record right or answered a question."""

    at_ns: int
    edit: Edit
    targets: tuple[Mapping[str, Any], ...]
    """Names of the entries that it is about, see `cardtable.edits`."""


Input = EdgeInput | FrameInput | CallInput | EditInput


@dataclass(frozen=True, slots=True)
class Recording:
    """A session's plan and everything that went into it."""

    folder: Path
    plan: Plan
    inputs: tuple[Input, ...]
    """By time of arrival."""
    end_ns: int
    """When the session was closed, or its last input came."""

    @property
    def has_frames(self) -> bool:
        """Whether a camera saw the table."""
        return any(isinstance(item, FrameInput) for item in self.inputs)


def read_recording(folder: Path) -> Recording:
    """The recording in `folder`; raises `BadRecording` with the file, the line and what to do."""
    if (folder / SESSION).is_file():
        return _read_full(folder)
    if (folder / PARTY).is_file():
        return _read_small(folder)
    if not folder.is_dir():
        raise BadRecording(f"there is no folder {folder}; name one that `cardtable play --record` has written")
    raise BadRecording(f"{folder} is no recording: it has neither {SESSION} nor {PARTY}")


def read_lines(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """("file, line N", values) of each JSON line; raises `BadRecording` at the first that is no JSON object."""
    for number, text in enumerate(_read_text(path).splitlines(), 1):
        if text.strip():
            yield f"{path}, line {number}", _read_object(text, f"{path}, line {number}")


def _read_full(folder: Path) -> Recording:
    lines = read_lines(folder / SESSION)
    where, header = next(lines, (str(folder / SESSION), {}))
    if header.get("format") != FORMAT:
        raise BadRecording(f"{where}: the format is {header.get('format')!r}, this program reads {FORMAT}; update it")
    plan = _plan(header, where)
    inputs: list[Input] = []
    films = _Films(folder)
    end_ns, has_ended = 0, False
    for where, line in lines:
        try:
            at_ns = int(line["at_ns"])
            end_ns, has_ended = max(end_ns, at_ns), "end" in line
            inputs += _full_input(line, at_ns, plan, films)
        except TableError as error:
            raise BadRecording(f"{where}: {error}") from None
        except (KeyError, TypeError, ValueError) as error:
            raise BadRecording(f"{where} is not understood ({error}); correct or delete the line") from None
    if has_ended:
        films.check()
    else:
        inputs = [item for item in inputs if not isinstance(item, FrameInput) or films.has(item)]
    # A quiet picture is written once a later one shows that it matters: lines may stand out of order.
    return Recording(folder, plan, tuple(sorted(inputs, key=lambda item: item.at_ns)), end_ns)


class _Films:
    """The films of one recording, each opened once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._films: dict[Path, Film] = {}
        self._counts: dict[Path, int] = {}

    def film(self, path: Path) -> Film:
        from cardtable.proof.film import Film  # noqa: PLC0415  (OpenCV is slow to import)

        return self._films.setdefault(path, Film(path))

    def check(self) -> None:
        """Raises `BadRecording` for a film that is gone."""
        for path in self._films:
            _check_file(path)

    def has(self, item: FrameInput) -> bool:
        """Whether the picture came to the disk: of a program that was killed the last ones didn't."""
        if item.film is None:
            return True
        if item.path not in self._counts:
            self._counts[item.path] = self._count(item.film)
        return item.place < self._counts[item.path]

    @staticmethod
    def _count(film: Film) -> int:
        from vision.errors import UnreadablePicture  # noqa: PLC0415  (OpenCV is slow to import)

        try:
            return film.count()
        except UnreadablePicture:
            return 0  # its very beginning was still with the encoder


def _full_input(line: Mapping[str, Any], at_ns: int, plan: Plan, films: _Films) -> tuple[Input, ...]:
    if "edge" in line:
        edge = read_edge(line["edge"])
        _check_seat(edge.seat, plan)
        return (EdgeInput(at_ns, edge),)
    if "frame" in line:
        path = films.folder / FRAMES / str(line["frame"])
        film = films.film(path) if "place" in line else None
        if film is None:
            _check_file(path)
        times = int(line["t_ns"]), int(line["within_ns"]), int(line["number"])
        return (FrameInput(at_ns, path, *times, film=film, place=int(line.get("place", 0))),)
    if "event" in line:
        return (CallInput(at_ns, read_event(line["event"])),)
    if "edit" in line:
        return (EditInput(at_ns, _read_edit(line["edit"]), tuple(line.get("targets", ()))),)
    if line.get("end") is True:
        return ()
    raise BadRecording("this is no input; expected one of edge, frame, event, edit, end")


def _read_edit(values: Mapping[str, Any]) -> Edit:
    entry = read_entry(values)
    if not isinstance(entry, Edit):
        raise BadRecording("this is no correction; expected one of undo, void, correct, insert, overrule")
    return entry


def _read_small(folder: Path) -> Recording:
    plan = _plan(_read_object(_read_text(folder / PARTY), str(folder / PARTY)), str(folder / PARTY))
    dealt = CallInput(0, Call(t_ns=0, word="dealt", who="recording"))
    inputs: list[Input] = [dealt, *_taps(folder, plan), *_stills(folder)]
    inputs.sort(key=lambda item: item.at_ns)
    return Recording(folder, plan, tuple(inputs), inputs[-1].at_ns)


def _taps(folder: Path, plan: Plan) -> Iterator[EdgeInput]:
    for number, (where, line) in enumerate(read_lines(folder / PRESSES)):
        t_ms, seat = line.get("t_ms"), line.get("seat")
        if not isinstance(t_ms, int | float) or t_ms < 0:
            raise BadRecording(f'{where}: "t_ms" must be a time in milliseconds, not {t_ms!r}')
        try:
            _check_seat(seat, plan)
        except BadRecording as error:
            raise BadRecording(f"{where}: {error}") from None
        yield from _tap(Seat(str(seat)), round(t_ms * 1e6), 2 * number)


def _tap(seat: Seat, t_ns: int, number: int) -> Iterator[EdgeInput]:
    for kind, edge_ns in ((Kind.DOWN, t_ns), (Kind.UP, t_ns + TAP_NS)):
        edge = Edge(seat=seat, source="recording", kind=kind, t_ns=edge_ns, within_ns=PRESS_WITHIN_NS, number=number)
        yield EdgeInput(edge_ns, edge)
        number += 1


def _stills(folder: Path) -> Iterator[FrameInput]:
    from vision.frames import list_stills  # noqa: PLC0415  (OpenCV is slow to import)

    if not (folder / FRAMES).is_dir():
        raise BadRecording(f"{folder} has no folder {FRAMES}; put the pictures there, named by time in ms")
    for number, (t_ms, path) in enumerate(list_stills(folder / FRAMES)):
        t_ns = round(t_ms * 1e6)
        yield FrameInput(t_ns, path, t_ns, STILL_WITHIN_NS, number)


def _plan(values: Mapping[str, Any], where: str) -> Plan:
    try:
        return read_plan(values)
    except TableError as error:
        raise BadRecording(f"{where}: {error}") from None


def _check_seat(seat: object, plan: Plan) -> None:
    if seat is not None and seat not in plan.setup.seats:
        raise BadRecording(f"there is no seat {seat!r} in this game; the seats are {', '.join(plan.setup.seats)}")


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise BadRecording(f"the picture {path} is missing; restore it or delete this line")


def _read_text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        raise BadRecording(f"the recording's file {path} is missing; restore it") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadRecording(f"{path} cannot be read ({error})") from None


def _read_object(text: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadRecording(f"{where} is not JSON ({error.msg}, column {error.colno}); correct it") from None
    if not isinstance(found, dict):
        raise BadRecording(f"{where} must be a JSON object, not {type(found).__name__}")
    return found
