"""The simulated people of Ochko at a table with a camera above it and a button before each seat."""

from __future__ import annotations

import random

from cardtable.session import Session
from cardtable.simulated.pictured import PicturedTable
from cardtable.simulated.reach import Piece
from engine.cards import BACK, Card
from engine.events import CardGone
from engine.seats import Seat

_STEP_MM = (33.0, 67.0)
"""How far from one card of a row to the next: half over it, or a little beside it; each seat has its own way."""


class AtRows:
    """Cards come face down in a row before each seat, are turned over there, and go."""

    def __init__(self, table: PicturedTable, session: Session, rng: random.Random) -> None:
        self.table, self.session = table, session
        self.tap, self.hold, self.double = table.tap, table.hold, table.double
        self.say, self.wait = table.say, table.wait
        self._rows: dict[Seat, list[Piece]] = {}
        self._steps_mm = {seat: rng.uniform(*_STEP_MM) for seat in session.plan.setup.seats}

    def deal(self, seat: Seat) -> None:
        """The banker lays a card face down at the end of that seat's row."""
        row = self._rows.setdefault(seat, [])
        piece = self.table.felt.piece(BACK, self.table.spots.row(seat, len(row), self._steps_mm[seat]))
        row.append(piece)
        if self.table.lay(self._banker, piece) is None:
            self.table.enter(BACK, zone=f"seat-{seat}")

    def turn(self, seat: Seat, place: int, card: Card) -> None:
        """The seat turns over the card of its row that lies at `place`, from 0."""
        row = self._rows[seat]
        old, row[place] = row[place], self.table.felt.piece(card, row[place].place)
        if self.table.turn(seat, old, row[place]) is None:
            self.table.enter(card, zone=f"seat-{seat}-{place + 1}")

    def take_back(self, seat: Seat) -> None:
        """The card dealt to that seat last, for which nobody had asked, goes back to the pack."""
        before = len(self.session.referee.log.entries)
        self.table.take(self._banker, [self._rows[seat].pop()])
        history = self.session.referee.history()
        if not any(isinstance(told.event, CardGone) for told in history if told.number > before):
            self._enter_gone(seat)

    def clear(self, seat: Seat) -> None:
        """What lies before that seat goes to the discard."""
        self.table.take(seat, self._rows.pop(seat, []))

    @property
    def _banker(self) -> Seat:
        banker: Seat = self.session.referee.state.banker
        return banker

    def _enter_gone(self, seat: Seat) -> None:
        """The camera has missed that the card is gone: the host enters it."""
        self.table.miss(f"a card of {seat} that went back")
        unasked = self.session.referee.state.unasked
        if unasked is not None:
            gone = CardGone(t_ns=self.table.now_ns, card=BACK, lay=unasked[1])
            self.table.work(lambda: self.session.on_call(gone))
