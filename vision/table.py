"""From frames to what was laid, where and when: the tracker of the pile."""

from __future__ import annotations

from engine.events import Event
from vision.follow import MovingPile
from vision.frames import Frame
from vision.layout import Layout
from vision.reader import Reader
from vision.stills import StillPile


class Tracker:
    """Follows the pile over time. It knows a deck of 52 and what lies in its own pile, never what the game needs."""

    def __init__(self, reader: Reader, layout: Layout, *, stills: bool = False) -> None:
        """With `stills`, every picture shows a settled pile and nothing is concluded from one to the next."""
        self._pile = StillPile(reader) if stills else MovingPile(reader, layout)

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What has become certain with this frame: `CardLaid` (a repeated `lay` is a better reading), gone cards."""
        return self._pile.see(frame)

    def lay_out(self, layout: Layout) -> None:
        """The camera sees the same table, with the same pile zone, from elsewhere."""
        self._pile.lay_out(layout)

    @property
    def mark_ns(self) -> int:
        """Lays touched before this are all reported."""
        return self._pile.mark_ns

    @property
    def is_quiet(self) -> bool:
        """Whether the last frame brought nothing new to look at."""
        return self._pile.is_quiet
