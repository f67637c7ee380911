"""What was laid, from single pictures of a settled pile: each shows its top card, nothing moves between them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.cards import Card
from engine.events import CardGone, CardLaid, Event
from vision.frames import Frame
from vision.layout import Layout
from vision.reader import Reader, Reading

SURE_ENOUGH = 0.6
"""Below this probability the table asks which card it was."""
_SHOWS_AGAIN_DEPTH = 3
_DEEP_WEIGHT = 0.02  # a card from deep in the pile hardly comes to the top again: rather it is misread


class StillPile:
    """The pile as told by its top card, picture by picture."""

    def __init__(self, reader: Reader) -> None:
        self.mark_ns, self.is_quiet = 0, True
        self._reader = reader
        self._pile: list[tuple[int, Card]] = []
        self._lays = 0

    def lay_out(self, layout: Layout) -> None:
        """Pictures that each show a settled pile are read without a layout."""

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What the picture says: a card never seen in the pile is laid, a buried one that shows again uncovers it."""
        events = self._judge(frame)
        self.mark_ns, self.is_quiet = frame.t_ns, not events
        return events

    def _judge(self, frame: Frame) -> tuple[Event, ...]:
        top = top_reading(self._reader.read(frame.picture), frame.picture.shape[:2])
        if top is None:
            return ()
        likely = self._weigh(top)
        if any(card is likely[0][0] for _, card in self._pile):
            return self._uncover(likely[0][0], frame)
        return (self._lay(likely, frame),)

    def _weigh(self, top: Reading) -> list[tuple[Card, float]]:
        deep = {card for _, card in self._pile[:-_SHOWS_AGAIN_DEPTH]}
        weighed = [(card, p * (_DEEP_WEIGHT if card in deep else 1.0)) for card, p in top.distribution]
        total = sum(p for _, p in weighed) + max(0.0, 1.0 - sum(p for _, p in top.distribution))
        return sorted(((card, p / total) for card, p in weighed), key=lambda pair: -pair[1])

    def _uncover(self, card: Card, frame: Frame) -> tuple[Event, ...]:
        gone: list[Event] = []
        while self._pile[-1][1] is not card:
            lay, above = self._pile.pop()
            gone.append(CardGone(t_ns=frame.t_ns, within_ns=frame.within_ns, card=above, lay=lay))
        return tuple(gone)

    def _lay(self, likely: list[tuple[Card, float]], frame: Frame) -> CardLaid:
        card, sure = likely[0]
        self._lays += 1
        self._pile.append((self._lays, card))
        return CardLaid(
            t_ns=frame.t_ns,
            within_ns=frame.within_ns,
            card=card,
            lay=self._lays,
            rest_ns=frame.t_ns,
            sure=sure,
            likely=() if sure >= SURE_ENOUGH else tuple(other for other, _ in likely[:3]),
        )


def top_reading(readings: Sequence[Reading], shape: tuple[int, int]) -> Reading | None:
    """The reading of the pile's top card in a picture of (height, width) px: complete, large and central."""
    tallest = max((corner.height_px for reading in readings for corner in reading.corners), default=0.0)
    return max(readings, key=lambda reading: _prominence(reading, shape, tallest), default=None)


def _prominence(reading: Reading, shape: tuple[int, int], tallest_px: float) -> float:
    height, width = shape
    x, y, box_width, box_height = reading.box
    off = math.hypot(x + box_width / 2 - width / 2, y + box_height / 2 - height / 2) / math.hypot(width / 2, height / 2)
    size = max((corner.height_px for corner in reading.corners), default=0.0) / max(tallest_px, 1.0)
    return (1.0 if _has_opposite_corners(reading) else 0.4) * size * (1.0 - 0.7 * off) * reading.sure


def _has_opposite_corners(reading: Reading) -> bool:
    ups = [corner.up for corner in reading.corners]
    return any(a[0] * b[0] + a[1] * b[1] < -0.7 for i, a in enumerate(ups) for b in ups[:i])
