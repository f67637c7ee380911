"""People who play Ton and know their hands: they err on purpose, and remember what is due.

`People` plays; where cards and words go is a `Hands`. Every ruling about a revoke is compared as it is given with what
is provable at that moment.
"""

from __future__ import annotations

import random

from cardtable.simulated.ton.book import Book, Ways, legal, takes
from cardtable.simulated.tricks.hands import Hands
from cardtable.simulated.tricks.people import TrickPeople
from engine.cards import DECK_36, Card
from engine.games.ton import Phase
from engine.seats import Seat, clockwise


class People(TrickPeople):
    """Everybody at the table."""

    def __init__(self, hands: Hands, chance: random.Random, mischief: float) -> None:
        super().__init__(hands, chance, mischief)
        self.seats = [str(seat) for seat in hands.setup.seats]
        self.ways = Ways(
            beat_after_trump=self.options.get("beat_after_trump") == "true",
            overtrump=self.options.get("overtrump") == "true",
            upcard_pickable=self.options.get("upcard_pickable") != "false",
        )

    def play(self, *, deals: int) -> None:
        """Plays until somebody has won, or that many deals."""
        for seat in self.seats if self.phase() is Phase.STAKES else ():
            self.at.say("staked", seat)
        super().play(deals=deals)

    def deal(self) -> None:
        """One deal, from the shuffle to its score."""
        dealer = self.at.state.dealer
        assert dealer is not None
        around = [str(seat) for seat in clockwise(self.at.setup.seats, dealer)]
        cards = list(DECK_36)
        self.chance.shuffle(cards)
        self.hands = {seat: {cards.pop() for _ in range(5)} for seat in around}
        self.widow = [cards.pop() for _ in range(4)]
        self.upcard, self.stock = cards.pop(), cards
        self.book = Book(dict.fromkeys(self.seats, 5), set(), ways=self.ways, upcard=self.upcard)
        self.lay(None, self.upcard, "trump")
        self.buy(around)

    def buy(self, around: list[str]) -> None:
        """The purchase; then play, if somebody has taken the widow."""
        self.quarrel(around)
        if self.claim(around[0]):
            return self.join(around[0])
        self.closed = list(self.widow)
        for seat in around[:-1]:
            if self.chance.random() < 0.5:
                return self.take(seat)
            self.refuse(seat)
            self.quarrel(around)
        return None

    def quarrel(self, around: list[str]) -> None:
        """Somebody takes who may not."""
        decider = self.at.state.decider
        if not self.errs() or decider is None:
            return
        seat = self.chance.choice([seat for seat in around if seat != decider])
        self.foul("dealer-may-not-buy" if seat == around[-1] else "wrong-seat", seat, self.at.say("take", seat))

    def claim(self, seat: str) -> bool:
        """The right of the player without trump; now and then claimed falsely, or by another."""
        is_true = all(card.suit is not self.upcard.suit for card in self.hands[seat])
        if self.errs():
            other = self.chance.choice([one for one in self.seats if one != seat])
            self.foul("not-entitled", other, self.at.show(other, sorted(self.hands[other], key=str)))
            self.book.sees(other, *self.hands[other])
        if not (is_true and self.chance.random() < 0.6) and not (not is_true and self.errs()):
            return False
        rulings = self.at.show(seat, sorted(self.hands[seat], key=str))
        if not is_true:
            self.foul("false-no-trump", seat, rulings)
            self.book.sees(seat, *self.hands[seat])
            return False
        self.same(["no-trump"], [ruling.code for ruling in rulings])
        self.book.sees(seat, *self.hands[seat])
        stock = [*self.stock, self.upcard] if self.ways.upcard_pickable else self.stock
        trumps = [card for card in stock if card.suit is self.upcard.suit]
        if not trumps:
            self.at.say("no-trump-left", seat)
            return False
        card = self.chance.choice(trumps)
        is_open = self.chance.random() < 0.5
        self.hands[seat] = {card, *self.widow}
        self.book.claims(seat, card if is_open else None)
        self.at.say("picked", seat, card=card if is_open else None)
        return True

    def refuse(self, seat: str) -> None:
        """Turns a card of the widow; somebody clumsy turns two."""
        if not self.closed:
            self.at.say("refuse", seat)
            return
        if self.chance.random() < 0.3:
            self.at.say("refuse", seat)
        self.open_one(seat, "refused", is_seen=False)
        if self.closed and self.errs() and self.at.state.decider is not None:
            self.open_one(seat, "one-card-only", is_seen=True)

    def open_one(self, seat: str, code: str, *, is_seen: bool) -> None:
        """Turns one card of the widow."""
        card = self.closed.pop()
        self.book.open_widow.add(card)
        self.lay(seat, card, code, is_seen=is_seen)

    def take(self, seat: str) -> None:
        """Takes the widow, keeps one own card, sometimes discards too few first."""
        self.at.say("take", seat)
        kept = self.chance.choice(sorted(self.hands[seat], key=str))
        self.hands[seat] = {kept, *self.widow}
        self.book.takes(seat)
        if self.errs():
            self.foul("bad-exchange", seat, self.at.say("exchanged", seat, count=3))
        self.at.say("exchanged", seat)
        self.join(seat)

    def join(self, taker: str) -> None:
        """Whoever is asked says in or out; then the tricks."""
        while self.phase() is Phase.JOIN:
            self.at.say(self.chance.choice(("in", "out")), str(self.at.state.asked[0]))
        if self.phase() is not Phase.TRICK:
            return
        around = [str(seat) for seat in clockwise(self.at.setup.seats, Seat(taker))]
        self.players = [seat for seat in (taker, *around[:-1]) if seat in self.at.state.players_in]
        leader = taker
        for trick in range(1, 6):
            leader = self.trick(trick, leader)
            if self.phase() is not Phase.TRICK:
                break
        if self.phase() is Phase.AUDIT:
            self.audit()
        if self.at.setup.options.get("revoke") != "replay":
            # At the end of a deal nothing is undecided.
            self.same(self.book.truth(), self.book.ruled())

    def trick(self, number: int, leader: str) -> str:
        """Every participant lays a card; returns who takes the trick."""
        start = self.players.index(leader)
        played: list[tuple[str, Card]] = []
        for seat in (*self.players[start:], *self.players[:start]):
            self.jump_in(seat, played)
            if self.is_voided():
                return leader
            self.reply(seat, number, played)
            if self.is_voided():
                return leader
        return takes(played, self.upcard.suit)

    def is_voided(self) -> bool:
        """Whether a revoke, proven in mid-trick, has ended the deal."""
        return self.phase() is Phase.DEAL and self.at.setup.options.get("revoke") == "replay"

    def jump_in(self, turn: str, played: list[tuple[str, Card]]) -> None:
        """Somebody lays out of turn, or a second card, and everybody has seen it."""
        others = [seat for seat in self.seats if seat != turn and self.hands[seat]]
        if not others or not self.errs():
            return
        seat = self.chance.choice(others)
        card = self.chance.choice(sorted(self.hands[seat], key=str))
        code = "one-card-only" if any(one == seat for one, _ in played) else "wrong-seat"
        self.lay(seat, card, code, proofs=self.book.sees(seat, card))

    def reply(self, seat: str, number: int, played: list[tuple[str, Card]]) -> None:
        """A legal card, or, in mischief, any."""
        before, hand = [card for _, card in played], self.hands[seat]
        fine = legal(hand, before, self.upcard.suit, self.ways)
        card = self.chance.choice(sorted(hand if self.errs() else fine, key=str))
        proofs = self.book.plays(seat, card, trick=number, before=before, hand=set(hand))
        self.hands[seat] = hand - {card}
        played.append((seat, card))
        self.lay(seat, card, "ok", proofs=proofs, is_seen=self.chance.random() < 0.5)

    def audit(self) -> None:
        """Everybody shows what is left, at once or card by card."""
        for seat in self.players:
            left = sorted(self.hands[seat], key=str)
            if self.chance.random() < 0.5:
                self.show_one_by_one(seat, left)
            elif self.phase() is Phase.AUDIT:
                self.check(self.at.show(seat, left), self.book.sees(seat, *left))

    def show_one_by_one(self, seat: str, left: list[Card]) -> None:
        """Each card proves what it proves at once."""
        for card in left:
            if self.phase() is not Phase.AUDIT:
                return  # a revoke has voided the deal
            self.lay(seat, card, "shows-card", proofs=self.book.sees(seat, card), is_seen=self.chance.random() < 0.5)

    def phase(self) -> Phase:
        """Where the game stands."""
        phase: Phase = self.at.state.phase
        return phase
