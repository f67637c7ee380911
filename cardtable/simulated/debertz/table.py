"""The simulated people of Debertz at a table with buttons, an oracle in place of the camera."""

from __future__ import annotations

import random
from collections.abc import Callable

from cardtable.session import Session
from cardtable.simulated.oracle import OracleTable
from engine.cards import Card
from engine.events import Call, Shown
from engine.games.debertz import Phase, State
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import Seat

_THINKS_MS = (400, 2200)
_BELLA_MS = 120
BUTTONS = {"play": "tap", "pass": "hold", "drawn": "tap", "nothing-more": "hold", "shown": "hold", "bella": "double"}
"""Words for which there is a gesture."""


class AtOracle:
    """What people do becomes edges, cards under the oracle's eye, and words on the phones."""

    def __init__(self, session: Session, table: OracleTable, rng: random.Random, pause: Callable[[], None]) -> None:
        self.session, self.table, self.rng, self.pause = session, table, rng, pause
        self.setup: Setup = session.plan.setup

    @property
    def state(self) -> State:
        """What the referee knows."""
        state: State = self.session.referee.state
        return state

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie, its slap a little before it where it goes into the trick."""
        is_slapped = seat is not None and self.state.phase is Phase.TRICK and self.rng.random() < 0.8
        before = self._count()
        if is_slapped:
            self.table.tap(Seat(seat or ""))
        hand = frozenset({Seat(seat)}) if is_seen and seat is not None else frozenset()
        lay = self.table.lay(card, "", hand=hand)
        self._think()
        told = self.session.referee.history()
        return next(one.rulings for one in told if getattr(one.event, "lay", None) == lay) if before >= 0 else ()

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat holds cards under the camera."""
        return self._ruled(lambda: self._shows(seat, cards))

    def say(
        self, word: str, seat: str, *, cards: list[Card] | None = None, count: int | None = None
    ) -> tuple[Ruling, ...]:
        """By button where there is a gesture for it, else on the page."""
        gesture = BUTTONS.get(word)
        if word == "play" and self.state.phase is not Phase.FIRST_ROUND:
            gesture = None
        if gesture is None or (word != "bella" and self.rng.random() < 0.2):
            return self._ruled(lambda: self._calls(word, seat, cards, count))
        return self._ruled(lambda: getattr(self.table, gesture)(Seat(seat)), is_quick=word == "bella")

    def wait(self) -> tuple[Ruling, ...]:
        """Until nothing can be called any more."""
        return self._ruled(lambda: self.table.wait(3000))

    def _shows(self, seat: str, cards: list[Card]) -> None:
        self.session.on_call(Shown(t_ns=self.table.now_ns, seat=Seat(seat), cards=tuple(cards)))

    def _calls(self, word: str, seat: str, cards: list[Card] | None, count: int | None) -> None:
        at_ns, named = self.table.now_ns, tuple(cards or ())
        call = Call(t_ns=at_ns, word=word, who=f"page:{seat}", seat=Seat(seat), cards=named, count=count)
        self.session.on_call(call)

    def _ruled(self, do: Callable[[], object], *, is_quick: bool = False) -> tuple[Ruling, ...]:
        """What is ruled on everything that comes of it."""
        before = self._count()
        do()
        if is_quick:
            self.table.wait(_BELLA_MS)
        else:
            self._think()
        return tuple(
            ruling for told in self.session.referee.history() if told.number > before for ruling in told.rulings
        )

    def _think(self) -> None:
        self.table.wait(self.rng.uniform(*_THINKS_MS))
        self.pause()

    def _count(self) -> int:
        return len(self.session.referee.log.entries)
