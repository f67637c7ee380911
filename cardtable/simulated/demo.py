"""`cardtable demo`: a whole party at the simulated table, compared with the truth or shown on the page."""

from __future__ import annotations

import json as jsonlib
import random
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

import numpy as np

from cardtable.lines import Printer
from cardtable.loop import Loop
from cardtable.session import Session
from cardtable.simulated.host import Host
from cardtable.simulated.table import SimulatedTable, plan_for
from cardtable.simulated.truth import Comparison, compare
from cardtable.simulated.umpire import Umpire
from cardtable.simulated.witness import Witness
from cardtable.simulated.world import MS
from cardtable.watching import open_eyes
from engine.errors import BadSetup
from engine.seats import seats

NAMES = ("Anna", "Boris", "Vera", "Grigori", "Daria", "Yegor")
_SETTLES_NS = 3_000 * MS
_PAUSE_S = 0.05
_STANDSTILL_NS = 60_000 * MS
"""A party in which no card was laid for so long has come to a standstill."""


class Clocked(Protocol):
    """A simulated table."""

    now_ns: int
    """Simulated time."""


class Party(Protocol):
    """A simulated party, from the deal to the end."""

    session: Session

    @property
    def table(self) -> Clocked:
        """Where it is played."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether nothing more happens."""
        ...

    def step(self) -> None:
        """A little further."""
        ...

    def compare(self) -> Comparison:
        """The party so far against the truth."""
        ...

    def summary(self, comparison: Comparison) -> dict[str, Any]:
        """The last line of `cardtable demo --headless`."""
        ...

    def farewell(self) -> str:
        """How it ended."""
        ...


class Demo:
    """One party: table, people, host and the session that referees them."""

    game = "bong"

    def __init__(
        self, names: tuple[str, ...] = NAMES, *, seed: int, lays: int | None = None, is_hard: bool = False
    ) -> None:
        rng = random.Random(f"demo {seed}")
        around = seats(rng.randint(3, 6))
        dealer = rng.choice(around)
        self.seed, self.most = seed, lays
        self.table = SimulatedTable(around, seed=seed, dealer=dealer, is_hard=is_hard)
        self._is_hard = is_hard
        plan = plan_for(self.table, names[: len(around)], game=self.game, seed=seed, dealer=dealer)
        self.session = Session(plan, tracker=open_eyes(plan))
        self.witness = Witness(self.table.clock_ns)
        self.host = Host(self.witness, self.table.world.lays, random.Random(f"host {seed}"))
        self.umpire = Umpire(self.witness, self.table.world.lays)
        self.session.subscribe(self.witness.listen)
        self.session.subscribe(self.table.listen)

    def step(self) -> None:
        """One frame further."""
        self.table.step(self.session)
        self.host.look(self.session, self.table.now_ns)
        for answer in self.host.answers(self.table.now_ns):
            self.table.work(lambda answer=answer: answer(self.session))  # type: ignore[misc]
        if not self.host.is_asked:
            self.table.work(lambda: self.umpire.mend(self.session, self.table.now_ns))
        if self.most is not None and len(self.table.world.lays) >= self.most:
            self.table.party.stop()

    @property
    def is_over(self) -> bool:
        """Whether the last card is long laid and everything is settled."""
        ended_ns = self.table.party.over_ns
        now_ns = self.table.now_ns
        if ended_ns is not None:
            return now_ns > ended_ns + _SETTLES_NS and not self.host.is_asked
        return self.is_stuck

    @property
    def is_stuck(self) -> bool:
        """Whether the party goes no further: table and referee wait for each other."""
        return self.table.now_ns > self.table.world.stirred_ns + _STANDSTILL_NS

    def compare(self) -> Comparison:
        """The party so far against the truth."""
        world = self.table.world
        self.table.sight.finish()
        bare = [seat for seat, t_ns in world.bare_slaps if t_ns < self.table.now_ns - 2_000 * MS]
        comparison = compare(world.lays, world.book.due, bare, self.witness)
        return replace(comparison, differences=(*self.umpire.mended, *comparison.differences))

    def summary(self, comparison: Comparison) -> dict[str, Any]:
        """The last line of `cardtable demo --headless`."""
        waits = [(heard.first_ns - lay.rest_ns) / 1e6 for lay, heard in comparison.pairs]
        p50, p95 = (round(float(v), 1) for v in np.percentile(waits or [0.0], (50, 95)))
        return {
            "game": self.game,
            "seed": self.seed,
            "lays": len(self.table.world.lays),
            "fouls": sum(lay.code != "ok" for lay in self.table.world.lays),
            "missed": comparison.count("missed") + self.is_stuck,
            "wrong": comparison.count("wrong", "asked"),
            "questions": comparison.questions,
            "latency_ms": {"p50": p50, "p95": p95},
            **self._hardships(),
        }

    def _hardships(self) -> dict[str, Any]:
        done = dict(sorted(self.table.hardships.done.items()))
        return {"top": self.table.top, "hardships": done} if self._is_hard else {}

    def farewell(self) -> str:
        """Who has lost."""
        loser = self.table.world.book.loser()
        setup = self.session.plan.setup
        lost = f": {setup.players[setup.seats.index(loser)]} has lost" if loser else ""
        return f"The party is over{lost}."


def _play_ochko(names: tuple[str, ...], *, seed: int, lays: int | None = None) -> Party:
    from cardtable.simulated.ochko.demo import OchkoDemo  # noqa: PLC0415  (only for whom plays it)

    return OchkoDemo(names, seed=seed, lays=lays)


def _play_tricks(game: str, names: tuple[str, ...], *, seed: int, lays: int | None = None) -> Party:
    from cardtable.simulated.tricks.demo import TrickDemo  # noqa: PLC0415  (only for whom plays it)

    return TrickDemo(game, names, seed=seed, lays=lays)


PARTIES: dict[str, Callable[..., Party]] = {
    "bong": Demo,
    "ochko": _play_ochko,
    "debertz": partial(_play_tricks, "debertz"),
    "ton": partial(_play_tricks, "ton"),
}
"""The games that simulated people play."""


def open_demo(game: str, *, seed: int, lays: int | None = None, is_hard: bool = False) -> Party:
    """A party of that game; raises `BadSetup` for one that the simulated people don't play, or not so."""
    if game not in PARTIES:
        known = ", ".join(sorted(PARTIES))
        raise BadSetup(f"the simulated people do not play {game!r}; start: cardtable demo GAME, where GAME is {known}")
    if not is_hard:
        return PARTIES[game](NAMES, seed=seed, lays=lays)
    if game != Demo.game:
        raise BadSetup(f"only {Demo.game} is played at a hard table; leave out --hard, or start: cardtable demo --hard")
    return Demo(seed=seed, lays=lays, is_hard=True)


class DemoDriver(Loop):
    """Plays a party in real time, for people who watch the page; when it is over it says so and stays as it is."""

    def __init__(self, demo: Party) -> None:
        super().__init__(demo.session)
        self._demo = demo
        self._zero_s = time.monotonic()
        self._is_over = False

    def turn(self) -> bool:
        """Waits for the next frame's moment, then plays it."""
        if self._is_over:
            self._stopping.wait(_PAUSE_S)
            return True
        ahead_s = self._demo.table.now_ns / 1e9 - (time.monotonic() - self._zero_s)
        if ahead_s > 0:
            self._stopping.wait(min(ahead_s, _PAUSE_S))
            return True
        # A slow computer plays slowly; it does not hurry later to make up for it.
        self._zero_s -= min(0.0, ahead_s + _PAUSE_S)
        self._demo.step()
        self._is_over = self._demo.is_over
        if self._is_over:
            more = "Start the demo with another --seed for another party; stop with Ctrl+C."
            print(f"{self._demo.farewell()} {more}", flush=True)
        return True


def run_demo(  # noqa: PLR0913  (one for every flag of the command)
    game: str = "bong",
    *,
    seed: int = 1,
    lays: int | None = None,
    headless: bool = False,
    json: bool = False,
    language: str = "en",
    host: str = "127.0.0.1",
    port: int = 8080,
    is_hard: bool = False,
) -> int:
    """Plays a party and returns the exit status: 1 if a ruling was missed or wrong, else 0.

    Headless: as fast as it goes, a line for each lay, every difference with both sides, the summary last.
    Else: in real time with the page, until Ctrl+C.
    """
    demo = open_demo(game, seed=seed, lays=lays, is_hard=is_hard)
    demo.session.subscribe(Printer(language, is_json=json))
    if headless:
        return _run_headless(demo)
    from cardtable.page import serve  # noqa: PLC0415  (NiceGUI is slow to import)

    driver = DemoDriver(demo)
    driver.start()
    try:
        serve(driver, host=host, port=port, language=language)
    finally:
        driver.stop()
    return 0


def _run_headless(demo: Party) -> int:
    while not demo.is_over:
        demo.step()
    comparison = demo.compare()
    for difference in comparison.differences:
        print(jsonlib.dumps({"difference": difference.kind, "truth": difference.truth, "ruled": difference.ruled}))
    summary = demo.summary(comparison)
    print(jsonlib.dumps(summary), flush=True)
    return int(summary["missed"] > 0 or summary["wrong"] > 0)
