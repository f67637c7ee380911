"""What a table does with its buttons beside the game: seats by slapping, and the test whether all are alike.

While a drill runs its presses are not the game's.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.events import Press
from engine.seats import Seat
from hardware.fairness import LATEST_NS, TIMES, SeatTimes, fairness
from hardware.seating import Button, Seating
from hardware.signals import Signal

MS = 1_000_000
FIRST_CUE_NS = 3_000 * MS
"""Time to put a hand on the button."""
PAUSE_NS = (500 * MS, 2_500 * MS)
"""Between the last moment for an answer and the next cue, so that nobody can count along."""
CUE_NS = 1_000 * MS
"""So long the cue is shown."""


@dataclass(frozen=True, slots=True)
class SeatingView:
    """Who sits, and who is to slap now."""

    next_seat: Seat | None
    seated: tuple[tuple[Button, Seat], ...]


@dataclass(frozen=True, slots=True)
class FairnessView:
    """How far the test has come, and what it has found up to now."""

    cues: int
    of: int
    is_cue: bool
    """Slap!"""
    times: tuple[SeatTimes, ...]

    @property
    def is_over(self) -> bool:
        """Whether every cue has been given and answered."""
        return self.cues == self.of and not self.is_cue


class Drill(Protocol):
    """Takes the presses in place of the game."""

    def take(self, press: Press) -> None:
        """A button was pressed."""
        ...

    def pass_to(self, now_ns: int) -> None:
        """Time has come to `now_ns`."""
        ...

    def view(self) -> SeatingView | FairnessView:
        """What a page shows."""
        ...

    def signals(self) -> Mapping[Seat, Signal]:
        """What the lamps show instead of the game's signals."""
        ...


class SeatingDrill:
    """Everybody slaps in the order of the seats."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seating = Seating(seats)

    def take(self, press: Press) -> None:
        """The next seat is this button's, unless it has one."""
        self.seating.take(press)

    def pass_to(self, now_ns: int) -> None:
        """Nothing depends on time."""

    def view(self) -> SeatingView:
        """Who sits, and who is to slap."""
        return SeatingView(self.seating.next_seat, tuple(self.seating.seated.items()))

    def signals(self) -> Mapping[Seat, Signal]:
        """Nobody's lamp is known yet but those of who sits."""
        return dict.fromkeys(self.seating.seated.values(), Signal.FIRST)


class FairnessDrill:
    """All lamps are lit at moments that nobody can foresee, and everybody slaps."""

    def __init__(self, seats: Sequence[Seat], *, now_ns: int, seed: int, times: int = TIMES) -> None:
        """The first cue comes three seconds after `now_ns`."""
        self._seats, self._of = tuple(seats), times
        self._chance = random.Random(seed)
        self._next_ns = now_ns + FIRST_CUE_NS
        self._now_ns = now_ns
        self._cues: list[int] = []
        self._presses: list[Press] = []

    def take(self, press: Press) -> None:
        """An answer to the last cue, perhaps."""
        self._presses.append(press)

    def pass_to(self, now_ns: int) -> None:
        """Lights the lamps when it is time: the cue is the moment at which that is asked of them."""
        self._now_ns = now_ns
        if now_ns >= self._next_ns and len(self._cues) < self._of:
            self._cues.append(now_ns)
            self._next_ns = now_ns + LATEST_NS + self._chance.randint(*PAUSE_NS)

    def view(self) -> FairnessView:
        """How far it has come."""
        return FairnessView(len(self._cues), self._of, self._is_within(LATEST_NS), fairness(self._cues, self._presses))

    def signals(self) -> Mapping[Seat, Signal]:
        """The cue."""
        return dict.fromkeys(self._seats, Signal.FIRST if self._is_within(CUE_NS) else Signal.NOTHING)

    def _is_within(self, span_ns: int) -> bool:
        return bool(self._cues) and self._now_ns - self._cues[-1] < span_ns
