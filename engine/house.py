"""House rules: what a game lets a table choose, read and checked in the same way for every game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.errors import BadSetup
from engine.rules import Option, Setup


class Offers(NamedTuple):
    """The options of one game."""

    title: str
    """The game's name as it stands in a sentence, e.g. `Bong`."""
    choices: Mapping[str, tuple[str, ...]]
    """Options that are a choice; the first is the default."""
    numbers: Mapping[str, tuple[int, int, int]]
    """Options that are a whole number: default, least, greatest."""

    def check(self, options: Mapping[str, Option]) -> None:
        """Raises `BadSetup` for an option that the game does not have, or cannot have at that value."""
        for name, value in options.items():
            if name in self.choices:
                self._check_choice(name, value)
            elif name in self.numbers:
                self._check_number(name, value)
            else:
                known = ", ".join(sorted({**self.choices, **self.numbers}))
                raise BadSetup(f"{self.title} has no option {name!r}; there are: {known}")

    def chosen(self, options: Mapping[str, Option]) -> dict[str, str]:
        """Every choice by its name, at its default where `options` says nothing."""
        return {name: _word(options.get(name, values[0])) for name, values in self.choices.items()}

    def counted(self, options: Mapping[str, Option]) -> dict[str, int]:
        """Every number by its name, at its default where `options` says nothing."""
        return {name: int(options.get(name, number[0])) for name, number in self.numbers.items()}

    def check_seats(self, setup: Setup, *, least: int, most: int) -> None:
        """Raises `BadSetup` where players, seats or dealer do not fit."""
        count = len(setup.seats)
        if not least <= count <= most:
            many = f"{least} to {most}" if least < most else f"{least}"
            raise BadSetup(f"{self.title} is for {many} players, not {count}; name them like --players Ann,Boris,Vera")
        if len(setup.players) != count:
            raise BadSetup(f"there are {count} seats but {len(setup.players)} players; name one player for each seat")
        if list(setup.seats) != sorted(set(setup.seats)):
            raise BadSetup(f"seats must be named clockwise, each once, e.g. A B C; not {' '.join(setup.seats)}")
        if setup.dealer is not None and setup.dealer not in setup.seats:
            raise BadSetup(f"the dealer sits at {setup.dealer}, but the seats are {' '.join(setup.seats)}")

    def _check_choice(self, name: str, value: Option) -> None:
        if _word(value) not in self.choices[name]:
            raise BadSetup(f"the option {name} can be {' or '.join(self.choices[name])}, not {value!r}")

    def _check_number(self, name: str, value: Option) -> None:
        _, least, most = self.numbers[name]
        if not str(value).isdecimal() or not least <= int(value) <= most:
            raise BadSetup(f"the option {name} is a whole number from {least} to {most}, not {value!r}")


def _word(value: Option) -> str:
    """`True` in a settings file means the same as the word `true`."""
    return str(value).lower() if isinstance(value, bool) else str(value)
