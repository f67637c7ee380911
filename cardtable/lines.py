"""Rulings as lines: JSON for programs (`cardtable play --json`, a recording's rulings), sentences for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from cardtable.session import Update
from engine.events import CardLaid
from engine.referee import Told
from engine.rulings import Ruling
from engine.words import sentence

QUIET_CODES = frozenset({"slap"})
"""Codes that only say that an input was noticed: a line for each would bury the rest."""


class Printer:
    """A listener that prints each lay's ruling once it is settled, and everything else as it is ruled."""

    def __init__(self, language: str = "en", *, is_json: bool, file: TextIO | None = None) -> None:
        self._language, self._is_json, self._file = language, is_json, file or sys.stdout
        self._settled: set[int] = set()

    def __call__(self, update: Update) -> None:
        """Prints what is new."""
        for told in update.told:
            if not isinstance(told.event, CardLaid) or told.number in self._settled:
                self._print(other_lines(told, self._language))
        for told in update.settled:
            is_new = told.number not in self._settled
            self._settled.add(told.number)
            self._print(lay_lines(told, self._language) if is_new else ())

    def _print(self, lines: Iterable[dict[str, Any]]) -> None:
        for line in lines:
            text = json.dumps(line, ensure_ascii=False) if self._is_json else line["sentence"]
            print(text, file=self._file, flush=True)


def lay_lines(told: Told, language: str = "en") -> Iterator[dict[str, Any]]:
    """One line for a settled lay with its card, then one for each further ruling that it brought about."""
    if not isinstance(told.event, CardLaid) or not told.rulings:
        return
    verdict, *more = told.rulings
    yield {"card": str(told.event.card), **_line(told, verdict, language), **_race(told.event)}
    yield from (_line(told, ruling, language) for ruling in more)


def other_lines(told: Told, language: str = "en") -> Iterator[dict[str, Any]]:
    """The rulings of what is no lay, and of a settled lay ruled otherwise after all; never with a `card` key."""
    about: dict[str, Any] = {"changed": True} if told.before is not None else {}
    if isinstance(told.event, CardLaid):
        about["lay"] = str(told.event.card)
    for ruling in told.rulings:
        if ruling.code not in QUIET_CODES:
            yield _line(told, ruling, language) | about


def _line(told: Told, ruling: Ruling, language: str) -> dict[str, Any]:
    return {
        "seat": ruling.seat,
        "code": ruling.code,
        "t_ms": _ms(told.event.t_ns),
        "foul": ruling.is_foul,
        "paragraph": ruling.paragraph,
        "sentence": sentence(told.game, ruling, told.setup, language),
    }


def _race(lay: CardLaid) -> dict[str, Any]:
    slap = {} if lay.slap_ns is None else {"slap_ms": _ms(lay.slap_ns)}
    return {"sure": round(lay.sure, 3), **slap}


def _ms(t_ns: int) -> float:
    return round(t_ns / 1e6, 3)
