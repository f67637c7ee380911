"""A program for tests: serves a real session's pages, and takes what happens at the table as JSON lines on its input.

Run as `python served.py PORT PLAYERS [STORE]`. Every line is answered with `ok` or `refused: …` on standard output.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

from cardtable.buttons import Buttons
from cardtable.loop import Loop
from cardtable.page import serve
from cardtable.plan import Plan, seat_players
from cardtable.resumption import offers
from cardtable.session import Session
from cardtable.store import Store
from engine.cards import read_cards
from engine.events import CardLaid
from engine.games import find_game
from engine.referee import Referee
from engine.rules import Setup
from engine.seats import Seat
from hardware.records import Edge, Kind

MS = 1_000_000


class Forgetful:
    """Keeps nothing."""

    def keep(self, session: Session) -> None:
        pass


class Served(Loop):
    """A table at which only happens what the input says, on a clock that only the input moves."""

    _zero_ns = 0

    def turn(self) -> bool:
        return True

    def take(self, session: Session, **line: Any) -> None:
        """Does what a line says; its `ms` count from the beginning of the game."""
        at_ns = self._zero_ns + round(line.pop("ms", 0) * MS)
        getattr(self, "do_" + line.pop("do"))(session, at_ns, **line)

    def do_begin(self, session: Session, at_ns: int, players: str, game: str = "bong") -> None:
        """Another game in place of this one, as if a broken-off one were gone on with."""
        plan = plan_of(players, game)
        session.lost = frozenset()
        session.buttons = Buttons()
        session.go_on(plan, Referee(find_game(plan.game), plan.setup), Forgetful())
        self._zero_ns = session.now_ns

    def do_time(self, session: Session, at_ns: int, marks: dict[str, float] | None = None) -> None:
        """`marks`: up to when each source has told everything, in ms."""
        session.on_time(at_ns, None, {source: self._zero_ns + round(ms * MS) for source, ms in (marks or {}).items()})

    def do_edge(
        self, session: Session, at_ns: int, kind: str, source: str, seat: str | None = None, **more: Any
    ) -> None:
        """A single edge, of a source of its own."""
        where = None if seat is None else Seat(seat)
        session.on_edge(Edge(seat=where, source=source, kind=Kind(kind), t_ns=at_ns, within_ns=1000, number=1, **more))
        session.on_time(at_ns + MS)

    def do_dealt(self, session: Session, at_ns: int) -> None:
        session.on_time(at_ns)
        session.call("dealt", who="test")

    def do_call(self, session: Session, at_ns: int, word: str, seat: str) -> None:
        session.on_time(at_ns)
        session.call(word, who="test", seat=Seat(seat))

    def do_press(self, session: Session, at_ns: int, seat: str, lasting: int = 60, within_us: int = 10) -> None:
        for kind, t_ns in ((Kind.DOWN, at_ns), (Kind.UP, at_ns + lasting * MS)):
            session.on_edge(
                Edge(seat=Seat(seat), source="test", kind=kind, t_ns=t_ns, within_ns=within_us * 1000, number=1)
            )
            session.on_time(t_ns + MS)

    def do_lay(self, session: Session, at_ns: int, card: str, lay: int, **more: Any) -> None:
        laid, *likely = read_cards(card)
        event = CardLaid(t_ns=at_ns, within_ns=33 * MS, card=laid, lay=lay, rest_ns=at_ns + 100 * MS, **more)
        if likely:
            event = CardLaid(
                t_ns=at_ns, within_ns=33 * MS, card=laid, lay=lay, sure=0.5, likely=(laid, *likely), rest_ns=at_ns
            )
        session.on_call(event)

    def do_lost(self, session: Session, at_ns: int, source: str, lost: bool = True) -> None:
        session.set_lost(source, lost)
        session.on_time(at_ns)


def listen(driver: Served) -> None:
    for text in sys.stdin:
        values = json.loads(text)
        try:
            driver.post(lambda session, values=values: driver.take(session, **values)).result()  # type: ignore[misc]
            print("ok", flush=True)
        except Exception as error:
            print(f"refused: {error!r}", flush=True)


def plan_of(players: str, game: str = "bong") -> Plan:
    """A game that the last of them deals."""
    names = tuple(players.split(","))
    around = seat_players(names)
    return Plan(game=game, setup=Setup(around, names, around[-1]), seed=1)


def main(port: str, players: str, store: str = "") -> None:
    """Serves until it is killed."""
    plan = plan_of(players)
    kept = Store(Path(store)) if store else None
    session = Session(plan, keeper=kept.begin(plan) if kept else None)
    if kept:
        session.offers = offers(kept)
    driver = Served(session)
    driver.start()
    threading.Thread(target=listen, args=(driver,), daemon=True).start()
    serve(driver, host="127.0.0.1", port=int(port))
    driver.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
