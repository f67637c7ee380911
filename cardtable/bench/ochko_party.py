"""Whole parties of Ochko for measuring the engine: stakes, deals, hits, showdowns, with a hit too many now and then."""

from __future__ import annotations

import random

from cardtable.bench.driver import Driver
from engine.cards import DECK_36, Card
from engine.games.ochko import Ochko, Phase, State
from engine.games.ochko.hands import ranks_of
from engine.referee import Referee
from engine.seats import Seat

_ROUNDS = 6
_GREED = 0.1
"""How often somebody draws where he may not."""


def played_ochko(seed: int) -> Referee[State]:
    """The referee of some rounds; the same `seed` gives the same party."""
    return _Party(seed).play()


class _Party:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.at = Driver(Ochko(), players=4)
        self.pack: list[Card] = []
        self.hands: dict[Seat, list[Card]] = {}

    @property
    def state(self) -> State:
        return self.at.referee.state

    def play(self) -> Referee[State]:
        for _ in range(_ROUNDS):
            self.stakes()
            while self.state.phase is not Phase.STAKES:
                self.move()
        self.at.call("end")
        return self.at.referee

    def stakes(self) -> None:
        """Everybody stakes; the cards go back to the pack where the referee has all of them there."""
        if self.state.left == len(DECK_36):
            self.pack = self.rng.sample(DECK_36, len(DECK_36))
        self.hands = {seat: [] for seat in self.at.seats}
        for seat in self.at.seats:
            if seat != self.state.banker or not self.state.pot.holds:
                self.at.tap(seat)

    def move(self) -> None:
        """Whatever the phase asks for."""
        punter, banker = self.state.punter, self.state.banker
        assert banker is not None
        match self.state.phase:
            case Phase.DEAL:
                self.deal(banker)
            case Phase.NEW_HAND:
                self.hands[banker] = []
                self.gets(banker)
                self.gets(banker)
            case Phase.BANKER_CHECK:
                self.at.tap(banker)
            case Phase.PUNTER | Phase.BANKER:
                self.draw(self.state.actor() or banker)
            case _:
                for seat in (punter, banker):
                    self.opens(seat or banker)

    def deal(self, banker: Seat) -> None:
        for seat in (*self.state.punters(), banker):
            self.gets(seat)
            self.gets(seat)

    def gets(self, seat: Seat) -> None:
        self.hands[seat].append(self.pack.pop())
        self.at.lay("##", f"seat-{seat}")

    def draw(self, seat: Seat) -> None:
        is_done = self.state.counting(seat).total(ranks_of(self.hands[seat])) > 15
        if not self.pack or (is_done and self.rng.random() > _GREED):
            self.at.hold(seat)
            return
        self.at.tap(seat)
        if self.state.phase in (Phase.PUNTER, Phase.BANKER):
            self.gets(seat)

    def opens(self, seat: Seat) -> None:
        for place, card in enumerate(self.hands[seat], start=1):
            self.at.lay(str(card), f"seat-{seat}-{place}")
