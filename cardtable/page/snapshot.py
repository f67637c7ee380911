"""What a page shows of a session at one moment: frozen values, made on the session's thread, read on the page's."""

from __future__ import annotations

from dataclasses import dataclass, field

from cardtable.buttons import ButtonsShown
from cardtable.slaps import Race
from engine.cards import Card
from engine.events import Press
from engine.rules import Question, Scoreboard
from engine.seats import Seat
from engine.ties import window_ns


@dataclass(frozen=True, slots=True)
class Slap:
    """One slap of the last race, in order of its edge."""

    seat: Seat
    margin_ns: int
    """After the first slap of the race."""
    within_ns: int
    """The margin is good to this."""
    is_tie: bool
    """Among those that are too close to the first for anybody to say who was first."""


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
    slaps_note: str = ""
    """Why it isn't said yet who was first, or how unsure that is."""
    buttons: ButtonsShown = ButtonsShown()  # noqa: RUF009  (frozen)
    questions: tuple[Asked, ...] = ()
    offers: tuple[Offered, ...] = ()
    now_ns: int = field(default=0, compare=False)
    """The session's clock; alone it is nothing new."""
    is_blind: bool = False
    """No camera sees the pile: people say what they lay."""
    address: str = ""
    """Where phones find the pages, e.g. `http://192.168.1.5:8080`."""
    lost: tuple[str, ...] = ()
    """Sentences about a camera or buttons that are away."""

    @property
    def players(self) -> dict[Seat, str]:
        """Who sits where."""
        return {view.seat: view.player for view in self.board.seats}

    def seat_index(self, seat: Seat | None) -> int:
        """Where that seat sits, clockwise from 0; its colour hangs on it."""
        return next((i for i, view in enumerate(self.board.seats) if view.seat == seat), 0)

    def player(self, seat: Seat | None) -> str:
        """The name of whoever sits there, the seat's letter where unknown."""
        return next((view.player for view in self.board.seats if view.seat == seat), str(seat or ""))


def slaps_of(race: Race) -> tuple[Slap, ...]:
    """The slaps of `race`, first to last, with margins and ties; a tie is with the first and does not chain."""
    tied = [press for press in race.presses if press.t_ns - race.presses[0].t_ns <= window_ns(race.presses[0], press)]
    is_tie = len({press.seat for press in tied}) > 1
    return tuple(_slap(press, race.presses[0], is_tie=is_tie and press in tied) for press in race.presses)


def _slap(press: Press, first: Press, *, is_tie: bool) -> Slap:
    return Slap(press.seat, press.t_ns - first.t_ns, press.within_ns + first.within_ns, is_tie)
