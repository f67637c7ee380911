"""A pot and the purses it is filled from: points that always add up to nothing."""

from __future__ import annotations

from typing import NamedTuple

from engine.seats import added


class Pot(NamedTuple):
    """What lies in the middle, and what each place at the table has won (or paid, below zero) so far."""

    holds: int
    purses: tuple[int, ...]

    @classmethod
    def empty(cls, places: int) -> Pot:
        """Nothing paid yet."""
        return cls(0, (0,) * places)

    def paid_by(self, place: int, amount: int) -> Pot:
        """That place has put `amount` in."""
        return Pot(self.holds + amount, added(self.purses, place, -amount))

    def paid_to(self, place: int, amount: int) -> Pot:
        """That place has taken `amount` out, or as much of it as there was."""
        paid = min(amount, self.holds)
        return Pot(self.holds - paid, added(self.purses, place, paid))

    def taken_by(self, place: int) -> Pot:
        """That place has taken everything."""
        return self.paid_to(place, self.holds)
