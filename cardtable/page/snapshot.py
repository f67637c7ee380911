"""What a page shows of a session at one moment: frozen values, made on the session's thread, read on the page's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.cards import Card
from engine.events import Press
from engine.rules import Question, Scoreboard
from engine.seats import Seat

RACE_NS = 500_000_000
"""Slaps further apart than this belong to different races: nobody who races is half a second behind."""


@dataclass(frozen=True, slots=True)
class Slap:
    """One slap of the last race, in order of its edge."""

    seat: Seat
    margin_ns: int
    """After the first slap of the race."""
    within_ns: int
    """The margin is good to this."""
    is_tie: bool
    """Too close to the slap before it to be told apart."""


@dataclass(frozen=True, slots=True)
class Line:
    """One ruling, told in a sentence."""

    number: int
    """Log number of the event that was ruled on."""
    text: str
    card: Card | None = None
    is_foul: bool = False
    is_provisional: bool = False
    is_changed: bool = False
    paragraph: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question with its sentence."""

    question: Question
    text: str
    cards: tuple[Card, ...] = ()
    """The likely cards, the one that was read among them."""
    likely: tuple[str, ...] = ()
    """All likely answers as a person would say them."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A broken-off session that could be gone on with."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A session in one language."""

    language: str
    game: str
    board: Scoreboard
    lines: tuple[Line, ...] = ()
    """Newest event first."""
    latest: Line | None = None
    """What was told last: a new ruling, or an older one that has changed."""
    slaps: tuple[Slap, ...] = ()
    questions: tuple[Asked, ...] = ()
    offers: tuple[Offered, ...] = ()
    is_blind: bool = False
    """No camera sees the pile: people say what they lay."""
    address: str = ""
    """Where phones find the pages, e.g. `http://192.168.1.5:8080`."""
    lost: tuple[str, ...] = ()
    """Sentences about a camera or buttons that are away."""

    def seat_index(self, seat: Seat | None) -> int:
        """Where that seat sits, clockwise from 0; its colour hangs on it."""
        return next((i for i, view in enumerate(self.board.seats) if view.seat == seat), 0)

    def player(self, seat: Seat | None) -> str:
        """The name of whoever sits there, the seat's letter where unknown."""
        return next((view.player for view in self.board.seats if view.seat == seat), str(seat or ""))


def last_race(presses: Iterable[Press]) -> tuple[Slap, ...]:
    """The slaps of the last race among `presses`, first to last, with margins and ties.

    A race ends where two neighbouring presses lie more than `RACE_NS` apart. Two slaps tie when their true moments
    may have been in either order: the gap is no more than both uncertainties together.
    """
    ordered = sorted(presses, key=lambda press: press.t_ns)
    start = len(ordered) - 1
    while start > 0 and ordered[start].t_ns - ordered[start - 1].t_ns <= RACE_NS:
        start -= 1
    race = ordered[max(start, 0) :]
    return tuple(_slap(race, i) for i in range(len(race)))


def _slap(race: list[Press], i: int) -> Slap:
    press, first, before = race[i], race[0], race[max(i - 1, 0)]
    is_tie = i > 0 and press.t_ns - before.t_ns <= press.within_ns + before.within_ns
    return Slap(press.seat, press.t_ns - first.t_ns, press.within_ns + first.within_ns, is_tie)
