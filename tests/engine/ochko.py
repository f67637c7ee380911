"""A table for Ochko: stakes, cards dealt face down and turned up, and buttons that answer."""

from __future__ import annotations

from collections.abc import Callable

from engine.cards import Card
from engine.events import CardGone
from engine.games.ochko import Phase, State
from engine.rules import Audience
from engine.rulings import Ruling
from engine.seats import Seat
from tests.engine.table import MS, AnyTable


class OchkoTable(AnyTable[State]):
    """A game of Ochko; `A` is the banker unless said otherwise, so that B is the first punter."""

    game = "ochko"

    def later(self, ms: int = 1000) -> None:
        """So much time passes."""
        self.wait(ms)

    def tap(self, seat: str) -> tuple[str, ...]:
        """A short press; the codes of what its end is ruled."""
        return self._told_by(lambda: self.press(seat))

    def enough(self, seat: str) -> tuple[str, ...]:
        """A hold."""
        return self._told_by(lambda: self.hold(seat))

    def double(self, seat: str) -> tuple[str, ...]:
        """Two taps in a row."""

        def twice() -> None:
            self.press(seat)
            self.at += 250
            self.press(seat)

        return self._told_by(twice)

    def _told_by(self, deed: Callable[[], object]) -> tuple[str, ...]:
        before = len(self.referee.log.entries)
        deed()
        self.later()
        new = (told for told in self.referee.history() if told.number > before)
        return tuple(ruling.code for told in new for ruling in told.rulings)

    def back(self, seat: str) -> tuple[str, ...]:
        """A card is laid face down at that seat."""
        return self.at_seat(seat, "##")

    def at_seat(self, seat: str, card: str, place: int = 0, **more: object) -> tuple[str, ...]:
        """A card comes to lie in that seat's area; `place` from 1 in its row."""
        zone = f"seat-{seat}-{place}" if place else f"seat-{seat}"
        codes = tuple(ruling.code for ruling in self.lay(card, zone=zone, **more))  # type: ignore[arg-type]
        self.later(300)
        return codes

    def back_gone(self) -> tuple[str, ...]:
        """The last card that was laid goes away again."""
        told = self.feed(CardGone(t_ns=self.at * MS, card=Card("##"), lay=self.lays))
        self.later()
        return tuple(ruling.code for one in told for ruling in one.rulings)

    def stake(self, **stakes: int) -> None:
        """Everybody stakes, the banker lays the bank; `bank` and seats by name where it is not the usual amount."""
        banker = str(self.state.banker)
        for seat, amount in stakes.items():
            self.call("staked", banker if seat == "bank" else seat, count=amount)
        self.call("staked")
        self.later()

    def deal(self) -> None:
        """The first deal, as it is seen."""
        each = self.state.house.first_cards
        for seat in (*self.state.punters(), str(self.state.banker)):
            for _ in range(each):
                self.back(seat)

    def begin(self, **stakes: int) -> None:
        """Stakes and the first deal."""
        self.stake(**stakes)
        self.deal()

    def new_hand(self) -> None:
        """The banker takes two new cards."""
        for _ in range(2):
            self.back(str(self.state.banker))

    def hits(self, count: int = 1) -> None:
        """The punter of this duel asks for so many cards and gets them."""
        for _ in range(count):
            self.tap(str(self.state.punter))
            self.back(str(self.state.punter))

    def draws(self, count: int = 1) -> None:
        """The banker takes so many cards."""
        for _ in range(count):
            self.back(str(self.state.banker))

    def opens(self, seat: str, cards: str, *, in_row: bool = True) -> tuple[str, ...]:
        """That seat turns its cards up one by one, in the row's order; the codes of all."""
        found: tuple[str, ...] = ()
        for place, card in enumerate(cards.split(), start=1):
            found += self.at_seat(seat, card, place if in_row else 0)
        return found

    def duel(self, punter: str, banker: str) -> tuple[str, ...]:
        """A whole duel from the banker's "play": cards beyond two are asked for, then both show; what is ruled last."""
        who, bank = str(self.state.punter), str(self.state.banker)
        self.tap(bank)
        self.hits(len(punter.split()) - 2)
        self.enough(who)
        if self.state.phase is Phase.BANKER:
            self.draws(len(banker.split()) - 2)
            self.enough(bank)
        return self.opens(who, punter) + self.opens(bank, banker)

    def shows(self, seat: str, cards: str) -> tuple[str, ...]:
        """That seat shows its whole row at once."""
        codes = tuple(ruling.code for ruling in self.shown(seat, cards))
        self.later()
        return codes

    def last(self, code: str) -> Ruling:
        """The latest ruling of that code."""
        return [ruling for told in self.referee.history() for ruling in told.rulings if ruling.code == code][-1]

    def purse(self, seat: str) -> int:
        """What that seat has won or paid so far."""
        return self.state.pot.purses[self.state.house.places[Seat(seat)]]

    def board(self) -> str:
        """The scoreboard in one line."""
        board = self.referee.view(Audience())
        seats = ", ".join(
            " · ".join(filter(None, (f"{seat.player} {seat.hand} cards {seat.score:+d}", seat.note)))
            for seat in board.seats
        )
        return f"{board.phase} · bank {self.state.pot.holds} · pack {self.state.left} · {seats}"


def table(players: int = 3, **options: int | str) -> OchkoTable:
    """Anna (A) is the banker."""
    return OchkoTable(players, dealer="A", options=options)
