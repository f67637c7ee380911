"""Joins corners into cards: one deck is on the table, so the same label is the same card."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from vision.reader.outline import Size, outline_of, size_of
from vision.reader.values import Corner, Reading

_CHOICES = 5
_NESTED = 0.6
"""Corners nearer than this share of the larger one's height are the same index."""
_AGREED = 0.1
"""Chance from which two corners are believed to show the same card."""
_TRUST = 0.7
"""Below 1, because the two ends of a card are misread for the same reasons."""
_ALIKE = (0.55, 1.8)
"""Share of each other's height within which indices of neighbouring cards are."""
_SURE = 0.9
_CARD_REACH = 7.0
"""No card is longer from corner to corner than so many index heights, thin small indices included."""


def masked(corners: Iterable[Corner], deck: frozenset[Card] | None) -> list[Corner]:
    """The corners with cards that are not in the deck ruled out."""
    if deck is None:
        return list(corners)
    allowed = np.array([card in deck for card in DECK_52], np.float32)
    return [_with(corner, _renewed(corner.probabilities, allowed)) for corner in corners]


def _renewed(chances: NDArray[np.float32], allowed: NDArray[np.float32]) -> NDArray[np.float32]:
    """Spreads what is ruled out over what remains, "no index" included."""
    kept = chances * allowed
    left = float(kept.sum()) + max(1.0 - float(chances.sum()), 1e-6)
    return np.asarray(kept / left, np.float32)


def _with(corner: Corner, chances: NDArray[np.float32]) -> Corner:
    return Corner(corner.x, corner.y, corner.height_px, corner.up, corner.score, chances)


def without_nested(corners: Iterable[Corner]) -> list[Corner]:
    """One corner for each index: of those that lie on each other the surest is kept."""
    kept: list[Corner] = []
    for corner in sorted(corners, key=lambda c: -c.sure * (0.5 + c.score)):
        if all(_apart(corner, other) > _NESTED * max(corner.height_px, other.height_px) for other in kept):
            kept.append(corner)
    return kept


def _apart(one: Corner, other: Corner) -> float:
    return float(np.hypot(one.x - other.x, one.y - other.y))


def assemble(corners: Sequence[Corner], least_sure: float) -> tuple[Reading, ...]:
    """Cards in the picture, the surest first; those less sure than `least_sure` are left out."""
    sights = _one_of_each(_coupled(without_nested(corners)))
    size = size_of(_ends(sight) for sight in sights if sight.sure >= _SURE)
    readings = sorted((_reading(sight, size) for sight in sights), key=lambda r: -r.sure)
    sure = [reading for reading in readings if reading.sure >= least_sure]
    return tuple(reading for number, reading in enumerate(sure) if not _is_ornament(reading, sure[:number]))


@dataclass(slots=True)
class _Sight:
    """What is taken for one card: its corners, one end or two first, and what they say together."""

    corners: list[Corner]
    chances: NDArray[np.float32]

    @property
    def label(self) -> int:
        return int(self.chances.argmax())

    @property
    def sure(self) -> float:
        return float(self.chances.max())


def _coupled(corners: list[Corner]) -> list[_Sight]:
    """Pairs off corners that can be the two ends of one card and have a card in common, the best agreed first."""
    couples = [
        (float((one.probabilities * other.probabilities).sum()), number, other_number)
        for number, one in enumerate(corners)
        for other_number, other in enumerate(corners[:number])
        if are_opposite(one, other)
    ]
    sights, alone = [], set(range(len(corners)))
    for agreed, one, other in sorted(couples, reverse=True):
        if agreed > _AGREED and {one, other} <= alone:
            sights.append(_joined(corners[one], corners[other]))
            alone -= {one, other}
    return sights + [_Sight([corners[number]], corners[number].probabilities) for number in sorted(alone)]


def _joined(one: Corner, other: Corner) -> _Sight:
    """Two ends of a card: what both think likely is likelier, and one of them being an index is enough."""
    joint = (one.probabilities * other.probabilities) ** _TRUST
    there = 1 - (1 - float(one.probabilities.sum())) * (1 - float(other.probabilities.sum()))
    ends = sorted((one, other), key=lambda corner: -corner.sure)
    return _Sight(ends, np.asarray(joint / joint.sum() * min(there, 1.0), np.float32))


def _one_of_each(sights: list[_Sight]) -> list[_Sight]:
    """Joins sights of the same card; one that lies too far off for that must be another card of the deck."""
    kept: dict[int, _Sight] = {}
    for sight in sorted(sights, key=lambda s: -s.sure):
        twin = kept.get(sight.label)
        if twin is not None and _are_far(sight, twin):
            sight.chances = _yielded(sight, twin)
            twin = kept.get(sight.label)
        if twin is None:
            kept[sight.label] = sight
        else:
            twin.corners.extend(sight.corners)
    return list(kept.values())


def _are_far(one: _Sight, other: _Sight) -> bool:
    """Whether two sights cannot belong to one card."""
    here, there = one.corners[0], other.corners[0]
    return _apart(here, there) > _CARD_REACH * max(here.height_px, there.height_px)


def _yielded(sight: _Sight, rival: _Sight) -> NDArray[np.float32]:
    """The chances after a surer sight elsewhere has claimed the card: there is only one such card in a deck."""
    allowed = np.ones(len(DECK_52), np.float32)
    allowed[sight.label] = 1 - rival.sure
    return _renewed(sight.chances, allowed)


def _is_ornament(reading: Reading, surer: list[Reading]) -> bool:
    """Whether it is part of a card read with more certainty: a court's dress, a print, a large pip.

    Cards that lie together are seen from one distance, so their indices are alike in height.
    """
    spot = reading.corners[0]
    return any(
        not _ALIKE[0] < spot.height_px / card.corners[0].height_px < _ALIKE[1] and _is_on(reading, card)
        for card in surer
    )


def _is_on(reading: Reading, card: Reading) -> bool:
    """Whether a reading lies on a card that is read at both ends, or an unsure one close to a sure one."""
    spot, index = reading.corners[0], card.corners[0]
    is_close = _apart(spot, index) < _CARD_REACH * index.height_px
    return (len(card.corners) > 1 and _is_inside(spot, card.box)) or (reading.sure < _SURE <= card.sure and is_close)


def _is_inside(corner: Corner, box: tuple[float, float, float, float]) -> bool:
    x, y, width, height = box
    return x < corner.x < x + width and y < corner.y < y + height


def are_opposite(one: Corner, other: Corner) -> bool:
    """Whether two corners can be the two ends of one card: antiparallel, of like height, at a card's distance."""
    if one.up[0] * other.up[0] + one.up[1] * other.up[1] > -0.8:
        return False
    tall = (one.height_px + other.height_px) / 2
    if not 0.6 < one.height_px / other.height_px < 1.67 or not 1.3 < _apart(one, other) / tall < 6.5:
        return False
    away = ((other.x - one.x) / tall, (other.y - one.y) / tall)
    down = -(away[0] * one.up[0] + away[1] * one.up[1])
    # The opposite index lies below and, but for four-index decks, to the right.
    return 0.8 < down < 6.0


def _reading(sight: _Sight, size: Size) -> Reading:
    ends = _ends(sight)
    order = [int(number) for number in np.argsort(-sight.chances)[:_CHOICES]]
    choices = tuple((DECK_52[number], float(sight.chances[number])) for number in order)
    return Reading(choices[0][0], choices[0][1], _box(ends), tuple(sight.corners), choices, outline_of(ends, size))


def _ends(sight: _Sight) -> list[Corner]:
    """The first index, and the opposite one where it is seen."""
    return [c for c in sight.corners[:2] if c is sight.corners[0] or are_opposite(c, sight.corners[0])]


def _box(corners: list[Corner]) -> tuple[float, float, float, float]:
    """Upright box around the indices with the margin that paper leaves around them."""
    reach = [0.75 * corner.height_px for corner in corners]
    left = min(c.x - r for c, r in zip(corners, reach, strict=True))
    top = min(c.y - r for c, r in zip(corners, reach, strict=True))
    right = max(c.x + r for c, r in zip(corners, reach, strict=True))
    foot = max(c.y + r for c, r in zip(corners, reach, strict=True))
    return left, top, right - left, foot - top
