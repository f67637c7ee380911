"""What can be proven of replies while hands are hidden: the same for every trick game that is played out.

A hand at a trick is what its seat lays from then on and what has been seen to be in it. One card of it that could have
followed, trumped or gone higher proves a revoke. So does counting: when the unseen cards of the hand cannot all be such
as would excuse the reply, one of them is another. No other proof exists: whatever is unseen, excuses and may be in that
hand is in it, for all that anybody can know.

Readings that are not certain prove nothing until the table has confirmed them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from engine.cards import OF_SUIT, Card, Suit
from engine.rulings import Ruling
from engine.seats import Seat
from engine.tricks import KINDS, WORSE, Demand, Duties, Play, Reply, Revoke, Trick, breach, demand, find_revokes


class Known(NamedTuple):
    """A card that has been seen and is, or was, in a certain seat's hand."""

    seat: Seat
    card: Card
    number: int
    """Log number of the event that showed it."""


class Hidden(NamedTuple):
    """What nobody has seen of a hand."""

    size: int
    """How many of its cards are unseen."""
    cards: frozenset[Card]
    """All that may be among them."""
    special: frozenset[Card] = frozenset()
    """Some of `cards` of which more is known: the hand holds at least `least` and at most `most` of them."""
    least: int = 0
    most: int = 0


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

    def hidden(self, seat: Seat) -> Hidden:
        """What nobody has seen of that seat's hand."""
        ...

    def has_plenty(self) -> bool:
        """Whether so much is unseen that nothing can be proven by counting; False: it has to be looked at."""
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


def by_counting(deal: Deal, number: int) -> list[Ruling]:
    """Revokes proven because no hand that its seat can have would excuse a reply."""
    if deal.doubtful or not deal.replies or deal.has_plenty():
        return []
    before = {revoke.reply.play.number: WORSE[revoke.kind] for revoke in deal.revokes}
    hands = {seat: deal.hidden(seat) for seat in {reply.play.seat for reply in deal.replies}}
    rulings = []
    for reply in deal.replies:
        known = before.get(reply.play.number, 0)
        mildest = _mildest(reply, hands[reply.play.seat], deal.duties)
        if mildest > known:
            rulings.append(_counted(reply, KINDS[mildest], number, is_new=not known))
    return rulings


def _mildest(reply: Reply, hand: Hidden, duties: Duties) -> int:
    """How bad the reply was at least, whichever possible hand it came from; 0: it may have been fine.

    A hand is as bad as its worst card, so the mildest one has the mildest of the special cards and of the others. Where
    no hand is possible, something was seen wrongly, and nothing is proven.
    """
    if not 0 < hand.size <= len(hand.cards) or _is_excused(reply.demand, hand):
        return 0
    bad = {card: WORSE[breach(reply.demand, reply.play.card, card, duties) or ""] for card in hand.cards}
    special = sorted(bad[card] for card in hand.special)
    others = sorted(worse for card, worse in bad.items() if card not in hand.special)
    least = max(hand.least, hand.size - len(others))
    most = min(hand.most, hand.size, len(special))
    return min((_worst(special, others, taken, hand.size) for taken in range(least, most + 1)), default=0)


def _is_excused(asked: Demand, hand: Hidden) -> bool:
    """Whether the hand may be made of cards that can neither follow nor trump."""
    excusing = hand.cards - hand.special - OF_SUIT[asked.led] - OF_SUIT[asked.trump]
    return len(excusing) >= hand.size and not hand.least


def _worst(special: Sequence[int], others: Sequence[int], taken: int, size: int) -> int:
    """The worst of a hand of `size` cards with the mildest `taken` special ones."""
    return max((*special[:taken], *others[: size - taken]))


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
