"""Notes what the referee tells and asks, and when, as somebody at the table would hear it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cardtable.session import Update
from engine.events import CardLaid
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat


@dataclass(slots=True)
class Heard:
    """What was told of one laid card."""

    laid: CardLaid
    """As it stood last."""
    rulings: tuple[Ruling, ...]
    first_ns: int
    """When it was first ruled on."""

    @property
    def seats(self) -> frozenset[Seat]:
        """Whose lay it is: as attributed, or where only one seat could have laid it, as ruled."""
        verdict = self.rulings[0] if self.rulings else None
        if len(self.laid.seats) != 1 and verdict is not None and verdict.seat is not None:
            return frozenset((verdict.seat,))
        return self.laid.seats


class Witness:
    """A listener of the session."""

    def __init__(self, clock_ns: Callable[[], int]) -> None:
        self.lays: dict[int, Heard] = {}
        """By the camera's number of the lay."""
        self.others: dict[int, tuple[Ruling, ...]] = {}
        """Rulings on everything else, by log number."""
        self.asked: list[tuple[Question, int]] = []
        """Every question once, and when it came up."""
        self._clock_ns = clock_ns

    def listen(self, update: Update) -> None:
        """Takes in an update."""
        for told in update.told:
            if isinstance(told.event, CardLaid):
                known = self.lays.get(told.event.lay)
                first_ns = known.first_ns if known else self._clock_ns()
                self.lays[told.event.lay] = Heard(told.event, told.rulings, first_ns)
            else:
                self.others[told.number] = told.rulings

    def hear(self, question: Question) -> bool:
        """Notes a question; False when it was asked before."""
        if any(known.about == question.about and known.kind == question.kind for known, _ in self.asked):
            return False
        self.asked.append((question, self._clock_ns()))
        return True

    def lay_of(self, number: int) -> Heard | None:
        """What was told of the card whose event has that log number."""
        return next((heard for heard in self.lays.values() if heard.laid.number == number), None)
