"""The simulated people of Ochko at a table with a camera above it and a button before each seat."""

from __future__ import annotations

from cardtable.session import Session
from cardtable.simulated.pictured import PicturedTable
from cardtable.simulated.reach import Piece
from engine.cards import BACK, Card
from engine.events import CardLaid
from engine.seats import Seat


class AtRows:
    """Cards come face down in a row before each seat, are turned over there, and go."""

    def __init__(self, table: PicturedTable, session: Session) -> None:
        self.table, self.session = table, session
        self.tap, self.hold, self.double = table.tap, table.hold, table.double
        self.say, self.wait = table.say, table.wait
        self._rows: dict[Seat, list[Piece]] = {}
        self._dealt: Seat | None = None
        """Who got the last card."""

    def lay(self, card: Card, zone: str) -> int:
        """The banker deals a card face down, or its player turns one of his row over; returns its number."""
        _, _, rest = zone.partition("-")
        name, _, place = rest.partition("-")
        seat = Seat(name)
        heard = self._turn(seat, int(place) - 1, card) if place else self._deal(seat)
        return heard if heard is not None else self._enter(card, zone)

    def gone(self, lay: int) -> None:
        """The card dealt last to a punter who had not asked goes back; `lay`: its number."""
        assert self._dealt is not None
        self.table.take(self._banker, [self._rows[self._dealt].pop()])
        self.table.wait(600)

    def clear(self, seat: Seat) -> None:
        """What lies before that seat goes to the discard."""
        self.table.take(seat, self._rows.pop(seat, []))

    @property
    def _banker(self) -> Seat:
        banker: Seat = self.session.referee.state.banker
        return banker

    def _deal(self, seat: Seat) -> int | None:
        row = self._rows.setdefault(seat, [])
        row.append(self.table.felt.piece(BACK, self.table.spots.row(seat, len(row))))
        heard = self.table.lay(self._banker, row[-1])
        self._dealt = seat
        return heard.lay if heard is not None else None

    def _turn(self, seat: Seat, place: int, card: Card) -> int | None:
        row = self._rows[seat]
        new = self.table.felt.piece(card, row[place].place)
        heard = self.table.turn(seat, row[place], new)
        row[place] = new
        return heard.lay if heard is not None else None

    def _enter(self, card: Card, zone: str) -> int:
        """The camera has missed it: the host enters it."""
        lays = [told.event.lay for told in self.session.referee.history() if isinstance(told.event, CardLaid)]
        lay = 1 + max(lays, default=0)
        self.session.on_call(CardLaid(t_ns=self.table.now_ns, card=card, lay=lay, zone=zone))
        return lay
