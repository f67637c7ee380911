"""Chooses what goes wrong next, and lets it happen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from cardtable.simulated.hard.furniture import Furniture
from cardtable.simulated.hard.laying import OddLays
from cardtable.simulated.hard.meddling import Meddlers
from cardtable.simulated.party import Party
from cardtable.simulated.scene import Scene

_FIRST_MS, _GAP_MS, _AGAIN_MS = (2500, 4500), (900, 2600), 150


class Hardships:
    """One thing after the other goes wrong; each comes up once before any comes up again."""

    def __init__(self, party: Party, scene: Scene, rng: random.Random) -> None:
        furniture, meddlers, lays = Furniture(party.world, scene, rng), Meddlers(party, rng), OddLays(party, rng)
        self.done: Counter[str] = Counter()
        """How often each has happened."""
        self._party, self._rng = party, rng
        self._plans: dict[str, Callable[[], bool]] = {
            "bump": furniture.bump,
            "lamp": furniture.switch_lamp,
            "resting-hand": meddlers.rest,
            "hovering-hand": meddlers.hover,
            "card-aside": meddlers.lay_aside,
            "knocked-apart": meddlers.knock_apart,
            "squared-up": meddlers.square_up,
            "two-hands": lays.two_at_once,
            "face-down": lays.face_down,
            "half-outside": lays.half_outside,
        }
        self._bag: list[str] = []

    def start(self) -> None:
        """From now on things go wrong."""
        self._party.world.after(self._rng.uniform(*_FIRST_MS), self._next)

    def _next(self) -> None:
        if self._party.over_ns is not None:
            return
        is_done = self._try(self._draw())
        self._party.world.after(self._rng.uniform(*_GAP_MS) if is_done else _AGAIN_MS, self._next)

    def _draw(self) -> str:
        if not self._bag:
            self._bag = self._rng.sample(sorted(self._plans), len(self._plans))
        return self._bag.pop()

    def _try(self, kind: str) -> bool:
        if self._plans[kind]():
            self.done[kind] += 1
            return True
        self._bag.insert(0, kind)
        return False
