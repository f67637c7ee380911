"""Sequences of one suit: declared by their top and length, compared, and proved by cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from engine.cards import Card, Rank, Suit

Order = Sequence[Rank]
"""Ranks as sequences run, highest first."""


class Run(NamedTuple):
    """A sequence as it is declared: `length` cards of one suit from `top` down."""

    top: Rank
    length: int
    suit: Suit | None = None
    """None: the suit was not said."""


def is_possible(run: Run, order: Order) -> bool:
    """Whether there are that many ranks from `top` down."""
    return run.top in order and order.index(run.top) + run.length <= len(order)


def cards_of(run: Run, suit: Suit, order: Order) -> tuple[Card, ...]:
    """The cards of the run in that suit, highest first."""
    place = order.index(run.top)
    return tuple(Card.of(rank, suit) for rank in order[place : place + run.length])


Pool = tuple[Run, Collection[Card]]
"""A declared run and the cards out of which it must come."""


def fits(pools: Sequence[Pool], order: Order, used: frozenset[Card] = frozenset()) -> bool:
    """Whether all runs can be laid side by side, each out of its cards, no card in two of them."""
    if not pools:
        return True
    run, cards = pools[0]
    for suit in (run.suit,) if run.suit is not None else Suit:
        needed = frozenset(cards_of(run, suit, order))
        if not needed & used and needed <= set(cards) and fits(pools[1:], order, used | needed):
            return True
    return False


def proven(pools: Iterable[Pool], order: Order) -> tuple[bool, ...]:
    """For each declared run, whether the cards bear it out beside the true ones declared before it."""
    true: list[Pool] = []
    found = []
    for pool in pools:
        found.append(fits([*true, pool], order))
        if found[-1]:
            true.append(pool)
    return tuple(found)
