"""What a game is to the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from engine.cards import Card, Suit
from engine.events import Event
from engine.rulings import Detail, Ruling
from engine.seats import Seat

S = TypeVar("S")

Option = int | str


@dataclass(frozen=True, slots=True)
class Setup:
    """How a game begins: who sits where, who deals, which house rules hold."""

    seats: tuple[Seat, ...]
    """Clockwise."""
    players: tuple[str, ...]
    """The players' names, one a seat."""
    dealer: Seat | None = None
    """None: drawn by lot."""
    options: Mapping[str, Option] = field(default_factory=dict)
    """Only those that differ from the game's defaults."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something only a person can say; play goes on meanwhile."""

    about: int
    """Log number of the event in question."""
    kind: str
    """`who` (which seat laid it), `what` (which card it is), or a word of the game's own, e.g. `prompt-two`."""
    seats: tuple[Seat, ...] = ()
    """The likely answers of a `who` question."""
    cards: tuple[Card, ...] = ()
    """The likely answers of a `what` question, best first."""
    detail: tuple[tuple[str, Detail], ...] = ()


@dataclass(frozen=True, slots=True)
class Audience:
    """For whom a scoreboard is made: the hall (a television), the host, or a seat; and in which language."""

    kind: str = "hall"
    seat: Seat | None = None
    language: str = "en"


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat's line on the scoreboard."""

    seat: Seat
    player: str
    hand: int | None
    """Cards in hand as far as known."""
    is_active: bool
    is_last: bool = False
    """Laid the top card."""
    marks: int = 0
    owed: tuple[Card, ...] = ()
    place: int | None = None
    """Finishing place, once out."""
    is_loser: bool = False
    can: str = ""
    """What the seat's button means now, in words: empty when nothing."""
    is_turn: bool = False
    """The table waits for this seat alone."""
    note: str = ""
    """Anything else worth a glance, e.g. "says: no card"."""
    score: int | None = None
    """Its total, in games that keep one."""
    says: tuple[str, ...] = ()
    """Words of `Scoreboard.calls` that its player may say for himself now, where the button alone does not do."""


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """What a page shows of a game, ready in words."""

    phase: str
    """The phase's stable name."""
    headline: str
    """The one thing that matters now, e.g. "Lay a 9"."""
    needed: str
    """What must be laid next, as printed on a card; empty when nothing."""
    top: Card | None
    pile: tuple[Card, ...]
    seats: tuple[SeatView, ...]
    calls: tuple[tuple[str, str], ...] = ()
    """Words that a person may call now (`Call.word`) with their label."""
    over: bool = False
    named: tuple[str, ...] = ()
    """Words of `calls` that name a card too."""
    by: tuple[Seat, ...] = ()
    """Who laid the cards of `pile`, in games in which each lies before its seat: a trick."""
    trump: Suit | None = None
    pot: int | None = None
    """What lies in the middle, in games that play for a pot or a bank."""


class Rules(Protocol[S]):
    """A game. One file in `engine.games` implements it and one line registers it."""

    name: str
    version: int
    """Rises only when a ruling could come out differently."""

    def start(self, setup: Setup) -> S:
        """The state before the first event; raises `BadSetup` with a sentence."""
        ...

    def judge(self, state: S, event: Event) -> tuple[Ruling, ...]:
        """What `event` proves or decides; one event can prove several things."""
        ...

    def apply(self, state: S, event: Event, rulings: tuple[Ruling, ...]) -> S:
        """The state after `event` was ruled so."""
        ...

    def options(self, state: S, event: Event) -> tuple[Ruling, ...]:
        """What a person may decide instead."""
        ...

    def deadline(self, state: S) -> int | None:
        """The `t_ns` at which the passing of time next matters, or None."""
        ...

    def lot(self, state: S) -> tuple[str, tuple[Seat, ...]] | None:
        """The lot to be drawn now: its name and the seats it is drawn among, or None."""
        ...

    def questions(self, state: S) -> tuple[Question, ...]:
        """What the table should ask a person now."""
        ...

    def view(self, state: S, audience: Audience) -> Scoreboard:
        """The scoreboard for that audience."""
        ...
