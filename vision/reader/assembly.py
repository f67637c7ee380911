"""Joins corners into cards: one deck is on the table, so the same label is the same card."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from vision.reader.outline import Size, outline_of, size_of
from vision.reader.values import Corner, Outline, Reading

Look = Callable[[Sequence[Outline]], NDArray[np.float32]]
_CHOICES = 5
_NESTED_ALONG, _NESTED_ACROSS = 0.5, 0.35
"""Corners nearer than this share of the larger one's height, in its direction and beside it, are the same index."""
_LIKE_FRAME = (0.7, 1.43)
"""Share of each other's height within which two corners on one index frame it alike."""
_NEWS = 0.15
"""What each further look at an index adds, where 1 would be what an independent one does."""
_LEAST_CHANCE = 1e-4
_LEAST_DOUBT = 1e-3
"""Chance of "no index" that is always left."""
_ROUNDS = 12
_AGREED = 0.1
"""Chance from which two corners are believed to show the same card."""
_TRUST = 0.7
"""Below 1, because the two ends of a card are misread for the same reasons."""
_ALIKE = (0.55, 1.8)
"""Share of each other's height within which indices of neighbouring cards are."""
_ASKEW = -0.3
"""Cosine of the angle between the directions of a card's ends where perspective or a misled finder bends them most."""
_SURE = 0.9
_ENOUGH = 0.98
"""Certainty from which a card need not be looked at whole."""
_FACE_TRUST, _FACE_FLOOR = 0.4, 0.1
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
    """One corner for each index: of those that lie on each other the surest stays, with what all say together."""
    heaps: list[list[Corner]] = []
    for corner in sorted(corners, key=lambda c: -c.sure * (0.5 + c.score)):
        near = [heap for heap in heaps if _are_one_index(corner, heap[0])]
        if near:
            min(near, key=lambda heap: _apart(corner, heap[0])).append(corner)
        else:
            heaps.append([corner])
    return [_with(heap[0], _agreed(heap)) for heap in heaps]


def _are_one_index(one: Corner, other: Corner) -> bool:
    """Whether two corners lie on each other: indices of neighbouring cards are nearer side by side than in line."""
    x, y = one.x - other.x, one.y - other.y
    along, across = x * other.up[0] + y * other.up[1], x * other.up[1] - y * other.up[0]
    tall = max(one.height_px, other.height_px)
    return math.hypot(along / _NESTED_ALONG, across / _NESTED_ACROSS) < tall


def _agreed(heap: list[Corner]) -> NDArray[np.float32]:
    """What the looks at one index say together; who framed it as another index does has no say.

    A product of opinions, each to the power of its share (C. Genest and J. Zidek, Combining probability distributions,
    1986), a little sharper than their mean: the looks differ in scale, but see the same ink.
    """
    looks = [c for c in heap if _LIKE_FRAME[0] < c.height_px / heap[0].height_px < _LIKE_FRAME[1]]
    if len(looks) == 1:
        return heap[0].probabilities
    chances = np.array([c.probabilities for c in looks], np.float64)
    index = np.maximum(chances.sum(axis=1, keepdims=True), _LEAST_CHANCE)
    shares = np.array([c.score for c in looks]) * index[:, 0]
    shares /= shares.sum()
    joint = np.exp((1 + _NEWS * (len(looks) - 1)) * shares @ np.log(np.maximum(chances / index, _LEAST_CHANCE)))
    return np.asarray(joint / joint.sum() * (shares @ index), np.float32)


def _apart(one: Corner, other: Corner) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)


def assemble(corners: Sequence[Corner], least_sure: float, look: Look | None = None) -> tuple[Reading, ...]:
    """Cards in the picture, the surest first; those less sure than `least_sure` are left out.

    `look` tells the (n, 54) chances of whole cards by their outlines; it is asked where the indices say too little.
    """
    sights = _coupled(without_nested(corners))
    size = size_of(_ends(sight) for sight in sights if sight.sure >= _SURE)
    unsure = [sight for sight in sights if sight.sure < _ENOUGH]
    if unsure and look is not None:
        _look_again(unsure, size, look)
    sights = _one_of_each(sights)
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


def _look_again(sights: list[_Sight], size: Size, look: Look) -> None:
    """Lets the whole cards have their say.

    What a face tells is by how much likelier it is under one card than under a random one; where the outline holds
    something else it tells nothing, so it is never wholly believed.
    """
    faces = look([outline_of(_ends(sight), size) for sight in sights])
    for sight, face in zip(sights, faces, strict=True):
        told = sight.chances * (len(DECK_52) * face[: len(DECK_52)] + _FACE_FLOOR) ** _FACE_TRUST
        none = max(1 - float(sight.chances.sum()), _LEAST_DOUBT)
        sight.chances = np.asarray(told / (told.sum() + none), np.float32)


def _one_of_each(sights: list[_Sight]) -> list[_Sight]:
    """One sight for each card: those that can belong to one card are joined, the others share out the deck."""
    apart: list[_Sight] = []
    for sight in sorted(sights, key=lambda s: -s.sure):
        twin = next((s for s in apart if s.label == sight.label and _can_be_one(s, sight)), None)
        if twin is None:
            apart.append(sight)
        else:
            twin.corners.extend(sight.corners)
    if apart:
        shared = shared_out(np.stack([sight.chances for sight in apart]))
        for sight, chances in zip(apart, shared, strict=True):
            sight.chances = chances
    return _surest_of_each(apart)


def _surest_of_each(sights: list[_Sight]) -> list[_Sight]:
    """Where several sights claim one card still, the surest has it: it lies here or there."""
    kept: dict[int, _Sight] = {}
    for sight in sorted(sights, key=lambda s: -s.sure):
        first = kept.setdefault(sight.label, sight)
        if first is not sight:
            total = min(first.sure + sight.sure, 1.0)
            others = 1 - min(total, 0.9999)
            first.chances = first.chances * (others / max(1 - first.sure, 1e-6))
            first.chances[sight.label] = total
    return list(kept.values())


def shared_out(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    """The (n, 52) chances of n different cards, given that a deck holds each card once.

    What is missing to 1 in a row is "no index", which may be so any number of times. Sum-product messages between cards
    and places (B. Huang and T. Jebara, Approximating the permanent with belief propagation, 2009): exact where no
    ambiguity goes round in a circle.
    """
    none = np.maximum(1 - chances.sum(axis=1, keepdims=True), _LEAST_DOUBT)
    free = np.ones_like(chances)
    for _ in range(_ROUNDS):
        left = chances * free
        claims = chances / np.maximum(left.sum(axis=1, keepdims=True) + none - left, _LEAST_DOUBT)
        free = 1 / (1 + claims.sum(axis=0, keepdims=True) - claims)
    left = chances * free
    return np.asarray(left / (left.sum(axis=1, keepdims=True) + none), np.float32)


def _can_be_one(one: _Sight, other: _Sight) -> bool:
    """Whether two sights can show one card: at its two ends, or side by side on a card with four indices."""
    return any(_may_face(a, b) or _are_beside(a, b) for a in one.corners for b in other.corners)


def _may_face(one: Corner, other: Corner) -> bool:
    """Whether two corners may be a card's two ends, seen so much askew that they need not look it."""
    is_turned = one.up[0] * other.up[0] + one.up[1] * other.up[1] < _ASKEW
    return is_turned and _apart(one, other) < _CARD_REACH * max(one.height_px, other.height_px)


def _are_beside(one: Corner, other: Corner) -> bool:
    """Whether two corners can be a card's left and right index at the same end."""
    if one.up[0] * other.up[0] + one.up[1] * other.up[1] < 0.8:
        return False
    x, y = other.x - one.x, other.y - one.y
    along, across = abs(x * one.up[0] + y * one.up[1]), abs(x * one.up[1] - y * one.up[0])
    tall = (one.height_px + other.height_px) / 2
    return along < 0.8 * tall and 1.3 * tall < across < 5 * tall


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
