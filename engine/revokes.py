"""What can be proven of replies while hands are hidden: the same for every trick game that is played out.

A hand at a trick is what its seat lays from then on and what has been seen to be in it. One card of it that could have
followed, trumped or gone higher proves a revoke. So does counting: when fewer cards are unseen that would excuse the
reply than the hand still holds, one of its cards must be another. No other proof exists: whatever is unseen and
excuses may be in that hand, for all that anybody can know.

Readings that are not certain prove nothing until the table has confirmed them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple, Protocol

from engine.cards import Card, Suit
from engine.rulings import Ruling
from engine.seats import Seat
from engine.tricks import WORSE, Demand, Duties, Play, Reply, Revoke, Trick, breach, demand, find_revokes


class Known(NamedTuple):
    """A card that has been seen and is, or was, in a certain seat's hand."""

    seat: Seat
    card: Card
    number: int
    """Log number of the event that showed it."""


class Deal(Protocol):
    """What has to be remembered of one deal to prove anything."""

    @property
    def duties(self) -> Duties:
        """How cards rank and what a reply owes."""
        ...

    @property
    def trump(self) -> Suit | None:
        """The trump suit, once there is one."""
        ...

    @property
    def trump_number(self) -> int:
        """Log number of the event that made it trump."""
        ...

    @property
    def number(self) -> int:
        """Which trick it is, from 1."""
        ...

    @property
    def trick(self) -> Trick:
        """The cards of this trick so far."""
        ...

    @property
    def replies(self) -> tuple[Reply, ...]:
        """Every reply of the deal whose lead was certain."""
        ...

    @property
    def played(self) -> tuple[Known, ...]:
        """Every card of the deal with who laid it."""
        ...

    @property
    def known(self) -> tuple[Known, ...]:
        """Cards seen that are still in hands."""
        ...

    @property
    def revokes(self) -> tuple[Revoke, ...]:
        """What is proven so far."""
        ...

    @property
    def doubtful(self) -> frozenset[int]:
        """Log numbers of lays whose card is not certain."""
        ...


# Doubts


def is_turn_doubtful(deal: Deal) -> bool:
    """Whether a reading not yet confirmed may have given an earlier trick, and so the lead, to the wrong seat."""
    if not deal.doubtful:
        return False
    here = {play.number for play in deal.trick}
    earlier = {one.number for one in deal.played} - here
    return bool(deal.doubtful & earlier) or deal.trump_number in deal.doubtful


def what_it_answers(deal: Deal) -> Demand | None:
    """What the next card in the trick has to answer, where trump and every card before it are certain."""
    assert deal.trump is not None
    doubtful = deal.doubtful
    if doubtful and (deal.trump_number in doubtful or any(play.number in doubtful for play in deal.trick)):
        return None
    return demand(deal.trick, deal.trump, deal.duties)


# Proofs


def by_reply(deal: Deal, play: Play) -> list[Ruling]:
    """What a certain card laid in the trick proves: earlier replies by it, and it by cards known to be held."""
    earlier = [reply for reply in deal.replies if reply.play.seat == play.seat]
    found = find_revokes(earlier, play.card, play.number, deal.duties)
    asked = what_it_answers(deal)
    if asked is not None:
        now = (Reply(play, deal.number, asked),)
        held = (one for one in deal.known if one.seat == play.seat and one.card is not play.card)
        for one in held:
            found += find_revokes(now, one.card, one.number, deal.duties)
    return rule(deal, found, play.number)


def by_cards(deal: Deal, seat: Seat, cards: Iterable[Card], number: int) -> list[Ruling]:
    """What cards prove that were seen, unplayed, in that seat's hand."""
    replies = [reply for reply in deal.replies if reply.play.seat == seat]
    found: list[Revoke] = []
    for card in cards:
        found += find_revokes(replies, card, number, deal.duties)
    return rule(deal, found, number)


def by_counting(deal: Deal, unseen: Collection[Card], hidden: Mapping[Seat, int], number: int) -> list[Ruling]:
    """Revokes proven because too few unseen cards would excuse a reply.

    `unseen`: the cards that may be in any hand; `hidden`: how many of each seat's cards are among them.
    """
    known = {revoke.reply.play.number: WORSE[revoke.kind] for revoke in deal.revokes}
    rulings = []
    for reply in countable(deal):
        count, (led, trump, *_) = hidden[reply.play.seat], reply.demand
        # Only cards of these two suits can prove anything.
        excusing = sum(card.suit is not led and card.suit is not trump for card in unseen)
        if excusing >= count or count > len(unseen):
            continue
        kind = _counted_kind(reply, unseen, count, deal.duties)
        before = known.get(reply.play.number, 0)
        if kind is not None and WORSE[kind] > before:
            rulings.append(_counted(reply, kind, number, is_new=not before))
    return rulings


def countable(deal: Deal) -> list[Reply]:
    """The replies that can have been revokes at all; none while a reading is in doubt."""
    duties = deal.duties
    return [
        reply
        for reply in (() if deal.doubtful else deal.replies)
        if reply.play.card.suit is not reply.demand.led
        or (duties.beat_trump if reply.demand.led is reply.demand.trump else duties.beat_plain)
    ]


def _counted_kind(reply: Reply, unseen: Collection[Card], count: int, duties: Duties) -> str | None:
    """The mildest kind of revoke that a hand with `count` of the unseen cards cannot escape."""
    kinds = [breach(reply.demand, reply.play.card, card, duties) for card in unseen]
    badness = sorted(0 if kind is None else WORSE[kind] for kind in kinds)
    # With the mildest cards that there are, the worst of them is what must be in the hand.
    at_least = badness[count - 1] if count else 0
    return next((kind for kind, worse in WORSE.items() if worse == at_least), None)


def rule(deal: Deal, found: list[Revoke], number: int) -> list[Ruling]:
    """A ruling for every reply newly proven a revoke, or proven one of a worse kind than known."""
    worst: dict[int, Revoke] = {}
    for revoke in sorted(found, key=lambda one: WORSE[one.kind], reverse=True):
        worst.setdefault(revoke.reply.play.number, revoke)
    known = {revoke.reply.play.number: revoke.kind for revoke in deal.revokes}
    rulings = []
    for place in sorted(worst):
        before = known.get(place)
        if before is None or WORSE[worst[place].kind] > WORSE[before]:
            rulings.append(_revoke(worst[place], number, is_new=before is None))
    return rulings


def _revoke(revoke: Revoke, number: int, *, is_new: bool) -> Ruling:
    play = revoke.reply.play
    because = tuple(sorted({play.number, revoke.held_number, number}))
    detail = (
        ("trick", revoke.reply.trick),
        ("kind", revoke.kind),
        ("card", str(play.card)),
        ("held", str(revoke.held)),
    )
    return Ruling("revoke" if is_new else "revoke-kind", play.seat, 0, because, detail, "§5", is_foul=is_new)


def _counted(reply: Reply, kind: str, number: int, *, is_new: bool) -> Ruling:
    detail = (("trick", reply.trick), ("kind", kind), ("card", str(reply.play.card)))
    because = tuple(sorted({reply.play.number, number}))
    return Ruling("revoke-counted", reply.play.seat, 0, because, detail, "§8", is_foul=is_new)
