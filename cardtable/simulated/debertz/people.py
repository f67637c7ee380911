"""People who play Debertz and know their hands: they err on purpose, and remember what is due.

`People` plays; where cards and words go is a `Hands`. Every ruling about a revoke is compared as it is given with what
is provable at that moment, and every score with the rules'.
"""

from __future__ import annotations

import random

from cardtable.simulated.debertz.book import NATURAL, SEED, Book, Ways, legal, sequences, takes
from cardtable.simulated.debertz.score import Account, Declared
from cardtable.simulated.tricks.hands import Hands
from cardtable.simulated.tricks.people import TrickPeople
from engine.cards import DECK_32, Card, Rank, Suit
from engine.games.debertz import Phase
from engine.melds import Run


class People(TrickPeople):
    """Everybody at the table."""

    def __init__(self, hands: Hands, chance: random.Random, mischief: float) -> None:
        super().__init__(hands, chance, mischief)
        self.order = NATURAL if self.options.get("sequence_order") == "natural" else SEED
        self.hanging = 0

    def deal(self) -> None:
        """One deal, from the shuffle to its score."""
        dealer = str(self.at.state.dealer)
        self.x, self.e = dealer, other(dealer)
        cards = list(DECK_32)
        self.chance.shuffle(cards)
        self.hands = {seat: {cards.pop() for _ in range(6)} for seat in (self.e, self.x)}
        self.upcard, self.stock = cards.pop(), cards
        self.lay(None, self.upcard, "turned-up")
        trump = self.bid()
        if trump is None:
            return
        for seat in (self.e, self.x):
            self.hands[seat] |= {self.stock.pop() for _ in range(3)}
        self.at.say("drawn", self.x)
        if self.phase() is not Phase.DECLARE and self.phase() is not Phase.TRICK:
            self.lay(None, self.stock[0], "bottom")
        self.begin(trump)
        self.declare()
        self.tricks()

    # Bidding

    def bid(self) -> Suit | None:
        """Two rounds; None: thrown in."""
        for is_first in (True, False):
            for seat in (self.e, self.x):
                self.mistake_in_bidding(seat, is_first=is_first)
                if self.chance.random() < 0.45:
                    self.maker, self.made_in = seat, 1 if is_first else 2
                    return self.choose(seat, is_first=is_first)
                self.at.say("pass", seat)
        self.same(f"{self.e} deals", f"{self.at.state.dealer} deals")
        return None

    def choose(self, seat: str, *, is_first: bool) -> Suit:
        """Plays with the suit turned up, or names another."""
        if is_first:
            self.at.say("play", seat)
            return self.upcard.suit
        suit = self.chance.choice([suit for suit in Suit if suit is not self.upcard.suit])
        self.at.say(suit.name.lower(), seat)
        return suit

    def mistake_in_bidding(self, turn: str, *, is_first: bool) -> None:
        """Somebody speaks out of turn, names a suit too early, or the one that was refused."""
        if self.errs():
            self.foul("wrong-seat", other(turn), self.at.say("pass", other(turn)))
        if self.errs() and is_first:
            self.foul("not-now", turn, self.at.say("spades", turn))
        if self.errs() and not is_first:
            self.foul("suit-refused", turn, self.at.say(self.upcard.suit.name.lower(), turn))

    # Before the lead

    def begin(self, trump: Suit) -> None:
        """Trump is made, nine cards are in each hand."""
        is_jass = self.options.get("trump_order", "jass") == "jass"
        self.ways = Ways(trump, is_jass, self.options.get("beat_trump_lead", "true") == "true")
        away = {self.upcard} | ({self.stock[0]} if self.options.get("show_bottom") == "true" else set())
        self.book = Book({self.e: 9, self.x: 9}, away, ways=self.ways)
        self.nine = {seat: set(hand) for seat, hand in self.hands.items()}
        self.before = {seat: set(hand) for seat, hand in self.hands.items()}
        self.declared: list[Declared] = []
        self.exchanged = ""
        self.called: set[str] = set()
        self.account = Account(
            self.options, self.ways, self.order, maker=self.maker, made_in=self.made_in, elder=self.e
        )

    def declare(self) -> None:
        """Both declare, exchange when they like, and the better one shows."""
        for seat in (self.e, self.x):
            self.exchange(seat)
            if self.phase() is Phase.DECLARE or self.options.get("declare") == "before_own_card":
                self.declare_one(seat)
            if self.phase() is Phase.DECLARE:
                self.exchange(seat)
                self.at.say("nothing-more", seat)
        self.name_suits()
        self.show()

    def declare_one(self, seat: str) -> None:
        """Everything there is, most of the time; a liar adds what is not."""
        for cards in sequences(self.hands[seat], self.order):
            if self.chance.random() < 0.85:
                self.declare_run(seat, cards, is_true=True)
        if self.errs():
            top, length = self.chance.randint(0, 4), self.chance.choice((3, 4))
            cards = [Card.of(rank, self.chance.choice(list(Suit))) for rank in self.order[top : top + length]]
            cards = [Card.of(card.rank, cards[0].suit) for card in cards]
            if not set(cards) <= self.hands[seat] | {self.upcard}:
                self.declare_run(seat, cards, is_true=False)

    def declare_run(self, seat: str, cards: list[Card], *, is_true: bool) -> None:
        """By cards, or, as at a table, by kind and top alone."""
        word = "terz" if len(cards) == 3 else "poltinnik"
        is_open = not is_true or self.chance.random() < 0.5
        told = self.at.say(
            word, seat, cards=tuple(cards) if is_open else (), count=None if is_open else int(cards[0].rank)
        )
        self.same(["declares"], [ruling.code for ruling in told])
        self.declared.append(Declared(seat, cards, is_true))

    def name_suits(self) -> None:
        """Equal sequences whose suit was not said."""
        while self.at.state.naming:
            seat = str(self.at.state.naming[0])
            hidden = [meld for meld in self.at.state.melds if meld.seat == seat and meld.run.suit is None]
            best = max(hidden, key=lambda meld: (meld.run.length, -self.order.index(meld.run.top)))
            mine = [one for one in self.declared if one.seat == seat and len(one.cards) == best.run.length]
            named = {meld.run.suit for meld in self.at.state.melds if meld.seat == seat and is_like(meld.run, best.run)}
            suits = [one.cards[0].suit for one in mine if one.cards[0].rank is best.run.top]
            self.at.say(next(suit for suit in suits if suit not in named).name.lower(), seat)

    def show(self) -> None:
        """Whoever has the best shows what he truly has; now and then the host misses it."""
        while self.phase() is Phase.SHOW:
            seat = str(self.at.state.shower)
            self.exchange(seat)
            if self.chance.random() < 0.1:
                self.at.say("not-seen", seat)
                return
            self.show_one(seat)
            self.name_suits()

    def show_one(self, seat: str) -> None:
        """All at once or one by one; what was a lie is struck."""
        lies = [one for one in self.declared if one.seat == seat and not one.is_true and not one.is_struck]
        cards = [card for one in self.declared if one.seat == seat and one.is_true for card in one.cards]
        cards = [card for card in cards if card in self.hands[seat]]
        if lies or self.chance.random() < 0.5:
            proofs = self.book.sees(seat, *cards)
            for lie in lies:
                lie.is_struck = True
                self.due["struck", seat] += 1
            self.check(self.at.show(seat, cards), proofs)
            return
        for card in cards:
            if self.phase() is Phase.SHOW and self.at.state.shower == seat:
                self.lay(seat, card, "shows-card", proofs=self.book.sees(seat, card), is_seen=False)

    def exchange(self, seat: str) -> None:
        """Whoever holds the seven of trump may swap it; whoever may not, tries it in mischief."""
        seven = Card.of(Rank.SEVEN, self.ways.trump)
        may = self.made_in == 1 and not self.exchanged and seven in self.hands[seat] and self.upcard is not seven
        is_makers = self.options.get("exchange") == "maker" and seat != self.maker
        if may and not is_makers and self.left(seat) == 9 and self.chance.random() < 0.4:
            return self.swap(seat, seven)
        is_barred = self.made_in == 2 or is_makers or self.left(seat) < 9
        if is_barred and self.errs() and self.phase() in (Phase.DECLARE, Phase.TRICK):
            self.foul("no-exchange", seat, self.at.say("exchange", seat))
        return None

    def swap(self, seat: str, seven: Card) -> None:
        """The seven for the card turned up, before everybody's eyes."""
        self.book.away = (self.book.away - {self.upcard}) | {seven}
        self.book.seen.setdefault(seat, set()).discard(seven)
        told = self.at.say("exchange", seat, card=seven)
        self.same(["exchanged"], [ruling.code for ruling in told[:1]])
        self.hands[seat] = (self.hands[seat] - {seven}) | {self.upcard}
        self.nine[seat] = set(self.hands[seat])
        self.exchanged = seat
        self.check(told, self.book.sees(seat, self.upcard))

    # Tricks

    def tricks(self) -> None:
        """Nine tricks, then the score is compared."""
        leader = self.maker if self.options.get("first_lead") == "maker" else self.e
        for trick in range(1, 10):
            leader = self.trick(trick, leader)
            if self.is_voided():
                return
        self.at.wait()
        # At the end of a deal nothing is undecided.
        self.same(self.book.truth(), self.book.ruled())
        self.settle()

    def trick(self, number: int, leader: str) -> str:
        """Both lay a card; returns who takes the trick."""
        lead: Card | None = None
        for seat in (leader, other(leader)):
            self.exchange(seat)
            self.jump_in(seat, lead)
            card = self.reply(seat, number, lead)
            if self.is_voided():
                return leader
            if lead is not None:
                winner = seat if takes(lead, card, self.ways) else leader
                self.account.trick(winner, lead, card, is_last=number == 9)
                if number == 1 and self.options.get("declare") == "before_own_card":
                    self.name_suits()
                    self.show()
                return winner
            lead = card
        raise AssertionError

    def is_voided(self) -> bool:
        """Whether a revoke, proven in mid-trick, has ended the deal."""
        return self.options.get("revoke") == "replay" and bool(self.book.ruled())

    def jump_in(self, turn: str, lead: Card | None) -> None:
        """The other lays out of turn, or a second card, and everybody has seen it."""
        seat = other(turn)
        if not self.hands[seat] or not self.errs():
            return
        card = self.chance.choice(sorted(self.hands[seat], key=str))
        code = "one-card-only" if lead is not None else "wrong-seat"
        self.lay(seat, card, code, proofs=self.book.sees(seat, card))

    def reply(self, seat: str, number: int, lead: Card | None) -> Card:
        """A legal card, or, in mischief, any; bella with the second of the pair, or a lie."""
        if self.phase() is Phase.DEAL:
            return self.upcard
        hand = self.hands[seat]
        card = self.chance.choice(sorted(hand if self.errs() else legal(hand, lead, self.ways), key=str))
        self.call_bella(seat, card)
        proofs = self.book.plays(seat, card, trick=number, before=[] if lead is None else [lead], hand=set(hand))
        self.hands[seat] = hand - {card}
        self.lay(seat, card, "ok", proofs=proofs, is_seen=self.chance.random() < 0.5)
        return card

    def call_bella(self, seat: str, card: Card) -> None:
        """Called before the card lies; a liar calls it with one of the two."""
        pair = {Card.of(rank, self.ways.trump) for rank in (Rank.KING, Rank.QUEEN)}
        is_open = self.options.get("bella", "call") in ("call", "trick") and seat not in self.called
        if card not in pair or not is_open:
            return
        is_true = pair <= self.nine[seat]
        if is_true and pair & self.hands[seat] == {card} and self.chance.random() < 0.8:
            self.called.add(seat)
            self.at.say("bella", seat)
        elif not is_true and self.errs():
            self.called.add(seat)
            self.due["bella-struck", seat] += self.options.get("revoke") != "replay" or 0
            self.at.say("bella", seat)

    def left(self, seat: str) -> int:
        """Cards in that hand."""
        return len(self.hands[seat])

    def settle(self) -> None:
        """What the deal wrote is what the rules say."""
        for one in self.declared:
            self.due["not-held", one.seat] += not one.is_true and not one.is_struck
        guilty = {seat for seat, _, _ in self.book.truth()}
        wrote = self.account.settle(self.declared, self.nine, self.called, guilty, self.hanging)
        self.hanging = self.account.hanging
        row = dict(zip(map(str, self.at.setup.seats), self.at.state.record[-1], strict=True))
        self.same(wrote, row)

    def phase(self) -> Phase:
        """Where the game stands."""
        phase: Phase = self.at.state.phase
        return phase


def is_like(one: Run, other: Run) -> bool:
    """Whether both are as long and as high, whatever was said of their suits."""
    return (one.top, one.length) == (other.top, other.length)


def other(seat: str) -> str:
    """The seat across."""
    return "B" if seat == "A" else "A"
