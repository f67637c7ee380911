"""A table with places under a simulated camera: hands lay, turn and take cards, `Places` tells what it sees."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache

from cardtable.plan import Plan
from cardtable.simulated.felt import Felt
from cardtable.simulated.pictured import FRAME_NS, lay_out
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.scene import Scene
from cardtable.simulated.spots import Spots
from cardtable.zones import manner_of
from engine.cards import Card
from engine.events import CardGone, CardLaid, Event, Shown
from engine.rules import Setup
from engine.seats import Seat, seats
from vision.frames import Frame
from vision.places import Places
from vision.reader import Reader

_WAITS_NS = 700_000_000
"""So long after a hand has left, everything that can be told is told."""


@cache
def reader() -> Reader:
    """The released weights, loaded once."""
    return Reader.load()


class Stage:
    """One table laid out for `game`; every deed gives what was told by its end and a little after."""

    def __init__(self, game: str, count: int, *, seed: int = 1) -> None:
        self.scene, around = Scene(seed), seats(count)
        self.layout = lay_out(self.scene, game, around)
        rng = random.Random(seed)
        self.spots = Spots(self.layout, rng)
        self.felt = Felt(self.spots, around, rng)
        names = tuple(f"player {seat}" for seat in around)
        manner = manner_of(Plan(game=game, setup=Setup(around, names, around[0]), seed=seed))
        assert manner is not None
        self.places = Places(reader(), self.layout, manner)
        self.now_ns = 0
        self.on_frame: Callable[[Frame, tuple[Event, ...]], None] = lambda frame, events: None

    def wait(self, until_ns: int) -> list[Event]:
        """What is told until then."""
        told: list[Event] = []
        while self.now_ns < until_ns:
            self.now_ns += FRAME_NS
            picture = self.scene.frame(self.felt.lies(self.now_ns), self.felt.arms(self.now_ns), self.now_ns)
            frame = Frame(picture, self.now_ns, FRAME_NS // 2, self.now_ns // FRAME_NS)
            events = self.places.see(frame)
            self.on_frame(frame, events)
            told += events
        return told

    def done(self, reach: Reach) -> list[Event]:
        """What is told of what this hand does."""
        return self.wait(reach.end_ns + _WAITS_NS)

    def begin(self) -> None:
        """The table as it lies is looked at first."""
        assert self.wait(self.now_ns + 10 * FRAME_NS) == []

    def lay(self, seat: str, *pieces: Piece) -> list[Event]:
        """That seat's hand lays cards."""
        return self.done(self.felt.lay(Seat(seat), pieces, self.now_ns))

    def turn(self, seat: str, old: Piece, card: Card) -> tuple[Piece, list[Event]]:
        """That seat's hand turns a card over where it lies."""
        new = self.felt.piece(card, old.place)
        return new, self.done(self.felt.turn(Seat(seat), old, new, self.now_ns))

    def take(self, seat: str, *pieces: Piece) -> list[Event]:
        """That seat's hand takes cards away."""
        return self.done(self.felt.take(Seat(seat), pieces, self.now_ns))


def told(events: Sequence[Event]) -> list[str]:
    """What was told, in a few words: card and zone, card and `gone`, seat and the cards it showed."""
    return [_words(event) for event in events]


def _words(event: Event) -> str:
    match event:
        case CardLaid():
            return f"{event.card} {event.zone}"
        case CardGone():
            return f"{event.card} gone"
        case Shown():
            return f"{event.seat} shows {' '.join(map(str, event.cards))}"
    return type(event).__name__
