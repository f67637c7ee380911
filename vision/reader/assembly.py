"""Joins corners into cards: one deck is on the table, so the same label is the same card."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from vision.reader.values import Corner, Reading

_CHOICES = 5
_NESTED = 0.6
"""Corners nearer than this share of the larger one's height are the same index."""
_ORNAMENT = 0.55
"""Indices of cards at one distance are alike; something much smaller inside a card is no index."""
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
    corners = _settled(without_nested(corners))
    groups: dict[int, list[Corner]] = {}
    for corner in sorted(corners, key=lambda c: -c.sure):
        groups.setdefault(corner.label, []).append(corner)
    readings = sorted((_reading(label, group) for label, group in groups.items()), key=lambda r: -r.sure)
    sure = [reading for reading in readings if reading.sure >= least_sure]
    return tuple(reading for number, reading in enumerate(sure) if not _is_ornament(reading, sure[:number]))


def _is_ornament(reading: Reading, surer: list[Reading]) -> bool:
    """Whether it is a small thing inside a card that is itself read at both ends: part of a court's dress, a print."""
    spot = reading.corners[0]
    return any(
        len(card.corners) > 1 and spot.height_px < _ORNAMENT * card.corners[0].height_px and _is_inside(spot, card.box)
        for card in surer
    )


def _is_inside(corner: Corner, box: tuple[float, float, float, float]) -> bool:
    x, y, width, height = box
    return x < corner.x < x + width and y < corner.y < y + height


def _settled(corners: list[Corner]) -> list[Corner]:
    """Lets corners speak with each other: the two ends of a card agree, two cards of one deck don't show the same."""
    corners = [_outvoted(corner, corners) for corner in corners]
    settled: list[Corner] = []
    for corner in sorted(corners, key=lambda c: -c.sure):
        rivals = [other for other in settled if other.label == corner.label and _too_far(corner, other)]
        settled.append(_yielded(corner, rivals[0]) if rivals else corner)
    return settled


def _outvoted(corner: Corner, corners: list[Corner]) -> Corner:
    """An unsure corner takes the word of the other end of its card."""
    if corner.sure > 0.6:
        return corner
    for other in corners:
        if other.sure > 0.6 and are_opposite(corner, other) and corner.probabilities[other.label] > 0.02:
            joint = corner.probabilities * other.probabilities
            return _with(corner, np.asarray(joint / joint.sum() * float(corner.probabilities.sum()), np.float32))
    return corner


def _too_far(one: Corner, other: Corner) -> bool:
    """Whether two corners cannot belong to one card."""
    return _apart(one, other) > _CARD_REACH * max(one.height_px, other.height_px)


def _yielded(corner: Corner, rival: Corner) -> Corner:
    """The corner after a surer one elsewhere has claimed its card: there is only one such card in a deck."""
    allowed = np.ones(len(DECK_52), np.float32)
    allowed[corner.label] = 1 - rival.sure
    return _with(corner, _renewed(corner.probabilities, allowed))


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


def _reading(label: int, group: list[Corner]) -> Reading:
    """One card from all corners that show it; the two ends of the card, where both are seen, make it surer."""
    best, *rest = _ends(group)
    sure = best.sure
    for other in rest:
        sure = 1 - (1 - sure) * (1 - other.sure)
    corners = (best, *rest, *(corner for corner in group if corner is not best and corner not in rest))
    return Reading(DECK_52[label], min(sure, 1.0), _box([best, *rest]), corners, _choices(best, label, sure))


def _ends(group: list[Corner]) -> list[Corner]:
    """The surest two corners that can be a card's two ends, or the surest one."""
    pairs = (
        [one, other] for number, one in enumerate(group) for other in group[number + 1 :] if are_opposite(one, other)
    )
    return max(pairs, key=lambda pair: pair[0].sure + pair[1].sure, default=group[:1])


def _choices(best: Corner, label: int, sure: float) -> tuple[tuple[Card, float], ...]:
    order = [int(i) for i in np.argsort(-best.probabilities)[:_CHOICES]]
    rest = max(1 - float(best.probabilities[label]), 1e-6)
    share: Callable[[int], float] = lambda i: sure if i == label else float(best.probabilities[i]) / rest * (1 - sure)  # noqa: E731
    return tuple((DECK_52[i], share(i)) for i in order)


def _box(corners: list[Corner]) -> tuple[float, float, float, float]:
    """Upright box around the indices with the margin that paper leaves around them."""
    reach = [0.75 * corner.height_px for corner in corners]
    left = min(c.x - r for c, r in zip(corners, reach, strict=True))
    top = min(c.y - r for c, r in zip(corners, reach, strict=True))
    right = max(c.x + r for c, r in zip(corners, reach, strict=True))
    foot = max(c.y + r for c, r in zip(corners, reach, strict=True))
    return left, top, right - left, foot - top
