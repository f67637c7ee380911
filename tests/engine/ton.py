"""A table for Ton: what a test needs besides cards and buttons."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.ton import Phase, State, Ton
from engine.rules import Audience, Option, Rules, Setup
from engine.rulings import Ruling
from engine.seats import Seat
from tests.engine.trick_table import TrickTable


class TonFrom(Ton):
    """Ton with totals brought along from earlier deals."""

    def __init__(self, scores: tuple[int, ...]) -> None:
        self.scores = scores

    def start(self, setup: Setup) -> State:
        """The state before the first event."""
        state = super().start(setup)
        return state._replace(scores=self.scores) if self.scores else state


class TonTable(TrickTable[State]):
    """A game of Ton that may begin with any totals: `scores`, like `4/9/13/7`."""

    game = "ton"

    def __init__(
        self,
        players: int = 4,
        *,
        dealer: str | None = "A",
        scores: str = "",
        options: Mapping[str, Option] | None = None,
    ) -> None:
        given = dict(options or {})
        scores = str(given.pop("scores", scores))
        self.scores = tuple(map(int, scores.split("/"))) if scores else ()
        super().__init__(players, dealer=dealer, options=given)

    def rules(self) -> Rules[State]:
        """The game's rules."""
        return TonFrom(self.scores)

    def deal(self, upcard: str) -> None:
        """Everybody stakes if it is the first deal, the cards are dealt, `upcard` makes trump."""
        if self.state.phase is Phase.STAKES:
            self.call("staked")
        self.later()
        self.lay(upcard)
        self.later()

    def turn(self, card: str, *, hand: str = "", zone: str = "") -> tuple[Ruling, ...]:
        """A card of the widow is turned face up."""
        rulings = self.lay(card, hand=hand, zone=zone)
        self.later()
        return rulings

    def take(self, seat: str) -> tuple[Ruling, ...]:
        """That seat takes the widow and exchanges."""
        rulings = self.press(seat)
        self.later()
        self.press(seat)
        self.later()
        return rulings

    def play(self, line: str) -> list[tuple[str, ...]]:
        """Cards laid in turn, two seconds apart; the codes of each."""
        found = []
        for card in line.split():
            found.append(tuple(ruling.code for ruling in self.lay(card)))
            self.later()
        return found

    def shows(self, seat: str, cards: str) -> tuple[Ruling, ...]:
        """A seat shows cards; then two seconds pass."""
        rulings = self.shown(seat, cards)
        self.later()
        return rulings

    def score(self, seat: str) -> int:
        """That seat's total now."""
        return self.state.score(Seat(seat))

    def purse(self, seat: str) -> int:
        """What that seat has won or paid so far."""
        return self.state.pot.purses[self.state.house.places[Seat(seat)]]

    def board(self) -> str:
        """The scoreboard in one line."""
        board = self.referee.view(Audience())
        seats = ", ".join(" · ".join(filter(None, (f"{seat.player} {seat.score}", seat.note))) for seat in board.seats)
        return f"{board.phase} · pile {len(board.pile)} · pot {self.state.pot.holds} · {seats}"
