"""Seats by slapping at the start of a session: the terminal and the pages call one player after the other."""

from __future__ import annotations

import sys
from typing import TextIO

from cardtable.drills import SeatingDrill, SeatingView
from cardtable.session import Session, Update

WORDS = {
    "en": {"slap": "{player}: slap your button.", "done": "Everybody sits."},
    "ru": {"slap": "{player}: хлопните по своей кнопке.", "done": "Все сидят."},
}


def begin_seating(session: Session, language: str, *, file: TextIO | None = None) -> None:
    """From now on whoever slaps takes the next seat; the game goes on by itself once all sit."""
    session.buttons.begin_drill(SeatingDrill(session.plan.setup.seats))
    session.subscribe(_Caller(session, language, file or sys.stderr))


class _Caller:
    """Calls the players in the terminal, and ends the seating with the last of them."""

    def __init__(self, session: Session, language: str, file: TextIO) -> None:
        self._session, self._words, self._file = session, WORDS[language], file
        self._called: object = self

    def __call__(self, update: Update) -> None:
        view = update.buttons.drill
        if not isinstance(view, SeatingView) or view.next_seat == self._called:
            return
        self._called = view.next_seat
        setup = self._session.plan.setup
        if view.next_seat is None:
            self._session.buttons.end_drill()
            print(self._words["done"], file=self._file, flush=True)
        else:
            player = setup.players[setup.seats.index(view.next_seat)]
            print(self._words["slap"].format(player=player), file=self._file, flush=True)
