"""What a hand counts, and whether its cards were legally drawn (§2, §5, §7 of the rules of Ochko)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from engine.cards import Card, Rank

GOAL = 21
GOLD = 22
"""Two aces: above everything where they are gold."""
BUST = 0
"""The strength of every hand over 21."""
DEALT = 2
"""Cards of a hand before anything is drawn."""
NEVER = 1_000
"""A limit that no hand reaches: whoever has it may always draw."""

_PICTURES: dict[Rank, int] = {Rank.ACE: 11, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}
_VALUES: dict[Rank, int] = {rank: _PICTURES.get(rank, int(rank)) for rank in Rank}

Ranks = tuple[Rank, ...]
"""Suits are irrelevant."""


class Count(NamedTuple):
    """How one side's hands are counted, and when it has to stop."""

    limit: int
    """From this total on no further card may be drawn."""
    ace_low: bool
    has_gold: bool
    """Whether two aces are gold for this side, or 22 points."""

    def total(self, ranks: Ranks) -> int:
        """The sum; where `ace_low` holds an ace counts 1 where 11 would go over 21."""
        total = sum(_VALUES[rank] for rank in ranks)
        lowered = ranks.count(Rank.ACE) if self.ace_low else 0
        while total > GOAL and lowered:
            total, lowered = total - 10, lowered - 1
        return total

    def is_gold(self, ranks: Ranks) -> bool:
        """Exactly two cards, both aces, where that counts for something."""
        return self.has_gold and ranks == (Rank.ACE, Rank.ACE)

    def strength(self, ranks: Ranks) -> int:
        """What the hand is worth against another: `GOLD`, its total up to 21, or `BUST`."""
        if self.is_gold(ranks):
            return GOLD
        total = self.total(ranks)
        return total if total <= GOAL else BUST

    def must_stop(self, ranks: Ranks) -> bool:
        """Whether nothing may be drawn to these cards."""
        return self.is_gold(ranks) or self.total(ranks) >= self.limit


class Audit(NamedTuple):
    """What the prefix rule says of a hand (§5)."""

    stop: int | None = None
    """Strength of the legal prefix after which a card was drawn illegally; None: nothing is proven."""
    at: int = 0
    """That prefix's total."""
    drawn: Card | None = None
    """The card drawn illegally, where the order is known."""
    is_open: bool = False
    """Whether some orders contain an illegal hit and some do not: not established."""


FINE = Audit()


def ranks_of(cards: Iterable[Card]) -> Ranks:
    """Their ranks in the same order."""
    return tuple(card.rank for card in cards)


def audit(cards: tuple[Card, ...], asked: tuple[bool, ...], count: Count) -> Audit:
    """Cards in order of receipt; one that was not `asked` for is nobody's hit."""
    ranks = ranks_of(cards)
    for k in range(DEALT, len(ranks)):
        if asked[k] and count.must_stop(ranks[:k]):
            return Audit(count.strength(ranks[:k]), count.total(ranks[:k]), cards[k])
    return FINE


def audit_mixed(cards: tuple[Card, ...], count: Count) -> Audit:
    """§7: the order is lost, so an illegal hit is proven only when every possible order contains one."""
    ranks = tuple(sorted(ranks_of(cards)))
    stops = [part for part in _parts(ranks) if count.must_stop(part) and _is_reachable(part, count)]
    if _is_reachable(ranks, count):
        return Audit(is_open=bool(stops))
    return Audit(*min((count.strength(part), count.total(part)) for part in stops))


@cache
def _is_reachable(ranks: Ranks, count: Count) -> bool:
    """Whether some order of these cards draws none of them illegally."""
    if len(ranks) <= DEALT:
        return True
    return any(not count.must_stop(rest) and _is_reachable(rest, count) for rest in _without_one(ranks))


def _parts(ranks: Ranks) -> Iterator[Ranks]:
    """Every smaller hand of at least two cards that is contained in this one, each once."""
    layer = {ranks}
    for _ in range(len(ranks) - DEALT):
        layer = {rest for part in layer for rest in _without_one(part)}
        yield from layer


def _without_one(ranks: Ranks) -> set[Ranks]:
    return {(*ranks[:i], *ranks[i + 1 :]) for i in range(len(ranks))}
