"""People who play Ochko at a simulated table: they know their cards, hurry or hesitate, and err now and then."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator

from cardtable.simulated.ochko.book import MUST_STOP, Book, Hand, is_gold, is_natural, total
from cardtable.simulated.ochko.table import AtRows
from engine.cards import DECK_36, Card
from engine.seats import Seat, clockwise

STAKES = (5, 10, 10, 10, 25)
BANK = 60
_THINKS_MS = (300, 1_300)

Deeds = Iterator[None]
"""One deed each time it is asked for the next."""


class People:
    """Everybody at the table. `play` is the evening, deed by deed."""

    def __init__(self, table: AtRows, seats: tuple[Seat, ...], banker: Seat, rng: random.Random) -> None:
        self.at, self.seats, self.banker, self.rng = table, seats, banker, rng
        self.book = Book()
        self.mischief = 0.06
        """How often somebody errs where he could."""
        self.hands: dict[Seat, Hand] = {}
        self.pack: list[Card] = []

    def play(self, rounds: int) -> Deeds:
        """So many rounds; then the players stop."""
        self.shuffle()
        for _ in range(rounds):
            yield from self.round()
        self.at.say("end")
        if self.book.bank:
            self.book.move(self.banker, self.book.bank)
        yield

    def round(self) -> Deeds:
        """Stakes, deal, duels; then, if the pack is too small for another, the next banker."""
        yield from self.stake()
        for seat in (*self.punters(), self.banker):
            self.hands[seat] = Hand()
            self.at.clear(seat)
            for _ in range(2):
                yield from self.gets(seat)
        for place, seat in enumerate(self.punters()):
            if place and (not self.book.bank or len(self.pack) < 2):
                break
            if place:
                yield from self.new_hand()
            yield from self.duel(seat)
        if len(self.pack) < 2 * len(self.seats):
            if self.book.bank:
                self.book.move(self.banker, self.book.bank)
            self.banker = self.punters()[0]
            self.shuffle()

    def stake(self) -> Deeds:
        """The usual stake by button, any other in words."""
        if not self.book.bank:
            self.at.say("staked", self.banker, count=BANK)
            self.book.move(self.banker, -BANK)
            yield from self.think()
        self.stakes = {seat: self.rng.choice(STAKES) for seat in self.punters()}
        for seat, amount in self.stakes.items():
            if amount == 10:
                self.at.tap(seat)
            else:
                self.at.say("staked", seat, count=amount)
            yield from self.think()

    def duel(self, seat: Seat) -> Deeds:
        """The banker looks, the punter asks, the banker draws, both show."""
        mine, his = self.hands[seat], self.hands[self.banker]
        yield from self.quarrel(self.banker)
        is_declared = is_natural(his.cards)
        has_shown = False
        if is_declared:
            self.at.double(self.banker)
            yield from self.turn(self.banker)
        else:
            self.at.tap(self.banker)
            yield from self.think()
            has_shown = yield from self.ask(seat)
            if not has_shown or (mine.stop() is not None and mine.worth() < 21 and total(mine.cards) <= 21):
                yield from self.draw()
        order = [self.banker] * (not is_declared) + [seat] * (not has_shown)
        # Only once the other hand is read is the duel over, so what it decides must be known before.
        self.book.settle(seat, self.stakes[seat], mine, his, is_declared=is_declared)
        if mine.stop() is not None:
            self.book.fouls["must-stand", seat] += 1
        for who in order:
            yield from self.turn(who)

    def ask(self, seat: Seat) -> Generator[None, None, bool]:
        """The punter's turn; returns whether he has shown his cards in it."""
        hand = self.hands[seat]
        while True:
            yield from self.quarrel(seat)
            yield from self.push(seat)
            counts = total(hand.cards)
            is_free = counts < MUST_STOP and not is_gold(hand.cards)
            if self.pack and ((is_free and self.rng.random() < 0.85) or (16 <= counts <= 20 and self.errs())):
                self.at.tap(seat)
                yield from self.think()
                yield from self.gets(seat)
            elif counts > 20 and not (counts > 21 and not is_gold(hand.cards) and self.errs(5)):
                if self.rng.random() < 0.3:
                    self.at.double(seat)
                yield from self.turn(seat)
                return True
            else:
                self.at.hold(seat)
                self.book.fouls["hidden-bust", seat] += counts > 21
                yield from self.think()
                return False

    def draw(self) -> Deeds:
        """The banker draws to about 17 and says that he has enough, or just shows."""
        hand = self.hands[self.banker]
        while self.pack and total(hand.cards) < self.rng.choice((15, 17, 18)):
            if self.rng.random() < 0.5:
                self.at.tap(self.banker)
            yield from self.gets(self.banker)
        if self.rng.random() < 0.6:
            self.at.hold(self.banker)
            yield from self.think()

    def new_hand(self) -> Deeds:
        """His old hand to the discard, two new cards; sometimes he forgets and is told."""
        if self.errs():
            self.at.tap(self.banker)
            self.book.fouls["new-hand-required", self.banker] += 1
            yield from self.think()
        self.hands[self.banker] = Hand()
        self.at.clear(self.banker)
        yield from self.gets(self.banker)
        yield from self.gets(self.banker)

    def gets(self, seat: Seat) -> Deeds:
        """The top card, face down."""
        self.hands[seat].cards.append(self.pack.pop())
        self.at.deal(seat)
        yield from self.think(0.4)

    def turn(self, seat: Seat) -> Deeds:
        """All cards of the row, in their order."""
        for place, card in enumerate(self.hands[seat].cards):
            self.at.turn(seat, place, card)
            yield from self.think(0.3)

    def quarrel(self, actor: Seat) -> Deeds:
        """Somebody presses who has no say."""
        if self.errs():
            seat = self.rng.choice([one for one in self.seats if one != actor])
            is_early = seat == self.banker
            self.at.tap(seat)
            self.book.fouls["too-early" if is_early else "wrong-seat", seat] += 1
            yield from self.think()

    def push(self, seat: Seat) -> Deeds:
        """A card to a punter who did not ask: it goes back unseen, or he has looked and it counts."""
        if not self.pack or not self.errs():
            return
        self.at.deal(seat)
        self.book.fouls["not-asked", self.banker] += 1
        yield from self.think()
        if self.rng.random() < 0.5:
            self.at.take_back(seat)
        else:
            self.at.say("seen")
            hand = self.hands[seat]
            hand.unasked.add(len(hand.cards))
            hand.cards.append(self.pack.pop())
        yield from self.think()

    def think(self, share: float = 1.0) -> Deeds:
        """Some time passes: the deed before it is done."""
        self.at.wait(self.rng.uniform(*_THINKS_MS) * share)
        yield

    def errs(self, times: float = 1.0) -> bool:
        """Whether somebody errs now."""
        return self.rng.random() < self.mischief * times

    def punters(self) -> list[Seat]:
        """Everybody but the banker, from his left."""
        return [seat for seat in clockwise(self.seats, self.banker) if seat != self.banker]

    def shuffle(self) -> None:
        """A new pack."""
        self.pack = self.rng.sample(DECK_36, len(DECK_36))
