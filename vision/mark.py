"""Up to when everything that was laid has been told."""

from __future__ import annotations

_LONGEST_LAG_NS = 600_000_000


class Marked:
    """A tracker with a mark, which goes with the newest picture, and waits before whatever is still looked at."""

    def __init__(self) -> None:
        self.mark_ns = 0
        """Cards touched before this are all told."""
        self.is_quiet = True
        """Whether the last picture brought nothing new to look at."""
        self._busy_since_ns: int | None = None

    def _mark(self, t_ns: int, *, is_quiet: bool) -> None:
        """Takes in the picture of `t_ns`; the mark never falls back, and waits for some tenths of a second at most."""
        self.is_quiet = is_quiet
        if is_quiet:
            self._busy_since_ns, self.mark_ns = None, t_ns
            return
        if self._busy_since_ns is None:
            self._busy_since_ns = t_ns
        self.mark_ns = max(self.mark_ns, min(self._busy_since_ns - 1, t_ns), t_ns - _LONGEST_LAG_NS)
