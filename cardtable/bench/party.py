"""Whole parties of Bong for measuring the engine: hands are dealt, played, stalled and dealt again."""

from __future__ import annotations

import random
from collections.abc import Sequence

from cardtable.plan import Plan, seat_players
from cardtable.session import Session
from engine.cards import DECK_52, Card, Rank
from engine.events import Call, CardGone, CardLaid, Hold, PileGone, Press, Release
from engine.referee import Referee
from engine.rules import Setup
from engine.seats import Seat, clockwise

MS = 1_000_000
SECOND = 1_000_000_000
_FOUL, _BARE = 0.06, 0.05


def played_party(seed: int, players: Sequence[str] = ("Anna", "Boris", "Vera", "Gleb")) -> Referee[object]:
    """The referee of a party that was played to its loser; the same `seed` gives the same party."""
    return _Party(seed, tuple(players)).play()


class _Party:
    def __init__(self, seed: int, players: tuple[str, ...]) -> None:
        self.rng = random.Random(seed)
        self.seats = seat_players(players)
        self.session = Session(Plan(game="bong", setup=Setup(self.seats, players, self.seats[-1]), seed=seed))
        self.hands: dict[Seat, list[Card]] = {}
        self.t_ns, self.lays = 0, 0

    def play(self) -> Referee[object]:
        self.deal(self.seats, after=self.seats[-1])
        while len(self.hands) > 1:
            last = self.race(self.start())
            if len(self.hands) > 1:
                self.stall(last)
        return self.session.referee

    def deal(self, around: tuple[Seat, ...], *, after: Seat) -> None:
        deck = self.rng.sample(DECK_52, 52)
        order = list(clockwise(around, after))
        self.hands = {seat: deck[i :: len(order)] for i, seat in enumerate(order)}
        self.wait(SECOND)
        self.session.on_call(Call(t_ns=self.t_ns, word="dealt", who="host"))

    def start(self) -> Seat:
        """Claims, the lot among them, the first two; returns who laid it."""
        for seat, hand in self.hands.items():
            if any(card.rank is Rank.TWO for card in hand):
                self.press(seat)
        self.wait(4 * SECOND)
        claimed = self.session.referee.state.claimant
        self.lay(claimed, self.pick(claimed, Rank.TWO))
        return Seat(claimed)

    def race(self, last: Seat) -> Seat:
        """Everybody lays who can, until nobody can or one hand is left; returns who laid last."""
        needed = Rank.THREE
        while len(self.hands) > 1:
            able = [seat for seat in self.hands if seat != last and any(c.rank is needed for c in self.hands[seat])]
            if not able:
                return last
            self.err(last, needed)
            last = self.rng.choice(able)
            self.lay(last, self.pick(last, needed))
            needed = Rank(needed + 1) if needed < Rank.ACE else Rank.TWO
        return last

    def err(self, last: Seat, needed: Rank) -> None:
        seat = self.rng.choice(list(self.hands))
        wrong = [card for card in self.hands[seat] if seat == last or card.rank is not needed]
        if self.rng.random() < _FOUL and wrong:
            card = self.rng.choice(wrong)
            self.show(seat, card)
            self.session.on_call(CardGone(t_ns=self.t_ns + 500 * MS, card=card, lay=self.lays))
        if self.rng.random() < _BARE:
            self.press(seat)
        self.wait(2 * SECOND)

    def stall(self, last: Seat) -> None:
        others = [seat for seat in self.hands if seat != last]
        for seat in (*others, last):
            self.press(seat, is_hold=True)
        if len(self.hands) == 2:
            del self.hands[last]
            return
        self.session.on_call(PileGone(t_ns=self.t_ns))
        self.deal(tuple(others), after=last)

    def pick(self, seat: Seat, rank: Rank) -> Card:
        return next(card for card in self.hands[seat] if card.rank is rank)

    def lay(self, seat: Seat, card: Card) -> None:
        self.show(seat, card)
        self.hands[seat].remove(card)
        if not self.hands[seat]:
            del self.hands[seat]

    def show(self, seat: Seat, card: Card) -> None:
        self.press(seat)
        self.lays += 1
        touch_ns = self.t_ns + 90 * MS
        laid = CardLaid(t_ns=touch_ns, within_ns=17 * MS, card=card, lay=self.lays, rest_ns=touch_ns)
        self.session.on_call(laid)
        self.wait(2 * SECOND)

    def press(self, seat: Seat, *, is_hold: bool = False) -> None:
        self.wait(300 * MS)
        pressed_ns = self.t_ns
        self.session.on_call(Press(t_ns=pressed_ns, seat=seat, source="bench"))
        if is_hold:
            self.wait(800 * MS)
            self.session.on_call(Hold(t_ns=self.t_ns, seat=seat, pressed_ns=pressed_ns))
        self.session.on_call(Release(t_ns=self.t_ns + 60 * MS, seat=seat, pressed_ns=pressed_ns))

    def wait(self, ns: int) -> None:
        self.t_ns += ns
        self.session.on_time(self.t_ns)
