"""Players who know their hands play Ochko, err on purpose, and remember what is due.

`Evening` plays rounds and checks, at every duel's end, verdict, payment and everything found against its own book.
"""

from __future__ import annotations

import random
from collections import Counter

from engine.cards import Card
from engine.games.ochko import Phase
from engine.seats import Seat, clockwise
from tests.engine.ochko_book import Duel, Money, Side, Ways
from tests.engine.ochko_hands import Hands, Rulings

MIXED_MOST = 5
"""Rows longer than this are not mixed up: the book looks at every order."""
VERDICTS = ("punter-wins", "banker-wins", "push")


class RoundOverError(Exception):
    """The round ended before everybody had a duel."""


class Evening:
    """Plays rounds with every card known."""

    def __init__(self, hands: Hands, chance: random.Random, mischief: float) -> None:
        self.at, self.chance, self.mischief = hands, chance, mischief
        self.ways = Ways(hands.setup.options)
        self.money = Money(self.ways)
        self.seats = [str(seat) for seat in hands.setup.seats]
        self.banker = str(hands.setup.dealer)
        self.discard: list[Card] = []
        self.due: Counter[tuple[str, str]] = Counter()
        """Code and seat of everything that ought to be ruled a foul."""
        self.verdicts: list[tuple[str, str, str]] = []
        """Card, seat and code of every card laid."""
        self.duels = 0
        self.told: Rulings = ()
        """Everything ruled since the duel began."""
        self.shuffle()

    # A round

    def play(self, *, rounds: int) -> None:
        """So many rounds; then the players stop."""
        for _ in range(rounds):
            self.round()
            self.check_account()
        self.at.say("end")
        if self.money.bank:
            self.money.move(self.banker, self.money.bank)
        self.check_account()

    def round(self) -> None:
        """Stakes, deal, duels."""
        self.put_in_stakes()
        self.deal()
        self.waiting = self.around()
        try:
            while self.waiting:
                self.fight(self.waiting.pop(0))
                if self.waiting:
                    self.next_duel()
        except RoundOverError:
            pass
        for seat in self.seats:
            self.discard += self.hands.pop(seat, Side()).cards
        if len(self.pack) < 2 * len(self.seats):
            self.change_banker()

    def around(self) -> list[str]:
        """The punters from the banker's left."""
        return [str(seat) for seat in clockwise(self.at.setup.seats, Seat(self.banker))][:-1]

    def put_in_stakes(self) -> None:
        """By button or in words, of many sizes."""
        if not self.money.bank:
            amount = self.chance.choice((5, 30, 100, 100))
            self.at.say("staked", self.banker, count=amount)
            self.money.move(self.banker, -amount)
        self.stakes: dict[str, int] = {}
        for seat in self.around():
            self.stakes[seat] = self.chance.choice((10, 10, 0, 5, 25))
            if self.stakes[seat] == 10:
                self.at.tap(seat)
            else:
                self.at.say("staked", seat, count=self.stakes[seat])
        if self.ways.has("pot_mode", "common_pot"):
            for seat, stake in self.stakes.items():
                self.money.move(seat, -stake)
        assert self.at.state.phase is Phase.DEAL

    def change_banker(self) -> None:
        """The banker takes his bank; the next one shuffles."""
        if self.money.bank:
            self.money.move(self.banker, self.money.bank)
        self.banker = self.around()[0]
        self.shuffle()

    def shuffle(self) -> None:
        """All cards are in the pack again."""
        self.pack = list(self.ways.pack)
        self.chance.shuffle(self.pack)
        self.discard = []

    def deal(self) -> None:
        """Face down to everybody, the banker last; somebody clumsy exposes a card, or deals one too many."""
        self.hands = {seat: Side() for seat in self.seats}
        for seat in (*self.around(), self.banker):
            for _ in range(self.ways.first):
                if self.errs(0.1):
                    return self.misdeal(seat)
                is_open = self.ways.first == 1 and seat == self.banker
                self.gets(seat, "card", is_open=is_open)
        return None

    def misdeal(self, seat: str) -> None:
        """An exposed card, or a card too many."""
        if self.ways.first == 1 and seat == self.banker:
            seat = self.around()[0]
            self.lay(seat, "##", "misdeal")
        else:
            self.lay(seat, str(self.pack[-1]), "misdeal")
        self.due["misdeal", self.banker] += 1
        self.shuffle()
        self.deal()

    def check_account(self) -> None:
        """Bank, purses and pack are what they truly are, and all points are somewhere."""
        pot = self.at.state.pot
        assert pot.holds == self.money.bank
        assert list(pot.purses) == [self.money.purses.get(seat, 0) for seat in self.seats]
        assert pot.holds + sum(pot.purses) == 0
        assert self.at.state.left == len(self.pack)

    # A duel

    def next_duel(self) -> None:
        """The stakes of who waits go back if the bank is empty or the pack too small; else the banker's new hand."""
        is_limited = self.ways.has("bank_limit", "true") or self.ways.has("pot_mode", "common_pot")
        if is_limited and not self.money.bank:
            self.give_back()
        need = 2 + max(0, 2 - len(self.hands[self.waiting[0]].cards))
        if len(self.pack) < need:
            self.reshuffle()
        if len(self.pack) < need:
            self.give_back()
        if self.errs(0.3):
            self.foul("new-hand-required", self.banker, self.at.tap(self.banker))
        for _ in range(2):
            self.gets(self.banker, "card")

    def reshuffle(self) -> None:
        """The discard becomes the pack, where the house does that."""
        if self.ways.has("deck_out", "reshuffle_discard"):
            self.chance.shuffle(self.discard)
            self.pack, self.discard = [*self.discard, *self.pack], []

    def give_back(self) -> None:
        """Nobody else has a duel in this round."""
        if self.ways.has("pot_mode", "common_pot"):
            for seat in self.waiting:
                self.money.move(seat, min(self.money.bank, self.stakes[seat]))
        raise RoundOverError

    def fight(self, seat: str) -> None:
        """One duel, from the banker's look at his cards to its payment."""
        if len(self.hands[seat].cards) < 2:
            self.gets(seat, "card")
            if len(self.hands[self.banker].cards) < 2:
                self.gets(self.banker, "card")
        self.duel = Duel(self.hands[seat], self.hands[self.banker])
        self.told = ()
        if not self.look():
            self.ask_for_cards(seat)
        if self.at.state.phase is Phase.BANKER:
            self.duel.is_bankers_turn = True
            self.draw(seat)
        self.showdown(seat)

    def look(self) -> bool:
        """The banker's check: shown in time his 21 or gold wins; returns whether it did."""
        self.quarrel(self.banker)
        is_natural, banker = self.ways.is_natural(self.duel.banker), self.banker
        if is_natural and self.chance.random() < 0.7:
            if self.chance.random() < 0.3:
                assert "shows" in self.hear(self.at.double(banker))
            self.open(banker, self.duel.banker)
            self.duel.is_declared = True
            assert self.at.state.phase in (Phase.SHOWDOWN, Phase.STAKES)
            return True
        if not is_natural and self.chance.random() < 0.05:
            self.open(banker, self.duel.banker)
        assert self.hear(self.at.tap(banker))[0] == "plays"
        return False

    def ask_for_cards(self, seat: str) -> None:
        """The punter's turn: he asks, stops, errs."""
        side = self.duel.punter
        while self.at.state.phase is Phase.PUNTER:
            self.quarrel(seat)
            self.push(seat)
            if self.wants(side, banker=False):
                self.ask(seat, side)
            elif self.shows_at_once(side):
                self.open(seat, side)
                if self.at.state.phase is Phase.PUNTER:  # 21 that is to be compared
                    self.stand(seat)
            else:
                self.stand(seat)

    def wants(self, side: Side, *, banker: bool) -> bool:
        """Whether a player draws on: as he may, or, in mischief, as he may not."""
        if self.ways.most is not None and len(side.cards) >= self.ways.most:
            return False
        if banker and self.ways.most is not None and self.errs():
            return True  # heads for one card too many
        if self.ways.is_full(side.cards, banker=banker) or self.ways.points(side.cards) > 21:
            return self.ways.points(side.cards) <= 21 and self.errs(0.5)
        is_bound = banker and self.ways.banker_limit is not None
        return not self.errs(0.3) if is_bound else self.chance.random() < (0.8 if not banker else 0.5)

    def ask(self, seat: str, side: Side) -> None:
        """Asks for a card and gets one, if there is one."""
        if not self.pack and not (self.ways.has("deck_out", "reshuffle_discard") and self.discard):
            assert self.hear(self.at.tap(seat)) == ["pack-out"]
            return
        if not self.pack:
            self.reshuffle()
        assert self.hear(self.at.tap(seat))[-1] == "hit"
        self.gets(seat, "card", is_open=False)

    def stand(self, seat: str) -> None:
        """Enough."""
        assert self.hear(self.at.hold(seat))[0] == "stands"
        self.duel.has_stood = True

    def shows_at_once(self, side: Side) -> bool:
        """21, gold and over 21 are shown at once; who errs hides that he is over."""
        worth = self.ways.worth(side.cards, has_gold=self.ways.gold())
        if worth == 0:
            return not self.errs(0.5)
        return worth == 22 or (worth == 21 and self.chance.random() < 0.7)

    def draw(self, seat: str) -> None:
        """The banker's turn."""
        side, banker = self.duel.banker, self.banker
        while self.pack and self.wants(side, banker=True):
            self.gets(banker, "card")
        self.quarrel(banker)
        is_full = self.ways.most is not None and len(side.cards) >= self.ways.most
        if is_full and self.pack and self.errs():
            self.dead_card("no-card")
        if side.is_open or self.chance.random() < 0.5:
            assert self.hear(self.at.hold(banker))[0] == "banker-stands"
        elif self.pack and self.chance.random() < 0.5:
            assert "shows" in self.hear(self.at.double(banker))

    def showdown(self, seat: str) -> None:
        """Both turn their cards up, or refuse; then the duel is settled."""
        self.duel.can_draw = bool(self.pack)
        order = [(self.banker, self.duel.banker), (seat, self.duel.punter)]
        self.chance.shuffle(order)
        for who, side in sorted(order, key=lambda one: one[0] == seat and self.at.state.phase is Phase.BANKER):
            if self.has_verdict():
                break
            if self.at.state.phase is Phase.SHOWDOWN and self.errs(0.05):
                side.is_refused = True
                self.foul("not-shown", who, self.at.say("not-shown", who))
            elif not side.is_open:
                self.open(who, side)
        self.settled(seat)

    def settled(self, seat: str) -> None:
        """The verdict, what it costs and what was found are the book's."""
        ruling = next(ruling for ruling in self.told if ruling.code in VERDICTS)
        result = self.ways.result(self.duel)
        assert (ruling.code, ruling.seat) == (result.code, seat)
        assert ruling.points == self.money.settle(seat, self.banker, self.stakes[seat], result)
        for code, whose in result.fouls:
            self.due[code, seat if whose == "punter" else self.banker] += 1
        self.duels += 1
        is_for_all = self.duel.is_declared or self.ways.first_two_are_natural(self.duel.banker)
        self.discard += self.hands.pop(seat).cards + self.hands.pop(self.banker).cards
        self.hands[self.banker] = Side()
        if ruling.get("reason") == "natural":
            assert is_for_all
            if self.ways.has("natural_scope", "all"):
                self.everybody_loses(result)

    def everybody_loses(self, result: object) -> None:
        """The banker's 21 counts against all who wait."""
        for seat in self.waiting:
            self.money.settle(seat, self.banker, self.stakes[seat], result)  # type: ignore[arg-type]
        raise RoundOverError

    def has_verdict(self) -> bool:
        """Whether the duel is decided."""
        return any(ruling.code in VERDICTS for ruling in self.told)

    def hear(self, rulings: Rulings) -> list[str]:
        """The codes of what was ruled; it belongs to this duel."""
        self.told += rulings
        return [ruling.code for ruling in rulings]

    # Cards

    def gets(self, seat: str, code: str, *, is_open: bool = False) -> None:
        """The top card of the pack goes to that seat."""
        card = self.pack.pop()
        self.hands[seat].take(card)
        self.lay(seat, str(card) if is_open else "##", code)
        self.hands[seat].is_open = False

    def open(self, seat: str, side: Side) -> None:
        """Turns up a row: at once, one by one in its order, or in no order at all."""
        side.is_open = True
        is_any_open = any(card.is_known for card in self.at.state.hand(Seat(seat)).cards)
        if not is_any_open and self.chance.random() < 0.4:
            self.told += self.at.show(seat, side.cards)
            return
        is_mixed = not is_any_open and 2 < len(side.cards) <= MIXED_MOST and self.chance.random() < 0.3
        row = list(enumerate(side.cards, start=1))
        if is_mixed:
            side.is_mixed = True
            self.chance.shuffle(row)
        for place, card in row:
            if not self.at.state.hand(Seat(seat)).cards[place - 1].is_known or is_mixed:
                self.lay(seat, str(card), "turns", place=0 if is_mixed else place)

    def lay(self, seat: str, card: str, code: str, *, place: int = 0) -> Rulings:
        """A card comes to lie and is ruled so."""
        self.verdicts.append((card, self.banker if code in ("misdeal", "not-asked") else seat, code))
        rulings = self.at.lay(seat, card, place)
        assert rulings[0].code == code, (rulings, code)
        self.told += rulings
        return rulings

    # What is done on purpose

    def errs(self, share: float = 1.0) -> bool:
        """Whether somebody errs now."""
        return self.chance.random() < self.mischief * share

    def foul(self, code: str, seat: str, rulings: Rulings) -> None:
        """That foul is due, and was ruled."""
        self.due[code, seat] += 1
        assert (code, seat) in {(ruling.code, ruling.seat) for ruling in rulings if ruling.is_foul}
        self.told += rulings

    def quarrel(self, actor: str) -> None:
        """Somebody acts who has no say now, or the banker draws too early."""
        if not self.errs(0.3):
            return
        others = [seat for seat in self.seats if seat != actor]
        seat = self.chance.choice(others)
        is_early = seat == self.banker and self.at.state.phase is Phase.PUNTER
        if not is_early:
            self.foul("wrong-seat", seat, self.at.tap(seat))
        elif self.pack and self.chance.random() < 0.5:
            self.dead_card("too-early")
        else:
            self.foul("too-early", seat, self.at.tap(seat))

    def dead_card(self, code: str) -> None:
        """The banker draws where he may not."""
        self.due[code, self.banker] += 1
        self.discard.append(self.pack.pop())
        self.lay(self.banker, "##", code)

    def push(self, seat: str) -> None:
        """A card is dealt to a punter who did not ask; it goes back, or counts once he has seen it."""
        if not self.pack or not self.errs(0.2):
            return
        self.due["not-asked", self.banker] += 1
        self.lay(seat, "##", "not-asked")
        if self.chance.random() < 0.5:
            assert self.hear(self.at.gone()) == ["went-back"]
        else:
            assert self.hear(self.at.say("seen"))[0] == "counts"
            self.duel.punter.take(self.pack.pop(), asked=False)
            self.duel.punter.is_open = False
