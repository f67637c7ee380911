"""A story told by plain functions, one step at a time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Semaphore, Thread


class Deeds:
    """Runs `tell` up to its next pause at every step.

    The story has a thread of its own only because plain functions cannot be left half-way; it and whoever steps it
    never run at the same time.
    """

    def __init__(self, tell: Callable[[], object]) -> None:
        self.is_over = False
        self._tell = tell
        self._failure: Exception | None = None
        self._go, self._paused = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._run, name="deeds", daemon=True)

    def step(self) -> None:
        """On to the next pause; raises what the story raises."""
        if not self._thread.is_alive():
            self._thread.start()
        self._go.release()
        self._paused.acquire()
        if self._failure is not None:
            raise self._failure

    def pause(self) -> None:
        """Called by the story: here it may be left for a while."""
        self._paused.release()
        self._go.acquire()

    def _run(self) -> None:
        self._go.acquire()
        try:
            self._tell()
        except Exception as error:
            self._failure = error
        self.is_over = True
        self._paused.release()
