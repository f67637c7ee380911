"""`cardtable demo ochko`: some rounds at the simulated table, every ruling compared with the truth."""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import numpy as np

from cardtable.session import Update
from cardtable.simulated.deeds import Deeds
from cardtable.simulated.ochko.people import People
from cardtable.simulated.ochko.table import AtRows
from cardtable.simulated.pictured import open_table
from cardtable.simulated.truth import Comparison, Difference
from engine.rules import Setup
from engine.seats import Seat, seats

VERDICTS = ("punter-wins", "banker-wins", "push")
_ROUNDS = 5


class OchkoDemo:
    """One party: table, people and the session that referees them; has what `cardtable.simulated.demo.Demo` has."""

    def __init__(self, names: tuple[str, ...], *, seed: int, lays: int | None = None) -> None:
        rng = random.Random(f"demo ochko {seed}")
        around = seats(rng.randint(2, 5))
        banker = rng.choice(around)
        setup = Setup(around, names[: len(around)], banker)
        self.game, self.seed = "ochko", seed
        self.table, self.session = open_table(self.game, setup, seed=seed)
        self.people = People(AtRows(self.table, self.session, rng), around, banker, rng)
        self._most = lays
        self._deeds = Deeds(lambda: deque(self.people.play(_ROUNDS), maxlen=0))
        self.table.on_frame = lambda _: self._deeds.pause()
        self._accused: dict[tuple[int, str], Seat] = {}
        """Every foul that was told, also one that was taken back: the event's number, code, seat."""
        self.session.subscribe(self._listen)

    @property
    def is_over(self) -> bool:
        """Whether the players have stopped, or enough cards were laid."""
        return self._deeds.is_over or (self._most is not None and len(self.table.waits_ms) >= self._most)

    def step(self) -> None:
        """One picture further."""
        self._deeds.step()

    def compare(self) -> Comparison:
        """The party against the truth; one that was cut short only as far as its duels went."""
        self.table.note_phantoms()
        found = [*self.table.differences, *self._verdicts(), *self._fouls()]
        if self._most is None:
            found += self._money()
        return Comparison((), tuple(found), self.table.questions)

    def summary(self, comparison: Comparison) -> dict[str, Any]:
        """The last line of `cardtable demo --headless`."""
        p50, p95 = (round(float(v), 1) for v in np.percentile(self.table.waits_ms or [0.0], (50, 95)))
        return {
            "game": self.game,
            "seed": self.seed,
            "lays": len(self.table.waits_ms),
            "duels": len(self.people.book.verdicts),
            "fouls": self.people.book.fouls.total(),
            "missed": comparison.count("missed"),
            "wrong": comparison.count("wrong"),
            "questions": comparison.questions,
            "latency_ms": {"p50": p50, "p95": p95},
        }

    def farewell(self) -> str:
        """Who has won what."""
        setup, purses = self.session.plan.setup, self.people.book.purses
        won = (f"{player} {purses[seat]:+d}" for seat, player in zip(setup.seats, setup.players, strict=True))
        return f"The players stop: {', '.join(won)}."

    def _listen(self, update: Update) -> None:
        for told in update.told:
            for ruling in told.rulings:
                if ruling.is_foul and ruling.seat is not None:
                    self._accused[told.number, ruling.code] = ruling.seat

    def _verdicts(self) -> Iterator[Difference]:
        told = (ruling for told in self.session.referee.history() for ruling in told.rulings)
        ruled = [(ruling.seat, ruling.code, ruling.points) for ruling in told if ruling.code in VERDICTS]
        due = self.people.book.verdicts[: len(ruled)] if self._most is not None else self.people.book.verdicts
        for true, heard in zip_longest(due, ruled):
            if true != heard:
                yield Difference("wrong" if heard else "missed", str(true), str(heard))

    def _fouls(self) -> Iterator[Difference]:
        heard = Counter((code, seat) for (_, code), seat in self._accused.items())
        due = self.people.book.fouls
        if self._most is None:
            yield from (Difference("missed", str(foul), "") for foul in (due - heard).elements())
        yield from (Difference("wrong", "", str(foul)) for foul in (heard - due).elements())

    def _money(self) -> Iterator[Difference]:
        pot, book = self.session.referee.state.pot, self.people.book
        true = (book.bank, *(book.purses[seat] for seat in self.session.plan.setup.seats))
        if (pot.holds, *pot.purses) != true:
            yield Difference("wrong", str(true), str((pot.holds, *pot.purses)))
