"""What a simulator that knows all hands says about revokes: which were made, and what can be proven when.

Kept apart from the referee: it looks at whole hands and tries every hand that is still possible, the referee looks at
single cards and counts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from cardtable.simulated.tricks.people import Proof
from engine.cards import Card

WORSE = ("not-higher", "not-trumping", "not-following")


@dataclass
class Reply:
    """A card that answered others."""

    seat: str
    trick: int
    card: Card
    before: list[Card]
    """The cards of the trick before it."""
    truth: str | None
    """How it was a revoke, if it was one."""
    evidence: set[Card]
    """Cards known by now to have been in the hand, the one played included."""
    ruled: str | None = None
    """What has become provable so far."""
    bad: dict[Card, int] = field(default_factory=dict)
    """How bad a revoke it was if that card was in the same hand; -1: none."""


@dataclass
class TrickBook(ABC):
    """One deal's replies, with the hands they truly came from and what has become known of them."""

    left: dict[str, int]
    """How many cards each seat has in hand."""
    away: set[Card]
    """Cards that everybody knows to be in no hand, or to have been played."""
    replies: list[Reply] = field(default_factory=list)
    seen: dict[str, set[Card]] = field(default_factory=dict)
    """Cards known to everybody that are still in a hand."""
    laid: dict[str, set[Card]] = field(default_factory=dict)
    """The cards that each seat has played."""

    @abstractmethod
    def kind_of(self, card: Card, hand: set[Card], before: list[Card]) -> str | None:
        """How `card` was a revoke out of `hand`, or None."""

    @abstractmethod
    def unseen(self, seat: str) -> Sequence[Card]:
        """Every card that may be in that hand for all that is known, and was not seen there."""

    def can_be(self, seat: str, hand: Collection[Card]) -> bool:
        """Whether those can be all the unseen cards of that hand."""
        return True

    def sees(self, seat: str, *cards: Card) -> list[Proof]:
        """Cards in that hand have become known; what is provable by it at once."""
        self.seen.setdefault(seat, set()).update(cards)
        self._add(seat, cards)
        return self.provable()

    def plays(self, seat: str, card: Card, *, trick: int, before: list[Card], hand: set[Card]) -> list[Proof]:
        """A card is laid out of the true `hand`; what is provable now."""
        known = self.seen.setdefault(seat, set())
        known.discard(card)
        self.laid.setdefault(seat, set()).add(card)
        self.away.add(card)
        self.left[seat] -= 1
        self._add(seat, (card,))
        if before:
            truth = self.kind_of(card, hand, before)
            self.replies.append(Reply(seat, trick, card, before, truth, {card, *known}))
        return self.provable()

    def truth(self) -> set[tuple[str, int, str]]:
        """Every revoke that was made."""
        return {(reply.seat, reply.trick, reply.truth) for reply in self.replies if reply.truth is not None}

    def ruled(self) -> set[tuple[str, int, str]]:
        """Every revoke that was provable so far."""
        return {(reply.seat, reply.trick, reply.ruled) for reply in self.replies if reply.ruled is not None}

    def provable(self) -> list[Proof]:
        """Everything newly provable: first by cards that were seen, then by what hands are left."""
        open_ones = [reply for reply in self.replies if reply.ruled != WORSE[-1]]
        by_cards = [self._rule(reply, self._by_cards(reply), "revoke") for reply in open_ones]
        pools = {seat: self.unseen(seat) for seat in {reply.seat for reply in open_ones}}
        by_hands = [
            self._rule(reply, self._by_hands(reply, pools[reply.seat]), "revoke-counted") for reply in open_ones
        ]
        return [proof for proof in (*by_cards, *by_hands) if proof is not None]

    def _add(self, seat: str, cards: Collection[Card]) -> None:
        for reply in self.replies:
            if reply.seat == seat:
                reply.evidence.update(cards)

    def _rule(self, reply: Reply, kind: str | None, code: str) -> Proof | None:
        if kind is None or (reply.ruled is not None and WORSE.index(kind) <= WORSE.index(reply.ruled)):
            return None
        word = "revoke-kind" if code == "revoke" and reply.ruled else code
        reply.ruled = kind
        return reply.seat, reply.trick, kind, word

    def _by_cards(self, reply: Reply) -> str | None:
        return self.kind_of(reply.card, reply.evidence, reply.before)

    def _by_hands(self, reply: Reply, pool: Sequence[Card]) -> str | None:
        """The mildest verdict over every hand that is possible; hands of mild cards are tried first."""
        hidden = self.left[reply.seat] - len(self.seen.get(reply.seat, ()))
        if not hidden:
            return None
        bad = reply.bad
        for card in pool:
            if card not in bad:
                bad[card] = self._badness(reply, card)
        for worst in range(-1 if reply.ruled is None else WORSE.index(reply.ruled), len(WORSE)):
            mild = [card for card in pool if bad[card] <= worst]
            if any(self.can_be(reply.seat, hand) for hand in combinations(mild, hidden)):
                return WORSE[worst] if worst >= 0 else None
        raise AssertionError(f"{reply.seat} can have no hand at all")

    def _badness(self, reply: Reply, held: Card) -> int:
        kind = self.kind_of(reply.card, {reply.card, held}, reply.before)
        return -1 if kind is None else WORSE.index(kind)
