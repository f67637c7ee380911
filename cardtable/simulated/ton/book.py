"""What a simulator that knows all hands says about Ton: which replies are legal, and what can be proven when.

Written from the rules' §4, §5 and §8.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from cardtable.simulated.tricks.book import TrickBook
from engine.cards import DECK_36, Card, Suit


@dataclass(frozen=True)
class Ways:
    """House rules that change what is legal."""

    beat_after_trump: bool = False
    overtrump: bool = False
    upcard_pickable: bool = True


def legal(hand: set[Card], before: list[Card], trump: Suit, ways: Ways) -> set[Card]:
    """The cards of `hand` that may follow the cards `before` in the trick; any card leads."""
    if not before:
        return set(hand)
    led = before[0].suit
    same = {card for card in hand if card.suit is led}
    if same:
        top = max(card.rank for card in before if card.suit is led)
        is_ruffed = led is not trump and any(card.suit is trump for card in before)
        higher = {card for card in same if card.rank > top}
        return higher if higher and (ways.beat_after_trump or not is_ruffed) else same
    trumps = {card for card in hand if card.suit is trump}
    if not trumps:
        return set(hand)
    best = max((int(card.rank) for card in before if card.suit is trump), default=0)
    above = {card for card in trumps if card.rank > best}
    return above if above and ways.overtrump else trumps


def kind_of(card: Card, hand: set[Card], before: list[Card], trump: Suit, ways: Ways) -> str | None:
    """How `card` was a revoke out of `hand`, or None."""
    if card in legal(hand, before, trump, ways):
        return None
    led = before[0].suit
    if card.suit is not led and any(one.suit is led for one in hand):
        return "not-following"
    return "not-higher" if card.suit in (led, trump) else "not-trumping"


def takes(played: list[tuple[str, Card]], trump: Suit) -> str:
    """The seat that takes the trick."""
    led = played[0][1].suit
    trumps = [(card.rank, seat) for seat, card in played if card.suit is trump]
    return max(trumps or [(card.rank, seat) for seat, card in played if card.suit is led])[1]


@dataclass
class Book(TrickBook):
    """One deal's replies, and what everybody knows of the taker's five cards."""

    ways: Ways = field(kw_only=True)
    upcard: Card = field(kw_only=True)
    taker: str = ""
    has_right: bool = False
    """The taker had no trump: he has one from the stock, and the widow."""
    open_widow: set[Card] = field(default_factory=set)
    own: set[Card] = field(default_factory=set)
    """Of the taker's own cards, those that everybody had seen before he took the widow."""

    @property
    def trump(self) -> Suit:
        """The suit of the card turned up."""
        return self.upcard.suit

    def claims(self, seat: str, picked: Card | None) -> None:
        """That seat has shown five cards without a trump and takes one from the stock; `picked`, if it was seen."""
        self.taker, self.has_right = seat, True
        self.away |= self.seen.get(seat, set())
        self.seen[seat] = set() if picked is None else {picked}

    def takes(self, seat: str) -> None:
        """That seat has taken the widow and kept one card."""
        self.taker, self.own = seat, self.seen.get(seat, set())
        self.seen[seat] = set(self.open_widow)

    def kind_of(self, card: Card, hand: set[Card], before: list[Card]) -> str | None:
        """How `card` was a revoke out of `hand`, or None."""
        return kind_of(card, hand, before, self.trump, self.ways)

    def unseen(self, seat: str) -> list[Card]:
        """Every card that may be in that hand; at the end those that the taker can have only so many of."""
        gone = self.away.union(*self.seen.values())
        if seat != self.taker:
            gone |= {self.upcard} | self.own
        elif not (self.has_right and self.ways.upcard_pickable):
            gone |= {self.upcard}
        return sorted(set(DECK_36) - gone, key=lambda card: (card in self.own, card.suit is self.trump, str(card)))

    def can_be(self, seat: str, hand: Collection[Card]) -> bool:
        """Whether what is left makes a hand for the taker."""
        if seat == self.taker:
            return self._can_be_takers({*hand, *self.laid.get(seat, ()), *self.seen.get(seat, ())})
        if not self.has_right:
            return True
        his = self.laid.get(self.taker, set()) | self.seen.get(self.taker, set())
        return any(self._can_be_picked(card) for card in {*his, *self.unseen(self.taker)} - {*hand})

    def _can_be_takers(self, five: set[Card]) -> bool:
        """§4: one of the five is the card that he kept or picked, the others were the widow."""
        return any(self._can_be_picked(one) and self._can_be_widow(five - {one}) for one in five)

    def _can_be_picked(self, card: Card) -> bool:
        if card in self.open_widow:
            return False
        return card.suit is self.trump if self.has_right else len(self.own) < 5 or card in self.own

    def _can_be_widow(self, cards: set[Card]) -> bool:
        return self.open_widow <= cards and self.upcard not in cards and not cards & self.own
