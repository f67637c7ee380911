"""Tricks, the duties of a reply, and the proof of a revoke while hands are hidden.

A duty depends on the hand, which nobody sees. So every reply is kept with what it had to answer; each card that its
player is later known to have held all along is tried against it. One such card is enough for a proof (`breach`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from engine.cards import Card, Rank, Suit
from engine.seats import Seat

NOT_HIGHER, NOT_TRUMPING, NOT_FOLLOWING = "not-higher", "not-trumping", "not-following"
KINDS = ("", NOT_HIGHER, NOT_TRUMPING, NOT_FOLLOWING)
"""No revoke, then its kinds; further cards may show that one is of a later kind."""
WORSE: dict[str, int] = {kind: place for place, kind in enumerate(KINDS)}
"""How bad each kind is."""
NATURAL: dict[Rank, int] = {rank: int(rank) for rank in Rank}
"""Ace high, two low."""


class Duties(NamedTuple):
    """What a game asks of a reply, and how its cards rank."""

    plain: Mapping[Rank, int] = NATURAL
    """Strength of the ranks in a plain suit."""
    trump: Mapping[Rank, int] = NATURAL
    """Strength of the ranks in trumps."""
    beat_plain: bool = True
    """Whoever follows in a plain suit goes higher if able."""
    beat_trump: bool = True
    """Whoever follows a led trump goes higher if able."""
    beat_after_trump: bool = False
    """Going higher in the led suit stays a duty once somebody has trumped."""
    must_trump: bool = True
    """Whoever is void in the led suit trumps if able."""
    overtrump: bool = False
    """Whoever trumps goes above the trumps in the trick if able."""


class Demand(NamedTuple):
    """What a reply has to answer: the state of the trick before it."""

    led: Suit
    trump: Suit
    best_led: int
    """Strength of the best card of the led suit."""
    best_trump: int
    """Strength of the best trump; 0: nobody has trumped."""


class Play(NamedTuple):
    """A card in a trick."""

    seat: Seat
    card: Card
    number: int
    """Log number of the lay."""


class Reply(NamedTuple):
    """A card that had to answer a lead, kept until the deal is over."""

    play: Play
    trick: int
    """Which trick of the deal, from 1."""
    demand: Demand


class Revoke(NamedTuple):
    """A proven failure to follow, trump or go higher."""

    reply: Reply
    kind: str
    held: Card | None
    """The card that proves it; None: it was proven by counting."""
    held_number: int
    """Log number of the event that showed it."""


Trick = tuple[Play, ...]
"""The cards of one trick in order; the first is the lead."""


def winner(trick: Trick, trump: Suit, duties: Duties) -> Play:
    """The play that takes the trick: the highest trump, otherwise the highest card of the led suit.

    Cards that could not be read take no trick, unless none could be read: then the lead does.
    """
    readable = [play for play in trick if play.card.is_known]
    if not readable:
        return trick[0]
    led = readable[0].card.suit
    return max(readable, key=lambda play: _power(play.card, led, trump, duties))


def demand(trick: Trick, trump: Suit, duties: Duties) -> Demand | None:
    """What the next card has to answer; None when it leads, or when the lead could not be read."""
    if not trick or not trick[0].card.is_known:
        return None
    led = trick[0].card.suit
    best_led = best_trump = 0
    for play in trick:
        card = play.card
        if not card.is_known:
            continue
        if card.suit is led:
            best_led = max(best_led, strength(card, trump, duties))
        elif card.suit is trump:
            best_trump = max(best_trump, strength(card, trump, duties))
    return Demand(led, trump, best_led, best_trump)


def strength(card: Card, trump: Suit, duties: Duties) -> int:
    """How high the card is within its suit."""
    return (duties.trump if card.suit is trump else duties.plain)[card.rank]


def breach(asked: Demand, played: Card, held: Card, duties: Duties) -> str | None:
    """The duty that `played` broke if `held` was in the same hand: a kind of revoke, or None.

    One held card decides: to follow, to trump and to go higher are each owed as soon as one card could do it.
    """
    led, trump = asked.led, asked.trump
    if played.suit is led:
        return NOT_HIGHER if held.suit is led and _fails_to_beat(asked, played, held, duties) else None
    if held.suit is led:
        return NOT_FOLLOWING
    if held.suit is not trump or not duties.must_trump:
        return None
    if played.suit is not trump:
        return NOT_TRUMPING
    is_under = duties.overtrump and _is_between(asked.best_trump, played, held, trump, duties)
    return NOT_HIGHER if is_under else None


def find_revokes(replies: Iterable[Reply], held: Card, held_number: int, duties: Duties) -> list[Revoke]:
    """The revokes that are proven once `held` is known to have been in the hand at all of `replies`."""
    found = []
    for reply in replies:
        kind = breach(reply.demand, reply.play.card, held, duties)
        if kind is not None:
            found.append(Revoke(reply, kind, held, held_number))
    return found


def _fails_to_beat(asked: Demand, played: Card, held: Card, duties: Duties) -> bool:
    is_trump_led = asked.led is asked.trump
    if not (duties.beat_trump if is_trump_led else duties.beat_plain):
        return False
    if asked.best_trump and not duties.beat_after_trump:
        return False
    return _is_between(asked.best_led, played, held, asked.trump, duties)


def _is_between(best: int, played: Card, held: Card, trump: Suit, duties: Duties) -> bool:
    """Whether `held` would have beaten `best` and `played` does not."""
    return strength(played, trump, duties) <= best < strength(held, trump, duties)


def _power(card: Card, led: Suit, trump: Suit, duties: Duties) -> tuple[int, int]:
    if card.suit is trump:
        return 2, strength(card, trump, duties)
    return (1, strength(card, trump, duties)) if card.suit is led else (0, 0)
