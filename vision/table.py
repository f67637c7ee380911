"""From frames to what was laid, where and when: the tracker of the pile."""

from __future__ import annotations

from engine.events import Event
from vision.frames import Frame
from vision.layout import Layout
from vision.reader import Reader
from vision.stills import StillPile


class Tracker:
    """Follows the pile over time. It knows a deck of 52 and what lies in its own pile, never what the game needs."""

    def __init__(self, reader: Reader, layout: Layout, *, stills: bool = False) -> None:
        """With `stills`, every picture shows a settled pile and nothing is concluded from one to the next."""
        self.mark_ns = 0
        """Lays touched before this are all reported."""
        self.is_quiet = True
        """Whether the last frame brought nothing new to look at."""
        self._reader, self._layout = reader, layout
        self._still_pile = StillPile() if stills else None

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What has become certain with this frame: `CardLaid` (a repeated `lay` is a better reading), gone cards."""
        if self._still_pile is None:
            raise NotImplementedError
        events = self._still_pile.see(self._reader, frame)
        self.mark_ns, self.is_quiet = frame.t_ns, not events
        return events
