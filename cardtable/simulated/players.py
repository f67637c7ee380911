"""People who play Bong with real hands: they know their cards, look, think, reach, slap, and make mistakes."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import partial

from cardtable.simulated.book import Phase
from cardtable.simulated.camera import Place
from cardtable.simulated.hands import Arm
from cardtable.simulated.placing import COVER_MM, GRIP_MM, choose_place, fanned, toward
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.world import MS, TrueLay, World
from engine.cards import Card, Rank
from engine.seats import Seat

FRESH_MS = 700
"""A card laid less than this ago is still being looked at."""
SLAP_MS = (-150.0, 60.0)
TOO_LATE_MS = 560
"""Somebody who sees another's card land this long before his own would keeps it."""


GIVES_WAY_MS = 330
"""A hand that meets another over the pile waits until that one has let go: two hands do not fit in one place."""
HOLD_MS = 800
CLEAR_MS = 70
"""No card lands this close to a "no card": which came first could not be told from pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a card is laid."""

    planned: str = "lay"
    """What it is meant to be; the name of a mistake or a hardship."""
    slap_ms: tuple[float, float] | None = SLAP_MS
    """From when until when after the touch the button goes down; None: never."""
    pose: str = "grip"
    stay_ms: float | None = None
    """How long the hand stays; None: as hands do."""
    place: Place | None = None
    """There and nowhere else; None: untidily in the middle."""
    reach_ms: float | None = None
    """So long the hand takes, giving way to nobody; None: as hands do."""


USUAL = Manner()


class Player:
    """One person at one seat."""

    def __init__(self, world: World, seat: Seat, direction: float, seed: int) -> None:
        """`direction` is the seat's, seen from the pile, in degrees clockwise from the picture's right."""
        self.world, self.seat = world, seat
        self.rng = random.Random(f"player {seed} {seat}")
        self.turn = direction - 90
        self.arm = Arm.of_someone(self.rng)
        self.pace = self.rng.uniform(0.85, 1.25)
        self.busy_ns = 0
        """Until when the laying arm is out."""
        self.fouls: list[TrueLay] = []
        """Own cards in the pile that should not be there."""
        self.is_done = False
        """Lays and says nothing more."""
        self.is_thinking = False
        """Whether something is intended."""
        self._thought = 0

    # looking and thinking

    def think_of(self, wait_ms: float, do: partial[None]) -> None:
        """Will `do` after a while, unless something else comes to mind before."""
        self.forget()
        if self.is_done:
            return
        self.is_thinking = True
        self.world.after(wait_ms, partial(self._if_still, self._thought, do))

    def _if_still(self, thought: int, do: partial[None]) -> None:
        if thought == self._thought and not self.is_done:
            self.is_thinking = False
            do()

    def forget(self) -> None:
        """Whatever was intended is off."""
        self._thought += 1
        self.is_thinking = False

    def human_ms(self, median: float, spread: float = 0.35) -> float:
        """A human delay around `median`."""
        return median * self.pace * self.rng.lognormvariate(0, spread)

    def cards_to_lay(self) -> list[Card]:
        """Cards in hand that the race needs now."""
        return sorted((c for c in self.hand if c.rank == self.world.book.needed), key=str)

    @property
    def hand(self) -> set[Card]:
        """The cards really in hand."""
        return self.world.book.hands[self.seat] - self.world.moving

    # pressing

    def tap(self, *, wait_ms: float = 0) -> int:
        """Taps the button, in `wait_ms` or as soon as it is free; returns when."""
        at_ns = max(self.world.now_ns + round(wait_ms * MS), self.world.button_free_ns(self.seat))
        self.world.press(self.seat, at_ns=at_ns, length_ms=self.rng.uniform(60, 170))
        return at_ns

    def hold(self) -> int:
        """Holds the button long enough to mean "no card"; returns when it counts as held."""
        at_ns = max(self.world.now_ns, self.world.button_free_ns(self.seat))
        self.world.press(self.seat, at_ns=at_ns, length_ms=self.rng.uniform(930, 1300))
        self.world.holds.append(at_ns + HOLD_MS * MS)
        return self.world.holds[-1]

    # laying

    def lay(self, cards: list[Card], manner: Manner = USUAL) -> bool:
        """Sets out to lay `cards`, the first lowest. False: not possible now."""
        world = self.world
        start = world.now_ns
        touch = start + round((manner.reach_ms or self.rng.uniform(320, 470)) * MS)
        if manner.reach_ms is None:
            touch = self._giving_way(touch)
        if not self.is_free(touch):
            return False
        slap_ns = None if manner.slap_ms is None else self.slap_for(touch, manner.slap_ms)
        if manner.slap_ms is not None and slap_ns is None:
            return False
        self.forget()
        leave = touch + round((manner.stay_ms or self.rng.uniform(50, 200)) * MS)
        reach = Reach(
            arm=self.arm,
            turn=self.turn + self.rng.gauss(0, 4),
            tip=(0.0, 0.0),
            start_ns=start,
            touch_ns=touch,
            leave_ns=leave,
            end_ns=leave + round(self.rng.uniform(380, 520) * MS),
            pose=manner.pose,
            is_odd=manner.slap_ms is None or len(cards) > 1,
        )
        reach = self._aimed(reach, cards, manner.place)
        self.busy_ns = reach.end_ns
        if slap_ns is not None:
            self.slap(touch, slap_ns)
        world.bring(self.seat, reach, slap_ns=slap_ns, planned=manner.planned, done=self.note)
        return True

    def slap(self, touch_ns: int, slap_ns: int) -> None:
        """Will press at `slap_ns` for the card that lands at `touch_ns`."""
        self.world.slaps.append((self.seat, touch_ns, slap_ns))
        self.world.press(self.seat, at_ns=slap_ns, length_ms=self.rng.uniform(60, 170))

    def _aimed(self, reach: Reach, cards: list[Card], place: Place | None) -> Reach:
        world = self.world
        fresh = [lying.piece for lying in world.lying if lying.from_ns > world.now_ns - FRESH_MS * MS]
        fresh += [piece for _, other in world.in_flight() for piece in other.brings]
        place = place or choose_place(self.rng, reach.turn, fresh)
        places = [place, fanned(self.rng, place, reach.turn)][: len(cards)]
        pieces = tuple(Piece(card, where, world.new_key()) for card, where in zip(cards, places, strict=True))
        back = -GRIP_MM if reach.pose == "grip" else COVER_MM
        dx, dy = toward(reach.turn, back)
        return replace(reach, tip=(place.x_mm + dx, place.y_mm + dy), brings=pieces)

    def _giving_way(self, touch_ns: int) -> int:
        """The touch, put off until the hands of others are out of the way: two hands do not fit in one place."""
        for other in sorted(reach.touch_ns for seat, reach in self.world.in_flight() if seat != self.seat):
            if abs(other - touch_ns) < GIVES_WAY_MS * MS:
                touch_ns = other + round(self.rng.uniform(GIVES_WAY_MS, 1.4 * GIVES_WAY_MS) * MS)
        return touch_ns

    def is_free(self, touch_ns: int) -> bool:
        """Whether arm and button are free, nobody covers the pile, and no other card lands long before this one."""
        world = self.world
        if self.busy_ns > world.now_ns or world.button_free_ns(self.seat) > world.now_ns:
            return False
        for seat, reach in world.reaches:
            covers = reach.covers and reach.leave_ns > world.now_ns
            lands = reach.lays and world.now_ns < reach.touch_ns < touch_ns - TOO_LATE_MS * MS
            if seat != self.seat and (covers or lands):
                return False
        return all(abs(hold_ns - touch_ns) > CLEAR_MS * MS for hold_ns in world.holds[-6:])

    def slap_for(self, touch_ns: int, slap_ms: tuple[float, float] = SLAP_MS) -> int | None:
        """When the button goes down: in the same motion as the card, so that slaps come in the order of the cards.

        None: another card is to land later than this one, yet was slapped already.
        """
        low, high = slap_ms
        slap = touch_ns + round(max(low, min(high, self.rng.gauss((low + high) / 2, 45))) * MS)
        others = [(touch, own) for seat, touch, own in self.world.slaps[-8:] if seat != self.seat]
        earliest = max([own for touch, own in others if touch_ns - 900 * MS < touch <= touch_ns], default=0)
        latest = min([own for touch, own in others if touch > touch_ns], default=touch_ns + 1000 * MS)
        earliest, latest = max(earliest + 6 * MS, self.world.now_ns), latest - 6 * MS
        return None if earliest > latest else max(earliest, min(latest, slap))

    def note(self, lays: list[TrueLay]) -> None:
        """Remembers which of the own cards should not lie there."""
        self.fouls += [lay for lay in lays if lay.code != "ok"]

    # taking back

    def hears_foul(self, lay: TrueLay) -> None:
        """The screen says that this card goes back."""
        self.world.after(self.human_ms(650), partial(self.take_back, lay, 0))

    def take_back(self, lay: TrueLay, tries: int) -> None:
        """Reaches for the own foul card; a card that was covered meanwhile stays until there is time to dig it out."""
        world = self.world
        if lay.card not in world.book.owed or tries > 60 or world.book.phase in (Phase.GATHER, Phase.OVER):
            return
        if self.busy_ns > world.now_ns or self._is_crowded():
            world.after(150, partial(self.take_back, lay, tries + 1))
            return
        thing = next((t for t in world.lying if t.piece.key == lay.key and t.until_ns is None), None)
        if thing is not None:
            self._fetch(thing.piece, lay)

    def _is_crowded(self) -> bool:
        """Whether another arm is over the pile now or about to be."""
        now = self.world.now_ns
        return any(
            seat != self.seat and reach.start_ns <= now < reach.leave_ns + 120 * MS
            for seat, reach in self.world.reaches
        )

    def _fetch(self, piece: Piece, lay: TrueLay) -> None:
        world = self.world
        start, touch = world.now_ns, world.now_ns + round(self.rng.uniform(330, 480) * MS)
        leave = touch + round(self.rng.uniform(60, 140) * MS)
        turn = self.turn + self.rng.gauss(0, 4)
        dx, dy = toward(turn, -GRIP_MM - 8)
        reach = Reach(
            arm=self.arm,
            turn=turn,
            tip=(piece.place.x_mm + dx, piece.place.y_mm + dy),
            start_ns=start,
            touch_ns=touch,
            leave_ns=leave,
            end_ns=leave + round(self.rng.uniform(420, 560) * MS),
            fetches=(piece,),
        )
        self.busy_ns = reach.end_ns
        world.fetch(self.seat, reach, partial(self._took, lay))

    def _took(self, lay: TrueLay, pieces: list[Piece]) -> None:
        world = self.world
        if not pieces or lay.card not in world.book.owed:
            return
        was_buried = any(t.from_ns > lay.touch_ns and t.until_ns is None for t in world.lying)
        world.book.take_back(lay.card)
        self.fouls = [foul for foul in self.fouls if foul.key != lay.key]
        if was_buried:
            # Nobody can be sure that the camera saw it: he shows it to the host.
            world.after(self.rng.uniform(600, 1200), partial(world.say, "taken", seat=self.seat, card=lay.card))
        world.notify()


def neighbours(rank: Rank) -> tuple[Rank, Rank]:
    """The ranks just below and above, round the corner."""
    return Rank(2 + (rank - 3) % 13), Rank(2 + (rank - 1) % 13)
