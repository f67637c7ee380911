"""What the tests of the program share: running it, and a small party written by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

from cardtable.plan import Plan
from cardtable.session import Session
from engine.cards import DECK_52, Card
from engine.events import CardLaid, Event
from engine.rules import Setup
from engine.seats import Seat, seats
from hardware.records import Edge, Kind
from vision.frames import Frame

PARTY = {
    "game": "bong",
    "players": ["Anna", "Boris", "Vera"],
    "seats": ["A", "B", "C"],
    "deal": {"dealer": "C"},
    "stills": True,
}


def cardtable(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the command line as a person would."""
    command = [sys.executable, "-m", "cardtable.main", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, input=stdin, timeout=120, check=False, env=clean_environment()
    )


def clean_environment() -> dict[str, str]:
    """The environment without anything that would lead to this person's own settings."""
    return os.environ | {"XDG_CONFIG_HOME": "/nonexistent", "PYTHONWARNINGS": "error", "COLUMNS": "200"}


def write_party(folder: Path) -> Path:
    """A recording in the small form: one claim, one grey picture."""
    (folder / "frames").mkdir(parents=True)
    (folder / "party.json").write_text(json.dumps(PARTY))
    (folder / "presses.jsonl").write_text('{"t_ms": 1000, "seat": "A"}\n')
    cv2.imwrite(str(folder / "frames" / "0005000.jpg"), np.full((64, 64, 3), 120, np.uint8))
    return folder


SECOND = 1_000_000_000
MS = 1_000_000


def plan(count: int = 3, **options: int | str) -> Plan:
    """A plan for `count` players of Bong; the last one deals."""
    around = seats(count)
    names = ("Anna", "Boris", "Vera", "Gleb", "Dina", "Egor")[:count]
    return Plan(game="bong", setup=Setup(around, names, around[-1], options), seed=7)


class GreyWatcher:
    """Sees cards in grey pictures: the level says which card lies on top, and survives a JPEG; white is no card."""

    def __init__(self) -> None:
        self.mark_ns = 0
        self.is_quiet = True
        self._top: Card | None = None
        self._lays = 0

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """A card when the level has changed."""
        self.mark_ns = frame.t_ns
        place = round(float(frame.picture.mean()) / 4)
        card = DECK_52[place] if place < len(DECK_52) else None
        self.is_quiet = card is self._top
        if self.is_quiet or card is None:
            return ()
        self._top, self._lays = card, self._lays + 1
        laid = CardLaid(t_ns=frame.t_ns, within_ns=frame.within_ns, card=card, lay=self._lays, rest_ns=frame.t_ns)
        return (laid,)


def grey_frame(card: str | None, t_ns: int, number: int = 0) -> Frame:
    """A picture in which a `GreyWatcher` sees that card."""
    level = 255 if card is None else 4 * DECK_52.index(Card(card))
    return Frame(np.full((48, 64, 3), level, np.uint8), t_ns, 16 * MS, number)


def tap(session: Session, seat: str, t_ns: int) -> None:
    """A button goes down and up again."""
    for kind, edge_ns in ((Kind.DOWN, t_ns), (Kind.UP, t_ns + 60 * MS)):
        session.on_time(edge_ns)
        edge = Edge(seat=Seat(seat), source="test", kind=kind, t_ns=edge_ns, within_ns=1000, number=0)
        session.on_edge(edge)


def lay(session: Session, card: str, seat: str, t_ns: int) -> None:
    """A seat slaps and its card is seen 90 ms later."""
    tap(session, seat, t_ns)
    session.on_time(t_ns + 90 * MS)
    session.on_frame(grey_frame(card, t_ns + 90 * MS))


def begin(session: Session) -> None:
    """The deal is done and Anna, the only one to claim a two, may lay from second 5 on."""
    session.call("dealt", who="host")
    session.on_frame(grey_frame(None, 0))
    tap(session, "A", SECOND)
    session.on_time(5 * SECOND)


def codes(session: Session) -> list[tuple[str, str, str | None]]:
    """(card, code, seat) of every lay that counts, in pile order."""
    return [
        (str(told.event.card), told.rulings[0].code, told.rulings[0].seat)
        for told in session.referee.history()
        if isinstance(told.event, CardLaid)
    ]
