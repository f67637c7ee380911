"""Keeps every session in one SQLite file while it happens, so that a killed program goes on from the last event."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cardtable.errors import BadStore, NoSuchSession
from cardtable.plan import Plan, read_plan, write_plan
from cardtable.session import Session
from engine.errors import TableError
from engine.events import Drawn
from engine.games import find_game
from engine.log import Entry, Happened, Log
from engine.rules import Audience
from engine.text import read_entry, write_entry

APPLICATION_ID = 0x63_54_62_6C
"""Marks the file as ours, so that another program's database is never written to."""
VERSION = 1
_SCHEMA = """
CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    plan TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    started TEXT NOT NULL,
    finished TEXT
);
CREATE TABLE entry (
    session INTEGER NOT NULL REFERENCES session (id),
    number INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (session, number)
) WITHOUT ROWID;
"""
_SESSIONS = """
SELECT id, plan, rules_version, started, finished, (SELECT count(*) FROM entry WHERE session = id)
FROM session ORDER BY id DESC
"""


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session as the store knows it."""

    id: int
    plan: Plan
    rules_version: int
    started: str
    """UTC, ISO 8601."""
    finished: str | None
    entries: int
    """How many log entries are kept."""


def default_path() -> Path:
    """Where sessions are kept when nobody says otherwise."""
    from platformdirs import user_data_path  # noqa: PLC0415  (only where a store is opened)

    return user_data_path("cardtable", appauthor=False) / "sessions.sqlite"


class Store:
    """One file with all sessions; used from one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Opens or makes `path`; raises `BadStore` when it is damaged or someone else's, and changes nothing then."""
        self.path = path
        with self._sentences():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            with self._sentences():
                self._open()
        except BadStore:
            self._db.close()
            raise

    def begin(self, plan: Plan) -> SessionKeeper:
        """A new session; it is in the file as soon as more than a lot has happened."""
        return SessionKeeper(self, plan)

    def go_on(self, stored: StoredSession) -> SessionKeeper:
        """Keeps more of a session that was broken off."""
        return SessionKeeper(self, stored.plan, number=stored.id, kept=stored.entries)

    def sessions(self) -> tuple[StoredSession, ...]:
        """All sessions, the latest first."""
        with self._sentences():
            rows = self._db.execute(_SESSIONS).fetchall()
        return tuple(self._stored(row) for row in rows)

    def unfinished(self) -> tuple[StoredSession, ...]:
        """Sessions that were broken off after something had happened in them, the latest first."""
        return tuple(stored for stored in self.sessions() if stored.finished is None and stored.entries)

    def find(self, number: int) -> StoredSession:
        """The session of that number; raises `NoSuchSession` with those there are."""
        found = {stored.id: stored for stored in self.sessions()}
        if number not in found:
            there = ", ".join(str(known) for known in sorted(found)) or "none"
            raise NoSuchSession(f"{self.path} keeps no session {number}; there are: {there}")
        return found[number]

    def finish(self, number: int, *, is_over: bool = True) -> None:
        """Notes that nobody will go on with this session, or (`is_over=False`) that its end was taken back."""
        with self._sentences():
            self._db.execute("UPDATE session SET finished = ? WHERE id = ?", (_now() if is_over else None, number))

    def keep(self, number: int | None, plan: Plan, entries: Sequence[Entry]) -> int:
        """Appends `entries` to the session of that number (None: a new one); all or none are on disk afterwards."""
        with self._sentences(), self._db:
            self._db.execute("BEGIN")
            number = self._insert(plan) if number is None else number
            rows = [(number, entry.number, json.dumps(write_entry(entry), ensure_ascii=False)) for entry in entries]
            self._db.executemany("INSERT INTO entry (session, number, entry) VALUES (?, ?, ?)", rows)
        return number

    def _insert(self, plan: Plan) -> int:
        values = (json.dumps(write_plan(plan), ensure_ascii=False), find_game(plan.game).version, _now())
        cursor = self._db.execute("INSERT INTO session (plan, rules_version, started) VALUES (?, ?, ?)", values)
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def log(self, stored: StoredSession) -> Log:
        """Everything that happened in a session; raises `BadStore` when it makes no sense."""
        with self._sentences():
            rows = self._db.execute(
                "SELECT entry FROM entry WHERE session = ? ORDER BY number", (stored.id,)
            ).fetchall()
        try:
            return Log(read_entry(json.loads(text)) for (text,) in rows)
        except (ValueError, TableError) as error:
            raise self._damaged(f"session {stored.id}: {error}") from None

    def close(self) -> None:
        """Closes the file."""
        self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        # WAL survives the program's death with all that was committed. NORMAL does without an fsync a commit, which on
        # a memory card can hold the loop for a tenth of a second; a power cut may take the last moments, not the file.
        if self._db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA application_id = {APPLICATION_ID}; COMMIT;")
            self._db.execute(f"PRAGMA user_version = {VERSION}")
        self._check()
        self._db.execute("PRAGMA synchronous = NORMAL")

    def _check(self) -> None:
        if self._db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise BadStore(f"{self.path} is another program's database; choose a file with --store")
        if self._db.execute("PRAGMA user_version").fetchone()[0] > VERSION:
            raise BadStore(f"{self.path} was written by a newer cardtable; update, or choose another file with --store")
        found = self._db.execute("PRAGMA quick_check").fetchone()[0]
        if found != "ok":
            raise self._damaged(str(found).splitlines()[0])

    def _stored(self, row: tuple[int, str, int, str, str | None, int]) -> StoredSession:
        number, plan, version, started, finished, entries = row
        try:
            return StoredSession(number, read_plan(json.loads(plan)), version, started, finished, entries)
        except (ValueError, TableError) as error:
            raise self._damaged(f"session {number}: {error}") from None

    def _damaged(self, why: str) -> BadStore:
        return BadStore(f"the store {self.path} is damaged ({why}); move it away, or use another file with --store")

    @contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            why = f"the store {self.path} cannot be used ({error})"
            raise BadStore(f"{why}; check permissions and space, or choose another file with --store") from None
        except sqlite3.DatabaseError as error:
            raise self._damaged(str(error)) from None
        except OSError as error:
            raise BadStore(
                f"the store {self.path} cannot be made ({error.strerror}); choose another with --store"
            ) from None


class SessionKeeper:
    """Keeps one session's log entry by entry; the session's `Keeper`."""

    def __init__(self, store: Store, plan: Plan, *, number: int | None = None, kept: int = 0) -> None:
        self._store, self._plan = store, plan
        self._number, self._kept, self._is_over = number, kept, False

    def keep(self, session: Session) -> None:
        """Stores what is new in the session's log."""
        entries = session.referee.log.entries
        is_begun = self._number is not None or any(not _is_lot(entry) for entry in entries)
        if len(entries) > self._kept and is_begun:
            self._number = self._store.keep(self._number, self._plan, entries[self._kept :])
            self._kept = len(entries)
            self._note_end(self._number, session)

    def _note_end(self, number: int, session: Session) -> None:
        is_over = session.referee.view(Audience()).over
        if is_over != self._is_over:
            self._is_over = is_over
            self._store.finish(number, is_over=is_over)


def _is_lot(entry: Entry) -> bool:
    return isinstance(entry, Happened) and isinstance(entry.event, Drawn)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
