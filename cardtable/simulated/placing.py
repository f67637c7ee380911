"""Where cards come to lie, and whether their indices can be seen there."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np

from cardtable.simulated.camera import Floats, Place
from cardtable.simulated.cards import HEIGHT_MM, WIDTH_MM, corner_boxes
from cardtable.simulated.reach import Piece

GRIP_MM = 15.0
"""How far from the card's middle the finger tips hold it."""
COVER_MM = 52.0
"""How far beyond the card's middle the finger tips of a hand lie that covers it."""
SPREAD_MM = 15.0
PILE_MM = 300.0
"""Side of the pile's zone."""
_TRIES = 60


def toward(turn: float, distance_mm: float) -> tuple[float, float]:
    """A shift on the table by `distance_mm` in the direction in which a hand turned by `turn` degrees points."""
    return math.sin(math.radians(turn)) * distance_mm, -math.cos(math.radians(turn)) * distance_mm


def index_points(place: Place, corner: int) -> Floats:
    """(n, 2) points in mm spread over one of a card's two indices."""
    x, y, width, height = corner_boxes()[corner]
    own = [(x + width * a, y + height * b) for a in (0.05, 0.5, 0.95) for b in (0.03, 0.27, 0.5, 0.73, 0.97)]
    return place.points(np.array(own) - np.array([WIDTH_MM / 2, HEIGHT_MM / 2]))


def _covers(place: Place, points: Floats) -> bool:
    """Whether a card at `place` covers any of the points."""
    own = Place(0, 0, -place.turn).points(points - np.array([place.x_mm, place.y_mm]))
    return bool(((np.abs(own[:, 0]) < WIDTH_MM / 2 + 0.5) & (np.abs(own[:, 1]) < HEIGHT_MM / 2 + 0.5)).any())


def open_indices(place: Place, above: Sequence[Place]) -> tuple[int, ...]:
    """Which of the card's indices no card above it covers."""
    return tuple(c for c in (0, 1) if not any(_covers(other, index_points(place, c)) for other in above))


def choose_place(rng: random.Random, turn: float, fresh: Sequence[Piece]) -> Place:
    """Where a hand turned by `turn` drops a card: near the middle, untidily, not squarely on one laid a moment ago.

    Two people do not hit the same spot at the same angle: of each card in `fresh` one index stays open.
    """
    for attempt in range(_TRIES):
        spread = 6.0 + attempt * 0.4
        x, y = (max(-SPREAD_MM - attempt / 3, min(SPREAD_MM + attempt / 3, rng.gauss(0, spread))) for _ in range(2))
        place = Place(x, y, turn + rng.gauss(0, 12) + rng.choice((0, 180)))
        if all(open_indices(piece.place, [place]) for piece in fresh):
            break
    return place


def fanned(rng: random.Random, place: Place, turn: float) -> Place:
    """Where a second card dropped by the same hand lies: pushed aside from the first, which it partly covers."""
    aside = rng.choice((-1, 1)) * rng.uniform(15, 24)
    dx, dy = toward(turn + 90, aside)
    back_x, back_y = toward(turn, rng.uniform(-32, -20) if aside < 0 else rng.uniform(-14, 4))
    second = Place(place.x_mm + dx + back_x, place.y_mm + dy + back_y, place.turn + rng.gauss(0, 5))
    return second if open_indices(place, [second]) else fanned(rng, place, turn)
