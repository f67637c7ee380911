"""Numbers of lays: the tracker counts from 1 whenever it starts, the session's numbers are unique all evening."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.cards import Card
from engine.events import CardGone, CardLaid, Event, PileGone


class Numbering:
    """Turns a tracker's lay numbers into the session's, and knows again what lay there before the tracker came."""

    def __init__(self) -> None:
        self._lays: dict[int, int] = {}
        """The session's number by the tracker's."""
        self._before: dict[Card, int] = {}
        """Cards in the pile that this tracker has not reported yet, with the session's number of their lay."""
        self._offset = 0
        self._last = 0

    def restart(self, events: Iterable[Event]) -> None:
        """A new tracker begins with a pile that `events` have left on the table."""
        self._lays.clear()
        for event in events:
            self.note(event)

    def note(self, event: Event) -> None:
        """Something that the tracker did not report was laid or went: a person said so, or it was before."""
        match event:
            case CardLaid(card=card, lay=lay):
                if card.is_known:
                    self._before[card] = lay
                self._offset += max(0, lay - self._last)
                self._last = max(self._last, lay)
            case CardGone(card=card):
                self._before.pop(card, None)
            case PileGone():
                self._before.clear()

    def next(self) -> int:
        """The number for a lay that a person reports."""
        return self._last + 1

    def own(self, event: Event) -> Event | None:
        """The tracker's event with the session's number; None when the session knows that card in the pile already."""
        match event:
            case CardLaid(card=card, lay=lay) if lay not in self._lays and card in self._before:
                self._lays[lay] = self._before.pop(card)
                return None
            case CardLaid(lay=lay, rival=rival):
                number = self._number(lay)
                return replace(event, lay=number, rival=None if rival is None else self._number(rival))
            case CardGone(card=card, lay=lay):
                self._before.pop(card, None)
                return replace(event, lay=self._number(lay))
            case PileGone():
                self._before.clear()
        return event

    def _number(self, lay: int) -> int:
        number = self._lays.setdefault(lay, lay + self._offset)
        self._last = max(self._last, number)
        return number
