"""What a simulator that knows all hands says about Debertz: legal replies, provable revokes, sequences, the score.

Written from the rules' §2, §4 to §6 and §8 and kept apart from the referee: it looks at whole hands and at what hands
are still possible, the referee at single cards and at counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from cardtable.simulated.tricks.people import Proof
from engine.cards import DECK_32, Card, Rank, Suit

WORSE = ("not-higher", "not-trumping", "not-following")
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


def accusers(card: Card, lead: Card, ways: Ways) -> dict[Card, int]:
    """Every card that makes `card` a revoke if it was in the hand beside it, with how bad that is."""
    kinds = {held: kind_of(card, {card, held}, lead, ways) for held in DECK_32}
    return {held: WORSE.index(kind) for held, kind in kinds.items() if kind is not None}


def takes(lead: Card, reply: Card, ways: Ways) -> bool:
    """Whether the reply takes the trick."""
    if reply.suit is lead.suit:
        return ways.height(reply) > ways.height(lead)
    return reply.suit is ways.trump


@dataclass
class _Reply:
    seat: str
    trick: int
    card: Card
    lead: Card
    truth: str | None
    evidence: set[Card]
    """Cards known by now to have been in the hand, the one played included."""
    bad: dict[Card, int]
    """Every card that would make a revoke of it if it was in the same hand, with how bad."""
    ruled: str | None = None


@dataclass
class Book:
    """One deal's replies, with the hands they truly came from and what has become known of them."""

    ways: Ways
    away: set[Card]
    """Cards that everybody knows to be in no hand, or to have been played."""
    left: dict[str, int]
    """How many cards each seat has in hand."""
    replies: list[_Reply] = field(default_factory=list)
    seen: dict[str, set[Card]] = field(default_factory=dict)
    """Cards known to everybody that are still in a hand."""

    def sees(self, seat: str, *cards: Card) -> list[Proof]:
        """Cards in that hand have become known; what is provable by it at once."""
        self.seen.setdefault(seat, set()).update(cards)
        for reply in self.replies:
            if reply.seat == seat:
                reply.evidence.update(cards)
        return self.provable()

    def plays(self, seat: str, card: Card, *, trick: int, lead: Card | None, hand: set[Card]) -> list[Proof]:
        """A card is laid out of the true `hand`; what is provable now."""
        known = self.seen.setdefault(seat, set())
        known.discard(card)
        self.away.add(card)
        self.left[seat] -= 1
        for reply in self.replies:
            if reply.seat == seat:
                reply.evidence.add(card)
        if lead is not None:
            truth = kind_of(card, hand, lead, self.ways)
            bad = accusers(card, lead, self.ways)
            self.replies.append(_Reply(seat, trick, card, lead, truth, {card, *known}, bad))
        return self.provable()

    def truth(self) -> set[tuple[str, int, str]]:
        """Every revoke that was made."""
        return {(reply.seat, reply.trick, reply.truth) for reply in self.replies if reply.truth is not None}

    def ruled(self) -> set[tuple[str, int, str]]:
        """Every revoke that was provable so far."""
        return {(reply.seat, reply.trick, reply.ruled) for reply in self.replies if reply.ruled is not None}

    def provable(self) -> list[Proof]:
        """Everything newly provable: first by cards that were seen, then by what hands are left."""
        by_cards = [self._rule(reply, self._by_cards(reply), "revoke") for reply in self.replies]
        by_hands = [self._rule(reply, self._by_hands(reply), "revoke-counted") for reply in self.replies if reply.bad]
        return [proof for proof in (*by_cards, *by_hands) if proof is not None]

    def _rule(self, reply: _Reply, kind: str | None, code: str) -> Proof | None:
        if kind is None or (reply.ruled is not None and WORSE.index(kind) <= WORSE.index(reply.ruled)):
            return None
        word = "revoke-kind" if code == "revoke" and reply.ruled else code
        reply.ruled = kind
        return reply.seat, reply.trick, kind, word

    def _by_cards(self, reply: _Reply) -> str | None:
        return kind_of(reply.card, reply.evidence, reply.lead, self.ways)

    def _by_hands(self, reply: _Reply) -> str | None:
        """The mildest verdict over every hand that the unseen cards allow.

        A hand's verdict is that of its worst card, so the mildest hand is the one of the mildest cards.
        """
        hidden = self.left[reply.seat] - len(self.seen.get(reply.seat, ()))
        unseen = [card for card in DECK_32 if card not in self.away and not self._is_held(card)]
        verdicts = sorted(reply.bad.get(card, -1) for card in unseen)
        return WORSE[verdicts[hidden - 1]] if hidden and verdicts[hidden - 1] >= 0 else None

    def _is_held(self, card: Card) -> bool:
        return any(card in cards for cards in self.seen.values())


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
