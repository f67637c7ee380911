"""A simulated table without pictures: buttons bounce as they do, cards are told by an oracle in place of the camera.

Time is simulated. The oracle knows every card; it tells a picture late, and now and then it is not sure and names a
wrong card first, as a reader would. Everything then goes the way of a real table.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace

from cardtable.session import Session
from cardtable.simulated.fingers import Fingers
from cardtable.simulated.world import MS
from engine.cards import BACK, Card
from engine.events import Call, CardGone, CardLaid
from engine.seats import Seat
from hardware.records import Edge, Kind

_STEP_MS = 50
_LATE_MS = (60, 180)
"""How long after a card lay still the camera's report of it comes."""
_UNSURE = 0.6
_ANSWER_MS = 2_500
WHO = "host"


class OracleTable(Fingers):
    """Where simulated people press buttons, lay cards and speak; the present moment is `now_ns`."""

    def __init__(self, session: Session, rng: random.Random, *, deck: Sequence[Card], doubt: float = 0.04) -> None:
        super().__init__(rng)
        self.session, self.now_ns = session, 0
        self.waits_ms: list[float] = []
        """How long the computer took to judge each card."""
        self.questions = 0
        self._rng, self._deck, self._doubt = rng, deck, doubt
        self._truth: dict[int, Card] = {}

    def wait(self, ms: float) -> None:
        """So much time passes."""
        until_ns = self.now_ns + round(ms * MS)
        while self.now_ns < until_ns:
            self.now_ns = min(until_ns, self.now_ns + _STEP_MS * MS)
            self.session.on_time(self.now_ns)

    def lay(self, card: Card, zone: str, *, hand: frozenset[Seat] = frozenset()) -> int:
        """A card comes to lie there, from that seat's hand where it was seen; returns its number."""
        lay = len(self._truth) + 1
        self._truth[lay] = card
        touch_ns = self.now_ns
        self.wait(self._rng.uniform(*_LATE_MS))
        started = time.perf_counter()
        self.session.on_call(replace(self._seen(card, zone, lay, touch_ns), hand=hand))
        self.waits_ms.append((time.perf_counter() - started) * 1e3)
        self._answer()
        return lay

    def gone(self, lay: int) -> None:
        """That card is taken away again."""
        self.session.on_call(CardGone(t_ns=self.now_ns, card=self._truth[lay], lay=lay))

    def say(self, word: str, seat: Seat | None = None, *, count: int | None = None) -> None:
        """Somebody says so, and the host enters it."""
        self.session.on_call(Call(t_ns=self.now_ns, word=word, who=WHO, seat=seat, count=count))

    def _seen(self, card: Card, zone: str, lay: int, touch_ns: int) -> CardLaid:
        seen = CardLaid(t_ns=touch_ns, within_ns=33 * MS, card=card, lay=lay, zone=zone)
        if card is BACK or self._rng.random() >= self._doubt:
            return seen
        wrong = self._rng.choice([other for other in self._deck if other is not card])
        return CardLaid(
            t_ns=touch_ns, within_ns=33 * MS, card=wrong, lay=lay, zone=zone, sure=_UNSURE, likely=(wrong, card)
        )

    def _answer(self) -> None:
        """The host answers what the table asks, truthfully and a little later."""
        for question in self.session.referee.questions():
            event = self.session.referee.event(question.about).event
            if isinstance(event, CardLaid):
                self.questions += 1
                self.wait(_ANSWER_MS)
                self.session.answer(question, card=self._truth[event.lay], who=WHO)

    def _press(self, seat: Seat, ms: int) -> None:
        self._bounce(seat, Kind.DOWN, Kind.UP, self.now_ns)
        self.wait(ms)
        self._bounce(seat, Kind.UP, Kind.DOWN, self.now_ns)
        self.wait(_STEP_MS)

    def _give(self, edge: Edge) -> None:
        self.session.on_edge(edge)
