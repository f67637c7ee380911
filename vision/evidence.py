"""What an index says about the card it is printed on: where it lies, and, added up over frames, which one it is."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from vision.layout import CARD_MM, Layout, Points
from vision.reader import Corner

Chances = NDArray[np.float64]
"""(53,) probabilities of the cards of `DECK_52` and, last, of being no card."""

NO_CARD = len(DECK_52)
_INDEX_FROM_SIDE_MM, _INDEX_FROM_TOP_MM = 6.5, 4.0  # usual on poker-size cards; decks differ by a millimetre or two
_INDEX_MM = 20.0
_APART_WITHIN_MM = 5.0
_KEEPS = 0.65  # frames of one scene are far from independent: many count hardly more than three, the latest most
_FLOOR = 1e-4


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card lies: its middle in mm and the direction in which its indices stand, degrees modulo 180."""

    x: float
    y: float
    turn: float

    def is_near(self, other: Pose, *, mm: float, degrees: float) -> bool:
        """Whether the two could be the same card seen twice."""
        off = abs((self.turn - other.turn + 90.0) % 180.0 - 90.0)
        return math.hypot(self.x - other.x, self.y - other.y) <= mm and off <= degrees

    def outline(self, card_mm: tuple[float, float], *, inset_mm: float = 0.0) -> Points:
        """(4, 2) corners in mm of the card lying so, made smaller by `inset_mm` all around."""
        half = np.array(card_mm) / 2 - inset_mm
        return self.points(np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half)

    def points(self, own_mm: Points) -> Points:
        """(n, 2) points given from the card's middle, the card upright, in table mm."""
        cos, sin = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return np.asarray(own_mm @ np.array([[cos, sin], [-sin, cos]]) + (self.x, self.y), dtype=np.float64)

    def index(self, *, is_upper: bool, card_mm: tuple[float, float] = CARD_MM) -> tuple[float, float]:
        """Where one of the card's two indices is printed, mm."""
        sign = -1.0 if is_upper else 1.0
        from_top = _INDEX_FROM_TOP_MM + _INDEX_MM / 2
        own = np.array([(card_mm[0] / 2 - _INDEX_FROM_SIDE_MM, card_mm[1] / 2 - from_top)]) * sign
        x, y = self.points(own)[0]
        return float(x), float(y)

    @classmethod
    def between(
        cls, upper_mm: tuple[float, float], lower_mm: tuple[float, float], card_mm: tuple[float, float]
    ) -> Pose | None:
        """The pose of a card whose two indices were seen there; None where no card has them so far apart."""
        own = np.multiply(cls(0.0, 0.0, 0.0).index(is_upper=True, card_mm=card_mm), 2)
        seen = np.subtract(upper_mm, lower_mm)
        if abs(math.hypot(*seen) - math.hypot(*own)) > _APART_WITHIN_MM:
            return None
        turn = math.degrees(math.atan2(seen[1], seen[0]) - math.atan2(own[1], own[0]))
        x, y = np.add(upper_mm, lower_mm) / 2
        return cls(float(x), float(y), turn)  # not modulo 180: it is known which index is the upper one

    def own(self, points_mm: Points) -> Points:
        """(n, 2) table mm as seen from the card's middle, the card upright."""
        cos, sin = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        return np.asarray((points_mm - (self.x, self.y)) @ np.array([[cos, -sin], [sin, cos]]), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One index as seen in one frame, in table mm."""

    x: float
    y: float
    is_upper: bool
    """Whether it is the index that stands upright when the card is turned as `pose` says."""
    pose: Pose
    chances: Chances
    score: float

    def beside(self, turn: float) -> Sighting:
        """The same, its pose's turn the one of the two that lies nearest to `turn`, degrees; told as that turns it.

        A card that lies almost straight would else be upright in one frame and upside down in the next.
        """
        near = turn + (self.pose.turn - turn + 90.0) % 180.0 - 90.0
        is_turned = round((self.pose.turn - near) / 180.0) % 2 == 1
        return replace(self, pose=replace(self.pose, turn=near), is_upper=self.is_upper != is_turned)

    @property
    def card(self) -> Card:
        """The likeliest card."""
        return DECK_52[int(self.chances[:NO_CARD].argmax())]

    @property
    def sure(self) -> float:
        """Probability of the likeliest card."""
        return float(self.chances[:NO_CARD].max())


def sight(corner: Corner, offset_px: Points, layout: Layout) -> Sighting:
    """The index in table mm, and the card's pose as it follows from one index; `offset_px`: where the piece was cut."""
    foot = np.array([corner.x, corner.y]) + offset_px
    ends = layout.to_mm(np.array([foot, foot + np.array(corner.up) * corner.height_px]))
    up = ends[1] - ends[0]
    height_mm = float(np.hypot(*up))
    up = up / max(height_mm, 1e-6)
    right = np.array([-up[1], up[0]])
    width, height = layout.card_mm
    middle = (
        ends[0] - up * (height / 2 - _INDEX_FROM_TOP_MM - height_mm / 2) + right * (width / 2 - _INDEX_FROM_SIDE_MM)
    )
    turn = math.degrees(math.atan2(up[0], -up[1]))
    chances = np.append(corner.probabilities, max(0.0, 1.0 - float(corner.probabilities.sum())))
    pose = Pose(float(middle[0]), float(middle[1]), turn % 180.0)
    return Sighting(float(ends[0][0]), float(ends[0][1]), turn % 360.0 < 180.0, pose, chances, corner.score)


@dataclass(slots=True)
class Evidence:
    """Adds up what several sightings of one card say; never certain, so that it can be mended."""

    reads: int = 0
    """Frames in which the card was read."""
    indices: set[bool] = field(default_factory=set)
    """Which of its two indices were seen."""
    _logs: Chances = field(default_factory=lambda: np.zeros(NO_CARD + 1))

    def add(self, sightings: Iterable[Sighting]) -> None:
        """Takes in what one frame showed of the card."""
        self._logs *= _KEEPS
        for sighting in sightings:
            self.indices.add(sighting.is_upper)
            self._logs += np.log(np.maximum(sighting.chances, _FLOOR))
        self.reads += 1
        self._logs -= self._logs.max()

    def chances(self, impossible: Collection[Card] = (), *, unlikely: Collection[Card] = ()) -> Chances:
        """(53,) probabilities, given cards that it cannot be and cards that it hardly is."""
        weighed = np.exp(self._logs)
        weighed[[DECK_52.index(card) for card in impossible]] = 0.0
        weighed[[DECK_52.index(card) for card in unlikely]] *= 0.02
        total = weighed.sum()
        return np.asarray(weighed / total if total > 0 else np.eye(NO_CARD + 1)[NO_CARD], dtype=np.float64)


def best(chances: Chances, count: int = 3) -> tuple[tuple[Card, float], ...]:
    """The likeliest cards with their probabilities, best first."""
    order: Sequence[int] = np.argsort(-chances[:NO_CARD])[:count].tolist()
    return tuple((DECK_52[i], float(chances[i])) for i in order)
