"""Feeds a referee with what players do, two seconds apart, for parties that are only measured."""

from __future__ import annotations

from typing import Generic, TypeVar

from cardtable.plan import seat_players
from engine.cards import Card
from engine.events import Call, CardLaid, Event, Hold, Passed, Press, Release
from engine.referee import Referee
from engine.rules import Option, Rules, Setup
from engine.seats import Seat

S = TypeVar("S")

NAMES = ("Anna", "Boris", "Vera", "Gleb", "Dora", "Egor")
_MS = 1_000_000
_PAUSE_NS = 2_000 * _MS
_TAP_NS, _HOLD_NS = 60 * _MS, 800 * _MS


class Driver(Generic[S]):
    """A referee and the present moment."""

    def __init__(self, rules: Rules[S], *, players: int, options: dict[str, Option] | None = None) -> None:
        self.seats = seat_players(NAMES[:players])
        setup = Setup(self.seats, NAMES[:players], self.seats[0], options or {})
        self.referee: Referee[S] = Referee(rules, setup)
        self.t_ns, self.lays = 0, 0

    def tap(self, seat: Seat) -> None:
        """A short press."""
        self._feed(Press(t_ns=self.t_ns, seat=seat))
        self._feed(Release(t_ns=self.t_ns + _TAP_NS, seat=seat, pressed_ns=self.t_ns))
        self.t_ns += _PAUSE_NS

    def hold(self, seat: Seat) -> None:
        """A long press."""
        self._feed(Press(t_ns=self.t_ns, seat=seat))
        self._feed(Hold(t_ns=self.t_ns + _HOLD_NS, seat=seat, pressed_ns=self.t_ns))
        self.t_ns += _PAUSE_NS

    def lay(self, card: str, zone: str = "") -> None:
        """A card comes to lie."""
        self.lays += 1
        self._feed(CardLaid(t_ns=self.t_ns, card=Card(card), lay=self.lays, zone=zone))
        self.t_ns += _PAUSE_NS

    def call(self, word: str, seat: Seat | None = None) -> None:
        """Somebody says so."""
        self._feed(Call(t_ns=self.t_ns, word=word, who="host", seat=seat))
        self.t_ns += _PAUSE_NS

    def feed(self, event: Event) -> None:
        """Anything else; then two seconds pass."""
        self._feed(event)
        self.t_ns += _PAUSE_NS

    def wait(self) -> None:
        """Two seconds pass."""
        self.t_ns += _PAUSE_NS
        self._let_pass(self.t_ns)

    def _feed(self, event: Event) -> None:
        self._let_pass(event.t_ns)
        self.referee.feed(event)

    def _let_pass(self, t_ns: int) -> None:
        deadline = self.referee.deadline()
        if deadline is not None and deadline <= t_ns:
            self.referee.feed(Passed(t_ns=deadline))
