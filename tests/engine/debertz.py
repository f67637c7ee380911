"""A table for Debertz: what a test needs besides cards and buttons. A deals unless said otherwise, so B is E."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.cards import Card, Suit, read_cards
from engine.events import Call
from engine.games.debertz import Debertz, Phase, State
from engine.games.debertz.rounds import due
from engine.games.debertz.state import Called, Meld
from engine.melds import Run
from engine.revokes import Known
from engine.rules import Audience, Option, Rules, Setup
from engine.rulings import Ruling
from engine.seats import Seat, seats
from engine.stepping import progress
from tests.engine.table import MS
from tests.engine.trick_table import TrickTable


class DebertzFrom(Debertz):
    """Debertz with totals brought along from earlier deals."""

    def __init__(self, scores: tuple[int, int] = (0, 0)) -> None:
        self.scores = scores

    def start(self, setup: Setup) -> State:
        """The state before the first event."""
        return super().start(setup)._replace(scores=self.scores)


@dataclass(kw_only=True)
class Ended:
    """A deal whose tricks are over, scored: A dealt, so B is E; the points of the tricks are given."""

    e: int
    x: int
    maker: str
    sequences: Mapping[str, str] = field(default_factory=dict)
    bella: str = ""
    guilty: str = ""
    made_in: int = 1
    hanging: tuple[int, ...] = (0, 0)
    scores: tuple[int, int] = (0, 0)
    baits: tuple[int, int] = (0, 0)
    options: Mapping[str, Option] = field(default_factory=dict)

    def __post_init__(self) -> None:
        setup = Setup(seats(2), ("Anna", "Boris"), Seat("A"), self.options)
        held = {seat: read_cards(self.sequences.get(seat, "")) for seat in "AB"}
        pair = {seat: read_cards("KH QH") if seat == self.bella else () for seat in "AB"}
        state = Debertz().start(setup)
        state = state._replace(
            phase=Phase.AUDIT,
            trump=Suit.HEARTS,
            maker=Seat(self.maker),
            made_in=self.made_in,
            points=(self.x, self.e),
            tricks=(int(self.x > 0), int(self.e > 0)),
            melds=tuple(Meld(Seat(seat), Run(c[0].rank, len(c), c[0].suit), 1) for seat, c in held.items() if c),
            played=tuple(Known(Seat(seat), card, 1) for seat in "AB" for card in (*held[seat], *pair[seat])),
            called=tuple(Called(Seat(seat), 1) for seat in self.bella),
            guilty=frozenset(map(Seat, self.guilty)),
        )
        state = state._replace(hanging=self.hanging, scores=self.scores, baits=self.baits)
        self.state, told = progress(state, 1, due)
        self.codes = [ruling.code for ruling in told]
        self.wrote = dict(zip("AB", self.state.record[-1], strict=True))


class DebertzTable(TrickTable[State]):
    """A game of Debertz that may begin with any totals: `scores`, like `470/480`."""

    game = "debertz"

    def __init__(
        self,
        players: int = 2,
        *,
        dealer: str | None = "A",
        scores: str = "",
        options: Mapping[str, Option] | None = None,
    ) -> None:
        given = dict(options or {})
        scores = str(given.pop("scores", scores)) or "0/0"
        one, other = map(int, scores.split("/"))
        self.scores = (one, other)
        super().__init__(2, dealer=dealer, options=given)

    def rules(self) -> Rules[State]:
        """The game's rules."""
        return DebertzFrom(self.scores)

    def declare(self, seat: str, word: str, cards: str) -> tuple[Ruling, ...]:
        """That seat declares a sequence by its cards."""
        named = tuple(Card(card) for card in cards.split())
        told = self.feed(Call(t_ns=self.at * MS, word=word, who="page", seat=Seat(seat), cards=named))
        self.later()
        return told[-1].rulings

    def tap(self, seat: str) -> list[str]:
        """A short press; everything ruled once it is over."""
        return self._all_of(lambda: self.press(seat))

    def double(self, seat: str) -> list[str]:
        """Two short presses, 200 ms apart."""

        def twice() -> None:
            self.press(seat)
            self.at += 200
            self.press(seat)

        return self._all_of(twice)

    def held(self, seat: str) -> list[str]:
        """A hold."""
        return self._all_of(lambda: self.hold(seat))

    def bid(self, upcard: str, words: str, *, drawn: bool = True) -> None:
        """The deal, the words of the bidding in turn, and three more cards each."""
        self.lay(upcard)
        self.later()
        for word in words.split():
            self.call(word)
        if drawn and self.state.phase is Phase.DRAW:
            self.call("drawn")

    def no_sequences(self) -> None:
        """Nobody declares anything."""
        self.call("nothing-more")
        self.call("nothing-more")

    def play(self, line: str) -> list[list[str]]:
        """Cards laid in turn, two seconds apart; the codes of each."""
        return [self.put(card) for card in line.split()]

    def put(self, card: str, **more: object) -> list[str]:
        """A card is laid; the codes of what is ruled, then two seconds pass."""
        rulings = self.lay(card, **more)  # type: ignore[arg-type]
        self.later()
        return [ruling.code for ruling in rulings]

    def shows(self, seat: str, cards: str) -> list[str]:
        """A seat shows cards; then two seconds pass."""
        rulings = self.shown(seat, cards)
        self.later()
        return [ruling.code for ruling in rulings]

    def score(self, seat: str) -> int:
        """That seat's total now."""
        return self.state.scores[self.state.house.places[Seat(seat)]]

    def wrote(self, seat: str) -> int:
        """What the last deal wrote for that seat."""
        return self.state.record[-1][self.state.house.places[Seat(seat)]]

    def last(self, code: str) -> Ruling:
        """The newest ruling of that code."""
        rulings = [ruling for told in self.referee.history() for ruling in told.rulings if ruling.code == code]
        assert rulings, f"nothing was ruled {code}"
        return rulings[-1]

    def board(self) -> str:
        """The scoreboard in one line."""
        board = self.referee.view(Audience())
        seats = ", ".join(" · ".join(filter(None, (f"{seat.player} {seat.score}", seat.note))) for seat in board.seats)
        return f"{board.phase} · pile {len(board.pile)} · {seats}"

    def _all_of(self, deed: object) -> list[str]:
        before = len(self.news)
        assert callable(deed)
        deed()
        self.later()
        return [ruling.code for told in self.news[before:] for ruling in told.rulings]
