"""Rulings: what the referee decided, on what grounds."""

from __future__ import annotations

from typing import NamedTuple

from engine.seats import Seat

Detail = str | int | None


class Ruling(NamedTuple):
    """One decision. `code` is stable, lower case with hyphens; sentences in each language hang on it."""

    code: str
    seat: Seat | None = None
    """Whom it is about."""
    points: int = 0
    because: tuple[int, ...] = ()
    """Log numbers of the events that it rests on."""
    detail: tuple[tuple[str, Detail], ...] = ()
    """Named values that the sentence uses, e.g. `("card", "10H")`, `("needed", "9")`."""
    paragraph: str = ""
    """Where the rules say so, e.g. `§4`."""
    is_foul: bool = False
    """Whether it is a ruling against the seat."""

    def get(self, name: str) -> Detail:
        """The detail called `name`, or None."""
        return next((value for key, value in self.detail if key == name), None)
