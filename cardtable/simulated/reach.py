"""One movement of an arm into the middle of the table and back: when it is where, and which cards it moves."""

from __future__ import annotations

import math
from dataclasses import dataclass

from cardtable.simulated.camera import Place
from cardtable.simulated.hands import Arm
from engine.cards import Card

FAR_MM = 620.0
"""How far back an arm is drawn when it is out of the way."""
_NEAR_MM = 230.0
_IN, _OUT = 1.8, 1.7
_SWAY_MM, _SWAY = 5.0, (9.0, 7.0)
"""How far a hand that rests on nothing wavers, and how fast each way, radians a second."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A card that lies, or is held, at a place; `key` tells apart the occasions on which the same card was laid."""

    card: Card
    place: Place
    key: int
    is_face_up: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """An arm comes in, touches, stays, pulls back. All moments in ns of simulated time."""

    arm: Arm
    tip: tuple[float, float]
    """Where the finger tips end up, mm."""
    turn: float
    """Which way the hand points in the picture, degrees clockwise from up."""
    start_ns: int
    touch_ns: int
    """The hand arrives; a card it brings lies where it lies from now on."""
    leave_ns: int
    """The hand begins to pull back; a card it fetches moves from now on."""
    end_ns: int
    pose: str = "grip"
    brings: tuple[Piece, ...] = ()
    fetches: tuple[Piece, ...] = ()
    is_beside: bool = False
    """The hand covers nothing that others want to lay on."""
    keeps: bool = False
    """What it brings stays in its fingers and goes back with it."""
    is_odd: bool = False
    """Something about it makes others hold back for a moment: two cards, or no slap."""

    def distance_mm(self, t_ns: int) -> float:
        """How far the hand is drawn back from its goal."""
        if t_ns < self.touch_ns:
            left = (self.touch_ns - t_ns) / (self.touch_ns - self.start_ns)
            return FAR_MM * float(min(1.0, left) ** _IN)
        if t_ns <= self.leave_ns:
            return 0.0
        gone = min(1.0, (t_ns - self.leave_ns) / (self.end_ns - self.leave_ns))
        return FAR_MM * float(gone**_OUT)

    def offset_mm(self, t_ns: int) -> tuple[float, float]:
        """The same as a shift on the table."""
        back, angle = self.distance_mm(t_ns), math.radians(self.turn)
        sway_x, sway_y = self._sway_mm(t_ns) if self.keeps else (0.0, 0.0)
        return -math.sin(angle) * back + sway_x, math.cos(angle) * back + sway_y

    def _sway_mm(self, t_ns: int) -> tuple[float, float]:
        """A hand in the air is never still."""
        since_s = (t_ns - self.start_ns) / 1e9
        return _SWAY_MM * math.sin(_SWAY[0] * since_s), _SWAY_MM * math.sin(_SWAY[1] * since_s + 1)

    def carried(self, t_ns: int) -> tuple[Piece, ...]:
        """The cards that move with the hand at that moment."""
        if t_ns < self.touch_ns or self.keeps:
            return self.brings
        return self.fetches if t_ns > self.leave_ns else ()

    @property
    def lays(self) -> bool:
        """Whether it comes with cards and goes without them."""
        return bool(self.brings) and not self.keeps

    @property
    def covers(self) -> bool:
        """Whether the hand lies on the pile while it stays."""
        return self.pose == "flat" and not self.is_beside

    def near_ns(self) -> tuple[int, int]:
        """From when until when the hand is near the pile."""
        share = _NEAR_MM / FAR_MM
        early = round((self.touch_ns - self.start_ns) * share ** (1 / _IN))
        late = round((self.end_ns - self.leave_ns) * share ** (1 / _OUT))
        return self.touch_ns - early, self.leave_ns + late

    def is_on(self, t_ns: int) -> bool:
        """Whether the arm is out at all."""
        return self.start_ns <= t_ns < self.end_ns
