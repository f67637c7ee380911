"""Whole parties of Ton for measuring the engine: purchase, tricks, audit, with a revoke now and then."""

from __future__ import annotations

import random

from cardtable.bench.driver import Driver
from engine.cards import DECK_36, Card
from engine.games.ton import Phase, State, Ton
from engine.games.ton.state import HAND, WIDOW
from engine.referee import Referee
from engine.seats import Seat
from engine.tricks import breach, demand

_REVOKE = 0.05
_DEALS = 12
"""A party that nobody has won by then ends."""


def played_ton(seed: int) -> Referee[State]:
    """The referee of a party; the same `seed` gives the same one."""
    return _Party(seed).play()


class _Party:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.at = Driver(Ton(), players=4, options={"others": "optional"})
        self.hands: dict[Seat, list[Card]] = {}
        self.widow: list[Card] = []

    @property
    def state(self) -> State:
        return self.at.referee.state

    def play(self) -> Referee[State]:
        for seat in self.at.seats:
            self.at.tap(seat)
        for _ in range(_DEALS):
            if self.state.phase is Phase.GAME_OVER:
                break
            self.deal()
            while self.state.phase not in (Phase.DEAL, Phase.GAME_OVER):
                self.move()
        return self.at.referee

    def deal(self) -> None:
        pack = self.rng.sample(DECK_36, len(DECK_36))
        self.hands = {seat: [pack.pop() for _ in range(HAND)] for seat in self.at.seats}
        self.widow = [pack.pop() for _ in range(WIDOW)]
        self.at.lay(str(pack.pop()))

    def move(self) -> None:
        """Whatever the phase asks for."""
        match self.state.phase:
            case Phase.NO_TRUMP_RIGHT | Phase.PURCHASE:
                self.buy()
            case Phase.EXCHANGE:
                self.exchange()
            case Phase.JOIN:
                (self.at.tap if self.rng.random() < 0.7 else self.at.hold)(self.state.asked[0])
            case Phase.TRICK:
                self.reply()
            case _:
                self.show()

    def buy(self) -> None:
        decider = self.state.decider
        assert decider is not None
        if self.rng.random() < 0.6:
            self.at.tap(decider)
        else:
            self.at.lay(str(self.widow[len(self.state.decided)]))

    def exchange(self) -> None:
        taker = self.state.taker
        assert taker is not None
        self.hands[taker] = [self.rng.choice(self.hands[taker]), *self.widow]
        self.at.tap(taker)

    def reply(self) -> None:
        """A card that breaks no duty, or, now and then, any."""
        seat, state = self.state.turn, self.state
        assert seat is not None
        assert state.upcard is not None
        hand, duties = self.hands[seat], state.house.duties
        asked = demand(state.trick, state.upcard.suit, duties)
        fine = [card for card in hand if asked is None or not any(breach(asked, card, one, duties) for one in hand)]
        card = self.rng.choice(hand if self.rng.random() < _REVOKE else fine)
        hand.remove(card)
        self.at.lay(str(card))

    def show(self) -> None:
        """What is left at the end is laid open, seat by seat."""
        seat = next(seat for seat in self.state.players_in if seat not in self.state.shown)
        for card in self.hands[seat]:
            self.at.lay(str(card))
        if seat not in self.state.shown and self.state.phase is Phase.AUDIT:
            self.at.call("not-shown", seat)
