"""Rulings as JSON lines: what `cardtable play --json` prints and a recording keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.events import CardLaid
from engine.referee import Told
from engine.rulings import Ruling

QUIET_CODES = frozenset({"slap"})
"""Codes that only say that an input was noticed: a line for each would bury the rest."""


def lay_lines(told: Told, language: str = "en") -> Iterator[dict[str, Any]]:
    """One line for a settled lay with its card, then one for each further ruling that it brought about."""
    if not isinstance(told.event, CardLaid) or not told.rulings:
        return
    verdict, *more = told.rulings
    yield {"card": str(told.event.card), **_line(told, verdict, language), **_slap(told.event)}
    yield from (_line(told, ruling, language) for ruling in more)


def other_lines(told: Told, language: str = "en") -> Iterator[dict[str, Any]]:
    """The rulings of anything that is no lay; one that has changed says so."""
    if isinstance(told.event, CardLaid):
        return
    for ruling in told.rulings:
        if ruling.code not in QUIET_CODES:
            yield _line(told, ruling, language) | ({"changed": True} if told.before is not None else {})


def _line(told: Told, ruling: Ruling, language: str) -> dict[str, Any]:
    return {
        "seat": ruling.seat or _only_seat(told),
        "code": ruling.code,
        "t_ms": round(told.event.t_ns / 1e6, 3),
        "foul": ruling.is_foul,
        "paragraph": ruling.paragraph,
        "sentence": told.sentence(language, ruling),
    }
