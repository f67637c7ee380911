"""A trick game with hidden hands: what such games share beside the deal itself."""

from __future__ import annotations

from engine import deals
from engine.deals import D
from engine.events import CardLaid, Event
from engine.revokes import by_counting
from engine.rulings import Ruling
from engine.stepping import Stepping

_TELLING = frozenset(("ok", "wrong-seat", "one-card-only", "shows", "shows-card", "rest-shown", "exchanged"))
"""Rulings by which a card becomes known."""


class TrickGame(Stepping[D]):
    """The rules of a trick game; its `effects` hold `deals.trick_effects`."""

    def finds(self, state: D, event: Event, decided: tuple[Ruling, ...]) -> tuple[Ruling, ...]:
        """What is proven by counting, once a card has become known."""
        return tuple(by_counting(state, event.number)) if decided[0].code in _TELLING else ()

    def options(self, state: D, event: Event) -> tuple[Ruling, ...]:
        """What a person may decide instead."""
        if isinstance(event, CardLaid) and state.is_playing:
            return deals.options(state, event)
        return self.judge(state, event)
