"""Where what the players of a trick game do becomes known."""

from __future__ import annotations

from typing import Any, Protocol

from engine.cards import Card
from engine.rules import Setup
from engine.rulings import Ruling


class Hands(Protocol):
    """A table, or the bare rules."""

    setup: Setup

    @property
    def state(self) -> Any:
        """What the referee knows."""
        ...

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie; `is_seen`: whose hand it was is seen."""
        ...

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat shows cards."""
        ...

    def say(
        self, word: str, seat: str, *, card: Card | None = None, cards: tuple[Card, ...] = (), count: int | None = None
    ) -> tuple[Ruling, ...]:
        """A seat, or somebody for it, says so."""
        ...

    def wait(self) -> tuple[Ruling, ...]:
        """Time passes until nothing is waited for."""
        ...
