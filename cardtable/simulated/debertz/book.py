"""What a simulator that knows all hands says about Debertz: legal replies, provable revokes, sequences, the score.

Written from the rules' §2, §4 to §6 and §8.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from cardtable.simulated.tricks.book import TrickBook
from engine.cards import DECK_32, Card, Rank, Suit

PLAIN = ["7", "8", "9", "J", "Q", "K", "10", "A"]
JASS = ["7", "8", "Q", "K", "10", "A", "9", "J"]


@cache
def heights(trump: Suit, is_jass: bool) -> dict[Card, int]:
    """How high each card is in its suit."""
    ranks = {suit: JASS if suit is trump and is_jass else PLAIN for suit in Suit}
    return {card: ranks[card.suit].index(str(card.rank)) for card in DECK_32}


@dataclass(frozen=True)
class Ways:
    """House rules that change ranks and duties."""

    trump: Suit
    is_jass: bool = True
    beat_trump_lead: bool = True

    def height(self, card: Card) -> int:
        """How high the card is in its suit."""
        return heights(self.trump, self.is_jass)[card]

    def points(self, card: Card) -> int:
        """§2: what it counts."""
        if card.suit is self.trump and self.is_jass and str(card.rank) in ("J", "9"):
            return {"J": 20, "9": 14}[str(card.rank)]
        return {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}.get(str(card.rank), 0)


def legal(hand: set[Card], lead: Card | None, ways: Ways) -> set[Card]:
    """§5: the cards of `hand` that may answer `lead`; any card leads."""
    if lead is None:
        return set(hand)
    same = {card for card in hand if card.suit is lead.suit}
    if same:
        higher = {card for card in same if ways.height(card) > ways.height(lead)}
        must_beat = lead.suit is ways.trump and ways.beat_trump_lead
        return higher if higher and must_beat else same
    trumps = {card for card in hand if card.suit is ways.trump}
    return trumps or set(hand)


def kind_of(card: Card, hand: set[Card], lead: Card, ways: Ways) -> str | None:
    """How `card` was a revoke out of `hand`, or None."""
    if card in legal(hand, lead, ways):
        return None
    if card.suit is lead.suit:
        return "not-higher"
    return "not-following" if any(one.suit is lead.suit for one in hand) else "not-trumping"


def takes(lead: Card, reply: Card, ways: Ways) -> bool:
    """Whether the reply takes the trick."""
    if reply.suit is lead.suit:
        return ways.height(reply) > ways.height(lead)
    return reply.suit is ways.trump


@dataclass
class Book(TrickBook):
    """One deal's replies."""

    ways: Ways = field(kw_only=True)

    def kind_of(self, card: Card, hand: set[Card], before: list[Card]) -> str | None:
        """How `card` was a revoke out of `hand`, or None."""
        return kind_of(card, hand, before[0], self.ways)

    def unseen(self, seat: str) -> list[Card]:
        """Every card that nobody has seen: all may be in either hand, or out of play."""
        held = set().union(*self.seen.values())
        return [card for card in DECK_32 if card not in self.away and card not in held]


# Sequences


SEED = tuple(Rank(rank) for rank in (14, 10, 13, 12, 11, 9, 8, 7))
NATURAL = tuple(Rank(rank) for rank in range(14, 6, -1))


def sequences(hand: set[Card], order: tuple[Rank, ...]) -> list[list[Card]]:
    """A way to declare everything: every run cut into fours and threes, nothing left out that is worth points."""
    found = []
    for suit in Suit:
        run: list[Card] = []
        for rank in (*order, None):
            card = None if rank is None else Card.of(rank, suit)
            if card is not None and card in hand:
                run.append(card)
                continue
            found += _cut(run)
            run = []
    return found


def _cut(run: list[Card]) -> list[list[Card]]:
    if len(run) < 3:
        return []
    if len(run) in (3, 4):
        return [run]
    return [run[:4], *_cut(run[4:])]
