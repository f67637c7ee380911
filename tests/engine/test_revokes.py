"""The earliest provable moment, by brute force: every pair of hands that is still possible is tried.

Small decks, so that all can be tried: three cards each, three out of play. A reply is a proven revoke of a kind exactly
when it was at least that bad in every pair of hands that agrees with everything seen.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable.simulated.debertz.book import Ways, kind_of, takes
from engine.cards import Card, Suit, read_cards
from engine.games.debertz.house import house_of
from engine.revokes import Hidden, Known, by_cards, by_counting, by_reply, what_it_answers
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import Seat, seats
from engine.tricks import WORSE, Duties, Play, Reply, Revoke, Trick

A, B = seats(2)
DUTIES = house_of(Setup((A, B), ("Anna", "Boris"))).duties
DECKS = {
    "three-suits": read_cards("AH KH QH AS KS QS AC KC QC"),
    "two-suits": read_cards("AH KH JH 9H AS KS QS 10S 7S"),
    "few-trumps": read_cards("9H AS KS QS AC KC AD KD QD"),
}
HAND = 3
TRUMP = Suit.HEARTS
WAYS = Ways(TRUMP)


@dataclass
class Small:
    """One small deal, as the referee remembers it."""

    deck: tuple[Card, ...]
    duties: Duties = DUTIES
    trump: Suit = TRUMP
    trump_number: int = 0
    number: int = 1
    trick: Trick = ()
    replies: tuple[Reply, ...] = ()
    played: tuple[Known, ...] = ()
    known: tuple[Known, ...] = ()
    revokes: tuple[Revoke, ...] = ()
    doubtful: frozenset[int] = frozenset()
    of_hand: Hidden | None = None
    """What is known of the hidden hands, where it is not just what was seen."""
    ruled: dict[tuple[Seat, int], str] = field(default_factory=dict)
    """The kind by which each reply is proven a revoke so far."""
    codes: set[str] = field(default_factory=set)

    def hidden(self, seat: Seat) -> Hidden:
        """What nobody has seen of that seat's hand."""
        if self.of_hand is not None:
            return self.of_hand
        seen = {one.card for one in (*self.played, *self.known)}
        count = HAND - sum(one.seat == seat for one in (*self.played, *self.known))
        return Hidden(count, frozenset(self.deck) - seen)

    def has_plenty(self) -> bool:
        """It is looked at always."""
        return False

    def lay(self, seat: Seat, card: Card) -> None:
        """A card of the trick, and everything that it proves."""
        play = Play(seat, card, len(self.played) + 1)
        found, asked = by_reply(self, play), what_it_answers(self)
        self.known = tuple(one for one in self.known if one.card is not card)
        self.played = (*self.played, Known(seat, card, play.number))
        if asked is not None:
            self.replies = (*self.replies, Reply(play, self.number, asked))
        self.trick = (*self.trick, play)
        self._note(found)
        self._note(by_counting(self, len(self.played)))
        if len(self.trick) == 2:
            self.trick, self.number = (), self.number + 1

    def show(self, seat: Seat, card: Card) -> None:
        """A card is seen in that hand."""
        found = by_cards(self, seat, (card,), len(self.played))
        self.known = (*self.known, Known(seat, card, len(self.played)))
        self._note(found)
        self._note(by_counting(self, len(self.played)))

    def _note(self, rulings: list[Ruling]) -> None:
        for ruling in rulings:
            assert ruling.seat is not None
            self.codes.add(ruling.code)
            about = next(r for r in self.replies if (r.play.seat, r.trick) == (ruling.seat, ruling.get("trick")))
            kind = str(ruling.get("kind"))
            others = tuple(one for one in self.revokes if one.reply is not about)
            self.revokes = (*others, Revoke(about, kind, None, 0))
            self.ruled[ruling.seat, about.trick] = kind


Hands = tuple[frozenset[Card], frozenset[Card]]


@cache
def kinds(card: Card, hand: frozenset[Card], lead: Card) -> str | None:
    """How bad the reply was out of that hand."""
    return kind_of(card, set(hand), lead, WAYS)


def all_hands(deck: tuple[Card, ...]) -> Iterator[Hands]:
    """Every way to deal."""
    for mine in combinations(deck, HAND):
        for yours in combinations([card for card in deck if card not in mine], HAND):
            yield frozenset(mine), frozenset(yours)


def provable(worlds: list[Hands], plays: list[tuple[Seat, Card]]) -> dict[tuple[Seat, int], str]:
    """What is true in every world: the mildest kind of each reply, where it is one in all of them."""
    found = {}
    for place in range(1, len(plays), 2):
        (_, lead), (seat, card) = plays[place - 1], plays[place]
        before = {laid for _, laid in plays[:place]}
        hands = {world[seat == B] - before for world in worlds}
        mildest = min((kinds(card, hand, lead) for hand in hands), key=lambda kind: WORSE[kind or ""])
        if mildest is not None:
            found[seat, place // 2 + 1] = mildest
    return found


def play_and_compare(deck: tuple[Card, ...], chance: random.Random) -> set[str]:
    """One deal of any cards, fair or foul; returns by what kinds of ruling revokes were found."""
    cards = list(deck)
    chance.shuffle(cards)
    hands = {A: cards[:HAND], B: cards[HAND : 2 * HAND]}
    deal, worlds, leader = Small(deck), list(all_hands(deck)), A
    plays: list[tuple[Seat, Card]] = []
    for _ in range(HAND):
        follower = B if leader is A else A
        for seat in (leader, follower):
            if chance.random() < 0.3:
                shown = chance.choice(hands[seat])
                if all(one.card is not shown for one in deal.known):
                    deal.show(seat, shown)
                    worlds = [world for world in worlds if shown in world[seat == B]]
                    assert deal.ruled == provable(worlds, plays)
            card = hands[seat].pop(chance.randrange(len(hands[seat])))
            plays.append((seat, card))
            worlds = [world for world in worlds if card in world[seat == B]]
            deal.lay(seat, card)
            assert deal.ruled == provable(worlds, plays)
        leader = follower if takes(plays[-2][1], plays[-1][1], WAYS) else leader
    return deal.codes


@pytest.mark.parametrize("name", sorted(DECKS))
def test_what_is_ruled_is_what_every_possible_pair_of_hands_proves(name: str) -> None:
    found = set().union(*(play_and_compare(DECKS[name], random.Random(seed)) for seed in range(60)))
    assert found >= ({"revoke", "revoke-counted"} if name == "three-suits" else {"revoke"})


@pytest.mark.proof
@pytest.mark.parametrize("name", sorted(DECKS))
def test_a_thousand_small_deals(name: str) -> None:
    """Slow: every pair of hands of a thousand deals."""
    for seed in range(1000):
        play_and_compare(DECKS[name], random.Random(1000 + seed))


@given(st.permutations(read_cards("AH KH JH 9H AS KS QS 10S AC KC AD")), st.data())
def test_where_more_is_known_of_a_hand_every_hand_that_is_possible_is_tried(
    cards: list[Card], data: st.DataObject
) -> None:
    """At least and at most so many of some cards: Ton's taker has a trump from the stock, or one of those he showed."""
    (lead, card), unseen = cards[:2], cards[2:]
    size = data.draw(st.integers(1, 5))
    special = frozenset(unseen[: data.draw(st.integers(0, 6))])
    least = data.draw(st.integers(0, min(size, len(special))))
    most = data.draw(st.integers(least, len(special)))
    hidden = Hidden(size, frozenset(unseen), special, least, most)
    deal = Small(tuple(cards), trick=(Play(A, lead, 1),), of_hand=hidden)
    asked = what_it_answers(deal)
    assert asked is not None
    deal.replies = (Reply(Play(B, card, 2), 1, asked),)
    hands = [hand for hand in combinations(unseen, size) if least <= len(special.intersection(hand)) <= most]
    verdicts = [kind_of(card, {card, *hand}, lead, WAYS) for hand in hands]
    mildest = min(verdicts, key=lambda kind: WORSE[kind or ""], default=None)
    assert [ruling.get("kind") for ruling in by_counting(deal, 2)] == ([] if mildest is None else [mildest])
