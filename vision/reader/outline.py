"""Where a whole card lies, as far as its indices tell: they stand at known distances from its edges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.reader.values import Corner, Outline

# In index heights; a poker card is 63 × 88 mm, an index 20 mm, its middle 6.5 mm from the side and 14 mm from the top.
Size = tuple[float, float]
USUAL_SIZE: Size = (63 / 20, 88 / 20)
_FROM_SIDE, _FROM_TOP = 6.5 / 20, 14 / 20
_WIDER, _FLATTER = 1.15, 0.7
"""Cards of which only one end is seen are taken for as large as those seen whole within these bounds of the usual."""
_ASKEW = math.radians(12)
"""Indices stand no farther from the direction of their card than this."""
_WHOLE = 0.6
"""Share of the usual size that indices must span to tell the size themselves."""


def size_of(cards: Iterable[Sequence[Corner]]) -> Size:
    """Width and height of the picture's cards in index heights, from those of which two opposite ends are seen."""
    spans = [_span(corners) for corners in cards if len(corners) > 1]
    whole = [(right - left, foot - top) for left, top, right, foot in spans if _is_whole(right - left, foot - top)]
    if not whole:
        return USUAL_SIZE
    width, height = (median(sides) for sides in zip(*whole, strict=True))
    least, most = _FLATTER * USUAL_SIZE[0], _WIDER * USUAL_SIZE[0]
    return (width, height) if least < width < most else USUAL_SIZE


def _is_whole(width: float, height: float) -> bool:
    return width > _WHOLE * USUAL_SIZE[0] and height > _WHOLE * USUAL_SIZE[1]


def outline_of(corners: Sequence[Corner], size: Size) -> Outline:
    """The card's four corners in px, clockwise from the one beside the first index.

    `size` (index heights) says how far the card reaches where no opposite index tells it.
    """
    left, top, right, foot = _span(corners)
    if right - left < _WHOLE * size[0]:
        right = left + size[0]
    if foot - top < _WHOLE * size[1]:
        foot = top + size[1]
    axes, tall = _axes(corners), _height(corners)
    own = np.array([(left, top), (right, top), (right, foot), (left, foot)])
    points = (own * tall) @ axes + (corners[0].x, corners[0].y)
    return tuple((float(x), float(y)) for x, y in points)


def _span(corners: Sequence[Corner]) -> tuple[float, float, float, float]:
    """Left, top, right and foot of the paper that the indices need, in index heights from the first one."""
    axes, tall = _axes(corners), _height(corners)
    places = np.array([(corner.x - corners[0].x, corner.y - corners[0].y) for corner in corners]) @ axes.T / tall
    (left, top), (right, foot) = places.min(axis=0), places.max(axis=0)
    return float(left) - _FROM_SIDE, float(top) - _FROM_TOP, float(right) + _FROM_SIDE, float(foot) + _FROM_TOP


def _axes(corners: Sequence[Corner]) -> NDArray[np.float64]:
    """(2, 2) unit vectors that point right and down for whom the first index stands upright."""
    first = np.array(corners[0].up)
    up = sum((np.sign(first @ corner.up) * np.array(corner.up) for corner in corners), np.zeros(2))
    turn = math.atan2(up[0], -up[1])
    if len(corners) > 1:
        fitting = _turn_by_shape(corners, turn)
        turn = fitting if abs(fitting - turn) < _ASKEW else turn
    return np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))])


def _turn_by_shape(corners: Sequence[Corner], turn: float) -> float:
    """The turn near `turn`, in radians, that gives the paper a card's proportions.

    Letter and pip often stand askew of each other, at both ends alike; the line from index to index doesn't suffer.
    """
    x, y = corners[1].x - corners[0].x, corners[1].y - corners[0].y
    share, tall = USUAL_SIZE[0] / USUAL_SIZE[1], _height(corners)
    excess = 2 * tall * (share * _FROM_TOP - _FROM_SIDE) / (math.hypot(x, y) * math.hypot(1, share))
    lean = math.atan(share) + math.asin(max(-1.0, min(excess, 1.0)))
    is_rightwards = x * math.cos(turn) + y * math.sin(turn) > 0
    fitting = math.atan2(-x, y) + (lean if is_rightwards else -lean)
    return turn + (fitting - turn + math.pi) % (2 * math.pi) - math.pi


def _height(corners: Sequence[Corner]) -> float:
    return float(np.mean([corner.height_px for corner in corners]))
