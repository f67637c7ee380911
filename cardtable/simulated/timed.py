"""The time at a simulated table, in which what the session computes passes too."""

from __future__ import annotations

import time
from collections.abc import Callable


class TimedTable:
    """A table on simulated time; only the time that the session's thread computes is added to it."""

    def __init__(self) -> None:
        self.now_ns = 0
        """Simulated time, the time that computing takes included."""
        self._working_since: float | None = None

    def clock_ns(self) -> int:
        """Simulated time at this very moment, also while the session is at work."""
        if self._working_since is None:
            return self.now_ns
        return self.now_ns + round((time.thread_time() - self._working_since) * 1e9)

    def work(self, do: Callable[[], object]) -> None:
        """Does something that takes the session's time, which passes at the table too."""
        self._working_since = time.thread_time()
        do()
        spent = time.thread_time() - self._working_since
        self._working_since = None
        self.now_ns += round(spent * 1e9)
