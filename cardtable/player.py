"""Plays a recording to a session in place of camera, buttons and people."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from cardtable.recording import CallInput, EdgeInput, EditInput, FrameInput, Input, Recording
from cardtable.session import Session

END_NS = 3_000_000_000
"""Time that passes after the last input: longer than a slap can wait for its card and a hold for its length."""


def play(recording: Recording, session: Session) -> None:
    """Feeds everything to `session` as fast as it can take it; raises `BadPicture` for a frame that is no picture."""
    for _ in steps(recording, session):
        pass


def steps(recording: Recording, session: Session) -> Iterator[int]:
    """Feeds input after input; yields the time to which the session is about to be taken, before it is."""
    for item, edges_ns in zip(recording.inputs, _edge_marks(recording), strict=True):
        yield item.at_ns
        session.on_time(item.at_ns, edges_ns)
        _feed(item, session)
    yield recording.end_ns + END_NS
    session.on_time(recording.end_ns + END_NS)


def _edge_marks(recording: Recording) -> tuple[int, ...]:
    """Up to when all edges are in, for each input: an edge may have reached the session later than a picture."""
    ahead = list(accumulate(reversed(recording.inputs), _earlier, initial=2**63))[:0:-1]
    return tuple(min(item.at_ns, edge_ns) for item, edge_ns in zip(recording.inputs, ahead, strict=True))


def _earlier(so_far_ns: int, item: Input) -> int:
    return min(so_far_ns, item.edge.t_ns) if isinstance(item, EdgeInput) else so_far_ns


def _feed(item: Input, session: Session) -> None:
    match item:
        case EdgeInput(edge=edge):
            session.on_edge(edge)
        case FrameInput():
            session.on_frame(item.load())
        case CallInput(event=event):
            session.on_call(event)
        case EditInput(kind=kind, values=values):
            session.edit(kind, values)
