"""Players who know their hands play Ton, err on purpose, and remember what is due.

`Evening` plays; where cards and words go is a `Hands`: straight into the rules (`Straight`, fast), or to a table with
buttons and a referee (`AtTable`).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import ClassVar, Protocol

from engine.cards import DECK_36, Card
from engine.events import Call, CardLaid, Event, Shown
from engine.games.ton import Phase, State, Ton
from engine.rules import Option, Rules, Setup
from engine.rulings import Ruling
from engine.seats import Seat, clockwise, seats
from tests.engine.table import MS
from tests.engine.ton import TonFrom, TonTable
from tests.engine.ton_book import Book, Proof, Ways, legal, takes

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dora", "Egor")


class Hands(Protocol):
    """Where what players do becomes known."""

    setup: Setup

    @property
    def state(self) -> State:
        """What the referee knows."""
        ...

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie; `is_seen`: whose hand it was is seen."""
        ...

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat shows cards."""
        ...

    def say(self, word: str, seat: str, *, card: Card | None = None, count: int | None = None) -> tuple[Ruling, ...]:
        """A seat, or somebody for it, says so."""
        ...


class Straight:
    """Straight into the rules, two seconds between events."""

    def __init__(self, rules: Rules[State], setup: Setup) -> None:
        self.rules, self.setup = rules, setup
        self.state = rules.start(setup)
        self.number = 0

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie."""
        by = frozenset((Seat(seat),)) if is_seen and seat is not None else frozenset()
        return self._feed(CardLaid(t_ns=self._t_ns(), number=self.number, card=card, lay=self.number, seats=by))

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat shows cards."""
        return self._feed(Shown(t_ns=self._t_ns(), number=self.number, seat=Seat(seat), cards=tuple(cards)))

    def say(self, word: str, seat: str, *, card: Card | None = None, count: int | None = None) -> tuple[Ruling, ...]:
        """Somebody says so."""
        call = Call(t_ns=self._t_ns(), number=self.number, word=word, who="", seat=Seat(seat), card=card, count=count)
        return self._feed(call)

    def _t_ns(self) -> int:
        self.number += 1
        return self.number * 2000 * MS

    def _feed(self, event: Event) -> tuple[Ruling, ...]:
        rulings = self.rules.judge(self.state, event)
        self.state = self.rules.apply(self.state, event, rulings)
        return rulings


class AtTable:
    """At a table: taps, holds, and slaps with the cards."""

    BUTTONS: ClassVar = {"take": "press", "staked": "press", "in": "press", "out": "hold"}

    def __init__(self, table: TonTable, chance: random.Random) -> None:
        self.table, self.chance, self.setup = table, chance, table.setup

    @property
    def state(self) -> State:
        """What the referee knows."""
        return self.table.state

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie, its slap a little before it where it goes into the trick."""
        if seat is not None and self.state.phase is Phase.TRICK and self.chance.random() < 0.8:
            self.table.press(seat)
            self.table.at += self.chance.randint(40, 200)
        rulings = self.table.lay(str(card), hand=seat if is_seen and seat is not None else "")
        self.table.later()
        return rulings

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat shows cards."""
        return self.table.shows(seat, " ".join(map(str, cards)))

    def say(self, word: str, seat: str, *, card: Card | None = None, count: int | None = None) -> tuple[Ruling, ...]:
        """By button where there is one for it."""
        before = len(self.table.referee.log.entries)
        if word in self.BUTTONS:
            getattr(self.table, self.BUTTONS[word])(seat)
        else:
            self.table.call(word, seat, card=None if card is None else str(card), count=count)
        self.table.later()
        new = (told for told in self.table.referee.history() if told.number > before)
        return tuple(ruling for told in new for ruling in told.rulings)


class Evening:
    """Plays deals with every hand known, and checks every ruling about a revoke as it is given."""

    def __init__(self, hands: Hands, chance: random.Random, mischief: float) -> None:
        self.at, self.chance, self.mischief = hands, chance, mischief
        self.seats = [str(seat) for seat in hands.setup.seats]
        options = hands.setup.options
        self.ways = Ways(options.get("beat_after_trump") == "true", options.get("overtrump") == "true")
        self.due: Counter[tuple[str, str]] = Counter()
        """Code and seat of everything that ought to be ruled a foul."""
        self.verdicts: list[tuple[str, str, str]] = []
        """Card, seat and code of every card laid."""
        self.revokes = 0

    def play(self, *, deals: int) -> None:
        """Plays until somebody has won, or that many deals."""
        for seat in self.seats if self.phase() is Phase.STAKES else ():
            self.at.say("staked", seat)
        for _ in range(deals):
            if self.phase() is Phase.GAME_OVER:
                return
            self.deal()

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
        self.book = Book(self.upcard.suit, self.ways)
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
        if not (is_true and self.chance.random() < 0.6) and not (not is_true and self.errs()):
            return False
        rulings = self.at.show(seat, sorted(self.hands[seat], key=str))
        if not is_true:
            self.foul("false-no-trump", seat, rulings)
            self.book.seen[seat] = set(self.hands[seat])
            return False
        assert [ruling.code for ruling in rulings] == ["no-trump"]
        trumps = [card for card in (*self.stock, self.upcard) if card.suit is self.upcard.suit]
        card = self.chance.choice(trumps)
        is_open = self.chance.random() < 0.5
        self.hands[seat] = {card, *self.widow}
        self.book.seen[seat] = {card} if is_open else set()
        self.at.say("picked", seat, card=card if is_open else None)
        return True

    def refuse(self, seat: str) -> None:
        """Turns a card of the widow; somebody clumsy turns two."""
        if not self.closed:
            self.at.say("refuse", seat)
            return
        if self.chance.random() < 0.3:
            self.at.say("refuse", seat)
        self.lay(seat, self.closed.pop(), "refused", is_seen=False)
        if self.closed and self.errs() and self.at.state.decider is not None:
            self.lay(seat, self.closed.pop(), "one-card-only")

    def take(self, seat: str) -> None:
        """Takes the widow, keeps one own card, sometimes discards too few first."""
        self.at.say("take", seat)
        kept = self.chance.choice(sorted(self.hands[seat], key=str))
        self.hands[seat] = {kept, *self.widow}
        self.book.seen[seat] = set(self.widow) - set(self.closed)
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
            assert self.book.ruled() == self.book.truth(), "at the end of a deal nothing is undecided"

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
        others = [seat for seat in self.players if seat != turn and self.hands[seat]]
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
                proofs = [proof for card in left for proof in self.book.sees(seat, card)]
                self.check(self.at.show(seat, left), _last_of_each(proofs))

    def show_one_by_one(self, seat: str, left: list[Card]) -> None:
        """Each card proves what it proves at once."""
        for card in left:
            if self.phase() is not Phase.AUDIT:
                return  # a revoke has voided the deal
            self.lay(seat, card, "shows-card", proofs=self.book.sees(seat, card), is_seen=self.chance.random() < 0.5)

    def phase(self) -> Phase:
        """Where the game stands."""
        return self.at.state.phase

    # What is due

    def errs(self) -> bool:
        """Whether somebody errs now."""
        return self.chance.random() < self.mischief

    def foul(self, code: str, seat: str, rulings: tuple[Ruling, ...]) -> None:
        """That foul is due, and was ruled."""
        self.due[code, seat] += 1
        assert (code, seat) in {(ruling.code, ruling.seat) for ruling in rulings}

    def lay(
        self, seat: str | None, card: Card, code: str, *, proofs: list[Proof] | None = None, is_seen: bool = True
    ) -> None:
        """A card comes to lie and is ruled so."""
        if code in ("wrong-seat", "one-card-only"):
            self.due[code, seat or ""] += 1
        self.verdicts.append((str(card), seat or "", code))
        rulings = self.at.lay(seat, card, is_seen=is_seen)
        assert (rulings[0].code, rulings[0].seat or "") == (code, seat or "")
        self.check(rulings, proofs or [])

    def check(self, rulings: tuple[Ruling, ...], proofs: list[Proof]) -> None:
        """Exactly what is provable at this moment is ruled, no more and no less."""
        found = [
            (ruling.seat, ruling.get("trick"), ruling.get("kind"), ruling.code)
            for ruling in rulings
            if ruling.code in ("revoke", "revoke-kind")
        ]
        assert found == proofs
        for seat, _, _, code in proofs:
            self.due[code, seat] += code == "revoke"
        self.revokes += len(proofs)


def _last_of_each(proofs: list[Proof]) -> list[Proof]:
    """Of several proofs of one reply in one showing only the worst is told."""
    worst: dict[tuple[str, int], Proof] = {}
    for seat, trick, kind, code in proofs:
        first = worst.get((seat, trick))
        worst[seat, trick] = (seat, trick, kind, code if first is None else first[3])
    return [worst[key] for key in sorted(worst)]


def straight_deals(seed: int, *, deals: int, mischief: float, options: Mapping[str, Option]) -> Evening:
    """So many deals straight through the rules, begun with random totals so that many take part."""
    chance = random.Random(seed)
    players = 2 + seed % 5
    setup = Setup(seats(players), NAMES[:players], seats(players)[seed % players], options)
    evening = Evening(Straight(Ton(), setup), chance, mischief)
    for _ in range(deals):
        scores = tuple(chance.choice((0, 7, 9, 12, 13, 13, 14)) for _ in range(players))
        evening.at = Straight(TonFrom(scores), setup)
        evening.play(deals=1)
    return evening


class TonParty(Evening):
    """A game at a table, compared with what the players know to be due."""

    def __init__(self, table: TonTable, seed: int, mischief: float) -> None:
        chance = random.Random(seed)
        super().__init__(AtTable(table, chance), chance, mischief)
        self.table = table

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self.phase() is Phase.GAME_OVER

    def found(self) -> Counter[tuple[str, str]]:
        """Code and seat of everything that is ruled a foul."""
        told = (ruling for told in self.table.referee.history() for ruling in told.rulings)
        return Counter((ruling.code, ruling.seat or "") for ruling in told if ruling.is_foul)

    def judged(self) -> list[tuple[str, str, str]]:
        """Card, seat and code of every card laid, as the referee rules it."""
        return [
            (str(told.event.card), told.rulings[0].seat or "", told.rulings[0].code)
            for told in self.table.laid()
            if isinstance(told.event, CardLaid)
        ]


def ton_party(seed: int, *, players: int = 4, mischief: float = 0.0, moves: int = 2000, **options: Option) -> TonParty:
    """A game played to its end, or for about so many cards."""
    party = TonParty(TonTable(players, dealer="ABCDEF"[seed % players], options=options), seed, mischief)
    party.play(deals=max(1, moves // 30))
    return party
