"""A trick game with hidden hands: what such games share beside the deal itself."""

from __future__ import annotations

from engine import deals
from engine.deals import D
from engine.events import CardLaid, Event
from engine.rulings import Ruling
from engine.stepping import Stepping


class TrickGame(Stepping[D]):
    """The rules of a trick game; its `effects` hold `deals.trick_effects`."""

    def options(self, state: D, event: Event) -> tuple[Ruling, ...]:
        """What a person may decide instead."""
        if isinstance(event, CardLaid) and state.is_playing:
            return deals.options(state, event)
        return self.judge(state, event)
