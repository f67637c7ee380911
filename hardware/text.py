"""Edges as JSON objects, for recordings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import BadLog
from engine.seats import Seat
from hardware.records import Edge, Kind

WHOLE_NUMBERS = ("t_ns", "within_ns", "number")


def write_edge(edge: Edge) -> dict[str, Any]:
    """`edge` as a JSON object with the record's own field names; `is_down` only where it means something."""
    written: dict[str, Any] = {
        "seat": edge.seat,
        "source": edge.source,
        "kind": edge.kind.value,
        "t_ns": edge.t_ns,
        "within_ns": edge.within_ns,
        "number": edge.number,
    }
    if edge.jitter_ns is not None:
        written["jitter_ns"] = edge.jitter_ns
    if edge.kind is Kind.LEVEL:
        written["is_down"] = edge.is_down
    return written


def read_edge(written: Mapping[str, Any]) -> Edge:
    """The edge that `write_edge` wrote; raises `BadLog` when a field is missing or makes no sense."""
    kind = _kind(written)
    t_ns, within_ns, number = (_whole(written, name) for name in WHOLE_NUMBERS)
    if within_ns < 0:
        raise BadLog(f"a button edge cannot be good to within {within_ns} ns: 'within_ns' is 0 or more")
    return Edge(
        seat=_seat(written, kind),
        source=_text(written, "source"),
        kind=kind,
        t_ns=t_ns,
        within_ns=within_ns,
        number=number,
        jitter_ns=_whole(written, "jitter_ns") if "jitter_ns" in written else None,
        is_down=_level(written) if kind is Kind.LEVEL else False,
    )


def _field(written: Mapping[str, Any], name: str) -> Any:
    if name not in written:
        raise BadLog(f"a button edge lacks {name!r}: {dict(written)}")
    return written[name]


def _kind(written: Mapping[str, Any]) -> Kind:
    kind = _field(written, "kind")
    try:
        return Kind(kind)
    except ValueError:
        known = ", ".join(kind.value for kind in Kind)
        raise BadLog(f"a button edge is of the unknown kind {kind!r}; there are: {known}") from None


def _whole(written: Mapping[str, Any], name: str) -> int:
    value = _field(written, name)
    # bool is a kind of int to Python, but true is not a time.
    if type(value) is not int:
        raise BadLog(f"a button edge has {name} = {value!r}, which should be a whole number")
    return value


def _text(written: Mapping[str, Any], name: str) -> str:
    value = _field(written, name)
    if not isinstance(value, str):
        raise BadLog(f"a button edge has {name} = {value!r}, which should be a text")
    return value


def _level(written: Mapping[str, Any]) -> bool:
    value = _field(written, "is_down")
    if not isinstance(value, bool):
        raise BadLog(f"a button level has is_down = {value!r}, which should be true or false")
    return value


def _seat(written: Mapping[str, Any], kind: Kind) -> Seat | None:
    seat = _field(written, "seat")
    if seat is None and kind in {Kind.LOST, Kind.GONE, Kind.BACK}:
        return None
    if isinstance(seat, str) and len(seat) == 1 and "A" <= seat <= "Z":
        return Seat(seat)
    raise BadLog(f"a button edge has seat = {seat!r}, which should be a letter from A to Z")
