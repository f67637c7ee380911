"""The one thread in which a session lives, and the way into it from other threads."""

from __future__ import annotations

import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from cardtable.session import Session

T = TypeVar("T")

TICK_S = 0.005
"""How long the loop waits for work before it looks at its sources again; edges carry their own time."""


class Loop(ABC):
    """A driver: runs `turn` again and again in a thread of its own, and whatever is posted between two turns."""

    def __init__(self, session: Session) -> None:
        """Takes over `session`: from `start` on only posted jobs may touch it."""
        self.session = session
        self.failure: BaseException | None = None
        """What ended the loop, if it did not end by itself."""
        self.on_failure: Callable[[], object] = lambda: None
        """Called, in the session's thread, when something has ended the loop."""
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    def start(self) -> None:
        """Begins; returns at once."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the loop after the present turn and waits for it."""
        self._stopping.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join()

    def wait(self) -> None:
        """Waits until the loop has ended; raises what ended it."""
        while self._thread.is_alive():
            self._thread.join(0.2)  # a join without limit would not let Ctrl+C through on every system
        if self.failure is not None:
            raise self.failure

    def session_ns(self, clock_ns: int) -> int:
        """A moment of CLOCK_MONOTONIC on the session's clock, as far as that has been moved on."""
        return self.session.now_ns - (time.monotonic_ns() - clock_ns)

    def post(self, job: Callable[[Session], T]) -> Future[T]:
        """Runs `job` in the session's thread, soon; the future has its result or its error."""
        future: Future[T] = Future()
        self._jobs.put(lambda: _settle(future, job, self.session))
        return future

    @abstractmethod
    def turn(self) -> bool:
        """Looks at the sources once; False when nothing will come any more."""

    def close(self) -> None:  # noqa: B027  (most drivers have nothing to let go of)
        """Lets go of the sources; called in the session's thread when the loop ends."""

    def _run(self) -> None:
        try:
            while not self._stopping.is_set() and self.turn():
                self._work(TICK_S)
        except BaseException as error:
            self.failure = error
            self.on_failure()
        finally:
            self._work(0)
            self.close()

    def _work(self, patience_s: float) -> None:
        try:
            self._jobs.get(timeout=patience_s)() if patience_s else None
            while True:
                self._jobs.get_nowait()()
        except queue.Empty:
            return


def _settle(future: Future[Any], job: Callable[[Session], Any], session: Session) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(job(session))
    except BaseException as error:
        future.set_exception(error)
