"""What lies on a table with places, and the arms that move it, moment by moment."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from cardtable.simulated.camera import Place
from cardtable.simulated.hands import ARM_MM, Arm
from cardtable.simulated.placing import GRIP_MM, toward
from cardtable.simulated.reach import FAR_MM, Piece, Reach
from cardtable.simulated.spots import Spots
from cardtable.simulated.world import MS, Lying
from engine.cards import BACK, Card
from engine.seats import Seat

_IN_MS, _STAYS_MS, _OUT_MS = (380, 560), (70, 190), (380, 520)


@dataclass(frozen=True, slots=True, kw_only=True)
class LongReach(Reach):
    """A reach right across the table."""

    far_mm: float = FAR_MM
    """How far back the arm is drawn when it is out of the way."""

    def distance_mm(self, t_ns: int) -> float:
        """How far the hand is drawn back from its goal."""
        return Reach.distance_mm(self, t_ns) * self.far_mm / FAR_MM


class Felt:
    """Cards and arms. A card's `Piece` is what `lay` gives and `take` takes."""

    def __init__(self, spots: Spots, seats: Sequence[Seat], rng: random.Random) -> None:
        self.spots = spots
        self._rng = rng
        self._arms = {seat: Arm.of_someone(rng) for seat in seats}
        self._lying: list[Lying] = []
        self._reaches: list[Reach] = []
        self._keys = 0

    def piece(self, card: Card, place: Place) -> Piece:
        """A card for that place; `BACK`: one that lies face down."""
        self._keys += 1
        return Piece(card, place, self._keys, is_face_up=card is not BACK)

    def lay(self, seat: Seat, pieces: Sequence[Piece], now_ns: int) -> Reach:
        """The seat's arm brings the pieces, the first lowest; they lie from its touch on."""
        reach = self._reach(seat, pieces, now_ns, brings=True)
        self._lying += [Lying(piece, reach.touch_ns) for piece in pieces]
        return reach

    def take(self, seat: Seat, pieces: Sequence[Piece], now_ns: int) -> Reach:
        """The seat's arm takes the pieces away."""
        reach = self._reach(seat, pieces, now_ns, brings=False)
        for lying in self._lying:
            if lying.piece in pieces:
                lying.until_ns = reach.leave_ns
        return reach

    def turn(self, seat: Seat, old: Piece, new: Piece, now_ns: int) -> Reach:
        """The seat's hand turns a card over where it lies."""
        reach = self._reach(seat, [], now_ns, brings=False, at=new.place)
        place = next(place for place, lying in enumerate(self._lying) if lying.piece is old)
        self._lying[place].until_ns = reach.touch_ns - 1
        self._lying.insert(place + 1, Lying(new, reach.touch_ns))
        return reach

    def put(self, piece: Piece, now_ns: int) -> None:
        """Lies there from the beginning."""
        self._lying.append(Lying(piece, now_ns))

    def replace(self, reach: Reach, other: Reach) -> None:
        """The arm moves otherwise than was thought."""
        self._reaches[self._reaches.index(reach)] = other

    def lies(self, t_ns: int) -> list[Piece]:
        """What lies at `t_ns`, lowest first."""
        return [
            one.piece for one in self._lying if one.from_ns <= t_ns and (one.until_ns is None or t_ns <= one.until_ns)
        ]

    def arms(self, t_ns: int) -> list[Reach]:
        """The arms that are out at `t_ns`."""
        return [reach for reach in self._reaches if reach.is_on(t_ns)]

    def forget_old(self, t_ns: int) -> list[Reach]:
        """Drops arms that left before `t_ns`; returns them."""
        old = [reach for reach in self._reaches if reach.end_ns < t_ns]
        self._reaches = [reach for reach in self._reaches if reach.end_ns >= t_ns]
        self._lying = [one for one in self._lying if one.until_ns is None or one.until_ns >= t_ns]
        return old

    def _reach(
        self, seat: Seat, pieces: Sequence[Piece], now_ns: int, *, brings: bool, at: Place | None = None
    ) -> Reach:
        def moment(after_ns: int, ms: tuple[float, float]) -> int:
            return after_ns + round(self._rng.uniform(*ms) * MS)

        x, y = _middle([piece.place for piece in pieces] or [at or Place(0, 0, 0)])
        from_x, from_y = self.spots.shoulder(seat)
        turn = math.degrees(math.atan2(x - from_x, from_y - y)) + self._rng.gauss(0, 2)
        dx, dy = toward(turn, -GRIP_MM)
        touch = moment(now_ns, _IN_MS)
        leave = moment(touch, _STAYS_MS)
        reach = LongReach(
            arm=self._arms[seat],
            turn=turn,
            tip=(x + dx, y + dy),
            start_ns=now_ns,
            touch_ns=touch,
            leave_ns=leave,
            end_ns=moment(leave, _OUT_MS),
            brings=tuple(pieces) if brings else (),
            fetches=() if brings else tuple(pieces),
            far_mm=min(ARM_MM, math.hypot(x - from_x, y - from_y)),
        )
        self._reaches.append(reach)
        return reach


def _middle(places: Sequence[Place]) -> tuple[float, float]:
    return sum(p.x_mm for p in places) / len(places), sum(p.y_mm for p in places) / len(places)
