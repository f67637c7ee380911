"""The log: an append-only list of what happened and of what people put right, in order of arrival.

Nothing in it is ever changed. What counts now is read off by `Log.standing`, which applies every edit in turn.
An edit says which of two it is: *the record was wrong* (`rewind=False`: what came later is judged again) or a *rewind*
(`rewind=True`: what came later at the table is taken back too, and play goes on from there).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from engine.errors import BadLog
from engine.events import Event
from engine.order import Standing, in_order
from engine.rulings import Ruling

TABLE = "table"
"""Who puts right what the referee itself found out later, e.g. whose slap belonged to a lay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """Something happened and was ruled so."""

    event: Event
    rulings: tuple[Ruling, ...]
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejudged:
    """A later fact or an edit changed the rulings of the event `target`."""

    target: int
    rulings: tuple[Ruling, ...]
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A person (or the table itself) puts the record right."""

    who: str
    why: str
    rewind: bool = False
    """Whether what came later at the table is taken back as well."""
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo(Edit):
    """Takes back the entries `targets`: events, or edits."""

    targets: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Void(Edit):
    """The event `target` never happened."""

    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Edit):
    """The event `target` was in truth `event`."""

    target: int
    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Insert(Edit):
    """`event` happened and nobody saw it; it stands at its own `t_ns`."""

    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrule(Edit):
    """The event `target` is ruled so, whatever the rules say."""

    target: int
    rulings: tuple[Ruling, ...]


Entry = Happened | Rejudged | Undo | Void | Correct | Insert | Overrule
E = TypeVar("E", bound=Happened | Rejudged | Edit)


class Log:
    """All entries of a game in order of arrival, numbered from 1."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Takes stored entries; raises `BadLog` when their numbers are not 1, 2, 3 …"""
        self.entries: list[Entry] = []
        for expected, entry in enumerate(entries, start=1):
            if entry.number != expected:
                raise BadLog(f"log entry {expected} carries the number {entry.number}; entries are missing or mixed up")
            self.entries.append(entry)

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def next_number(self) -> int:
        """The number that the next entry gets."""
        return len(self.entries) + 1

    def append(self, entry: E) -> E:
        """Numbers the entry and keeps it; an event inside it gets the number too."""
        number = self.next_number
        if isinstance(entry, Happened | Insert) and entry.event.number != number:
            entry = replace(entry, event=replace(entry.event, number=number))
        entry = replace(entry, number=number)
        self.entries.append(entry)  # type: ignore[arg-type]
        return entry

    def copy(self) -> Log:
        """A log of its own with the same entries."""
        twin = Log()
        twin.entries = list(self.entries)
        return twin

    def standing(self) -> list[Standing]:
        """What counts now, in order of arrival: every event as corrected, with rulings that a person decided."""
        undone = self._undone()
        found: dict[int, Standing] = {}
        for entry in self.entries:
            if entry.number not in undone:
                _carry_out(found, entry)
        return list(found.values())

    def stored_rulings(self) -> dict[int, tuple[Ruling, ...]]:
        """What each event was last ruled, by event number."""
        latest: dict[int, tuple[Ruling, ...]] = {}
        for entry in self.entries:
            if isinstance(entry, Happened):
                latest[entry.number] = entry.rulings
            elif isinstance(entry, Rejudged):
                latest[entry.target] = entry.rulings
        return latest

    def _undone(self) -> set[int]:
        undone: set[int] = set()
        for entry in reversed(self.entries):
            if isinstance(entry, Undo) and entry.number not in undone:
                undone.update(entry.targets)
        return undone


def _carry_out(found: dict[int, Standing], entry: Entry) -> None:
    if isinstance(entry, Happened | Insert):
        found[entry.number] = Standing(entry.number, entry.event, is_said=isinstance(entry, Insert))
    elif isinstance(entry, Void | Correct | Overrule):
        _change(found, entry)
    if isinstance(entry, Edit) and entry.rewind:
        _take_back(found, entry)
    if isinstance(entry, Void):
        found.pop(entry.target, None)


def _change(found: dict[int, Standing], entry: Void | Correct | Overrule) -> None:
    if entry.target >= entry.number:
        raise BadLog(f"log entry {entry.number} is about entry {entry.target}, which did not exist yet")
    old = found.get(entry.target)
    # An edit of an event that was taken back later has nothing left to change.
    if old is None or isinstance(entry, Void):
        return
    if isinstance(entry, Correct):
        event = replace(entry.event, number=entry.target)
        found[entry.target] = Standing(entry.target, event, old.overruled, old.is_said or entry.who != TABLE)
    else:
        found[entry.target] = Standing(entry.target, old.event, entry.rulings, old.is_said)


def _take_back(found: dict[int, Standing], entry: Edit) -> None:
    pivot = getattr(entry, "target", entry.number)
    if pivot not in found:
        return
    order = in_order(list(found.values()))
    place = next(i for i, item in enumerate(order) if item.number == pivot)
    for item in order[place + 1 :]:
        del found[item.number]
