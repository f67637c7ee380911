"""The simulated people of a trick game at a table with buttons, an oracle in place of the camera."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from cardtable.session import Session
from cardtable.simulated.oracle import OracleTable
from engine.cards import Card
from engine.events import Call, CardLaid, Shown
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import Seat

Gestures = Mapping[tuple[str, str], str]
"""For a phase and a word, or for any phase (an empty one), the gesture that says it: `tap`, `hold` or `double`."""
_THINKS_MS = (400, 2200)
_DOUBLE_MS = 120


class AtOracle:
    """What people do becomes edges, cards under the oracle's eye, and words on the phones."""

    def __init__(
        self, table: OracleTable, rng: random.Random, gestures: Gestures, pause: Callable[[], None] = lambda: None
    ) -> None:
        """`pause` is called after every deed."""
        self.session: Session = table.session
        self.table, self.rng, self.gestures, self.pause = table, rng, gestures, pause
        self.setup: Setup = self.session.plan.setup

    @property
    def state(self) -> Any:
        """What the referee knows."""
        return self.session.referee.state

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie, its slap a little before it where it goes into the trick."""
        if seat is not None and self.state.phase.value == "trick" and self.rng.random() < 0.8:
            self.table.tap(Seat(seat))
        hand = frozenset({Seat(seat)}) if is_seen and seat is not None else frozenset()
        lay = self.table.lay(card, "", hand=hand)
        self._think()
        told = (one for one in reversed(self.session.referee.history()) if isinstance(one.event, CardLaid))
        return next(one.rulings for one in told if isinstance(one.event, CardLaid) and one.event.lay == lay)

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat holds cards under the camera."""
        shown = Shown(t_ns=self.table.now_ns, seat=Seat(seat), cards=tuple(cards))
        return self._ruled(lambda: self.session.on_call(shown))

    def say(
        self, word: str, seat: str, *, card: Card | None = None, cards: tuple[Card, ...] = (), count: int | None = None
    ) -> tuple[Ruling, ...]:
        """By button where there is a gesture for it, else on the page."""
        gesture = self.gestures.get((self.state.phase.value, word)) or self.gestures.get(("", word))
        if gesture is not None and count is None and (gesture == "double" or self.rng.random() < 0.8):
            do = getattr(self.table, gesture)
            return self._ruled(lambda: do(Seat(seat)), is_quick=gesture == "double")
        who, at_ns = f"page:{seat}", self.table.now_ns
        call = Call(t_ns=at_ns, word=word, who=who, seat=Seat(seat), card=card, cards=cards, count=count)
        return self._ruled(lambda: self.session.on_call(call))

    def wait(self) -> tuple[Ruling, ...]:
        """Until nothing can be said any more."""
        return self._ruled(lambda: self.table.wait(3000))

    def _ruled(self, do: Callable[[], object], *, is_quick: bool = False) -> tuple[Ruling, ...]:
        """What is ruled on everything that comes of it."""
        before = len(self.session.referee.log.entries)
        do()
        if is_quick:
            self.table.wait(_DOUBLE_MS)
        else:
            self._think()
        news = [told for told in self.session.referee.history() if told.number > before]
        return tuple(ruling for told in news for ruling in told.rulings)

    def _think(self) -> None:
        self.table.wait(self.rng.uniform(*_THINKS_MS))
        self.pause()
