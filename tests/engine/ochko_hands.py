"""Where what the players of Ochko do becomes known: straight in the rules (fast), or at a table with a referee."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol

from engine.cards import Card
from engine.events import Call, CardGone, CardLaid, Event, Hold, Press, Release, Shown
from engine.games.ochko import Ochko, State
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import Seat
from tests.engine.ochko import OchkoTable
from tests.engine.table import MS

Rulings = tuple[Ruling, ...]


class Hands(Protocol):
    """What players can do; every deed returns what it was ruled."""

    setup: Setup

    @property
    def state(self) -> State:
        """What the referee knows."""
        ...

    def tap(self, seat: str) -> Rulings:
        """A short press."""
        ...

    def double(self, seat: str) -> Rulings:
        """Two short presses in a row; what the second is ruled."""
        ...

    def hold(self, seat: str) -> Rulings:
        """A long press."""
        ...

    def lay(self, seat: str, card: str, place: int) -> Rulings:
        """A card comes to lie in that seat's area; `place` from 1 in its row, 0: not seen."""
        ...

    def gone(self) -> Rulings:
        """The last card laid goes away again."""
        ...

    def show(self, seat: str, cards: list[Card]) -> Rulings:
        """A seat shows its row at once."""
        ...

    def say(self, word: str, seat: str | None = None, *, count: int | None = None) -> Rulings:
        """Somebody says so."""
        ...


class Straight:
    """Straight into the rules, two seconds between events."""

    def __init__(self, setup: Setup) -> None:
        self.rules, self.setup = Ochko(), setup
        self.state = self.rules.start(setup)
        self.number = 0
        self.events = 0

    def tap(self, seat: str) -> Rulings:
        """A short press."""
        return self._tapped(seat, self._t_ns())

    def _tapped(self, seat: str, t_ns: int) -> Rulings:
        self._feed(Press(t_ns=t_ns, number=self.number, seat=Seat(seat)))
        self.number += 1
        return self._feed(Release(t_ns=t_ns + 60 * MS, number=self.number, seat=Seat(seat), pressed_ns=t_ns))

    def double(self, seat: str) -> Rulings:
        """Two short presses."""
        t_ns = self._t_ns()
        self._tapped(seat, t_ns)
        return self._tapped(seat, t_ns + 250 * MS)

    def hold(self, seat: str) -> Rulings:
        """A long press."""
        t_ns = self._t_ns()
        return self._feed(Hold(t_ns=t_ns, number=self.number, seat=Seat(seat), pressed_ns=t_ns - 800 * MS))

    def lay(self, seat: str, card: str, place: int) -> Rulings:
        """A card comes to lie."""
        zone = f"seat-{seat}-{place}" if place else f"seat-{seat}"
        self.lays = self.number + 1
        return self._feed(CardLaid(t_ns=self._t_ns(), number=self.number, card=Card(card), lay=self.number, zone=zone))

    def gone(self) -> Rulings:
        """The last card laid goes away again."""
        return self._feed(CardGone(t_ns=self._t_ns(), number=self.number, card=Card("##"), lay=self.lays))

    def show(self, seat: str, cards: list[Card]) -> Rulings:
        """A seat shows its row."""
        return self._feed(Shown(t_ns=self._t_ns(), number=self.number, seat=Seat(seat), cards=tuple(cards)))

    def say(self, word: str, seat: str | None = None, *, count: int | None = None) -> Rulings:
        """Somebody says so."""
        about = None if seat is None else Seat(seat)
        return self._feed(Call(t_ns=self._t_ns(), number=self.number, word=word, who="", seat=about, count=count))

    def _t_ns(self) -> int:
        self.number += 1
        return self.number * 2000 * MS

    def _feed(self, event: Event) -> Rulings:
        self.events += 1
        rulings = self.rules.judge(self.state, event)
        self.state = self.rules.apply(self.state, event, rulings)
        return rulings


class AtTable:
    """At a table, with devices and a referee; now and then words in place of buttons."""

    def __init__(self, table: OchkoTable, chance: random.Random) -> None:
        self.table, self.chance, self.setup = table, chance, table.setup

    @property
    def state(self) -> State:
        """What the referee knows."""
        return self.table.state

    def tap(self, seat: str) -> Rulings:
        """A short press."""
        return self._since(lambda: self.table.tap(seat))

    def double(self, seat: str) -> Rulings:
        """Two short presses."""
        return self._since(lambda: self.table.double(seat))

    def hold(self, seat: str) -> Rulings:
        """A long press."""
        return self._since(lambda: self.table.enough(seat))

    def lay(self, seat: str, card: str, place: int) -> Rulings:
        """A card comes to lie."""
        return self._since(lambda: self.table.at_seat(seat, card, place))

    def gone(self) -> Rulings:
        """The last card laid goes away again."""
        return self._since(self.table.back_gone)

    def show(self, seat: str, cards: list[Card]) -> Rulings:
        """A seat shows its row."""
        return self._since(lambda: self.table.shows(seat, " ".join(map(str, cards))))

    def say(self, word: str, seat: str | None = None, *, count: int | None = None) -> Rulings:
        """Somebody says so."""

        def deed() -> None:
            self.table.call(word, seat, count=count)
            self.table.later()

        return self._since(deed)

    def _since(self, deed: Callable[[], object]) -> Rulings:
        before = self.table.referee.log.next_number
        deed()
        history = self.table.referee.history()
        new = [told for told in history[-8:] if told.number >= before]
        return tuple(ruling for told in new for ruling in told.rulings)
