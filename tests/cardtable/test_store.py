"""Nothing is lost: what was told is on disk, and a killed program goes on from the last event."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from cardtable.errors import BadStore
from cardtable.resumption import offers, restore
from cardtable.session import Session
from cardtable.store import Store
from engine.events import CardLaid
from engine.rules import Audience
from tests.cardtable.helpers import SECOND, GreyWatcher, begin, clean_environment, codes, lay, plan, tap

HALL = Audience()
PLAYER = """
import itertools, sys
from pathlib import Path
from cardtable.session import Session
from cardtable.store import Store
from tests.cardtable.helpers import SECOND, GreyWatcher, begin, lay, plan
from engine.cards import DECK_52
store = Store(Path(sys.argv[1]))
session = Session(plan(), tracker=GreyWatcher(), keeper=store.begin(plan()))
session.subscribe(lambda update: print(len(session.referee.log), flush=True))
begin(session)
for number in itertools.count():
    lay(session, str(DECK_52[number % 52]), "ABC"[number % 3], (6 + 2 * number) * SECOND)
"""


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "sessions.sqlite")


def stored_session(store: Store) -> Session:
    return Session(plan(), tracker=GreyWatcher(), keeper=store.begin(plan()))


def restored_session(store: Store) -> Session:
    session = Session(plan(), tracker=GreyWatcher())
    session.go_on(*restore(store, store.unfinished()[0]))
    return session


@pytest.mark.parametrize("told", [5, 23, 60])
def test_killed_at_any_moment_what_was_told_is_kept(tmp_path: Path, told: int) -> None:
    path = tmp_path / "sessions.sqlite"
    command = [sys.executable, "-c", PLAYER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment()) as player:
        assert player.stdout is not None
        lengths = [int(player.stdout.readline()) for _ in range(told)]
        player.send_signal(signal.SIGKILL)
    assert player.returncode == -signal.SIGKILL
    with Store(path) as store:
        (stored,) = store.unfinished()
        assert stored.entries >= lengths[-1]
        assert len(store.log(stored)) == stored.entries
        session = restored_session(store)
        assert session.referee.differences == ()


def test_restored_session_goes_on_as_the_unbroken_one(store: Store) -> None:
    unbroken, broken = Session(plan(), tracker=GreyWatcher()), stored_session(store)
    for session in (unbroken, broken):
        begin(session)
        lay(session, "2C", "A", 6 * SECOND)
        lay(session, "3D", "B", 8 * SECOND)
        session.on_time(9 * SECOND)
    del broken
    restored = restored_session(store)
    assert restored.now_ns > 8 * SECOND
    for session in (unbroken, restored):
        lay(session, "3D", "B", 20 * SECOND)  # the new tracker sees the old pile for the first time
        lay(session, "4S", "C", 22 * SECOND)
        session.on_time(25 * SECOND)
    assert codes(restored)[:2] == codes(unbroken)[:2]
    assert codes(restored)[-1] == codes(unbroken)[-1] == ("4S", "ok", "C")
    with_more = store.sessions()[0]
    assert with_more.entries == len(restored.referee.log)


def test_lots_after_a_restart_are_those_of_the_unbroken_session(store: Store) -> None:
    unbroken, broken = Session(plan()), stored_session(store)
    for session in (unbroken, broken):
        session.call("dealt", who="host")
        tap(session, "A", 1 * SECOND)
        tap(session, "B", 2 * SECOND)
    restored = restored_session(store)
    for session in (unbroken, restored):
        session.on_time(9 * SECOND)
    assert unbroken.referee.view(HALL) == restored.referee.view(HALL)


def test_unfinished_sessions_are_offered_until_declined(store: Store) -> None:
    session = stored_session(store)
    assert offers(store) == (), "nothing has happened yet"
    session.call("dealt", who="host")
    (offer,) = offers(store)
    assert (offer.plan, offer.entries) == (plan(), len(session.referee.log))
    other = Session(plan(4))
    other.go_on(*offer.restore())
    assert other.plan == plan()
    offer.decline()
    assert offers(store) == ()


def test_several_sessions_in_one_file_keep_apart(store: Store) -> None:
    first, second = stored_session(store), stored_session(store)
    for session in (first, second):
        begin(session)
    lay(second, "2C", "A", 6 * SECOND)
    logs = [store.log(stored).entries for stored in reversed(store.sessions())]
    assert logs == [first.referee.log.entries, second.referee.log.entries]


def test_full_disk_does_not_stop_the_game(store: Store) -> None:
    session = stored_session(store)
    session.call("dealt", who="host")
    with sqlite3.connect(store.path) as other:
        other.execute("DROP TABLE entry")
    tap(session, "A", SECOND)
    session.on_time(6 * SECOND)
    assert "store" in session.lost
    assert session.referee.view(HALL).phase != "start-claim"


def test_log_with_a_hole_is_a_damaged_store(store: Store) -> None:
    session = stored_session(store)
    begin(session)
    with sqlite3.connect(store.path) as other:
        other.execute("DELETE FROM entry WHERE number = 2")
    with pytest.raises(BadStore, match="damaged"):
        restored_session(store)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadStore, match="--store"):
        Store(tmp_path / "sub" / "sessions.sqlite")


def test_lays_of_a_restored_session_have_numbers_of_their_own(store: Store) -> None:
    session = stored_session(store)
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    restored = restored_session(store)
    lay(restored, "3D", "B", 20 * SECOND)
    lays = [told.event.lay for told in restored.referee.history() if isinstance(told.event, CardLaid)]
    assert lays == [1, 2]
