"""A table for tests: times are given, everything goes through the referee as from real devices.

`run` feeds `Passed` for every deadline before the next event, as the session does once all sources are complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from engine.cards import DECK_52, Card, Suit
from engine.events import Call, CardGone, CardLaid, Drawn, Event, Hold, Passed, Press, Release, Shown
from engine.games import find_game
from engine.games.bong import Phase, State
from engine.referee import Referee, Told
from engine.rules import Audience, Option, Rules, Setup
from engine.rulings import Ruling
from engine.seats import Seat, seats

MS = 1_000_000
TOUCH_MS = 90
"""A card touches this long after its slap, as a hand does it."""


S = TypeVar("S")


class AnyTable(Generic[S]):
    """A game at which a test lays cards and presses buttons; `at` is the present moment in ms."""

    game: str

    def __init__(
        self, players: int = 4, *, dealer: str | None = "D", options: Mapping[str, Option] | None = None
    ) -> None:
        names = ("Anna", "Boris", "Vera", "Gleb", "Dora", "Egor", "Faina")[:players]
        around = seats(players)
        self.setup = Setup(around, names, None if dealer is None else Seat(dealer), options or {})
        self.referee: Referee[S] = Referee(self.rules(), self.setup)
        self.at = 0
        self.lays = 0
        self.news: list[Told] = []
        """Everything told so far."""

    def rules(self) -> Rules[S]:
        """The game's rules."""
        return find_game(self.game)

    @property
    def state(self) -> S:
        """What the referee knows now."""
        return self.referee.state

    def feed(self, event: Event) -> tuple[Told, ...]:
        """First lets every deadline before the event pass."""
        self.let_pass(event.t_ns)
        told = self.referee.feed(event)
        self.news += told
        return told

    def let_pass(self, t_ns: int) -> None:
        """Feeds `Passed` for every deadline up to `t_ns`."""
        deadline = self.referee.deadline()
        while deadline is not None and deadline <= t_ns:
            self.news += self.referee.feed(Passed(t_ns=deadline))
            deadline = self.referee.deadline()

    def wait(self, ms: int) -> None:
        """Lets that much time pass."""
        self.at += ms
        self.let_pass(self.at * MS)

    def press(self, seat: str) -> tuple[Ruling, ...]:
        """A short press."""
        told = self.feed(Press(t_ns=self.at * MS, seat=Seat(seat)))
        self.feed(Release(t_ns=self.at * MS + 60 * MS, seat=Seat(seat), pressed_ns=self.at * MS))
        return _of(told)

    def hold(self, seat: str) -> tuple[Ruling, ...]:
        """A press held for 0.8 s; the table is then 0.8 s later."""
        pressed = self.at * MS
        self.feed(Press(t_ns=pressed, seat=Seat(seat)))
        self.at += 800
        return _of(self.feed(Hold(t_ns=self.at * MS, seat=Seat(seat), pressed_ns=pressed)))

    def lay(self, card: str, *, hand: str = "", within_ms: int = 16, **more: object) -> tuple[Ruling, ...]:
        """A card comes to lie; whose it is the referee must find out."""
        self.lays += 1
        event = CardLaid(
            t_ns=self.at * MS,
            within_ns=within_ms * MS,
            card=Card(card),
            lay=self.lays,
            hand=frozenset(Seat(seat) for seat in hand),
            **more,  # type: ignore[arg-type]
        )
        return _of(self.feed(event))

    def slap(self, seat: str, card: str, **more: object) -> tuple[Ruling, ...]:
        """A slap and its card, as a hand does it; then the table rests for two seconds."""
        self.press(seat)
        self.at += TOUCH_MS
        rulings = self.lay(card, **more)  # type: ignore[arg-type]
        self.at += 2000
        return rulings

    def gone(self, lay: int) -> None:
        """The card of that lay is seen to go back."""
        card = next(told.event.card for told in self.laid() if told.event.lay == lay)  # type: ignore[attr-defined]
        self.feed(CardGone(t_ns=self.at * MS, card=card, lay=lay))

    def call(
        self, word: str, seat: str | None = None, *, count: int | None = None, card: str | None = None
    ) -> tuple[Ruling, ...]:
        """The host says so."""
        event = Call(
            t_ns=self.at * MS,
            word=word,
            who="host",
            seat=None if seat is None else Seat(seat),
            count=count,
            card=None if card is None else Card(card),
        )
        return _of(self.feed(event))

    def draw(self, seat: str) -> tuple[Ruling, ...]:
        """The lot that is asked for falls on that seat."""
        asked = self.referee.lot()
        assert asked is not None, "no lot is asked for"
        return _of(self.feed(Drawn(t_ns=self.at * MS, lot=asked[0], seat=Seat(seat))))

    def shown(self, seat: str, cards: str) -> tuple[Ruling, ...]:
        """A seat shows cards apart from the pile."""
        told = self.feed(Shown(t_ns=self.at * MS, seat=Seat(seat), cards=tuple(Card(card) for card in cards.split())))
        return _of(told)

    def laid(self) -> tuple[Told, ...]:
        """Every card laid so far, as it is ruled now."""
        return tuple(told for told in self.referee.history() if isinstance(told.event, CardLaid))

    def codes(self) -> list[str]:
        """The verdicts of the cards laid so far, as they are now."""
        return [told.rulings[0].code for told in self.laid()]

    def all_codes(self) -> list[str]:
        """Every ruling so far, as it is now."""
        return [ruling.code for told in self.referee.history() for ruling in told.rulings]

    def whose(self) -> list[str]:
        """Whose lays they were, as far as known."""
        return ["".join(sorted(told.event.seats)) for told in self.laid()]  # type: ignore[attr-defined]

    def board(self) -> str:
        """The scoreboard in one line."""
        board = self.referee.view(Audience())
        hands = ", ".join(
            f"{seat.player} {seat.hand if seat.place is None else 'out'}{'*' if seat.is_last else ''}"
            for seat in board.seats
        )
        return f"{board.phase} · needs {board.needed or '-'} · pile {len(board.pile)} · {hands}"


class Table(AnyTable[State]):
    """A game of Bong."""

    game = "bong"

    def start(self, seat: str, card: str = "2C") -> None:
        """The deal is done, `seat` claims and lays the first card."""
        if self.state.phase in (Phase.DEAL, Phase.FLONG):
            self.call("dealt")
        self.at += 1000
        self.press(seat)
        self.wait(3000)
        self.at += 1000
        self.slap(seat, card)

    def run(self, line: str) -> None:
        """Lays the next cards that are needed, one by each seat in `line`, with suits not yet in the pile."""
        for seat in line:
            self.slap(seat, str(self.next_card()))

    def next_card(self, skip: Iterable[str] = ()) -> Card:
        """A card of the needed rank that is not in the pile."""
        gone = {laid.card for laid in self.state.pile} | {Card(card) for card in skip}
        return next(card for card in (Card.of(self.state.needed, suit) for suit in Suit) if card not in gone)

    def hand(self, seat: str) -> int:
        """Cards in that hand."""
        return self.state.hand(Seat(seat))

    def hands(self) -> dict[str, int]:
        """Cards in every hand."""
        return {seat: self.state.hand(seat) for seat in self.state.house.seats}

    def check_conserved(self) -> None:
        """Every card is in exactly one place (lays of uncertain seat are in the pile and still in a hand's count)."""
        uncertain = sum(len(laid.seats) != 1 for laid in self.state.pile)
        assert sum(self.state.hands) + len(self.state.pile) - uncertain == len(DECK_52)


def codes(rulings: tuple[Ruling, ...]) -> list[str]:
    """The codes of the rulings."""
    return [ruling.code for ruling in rulings]


def _of(told: tuple[Told, ...]) -> tuple[Ruling, ...]:
    """The rulings of the newest event among what was told."""
    return max(told, key=lambda one: one.number).rulings if told else ()
