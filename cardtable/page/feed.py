"""From the session's thread to the pages: one asyncio task that fetches a fresh snapshot when something has changed.

The session's thread only sets a flag; snapshots are made by a job posted into that thread, so that no page ever looks
at a referee in the middle of a fold. However fast a game goes, pages are told at most every `PAUSE_S`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from cardtable.page.chronicle import Chronicle
from cardtable.page.snapshot import Snapshot
from cardtable.page.words import LANGUAGES, say
from cardtable.session import Driver, Session, Update

T = TypeVar("T")
_log = logging.getLogger(__name__)

PAUSE_S = 0.05
"""Twenty pictures a second are as smooth as a scoreboard needs."""
HEARTBEAT_S = 2.0
"""A fresh look at least this often: a session that has died must not look like a quiet game."""
PATIENCE_S = 5.0
"""A session that has not answered by then has ended."""

Shots = Mapping[str, Snapshot]
"""The same moment in each language."""


class Feed:
    """Keeps every open page at the present state of one session."""

    def __init__(self, driver: Driver, address: str) -> None:
        """`address` is where phones find the pages."""
        self.driver, self.address = driver, address
        self.shots: Shots = {}
        self._chronicle: Chronicle | None = None
        self._watchers: list[Callable[[Shots], None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()

    async def run(self) -> None:
        """Serves the watchers until cancelled."""
        self._loop = asyncio.get_running_loop()
        unsubscribe = await self.ask(lambda session: session.subscribe(self._on_update))
        try:
            while True:
                self._changed.clear()
                self._publish(await self._fetch())
                await asyncio.sleep(PAUSE_S)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), HEARTBEAT_S)
        finally:
            unsubscribe()

    async def _fetch(self) -> Shots:
        """A fresh moment; when the session's thread is silent, the last one with a word about it."""
        try:
            return await self.ask(self._shoot)
        except Exception as error:  # whatever it is, a stale page must not look like a quiet game
            if not isinstance(error, TimeoutError):
                _log.exception("the session could not be looked at")
            return {language: _stopped(shot) for language, shot in self.shots.items()}

    def _publish(self, shots: Shots) -> None:
        if shots == self.shots:
            return
        self.shots = shots
        for watcher in tuple(self._watchers):
            watcher(shots)

    async def ask(self, job: Callable[[Session], T]) -> T:
        """What `job` returns, run in the session's thread; raises what it raises, `TimeoutError` where none answers."""
        return await asyncio.wait_for(asyncio.wrap_future(self.driver.post(job)), PATIENCE_S)

    def watch(self, watcher: Callable[[Shots], None]) -> Callable[[], None]:
        """Calls `watcher` with every new moment, in the page's thread; call what is returned to stop."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def wake(self) -> None:
        """Takes a fresh look although nothing was told; called in the page's thread."""
        self._changed.set()

    def _on_update(self, update: Update) -> None:
        """In the session's thread: remember what was told and wake the pages."""
        chronicle, referee = self._chronicle, self.driver.session.referee
        is_new = chronicle is None or chronicle.referee is not referee or chronicle.add(update)
        if is_new and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)

    def _shoot(self, session: Session) -> Shots:
        """In the session's thread. Another referee means that another game is being gone on with."""
        if self._chronicle is None or self._chronicle.referee is not session.referee:
            self._chronicle = Chronicle(session)
        return {language: self._chronicle.shoot(session, language, self.address) for language in LANGUAGES}


def _stopped(shot: Snapshot) -> Snapshot:
    sentence = say(shot.language, "session-ended")
    return shot if sentence in shot.lost else replace(shot, lost=(sentence, *shot.lost))
