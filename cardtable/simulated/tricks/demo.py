"""`cardtable demo debertz` and `ton`: a game at the simulated table, every ruling compared with the truth."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from cardtable.session import Update
from cardtable.simulated.debertz.people import People as DebertzPeople
from cardtable.simulated.deeds import Deeds
from cardtable.simulated.pictured import open_table
from cardtable.simulated.ton.people import People as TonPeople
from cardtable.simulated.tricks.people import TrickPeople
from cardtable.simulated.tricks.table import AtTable, Gestures
from cardtable.simulated.truth import Comparison, Difference
from engine.events import CardLaid
from engine.rules import Audience, Option, Setup
from engine.rulings import Detail
from engine.seats import Seat, seats

_DEALS = 60
"""Nobody needs as many to win."""
_MISCHIEF = 0.06


class Casting(NamedTuple):
    """What a trick game needs to be played at the simulated table."""

    people: type[TrickPeople]
    most: int
    """How many can play."""
    gestures: Gestures
    options: dict[str, Option]


CASTS: dict[str, Casting] = {
    "debertz": Casting(
        DebertzPeople,
        2,
        {
            ("first-round", "play"): "tap",
            ("", "pass"): "hold",
            ("", "drawn"): "tap",
            ("", "nothing-more"): "hold",
            ("", "bella"): "double",
        },
        {},
    ),
    "ton": Casting(
        TonPeople,
        5,
        {("", "staked"): "tap", ("", "take"): "tap", ("", "exchanged"): "tap", ("", "in"): "tap", ("", "out"): "hold"},
        {"others": "optional"},
    ),
}


class TrickDemo:
    """One party: table, people and the session that referees them; has what `cardtable.simulated.demo.Demo` has."""

    def __init__(self, game: str, names: tuple[str, ...], *, seed: int, lays: int | None = None) -> None:
        rng, cast = random.Random(f"demo {game} {seed}"), CASTS[game]
        around = seats(rng.randint(2, cast.most))
        setup = Setup(around, names[: len(around)], rng.choice(around), cast.options)
        self.game, self.seed = game, seed
        self.table, self.session = open_table(game, setup, seed=seed)
        self._most = lays
        self._deeds = Deeds(lambda: self.people.play(deals=_DEALS))
        self.table.on_frame = lambda _: self._deeds.pause()
        self.at = AtTable(self.table, self.session, rng, cast.gestures)
        self.people = cast.people(self.at, rng, _MISCHIEF)
        self._accused: set[tuple[int, str, Seat, Detail]] = set()
        """Every foul that was told, also one that was taken back: the event's number, code, seat, trick or sequence."""
        self.session.subscribe(self._listen)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or enough cards were laid."""
        return self._deeds.is_over or (self._most is not None and len(self.table.waits_ms) >= self._most)

    def step(self) -> None:
        """One picture further."""
        self._deeds.step()

    def compare(self) -> Comparison:
        """The party against the truth."""
        self.table.note_phantoms()
        found = [Difference("wrong" if ruled else "missed", str(true), str(ruled)) for true, ruled in self._differing()]
        return Comparison((), (*self.table.differences, *found, *self._fouls()), self.table.questions)

    def summary(self, comparison: Comparison) -> dict[str, Any]:
        """The last line of `cardtable demo --headless`."""
        p50, p95 = (round(float(v), 1) for v in np.percentile(self.table.waits_ms or [0.0], (50, 95)))
        return {
            "game": self.game,
            "seed": self.seed,
            "lays": len(self.table.waits_ms),
            "deals": self.people.deals,
            "fouls": self.people.due.total(),
            "missed": comparison.count("missed"),
            "wrong": comparison.count("wrong"),
            "questions": comparison.questions,
            "latency_ms": {"p50": p50, "p95": p95},
        }

    def farewell(self) -> str:
        """Who has won."""
        board = self.session.referee.view(Audience())
        totals = ", ".join(f"{view.player} {view.score}" for view in board.seats)
        return f"The game is over: {totals}."

    def _listen(self, update: Update) -> None:
        for told in update.told:
            for ruling in told.rulings:
                if ruling.is_foul and ruling.seat is not None:
                    about = ruling.get("trick") or ruling.get("meld")
                    self._accused.add((told.number, ruling.code, ruling.seat, about))

    def _differing(self) -> Iterator[tuple[object, object]]:
        """What people found wrong as it was ruled, and cards that are ruled otherwise in the end."""
        yield from self.people.differences
        history = self.session.referee.history()
        lays = {told.event.lay: told for told in history if isinstance(told.event, CardLaid)}
        for true, lay in zip(self.people.verdicts, self.at.laid, strict=False):
            told = lays.get(lay)
            verdict = told.rulings[0] if told is not None and told.rulings else None
            ruled = (
                str(getattr(told and told.event, "card", "")),
                verdict and (verdict.seat or ""),
                verdict and verdict.code,
            )
            if true != ruled:
                yield true, ruled

    def _fouls(self) -> Iterator[Difference]:
        heard = Counter((code, str(seat)) for _, code, seat, _ in self._accused)
        due = +self.people.due
        if self._most is None:
            yield from (Difference("missed", str(foul), "") for foul in (due - heard).elements())
        yield from (Difference("wrong", "", str(foul)) for foul in (heard - due).elements())
