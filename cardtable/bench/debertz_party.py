"""Whole parties of Debertz for measuring the engine: bidding, sequences, tricks, with a revoke now and then."""

from __future__ import annotations

import random

from cardtable.bench.driver import Driver
from engine.cards import DECK_32, Card
from engine.events import Call, Shown
from engine.games.debertz import Debertz, Phase, State
from engine.games.debertz.state import HAND
from engine.melds import Run, cards_of, is_possible
from engine.referee import Referee
from engine.seats import Seat
from engine.tricks import breach, demand

_REVOKE = 0.05
_DEALS = 12
"""A party that nobody has won by then ends."""


def played_debertz(seed: int) -> Referee[State]:
    """The referee of a party; the same `seed` gives the same one."""
    return _Party(seed).play()


class _Party:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.at = Driver(Debertz(), players=2)
        self.hands: dict[Seat, list[Card]] = {}

    @property
    def state(self) -> State:
        return self.at.referee.state

    def play(self) -> Referee[State]:
        for _ in range(_DEALS):
            if self.state.phase is Phase.GAME_OVER:
                break
            self.deal()
            while self.state.phase not in (Phase.DEAL, Phase.GAME_OVER):
                self.move()
        return self.at.referee

    def deal(self) -> None:
        pack = self.rng.sample(DECK_32, len(DECK_32))
        self.hands = {seat: [pack.pop() for _ in range(HAND)] for seat in self.at.seats}
        self.at.lay(str(pack.pop()))

    def move(self) -> None:
        """Whatever the phase asks for."""
        match self.state.phase:
            case Phase.FIRST_ROUND:
                (self.at.tap if self.rng.random() < 0.5 else self.at.hold)(self._turn())
            case Phase.SECOND_ROUND:
                self.at.hold(self._turn())
            case Phase.DRAW:
                self.at.call("drawn")
            case Phase.DECLARE:
                self.declare()
            case Phase.SHOW:
                self.show()
            case Phase.AUDIT:
                self.at.wait()
            case _:
                self.reply()

    def declare(self) -> None:
        seat = self.state.declaring[0]
        for run in self._runs(seat):
            cards = cards_of(run, run.suit, self.state.house.order) if run.suit is not None else ()
            self.at.feed(Call(t_ns=self.at.t_ns, word="terz", who="page", seat=seat, cards=cards))
        self.at.hold(seat)

    def show(self) -> None:
        seat = self.state.shower
        assert seat is not None
        runs, order = self._runs(seat), self.state.house.order
        cards = tuple(card for run in runs if run.suit is not None for card in cards_of(run, run.suit, order))
        self.at.feed(Shown(t_ns=self.at.t_ns, seat=seat, cards=cards))

    def reply(self) -> None:
        """A card that breaks no duty, or, now and then, any."""
        seat, state = self._turn(), self.state
        assert state.trump is not None
        hand, duties = self.hands[seat], state.duties
        asked = demand(state.trick, state.trump, duties)
        fine = [card for card in hand if asked is None or not any(breach(asked, card, one, duties) for one in hand)]
        card = self.rng.choice(hand if self.rng.random() < _REVOKE else fine)
        hand.remove(card)
        self.at.tap(seat)
        self.at.lay(str(card))

    def _runs(self, seat: Seat) -> list[Run]:
        """The first three of a row in every suit that has one."""
        hand, order = self.hands[seat], self.state.house.order
        runs = []
        for suit in {card.suit for card in hand}:
            tops = (Run(top, 3, suit) for top in order if is_possible(Run(top, 3, suit), order))
            found = next((run for run in tops if set(cards_of(run, suit, order)) <= set(hand)), None)
            runs += [] if found is None else [found]
        return sorted(runs, key=lambda run: str(run.suit))

    def _turn(self) -> Seat:
        assert self.state.turn is not None
        return self.state.turn
