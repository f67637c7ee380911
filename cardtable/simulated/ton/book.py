"""What a simulator that knows all hands says about Ton: which replies are legal, and what can be proven when.

Written from the rules' §5 and §8 and kept apart from the referee: it looks at whole hands, the referee at single cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cardtable.simulated.tricks.people import Proof
from engine.cards import Card, Suit

_WORSE = ("not-higher", "not-trumping", "not-following")


@dataclass(frozen=True)
class Ways:
    """House rules that change what is legal."""

    beat_after_trump: bool = False
    overtrump: bool = False


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
class _Reply:
    seat: str
    trick: int
    card: Card
    before: list[Card]
    truth: str | None
    evidence: set[Card]
    """Cards known by now to have been in the hand, the one played included."""
    ruled: str | None = None


@dataclass
class Book:
    """One deal's replies, with the hands they truly came from and what has become known of them."""

    trump: Suit
    ways: Ways
    replies: list[_Reply] = field(default_factory=list)
    seen: dict[str, set[Card]] = field(default_factory=dict)
    """Cards known to everybody that are still in a hand."""

    def sees(self, seat: str, card: Card) -> list[Proof]:
        """A card in that hand has become known; what is provable by it at once."""
        self.seen.setdefault(seat, set()).add(card)
        return self._add(seat, card)

    def plays(self, seat: str, card: Card, *, trick: int, before: list[Card], hand: set[Card]) -> list[Proof]:
        """A card is laid out of the true `hand`; what is provable now."""
        known = self.seen.setdefault(seat, set())
        known.discard(card)
        proofs = self._add(seat, card)
        if before:
            truth = kind_of(card, hand, before, self.trump, self.ways)
            self.replies.append(_Reply(seat, trick, card, before, truth, {card, *known}))
            proofs += self._provable(self.replies[-1:])
        return sorted(proofs, key=lambda proof: proof[1])

    def truth(self) -> set[tuple[str, int, str]]:
        """Every revoke that was made."""
        return {(reply.seat, reply.trick, reply.truth) for reply in self.replies if reply.truth is not None}

    def ruled(self) -> set[tuple[str, int, str]]:
        """Every revoke that was provable so far."""
        return {(reply.seat, reply.trick, reply.ruled) for reply in self.replies if reply.ruled is not None}

    def _add(self, seat: str, card: Card) -> list[Proof]:
        mine = [reply for reply in self.replies if reply.seat == seat]
        for reply in mine:
            reply.evidence.add(card)
        return self._provable(mine)

    def _provable(self, replies: list[_Reply]) -> list[Proof]:
        proofs = []
        for reply in replies:
            kind = kind_of(reply.card, reply.evidence, reply.before, self.trump, self.ways)
            if kind is not None and (reply.ruled is None or _WORSE.index(kind) > _WORSE.index(reply.ruled)):
                proofs.append((reply.seat, reply.trick, kind, "revoke-kind" if reply.ruled else "revoke"))
                reply.ruled = kind
        return proofs
