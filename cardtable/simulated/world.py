"""The simulated room: hands full of cards, arms, what lies in the middle, buttons, and all that is going to happen.

Time is simulated and given in ns. Things happen in order of their time when `advance` is called; nothing here knows
what the referee thinks, except for what the players read on the screen.
"""

from __future__ import annotations

import heapq
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from cardtable.simulated.book import Book
from cardtable.simulated.camera import Place
from cardtable.simulated.reach import Piece, Reach
from engine.cards import Card
from engine.events import Call
from engine.seats import Seat
from hardware.records import Edge, Kind
from hardware.replay import ScriptedSource

MS = 1_000_000
SOURCE = "simulated"
_NEAR_MM = 240.0
"""A hand whose goal is further off has nothing to do with the pile."""


@dataclass(slots=True)
class Lying:
    """A card in the middle of the table, from its touch until it is taken up."""

    piece: Piece
    from_ns: int
    until_ns: int | None = None

    def lies(self, t_ns: int) -> bool:
        """Whether it lies there at that moment; the hand draws it away right after `until_ns`."""
        return self.from_ns <= t_ns and (self.until_ns is None or t_ns <= self.until_ns)


@dataclass(slots=True)
class TrueLay:
    """What truly happened when a card was laid."""

    key: int
    card: Card
    seat: Seat
    touch_ns: int
    rest_ns: int
    code: str
    """The verdict that the rules demand."""
    slap_ns: int | None
    planned: str
    """What the player meant to do: `lay`, or the name of a mistake."""
    seen_frames: int = 0
    """In how many frame times, dropped ones included, one of its indices could be seen while it lay still."""
    is_alone: bool = True
    """No other arm was near when it was laid."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What a player reads on the table's screen."""

    phase: str = ""
    starter: Seat | None = None
    """Who must lay a two."""
    asked: Seat | None = None
    """Who must say whether there is a stall."""


@dataclass(slots=True)
class Button:
    """A seat's button and its bounce."""

    seat: Seat
    free_ns: int = 0


class World:
    """Everything at the table that is not the referee."""

    def __init__(self, seats: Sequence[Seat], seed: int) -> None:
        self.seats = tuple(seats)
        self.rng = random.Random(f"world {seed}")
        self.book = Book({seat: set() for seat in self.seats})
        self.now_ns = 0
        self.lying: list[Lying] = []
        self.aside: list[Lying] = []
        """Cards on the table that are no part of the pile."""
        self.reaches: list[tuple[Seat, Reach]] = []
        self.lays: list[TrueLay] = []
        self.moving: set[Card] = set()
        """Cards on their way from a hand to the pile."""
        self.near: list[tuple[Seat, int, int]] = []
        """Seat, from when and until when an arm was or will be near the pile."""
        self.screen = Screen()
        self.slaps: list[tuple[Seat, int, int]] = []
        """Seat, touch and press of every lay that is or will be slapped."""
        self.holds: list[int] = []
        """When presses became or will become holds."""
        self.bare_slaps: list[tuple[Seat, int]] = []
        """Seat and press of every slap without a card."""
        self.stirred_ns = 0
        """When an arm last set out or a deal was done."""
        self.changed: list[Callable[[], None]] = []
        """Called when something happened that players at the table notice."""
        self._buttons = {seat: Button(seat) for seat in self.seats}
        self._queue: list[tuple[int, int, Callable[[], object]]] = []
        self.buttons = ScriptedSource(SOURCE)
        """Where the edges of all buttons come from."""
        self._calls: list[tuple[int, int, Call]] = []
        self._count = 0

    def at(self, t_ns: int, do: Callable[[], object]) -> None:
        """Will `do` at `t_ns`."""
        heapq.heappush(self._queue, (max(t_ns, self.now_ns), self._next(), do))

    def after(self, wait_ms: float, do: Callable[[], object]) -> None:
        """Will `do` in `wait_ms`."""
        self.at(self.now_ns + round(wait_ms * MS), do)

    def advance(self, t_ns: int) -> None:
        """Lets everything up to `t_ns` happen."""
        while self._queue and self._queue[0][0] <= t_ns:
            self.now_ns, _, do = heapq.heappop(self._queue)
            do()
        self.now_ns = max(self.now_ns, t_ns)

    def notify(self) -> None:
        """Tells everybody at the table to look again."""
        for tell in tuple(self.changed):
            tell()

    # buttons and words

    def press(self, seat: Seat, *, at_ns: int, length_ms: float) -> None:
        """The seat's button goes down at `at_ns` for that long, its contacts bouncing as contacts do."""
        button = self._buttons[seat]
        start, end = at_ns, at_ns + round(length_ms * MS)
        button.free_ns = end + 60 * MS
        times = [start]
        for _ in range(self.rng.randrange(3) * 2):
            times.append(times[-1] + self.rng.randrange(80_000, 700_000))
        times.append(end)
        for _ in range(self.rng.randrange(2) * 2):
            times.append(times[-1] + self.rng.randrange(80_000, 700_000))
        for index, t_ns in enumerate(times):
            self._push_edge(seat, Kind.UP if index % 2 else Kind.DOWN, t_ns)

    def button_free_ns(self, seat: Seat) -> int:
        """From when on the seat's button can be pressed anew."""
        return self._buttons[seat].free_ns

    def say(self, word: str, *, who: str = "host", seat: Seat | None = None, card: Card | None = None) -> None:
        """Somebody tells the referee something now."""
        call = Call(t_ns=self.now_ns, word=word, who=who, seat=seat, card=card)
        heapq.heappush(self._calls, (self.now_ns, self._next(), call))

    def calls_until(self, t_ns: int) -> list[Call]:
        """Words that were said by `t_ns`, each once, in order."""
        found = []
        while self._calls and self._calls[0][0] <= t_ns:
            found.append(heapq.heappop(self._calls)[2])
        return found

    # cards and arms

    def lies(self, t_ns: int) -> list[Piece]:
        """What lies in the middle at `t_ns`, lowest first."""
        return [thing.piece for thing in self.lying if thing.lies(t_ns)]

    def shows(self, t_ns: int) -> list[Piece]:
        """What lies anywhere on the table at `t_ns`, lowest first."""
        return [thing.piece for thing in (*self.aside, *self.lying) if thing.lies(t_ns)]

    def top(self) -> Piece | None:
        """The uppermost card now."""
        pieces = self.lies(self.now_ns)
        return pieces[-1] if pieces else None

    def arms(self, t_ns: int) -> list[Reach]:
        """The arms that are out at `t_ns`."""
        return [reach for _, reach in self.reaches if reach.is_on(t_ns)]

    def in_flight(self) -> list[tuple[Seat, Reach]]:
        """Arms on their way in with cards to lay."""
        return [(seat, reach) for seat, reach in self.reaches if reach.lays and reach.touch_ns > self.now_ns]

    def is_anybody_near(self, but: Seat) -> bool:
        """Whether another seat's arm is near the pile, or will be within the half second that a reach takes."""
        soon = self.now_ns + 600 * MS
        return any(seat != but and start < soon and end > self.now_ns for seat, start, end in self.near[-12:])

    def is_claimable(self, slap_ns: int) -> bool:
        """Whether a slap at that moment could pass for the slap of a card that somebody else has laid or is laying."""
        odd = any(reach.is_odd and abs(reach.touch_ns - slap_ns) < 2000 * MS for _, reach in self.reaches)
        return odd or any(
            abs(slap_ns - touch_ns) < abs(own_ns - touch_ns) + 100 * MS for _, touch_ns, own_ns in self.slaps[-6:]
        )

    def new_key(self) -> int:
        """A number for one laying of one card."""
        return self._next()

    def bring(
        self, seat: Seat, reach: Reach, *, slap_ns: int | None, planned: str, done: Callable[[list[TrueLay]], None]
    ) -> None:
        """The seat's arm sets out with cards; they are laid when it arrives."""
        self.moving.update(piece.card for piece in reach.brings)
        self._set_out(seat, reach)
        self.at(reach.touch_ns, lambda: done(self._touch(seat, reach, slap_ns, planned)))

    def fetch(self, seat: Seat, reach: Reach, taken: Callable[[list[Piece]], None]) -> None:
        """The seat's arm sets out to take up what `reach` fetches; `taken` is told what it really got."""
        self._set_out(seat, reach)
        self.at(reach.leave_ns, lambda: taken(self._take(reach)))

    def reach_in(self, seat: Seat, reach: Reach) -> None:
        """The seat's arm sets out, and lays nothing by itself."""
        self._set_out(seat, reach)

    def put(self, piece: Piece) -> None:
        """A card lies on the table now, outside the pile."""
        self.aside.append(Lying(piece, self.now_ns))

    def drop(self, piece: Piece) -> None:
        """A card lies on the pile now, face down: nobody knows yet what it is."""
        self.lying.append(Lying(piece, self.now_ns))

    def turn_up(self, seat: Seat, key: int, *, slap_ns: int, planned: str) -> list[TrueLay]:
        """A card that lay face down is turned up, and thereby laid."""
        [thing] = [thing for thing in self.lying if thing.piece.key == key]
        thing.piece = replace(thing.piece, is_face_up=True)
        return self._judge(seat, (thing.piece,), slap_ns, planned)

    def move(self, places: Mapping[int, Place]) -> None:
        """Cards of the pile are pushed to other places."""
        for thing in self.lying:
            if thing.piece.key in places and thing.until_ns is None:
                thing.piece = replace(thing.piece, place=places[thing.piece.key])

    def forget_old(self, t_ns: int) -> list[Reach]:
        """Drops arms that left before `t_ns`; returns them."""
        old = [reach for _, reach in self.reaches if reach.end_ns < t_ns]
        self.reaches = [(seat, reach) for seat, reach in self.reaches if reach.end_ns >= t_ns]
        self.lying = [thing for thing in self.lying if thing.until_ns is None or thing.until_ns >= t_ns]
        self.aside = [thing for thing in self.aside if thing.until_ns is None or thing.until_ns >= t_ns]
        return old

    def _set_out(self, seat: Seat, reach: Reach) -> None:
        self.stirred_ns = self.now_ns
        self.reaches.append((seat, reach))
        if math.hypot(*reach.tip) < _NEAR_MM:
            self.near.append((seat, *reach.near_ns()))

    def _touch(self, seat: Seat, reach: Reach, slap_ns: int | None, planned: str) -> list[TrueLay]:
        self.lying += [Lying(piece, self.now_ns) for piece in reach.brings]
        return self._judge(seat, reach.brings, slap_ns, planned)

    def _judge(self, seat: Seat, pieces: Sequence[Piece], slap_ns: int | None, planned: str) -> list[TrueLay]:
        lays = []
        for index, piece in enumerate(pieces):
            self.moving.discard(piece.card)
            code = self.book.lay(seat, piece.card, is_extra=index > 0)
            slap = slap_ns if index == 0 else None
            lays.append(TrueLay(piece.key, piece.card, seat, self.now_ns, self.now_ns, code, slap, planned))
        self.lays += lays
        self.notify()
        return lays

    def _take(self, reach: Reach) -> list[Piece]:
        keys, got = {piece.key for piece in reach.fetches}, []
        for thing in (*self.lying, *self.aside):
            if thing.piece.key in keys and thing.until_ns is None:
                thing.until_ns = self.now_ns
                got.append(thing.piece)
        return got

    def _push_edge(self, seat: Seat, kind: Kind, t_ns: int) -> None:
        number = self._next()
        edge = Edge(seat=seat, source=SOURCE, kind=kind, t_ns=t_ns, within_ns=50_000, number=number)
        self.buttons.add(edge)

    def _next(self) -> int:
        self._count += 1
        return self._count
