"""What the tests of all trick games share: a slow table, the bare rules as a table, and a party's rulings."""

from __future__ import annotations

from collections import Counter
from typing import Generic, TypeVar

from engine.cards import Card
from engine.events import Call, CardLaid, Event, Passed, Shown
from engine.rules import Rules, Setup
from engine.rulings import Ruling
from engine.seats import Seat
from tests.engine.table import MS, AnyTable

S = TypeVar("S")


class TrickTable(AnyTable[S]):
    """A table at which nobody hurries."""

    def later(self) -> None:
        """Two seconds pass."""
        self.wait(2000)

    def call(
        self, word: str, seat: str | None = None, *, count: int | None = None, card: str | None = None
    ) -> tuple[Ruling, ...]:
        """The host says so; then two seconds pass."""
        rulings = super().call(word, seat, count=count, card=card)
        self.later()
        return rulings

    def found(self) -> Counter[tuple[str, str]]:
        """Code and seat of everything that is ruled a foul."""
        told = (ruling for told in self.referee.history() for ruling in told.rulings)
        return Counter((ruling.code, ruling.seat or "") for ruling in told if ruling.is_foul)

    def judged(self) -> list[tuple[str, str, str]]:
        """Card, seat and code of every card laid, as the referee rules it."""
        return [
            (str(told.event.card), told.rulings[0].seat or "", told.rulings[0].code)
            for told in self.laid()
            if isinstance(told.event, CardLaid)
        ]


class Straight(Generic[S]):
    """Straight into the rules, two seconds between events."""

    def __init__(self, rules: Rules[S], setup: Setup) -> None:
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

    def say(
        self, word: str, seat: str, *, card: Card | None = None, cards: tuple[Card, ...] = (), count: int | None = None
    ) -> tuple[Ruling, ...]:
        """Somebody says so."""
        at_ns, who = self._t_ns(), Seat(seat)
        return self._feed(
            Call(t_ns=at_ns, number=self.number, word=word, who="", seat=who, card=card, cards=cards, count=count)
        )

    def wait(self) -> tuple[Ruling, ...]:
        """Every deadline passes."""
        told: tuple[Ruling, ...] = ()
        deadline = self.rules.deadline(self.state)
        while deadline is not None:
            self.number += 1
            told = self._feed(Passed(t_ns=deadline, number=self.number))
            deadline = self.rules.deadline(self.state)
        return told

    def _t_ns(self) -> int:
        self.number += 1
        return self.number * 2000 * MS

    def _feed(self, event: Event) -> tuple[Ruling, ...]:
        rulings = self.rules.judge(self.state, event)
        self.state = self.rules.apply(self.state, event, rulings)
        return rulings
