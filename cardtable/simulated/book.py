"""The simulated table's own record of a Bong game: what must be ruled, from the cards and hands as they truly are.

Small and plain, and on purpose apart from the referee: it follows `rules/bong.md` with the default options, knows every
hand, and is told who laid what. Paragraphs in comments are those of the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from engine.cards import DECK_52, Card, Rank
from engine.seats import Seat, clockwise


class Phase(Enum):
    """Where the game is."""

    DEAL = "deal"
    CLAIM = "claim"
    START = "start"
    RACE = "race"
    ASKED = "asked"
    """Everybody else has said "no card"; whoever laid last must answer."""
    GATHER = "gather"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Due:
    """A ruling that must come, apart from the verdicts on cards."""

    code: str
    seat: Seat | None = None


@dataclass(slots=True)
class Refused:
    """A stall that was refused: whoever pressed and yet lays one of `missing` had it (§7)."""

    missing: set[Card]
    pressed: set[Seat]


@dataclass(slots=True)
class Book:
    """The truth about one game."""

    hands: dict[Seat, set[Card]]
    """What each seat holds, owed cards not included."""
    phase: Phase = Phase.DEAL
    active: list[Seat] = field(default_factory=list)
    pile: list[Card] = field(default_factory=list)
    owed: dict[Card, Seat] = field(default_factory=dict)
    """Foul cards that still lie in the pile."""
    needed: Rank = Rank.TWO
    last: Seat | None = None
    starter: Seat | None = None
    claims: list[Seat] = field(default_factory=list)
    claimed: frozenset[Seat] = frozenset()
    noted: set[Seat] = field(default_factory=set)
    """Seats whose unclaimed two has been noted in this round."""
    nocard: set[Seat] = field(default_factory=set)
    refused: list[Refused] = field(default_factory=list)
    due: list[Due] = field(default_factory=list)

    def deal(self, hands: Mapping[Seat, set[Card]]) -> None:
        """The deal is confirmed: everybody has his cards, a new round begins."""
        self.hands = {seat: set(hands.get(seat, ())) for seat in self.hands}
        self.active = [seat for seat in self.hands if self.hands[seat]]
        self.phase, self.pile, self.owed, self.last, self.starter = Phase.CLAIM, [], {}, None, None
        self.needed, self.claims, self.nocard, self.refused = Rank.TWO, [], set(), []

    def claim(self, seat: Seat) -> None:
        """A seat says that it holds a two."""
        if self.phase is Phase.CLAIM and seat in self.active and seat not in self.claims:
            self.claims.append(seat)
            self.due.append(Due("claim", seat))

    def begin(self, starter: Seat) -> None:
        """The claims are in, and the lot has fallen on `starter`."""
        self.phase, self.starter, self.claimed, self.noted = Phase.START, starter, frozenset(self.claims), set()

    def lay(self, seat: Seat, card: Card, *, is_extra: bool = False) -> str:
        """The verdict on a card that has just touched the pile; `is_extra`: it came with another of the same hand."""
        self.hands[seat].discard(card)
        self._prove(seat, card)
        code = self._verdict(seat, card, is_extra=is_extra)
        if code == "ok":
            self._accept(seat, card)
        else:
            self.owed[card] = seat
        return code

    def take_back(self, card: Card) -> None:
        """A foul card has gone back to its owner."""
        self.hands[self.owed.pop(card)].add(card)

    def say_no_card(self, seat: Seat) -> None:
        """A seat has held its button: "no card", or the answer yes of whoever laid last."""
        if self.phase is Phase.ASKED and seat == self.last:
            self._stall()
        elif self.phase is Phase.RACE and seat != self.last and seat in self.active:
            if seat not in self.nocard:
                self.due.append(Due("no-card", seat))
            self.nocard.add(seat)
            if self.nocard >= {other for other in self.active if other != self.last}:
                self._ask()

    def say_no(self, seat: Seat) -> None:
        """Whoever laid last has tapped: there is no stall."""
        if self.phase is Phase.ASKED and seat == self.last:
            self.due.append(Due("stall-refused", seat))
            self._refuse()

    def size(self, seat: Seat) -> int:
        """How many cards are the seat's, owed ones included."""
        return len(self.hands[seat]) + sum(owner == seat for owner in self.owed.values())

    def missing(self) -> set[Card]:
        """Cards of the needed rank that are not in the valid pile."""
        return {card for card in DECK_52 if card.rank == self.needed} - set(self.pile)

    def holders(self) -> list[Seat]:
        """Seats that could lay the needed rank now."""
        return [s for s in self.active if s != self.last and any(c.rank == self.needed for c in self.hands[s])]

    def loser(self) -> Seat | None:
        """Who is left with cards once the game is over."""
        return self.active[0] if self.phase is Phase.OVER else None

    def _verdict(self, seat: Seat, card: Card, *, is_extra: bool) -> str:
        if self.phase in (Phase.RACE, Phase.ASKED):
            # §4: tested in this order.
            if seat not in self.active:
                return "not-active"
            if is_extra or seat == self.last:
                return "double-play"
            return "ok" if card.rank == self.needed else "wrong-rank"
        if self.phase is Phase.START and seat == self.starter:
            return "ok" if card.rank == Rank.TWO else "wrong-rank"
        return "wrong-seat"

    def _accept(self, seat: Seat, card: Card) -> None:
        self.phase, self.last = Phase.RACE, seat
        self.pile.append(card)
        self.nocard.clear()
        self.needed = Rank(2 + (card.rank - 1) % 13)
        for record in self.refused:
            record.missing.discard(card)
        if self.size(seat) == 0:
            self._go_out(seat)

    def _go_out(self, seat: Seat) -> None:
        self.active.remove(seat)
        self.due.append(Due("went-out", seat))
        if len(self.active) == 1:
            self._finish()

    def _finish(self) -> None:
        self.phase = Phase.OVER
        self.due.append(Due("loser", self.active[0]))

    def _prove(self, seat: Seat, card: Card) -> None:
        for record in self.refused:
            if seat in record.pressed and card in record.missing:
                record.pressed.discard(seat)
                self.due.append(Due("false-nocard-proven", seat))
        is_playing = self.phase in (Phase.START, Phase.RACE, Phase.ASKED) and seat in self.active
        if is_playing and card.rank == Rank.TWO and seat not in self.claimed | self.noted:
            self.noted.add(seat)
            self.due.append(Due("unclaimed-two", seat))

    def _ask(self) -> None:
        assert self.last is not None
        self.phase = Phase.ASKED
        if self.size(self.last) < len(self.missing()):
            # §6.3: whoever laid last cannot hold them all.
            self.due.append(Due("false-stall"))
            self._refuse()
        else:
            self.due.append(Due("stall", self.last))

    def _refuse(self) -> None:
        self.refused.append(Refused(self.missing(), set(self.nocard)))
        self.nocard.clear()
        self.phase = Phase.RACE

    def _stall(self) -> None:
        assert self.last is not None
        self.due.append(Due("two-left" if len(self.active) == 2 else "flong", self.last))
        self.hands[self.last] = set()
        self.active.remove(self.last)
        self.due.append(Due("went-out", self.last))
        if len(self.active) == 1:
            self._finish()
        else:
            self.phase = Phase.GATHER

    def redeal_order(self) -> list[Seat]:
        """Who is dealt to, in order, after a stall: everybody still in, from the left of whoever gathers."""
        assert self.last is not None
        return [seat for seat in clockwise(tuple(self.hands), self.last) if seat in self.active]
