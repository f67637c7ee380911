"""Events, rulings and log entries as plain dictionaries that JSON can carry, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any

from engine import events, log
from engine.cards import Card
from engine.errors import BadCard, BadLog
from engine.events import Event
from engine.log import Entry
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import Seat

_EVENTS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        events.Press,
        events.Release,
        events.Hold,
        events.CardLaid,
        events.CardGone,
        events.PileGone,
        events.Shown,
        events.Call,
        events.Drawn,
        events.Passed,
    )
}
_ENTRIES: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (log.Happened, log.Rejudged, log.Undo, log.Void, log.Correct, log.Insert, log.Overrule)
}


def write_event(event: Event) -> dict[str, Any]:
    """The event as a dictionary: its `kind` and every field that is not at its default."""
    return {"kind": type(event).__name__, **_write_fields(event)}


def read_event(data: Mapping[str, Any]) -> Event:
    """The event that `write_event` wrote; raises `BadLog` with a sentence."""
    event: Event = _read(_EVENTS, data, what="event")
    return event


def write_ruling(ruling: Ruling) -> dict[str, Any]:
    """The ruling as a dictionary."""
    return _write_fields(ruling)


def read_ruling(data: Mapping[str, Any]) -> Ruling:
    """The ruling that `write_ruling` wrote; raises `BadLog`."""
    ruling: Ruling = _build(Ruling, data, what="ruling")
    return ruling


def write_entry(entry: Entry) -> dict[str, Any]:
    """The log entry as a dictionary."""
    return {"kind": type(entry).__name__, **_write_fields(entry)}


def read_entry(data: Mapping[str, Any]) -> Entry:
    """The log entry that `write_entry` wrote; raises `BadLog`."""
    entry: Entry = _read(_ENTRIES, data, what="log entry")
    return entry


def write_setup(setup: Setup) -> dict[str, Any]:
    """How a game began, as a dictionary."""
    return {
        "seats": list(setup.seats),
        "players": list(setup.players),
        "dealer": setup.dealer,
        "options": dict(setup.options),
    }


def read_setup(data: Mapping[str, Any]) -> Setup:
    """The setup that `write_setup` wrote; raises `BadLog`."""
    try:
        return Setup(
            seats=tuple(Seat(seat) for seat in data["seats"]),
            players=tuple(str(player) for player in data["players"]),
            dealer=None if data.get("dealer") is None else Seat(data["dealer"]),
            options=dict(data.get("options", {})),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadLog(f"this is no setup of a game: {error}; expected seats, players, dealer and options") from error


def _write_fields(value: Any) -> dict[str, Any]:
    written = {}
    for name, default in _defaults(type(value)).items():
        found = getattr(value, name)
        if default is MISSING or found != default:
            written[name] = _write(found)
    return written


def _write(value: Any) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, Event):
        return write_event(value)
    if isinstance(value, Ruling):
        return write_ruling(value)
    if isinstance(value, frozenset):
        return sorted(value)
    return [_write(one) for one in value] if isinstance(value, tuple) else value


_KNOWN: dict[Any, dict[str, Any]] = {}


def _defaults(kind: Any) -> dict[str, Any]:
    if kind not in _KNOWN:
        _KNOWN[kind] = _defaults_of_ruling() if kind is Ruling else {one.name: one.default for one in fields(kind)}
    return _KNOWN[kind]


def _defaults_of_ruling() -> dict[str, Any]:
    return {name: Ruling._field_defaults.get(name, MISSING) for name in Ruling._fields}


def _read(kinds: Mapping[str, type[Any]], data: Mapping[str, Any], *, what: str) -> Any:
    name = data.get("kind") if isinstance(data, Mapping) else None
    if not isinstance(name, str) or name not in kinds:
        raise BadLog(f"no {what} is of the kind {name!r}; there are: {', '.join(kinds)}")
    return _build(kinds[name], {key: value for key, value in data.items() if key != "kind"}, what=f"{what} {name}")


def _build(kind: type[Any], data: Mapping[str, Any], *, what: str) -> Any:
    known = _defaults(kind)
    if not isinstance(data, Mapping) or not set(data) <= set(known):
        raise BadLog(f"the {what} has parts that are not known: {data!r}; known are: {', '.join(known)}")
    absent = [name for name, default in known.items() if default is MISSING and name not in data]
    if absent:
        raise BadLog(f"the {what} lacks {', '.join(absent)}: {dict(data)!r}")
    try:
        return kind(**{name: _READERS.get(name, _plain)(value) for name, value in data.items()})
    except (BadCard, TypeError, ValueError, AttributeError) as error:
        raise BadLog(f"the {what} cannot be read: {error}") from error


def _plain(value: Any) -> Any:
    if not isinstance(value, str | int | float | bool | None):
        raise TypeError(f"{value!r} should be a word or a number")
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} should be a whole number")
    return value


def _word(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} should be a word")
    return value


def _maybe_word(value: Any) -> str | None:
    return None if value is None else _word(value)


def _maybe_number(value: Any) -> int | None:
    return None if value is None else _number(value)


def _maybe_card(value: Any) -> Card | None:
    return None if value is None else Card(_word(value))


def _seats(value: Any) -> frozenset[Seat]:
    return frozenset(Seat(_word(seat)) for seat in value)


def _cards(value: Any) -> tuple[Card, ...]:
    return tuple(Card(_word(card)) for card in value)


def _rulings(value: Any) -> tuple[Ruling, ...]:
    return tuple(read_ruling(one) for one in value)


def _numbers(value: Any) -> tuple[int, ...]:
    return tuple(_number(one) for one in value)


def _detail(value: Any) -> tuple[tuple[str, Any], ...]:
    return tuple((_word(name), _plain(one)) for name, one in value)


_READERS: dict[str, Any] = {
    "t_ns": _number,
    "within_ns": _number,
    "number": _number,
    "target": _number,
    "targets": _numbers,
    "pressed_ns": _number,
    "rest_ns": _number,
    "lay": _number,
    "rival": _maybe_number,
    "slap_ns": _maybe_number,
    "count": _maybe_number,
    "seat": _maybe_word,
    "word": _word,
    "who": _word,
    "lot": _word,
    "code": _word,
    "card": _maybe_card,
    "cards": _cards,
    "likely": _cards,
    "hand": _seats,
    "seats": _seats,
    "event": read_event,
    "rulings": _rulings,
    "because": _numbers,
    "detail": _detail,
}
