"""Corrections in recordings.

Log numbers can differ when a recording is played again, so what a correction is about is named by what it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cardtable.errors import BadRecording
from engine.events import CardLaid, Event
from engine.log import TABLE, Correct, Edit, Entry, Happened, Log, Overrule, Undo, Void

LAY_NS = 1_000_000_000
"""From the kept pictures a card may be seen to touch a little earlier or later than it was."""


def targets_of(edit: Edit) -> tuple[int, ...]:
    """Log numbers of the entries that `edit` is about."""
    match edit:
        case Undo(targets=targets):
            return targets
        case Void(target=target) | Correct(target=target) | Overrule(target=target):
            return (target,)
    return ()


def write_targets(edit: Edit, log: Log) -> list[dict[str, Any]]:
    """The targets of `edit` as JSON objects that name them in any log of the same inputs."""
    return [_write_name(log.entries[number - 1], log) for number in targets_of(edit)]


def aim(edit: Edit, names: Sequence[Mapping[str, Any]], log: Log) -> Edit:
    """`edit` with its targets looked up in `log` by their names; raises `BadRecording` when one isn't there."""
    numbers = tuple(_find(name, log) for name in names)
    if len(numbers) != len(targets_of(edit)):
        raise BadRecording(f"a correction by {edit.who} does not say what it is about")
    match edit:
        case Undo():
            return replace(edit, targets=numbers)
        case Void() | Correct() | Overrule():
            return replace(edit, target=numbers[0])
    return edit


def _write_name(entry: Entry, log: Log) -> dict[str, Any]:
    if isinstance(entry, Happened):
        return _event_name(entry.event)
    edits = [other.number for other in log.entries if _is_said(other)]
    if entry.number not in edits:
        raise BadRecording(f"log entry {entry.number} cannot be named in a recording")
    return {"edit": edits.index(entry.number)}


def _event_name(event: Event) -> dict[str, Any]:
    name: dict[str, Any] = {"kind": type(event).__name__, "t_ns": event.t_ns}
    if isinstance(event, CardLaid):
        return name | {"card": str(event.card)}
    return name | {"seat": getattr(event, "seat", None)}


def _find(name: Mapping[str, Any], log: Log) -> int:
    if "edit" in name:
        found = [entry.number for entry in log.entries if _is_said(entry)][name["edit"] :]
    else:
        events = [entry.event for entry in log.entries if isinstance(entry, Happened)]
        found = [event.number for event in sorted(events, key=partial(_distance, name)) if _may_be(name, event)]
    if not found:
        raise BadRecording(f"a correction is about something that did not happen in the recording: {dict(name)}")
    return found[0]


def _may_be(name: Mapping[str, Any], event: Event) -> bool:
    if isinstance(event, CardLaid) and name["kind"] == "CardLaid":
        return abs(event.t_ns - int(name["t_ns"])) <= LAY_NS
    return _event_name(event) == dict(name)


def _distance(name: Mapping[str, Any], event: Event) -> tuple[bool, int]:
    return str(getattr(event, "card", None)) != name.get("card"), abs(event.t_ns - int(name["t_ns"]))


def _is_said(entry: Entry) -> bool:
    return isinstance(entry, Edit) and entry.who != TABLE
