"""A table with places under a simulated camera: hands lay, turn and take cards, `Places` tells what it sees."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache

from cardtable.simulated.felt import Felt
from cardtable.simulated.pictured import FRAME_NS, lay_out
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.scene import Scene
from cardtable.simulated.spots import Spots
from cardtable.zones import _DECKS, _USUAL_DECK, _WITH_ROWS
from engine.cards import Card
from engine.events import CardGone, CardLaid, Event
from engine.seats import seats
from vision.frames import Frame
from vision.places import Manner, Places
from vision.reader import Reader

_WAITS_NS = 1_200_000_000
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
        deck = frozenset(_DECKS[_USUAL_DECK[game]])
        self.places = Places(reader(), self.layout, Manner(deck, has_rows=game in _WITH_ROWS))
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
        return self.done(self.felt.lay(_seat(seat), pieces, self.now_ns))

    def turn(self, seat: str, old: Piece, card: Card) -> tuple[Piece, list[Event]]:
        """That seat's hand turns a card over where it lies."""
        new = self.felt.piece(card, old.place)
        return new, self.done(self.felt.turn(_seat(seat), old, new, self.now_ns))

    def take(self, seat: str, *pieces: Piece) -> list[Event]:
        """That seat's hand takes cards away."""
        return self.done(self.felt.take(_seat(seat), pieces, self.now_ns))


def _seat(name: str):  # type: ignore[no-untyped-def]
    return next(seat for seat in seats(9) if seat == name)


def told(events: Sequence[Event]) -> list[tuple[str, str]]:
    """Card and zone of what was laid, card and `gone` of what was taken."""
    found = []
    for event in events:
        if isinstance(event, CardLaid):
            found.append((str(event.card), event.zone))
        elif isinstance(event, CardGone):
            found.append((str(event.card), "gone"))
        else:
            found.append((type(event).__name__, ""))
    return found
