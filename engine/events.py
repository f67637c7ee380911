"""What happens at the table, as frozen values that go into the log.

Every event has `t_ns` on the table's one monotonic clock and `within_ns`: the true moment lies at most that far away.
`number` is its place in the log, given by the log when it is appended; 0 means: not logged yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cards import Card
from engine.seats import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened at one moment."""

    t_ns: int
    within_ns: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Press(Event):
    """A seat's button went down. What it means is the game's phase: a slap, a claim, "yes"."""

    seat: Seat
    source: str = ""
    """Which adapter saw it, e.g. `gpio` or `box:/dev/ttyACM0`."""
    jitter_ns: int | None = None
    """`within_ns` beside other presses of the same source, where it is less; None: no less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Event):
    """A seat's button came up again."""

    seat: Seat
    pressed_ns: int
    """When it had gone down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold(Event):
    """A press became a hold (0.8 s): "no card", "no", "pass", "enough". `t_ns` is the moment it did."""

    seat: Seat
    pressed_ns: int
    """When it had gone down: that press was no slap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLaid(Event):
    """A card came to lie in the pile. `t_ns` is its touch: the moment it first lay where it lies.

    Cards of one session are told apart by `lay`; a higher `lay` never lies below a lower one, unless `rival` says that
    the order of the two could not be seen.
    """

    card: Card
    lay: int
    """The camera's number for this lay, unique in the session."""
    rest_ns: int = 0
    """The first moment at which it lay still."""
    sure: float = 1.0
    """Probability that `card` is right."""
    likely: tuple[Card, ...] = ()
    """The likeliest cards, best first, where `card` is not certain; the table asks which."""
    hand: frozenset[Seat] = frozenset()
    """Seats from whose side the hand came in, where the camera is certain of it; empty: not seen."""
    zone: str = ""
    """Where it came to lie, in games that use several places, e.g. `widow-2`; empty: the pile or the trick."""
    rival: int | None = None
    """The `lay` whose order relative to this one could not be seen."""
    seats: frozenset[Seat] = frozenset()
    """Whose lay it was, as attributed so far: one seat, or several candidates; empty: not attributed yet."""
    slap_ns: int | None = None
    """The `t_ns` of the press that this lay is matched to, if any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGone(Event):
    """A card that lay in the pile was taken away again."""

    card: Card
    lay: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PileGone(Event):
    """The whole pile was taken up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Event):
    """A seat showed cards to the camera, face up, apart from the pile."""

    seat: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Event):
    """A person said something that the referee must know, in one of the game's words.

    Words every game has: `dealt` (the deal is done), `out` ("I am out"), `recount` (`count` cards in that hand),
    `taken` (an owed card was taken back; `card` says which). Games add their own, e.g. Bong's `no-card`, `show`.
    """

    word: str
    who: str
    """The person or device that says so, e.g. `host`, `page:Anna`."""
    seat: Seat | None = None
    """Whom it is about."""
    count: int | None = None
    card: Card | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(Event):
    """The lot that the game asked for fell on `seat`; drawn by the session's seeded generator."""

    lot: str
    """Which lot, as named by the game, e.g. `start`."""
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Event):
    """The table's clock passed a moment that the game had named as its deadline; everything older is in."""
