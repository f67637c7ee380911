"""Letters and pips of the simulated table's own deck, drawn as strokes and closed curves.

Letters live in a box one high (y down) and as wide as `letter_width` says; pips live in the unit square.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from cardtable.simulated.sprites import Picture
from engine.cards import Rank, Suit

Points = NDArray[np.float64]

_SHIFT = 4


def _line(*points: tuple[float, float]) -> Points:
    return np.array(points, dtype=np.float64)


def _arc(centre: tuple[float, float], radii: tuple[float, float], start: float, end: float) -> Points:
    angles = np.radians(np.linspace(start, end, 40))
    return np.stack([centre[0] + radii[0] * np.cos(angles), centre[1] + radii[1] * np.sin(angles)], axis=1)


def _bezier(*points: tuple[float, float]) -> Points:
    along = np.linspace(0, 1, 24)[:, None]
    rows = [np.array(point, dtype=np.float64)[None, :] for point in points]
    while len(rows) > 1:
        rows = [a * (1 - along) + b * along for a, b in pairwise(rows)]
    return rows[0]


def _turned(strokes: list[Points], width: float) -> list[Points]:
    return [np.array([width, 1.0]) - stroke for stroke in strokes]


_SIX = [_arc((0.30, 0.69), (0.25, 0.29), 0, 360), _bezier((0.50, 0.03), (0.10, 0.10), (0.05, 0.52), (0.05, 0.70))]

_STROKES: dict[str, list[Points]] = {
    "2": [
        np.vstack([_arc((0.29, 0.28), (0.25, 0.27), 185, 390), _bezier((0.50, 0.42), (0.36, 0.68), (0.05, 0.98))]),
        _line((0.05, 0.98), (0.57, 0.98)),
    ],
    "3": [_arc((0.27, 0.26), (0.23, 0.25), 200, 450), _arc((0.27, 0.73), (0.27, 0.26), -90, 155)],
    "4": [_line((0.44, 1.0), (0.44, 0.02), (0.02, 0.70), (0.62, 0.70))],
    "5": [_line((0.52, 0.02), (0.12, 0.02), (0.08, 0.45)), _arc((0.28, 0.67), (0.27, 0.32), -138, 145)],
    "6": _SIX,
    "7": [_line((0.03, 0.02), (0.57, 0.02)), _bezier((0.57, 0.02), (0.30, 0.42), (0.20, 1.0))],
    "8": [_arc((0.30, 0.25), (0.21, 0.24), 0, 360), _arc((0.30, 0.73), (0.26, 0.26), 0, 360)],
    "9": _turned(_SIX, 0.60),
    "10": [_line((0.02, 0.20), (0.20, 0.02), (0.20, 1.0)), _arc((0.66, 0.50), (0.22, 0.48), 0, 360)],
    "J": [np.vstack([_line((0.46, 0.02), (0.46, 0.70)), _arc((0.25, 0.72), (0.21, 0.27), 0, 175)])],
    "Q": [_arc((0.32, 0.49), (0.29, 0.47), 0, 360), _line((0.36, 0.70), (0.62, 1.02))],
    "K": [_line((0.07, 0.0), (0.07, 1.0)), _line((0.57, 0.0), (0.08, 0.60)), _line((0.24, 0.42), (0.60, 1.0))],
    "A": [_line((0.0, 1.0), (0.31, 0.0), (0.62, 1.0)), _line((0.12, 0.66), (0.50, 0.66))],
}
_WIDTHS = {"10": 0.90}


def letter_width(rank: Rank) -> float:
    """How wide the rank's letter is, as a share of its height."""
    return _WIDTHS.get(str(rank), 0.62)


def draw_letter(picture: Picture, rank: Rank, *, height: float, weight: float, colour: tuple[int, ...]) -> None:
    """Draws the rank's letter into the upper left of `picture`, `height` px tall, strokes `weight` of its height."""
    thickness = max(1, round(weight * height))
    inset = thickness / 2
    for stroke in _STROKES[str(rank)]:
        scaled = stroke * (height - thickness) + inset
        points = np.round(scaled * (1 << _SHIFT)).astype(np.int32)
        cv2.polylines(picture, [points], False, colour, thickness, cv2.LINE_AA, _SHIFT)


def _heart() -> list[Points]:
    right = np.vstack(
        [
            _bezier((0.50, 0.26), (0.56, 0.02), (0.98, -0.04), (0.97, 0.33)),
            _bezier((0.97, 0.33), (0.96, 0.60), (0.64, 0.74), (0.50, 0.99)),
        ]
    )
    left = np.stack([1 - right[::-1, 0], right[::-1, 1]], axis=1)
    return [np.vstack([right, left])]


def _diamond() -> list[Points]:
    quarter = _bezier((0.50, 0.0), (0.62, 0.24), (0.74, 0.40), (0.90, 0.50))
    right = np.vstack([quarter, np.stack([quarter[::-1, 0], 1 - quarter[::-1, 1]], axis=1)])
    return [np.vstack([right, np.stack([1 - right[::-1, 0], right[::-1, 1]], axis=1)])]


def _stem() -> Points:
    side = _bezier((0.53, 0.60), (0.54, 0.84), (0.62, 0.95), (0.72, 0.99))
    return np.vstack([side, np.stack([1 - side[::-1, 0], side[::-1, 1]], axis=1)])


def _spade() -> list[Points]:
    body = _heart()[0].copy()
    body[:, 1] = (0.99 - body[:, 1]) * 0.88
    return [body, _stem()]


def _club() -> list[Points]:
    leaves = [((0.50, 0.23), 0.225), ((0.235, 0.55), 0.225), ((0.765, 0.55), 0.225), ((0.50, 0.50), 0.13)]
    return [_arc(centre, (radius, radius), 0, 360) for centre, radius in leaves] + [_stem()]


@lru_cache(maxsize=4)
def _curves(suit: Suit) -> tuple[Points, ...]:
    makers = {Suit.HEARTS: _heart, Suit.DIAMONDS: _diamond, Suit.SPADES: _spade, Suit.CLUBS: _club}
    return tuple(makers[suit]())


def draw_pip(
    picture: Picture, suit: Suit, *, centre: tuple[float, float], size: float, colour: tuple[int, ...]
) -> None:
    """Draws the suit's pip `size` px tall around `centre` (px); a negative `size` turns it upside down."""
    for curve in _curves(suit):
        around = (curve - 0.5) * size
        points = np.round((around + np.array(centre)) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillPoly(picture, [points], colour, cv2.LINE_AA, _SHIFT)
