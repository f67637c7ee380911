"""What is true in a simulated party of Ochko: counted from the cards themselves, apart from the referee (§2 to §5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.cards import Card
from engine.seats import Seat

MUST_STOP = 16
_PICTURES = {"A": 11, "K": 4, "Q": 3, "J": 2}


def total(cards: Sequence[Card]) -> int:
    """What the cards count."""
    return sum(_PICTURES.get(str(card.rank), int(card.rank)) for card in cards)


def is_gold(cards: Sequence[Card]) -> bool:
    """Exactly two aces."""
    return len(cards) == 2 and all(str(card.rank) == "A" for card in cards)


def is_natural(cards: Sequence[Card]) -> bool:
    """Whether two cards are 21 or gold."""
    return total(cards) == 21 or is_gold(cards)


@dataclass
class Hand:
    """A hand in the order in which its cards came."""

    cards: list[Card] = field(default_factory=list)
    unasked: set[int] = field(default_factory=set)
    """Places of cards that were no hit."""

    def stop(self) -> int | None:
        """§5: how many cards came before the first that was drawn at 16 or more; None: all were legal."""
        for place in range(2, len(self.cards)):
            before = self.cards[:place]
            if place not in self.unasked and (total(before) >= MUST_STOP or is_gold(before)):
                return place
        return None

    def worth(self) -> int:
        """What a punter's hand counts in the end: 22 for gold, 0 over 21; after an illegal hit the worse of both."""
        stop = self.stop()
        whole = _worth(self.cards)
        return whole if stop is None else min(whole, _worth(self.cards[:stop]))


def _worth(cards: Sequence[Card]) -> int:
    if is_gold(cards):
        return 22
    return total(cards) if total(cards) <= 21 else 0


@dataclass
class Book:
    """Money, verdicts and fouls as they are."""

    bank: int = 0
    purses: Counter[Seat] = field(default_factory=Counter)
    verdicts: list[tuple[Seat, str, int]] = field(default_factory=list)
    """Punter, `punter-wins` or `banker-wins`, and what he has won or lost."""
    fouls: Counter[tuple[str, Seat]] = field(default_factory=Counter)

    def move(self, seat: Seat, amount: int) -> None:
        """From the bank to that seat; below zero the other way."""
        self.bank -= amount
        self.purses[seat] += amount

    def settle(self, seat: Seat, stake: int, hand: Hand, banker: Hand, *, is_declared: bool) -> None:
        """§5, the first line that applies; a stake counts up to the bank (§3)."""
        counts = min(stake, self.bank)
        mine, his = hand.worth(), total(banker.cards)
        if is_declared:
            has_won = False
        elif mine in (21, 22):
            has_won = True
        else:
            has_won = mine > 0 and (his > 21 or mine > his)
        self.move(seat, counts if has_won else -counts)
        self.verdicts.append((seat, "punter-wins", counts) if has_won else (seat, "banker-wins", -counts))
