"""The pips in the field of a number card, in the places where all printers put them."""

import numpy as np

from vision.training.decks import HEIGHT, WIDTH
from vision.training.glyphs import Mask
from vision.training.pips import Colour, Picture, print_mask

MOST_PIPS = 10
_LEFT, _MIDDLE, _RIGHT = -1.0, 0.0, 1.0
_PAIRS = {2: (), 3: (), 4: (-1.0, 1.0), 5: (-1.0, 1.0), 6: (-1.0, 0.0, 1.0), 7: (-1.0, 0.0, 1.0), 8: (-1.0, 0.0, 1.0)}
_FOUR_ROWS = (-1.0, -1 / 3, 1 / 3, 1.0)
_BETWEEN: dict[int, tuple[float, ...]] = {
    2: (-1.0, 1.0), 3: (-1.0, 0.0, 1.0), 4: (), 5: (0.0,), 6: (), 7: (-0.5,), 8: (-0.5, 0.5), 9: (0.0,),
    10: (-2 / 3, 2 / 3),
}  # fmt: skip
"""Heights of the pips in the middle column: -1 is the top row, 1 the lowest."""


def places(rank: int) -> list[tuple[float, float]]:
    """Columns and rows, both from -1 to 1, of a rank's pips, 2 to 10."""
    pairs = _PAIRS.get(rank, _FOUR_ROWS)
    return [(x, y) for y in pairs for x in (_LEFT, _RIGHT)] + [(_MIDDLE, y) for y in _BETWEEN[rank]]


def print_field(card: Picture, rank: int, pip: Mask, ink: Colour, rng: np.random.Generator) -> None:
    """Prints a number card's field anew, the pips of its lower half upside down."""
    left, top = int(0.14 * WIDTH), int(0.045 * HEIGHT)
    field = card[top : HEIGHT - top, left : WIDTH - left]
    field[:] = np.median(field.reshape(-1, 3), axis=0)
    apart = np.array((rng.uniform(0.14, 0.2) * WIDTH, rng.uniform(0.28, 0.34) * HEIGHT))
    tall = float(rng.uniform(0.1, 0.17) * HEIGHT)
    wide = tall * min(pip.shape[1] / pip.shape[0], 1.3)
    for place in places(rank):
        x, y = np.array((WIDTH / 2 - left, HEIGHT / 2 - top)) + apart * place
        box = (float(x - wide / 2), float(y - tall / 2), float(x + wide / 2), float(y + tall / 2))
        print_mask(field, pip if place[1] <= 0 else np.ascontiguousarray(pip[::-1]), box, ink)
