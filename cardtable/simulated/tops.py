"""Table tops for the simulated table, from noise: felt, wood and woven cloth, lit unevenly; and some harder ones."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX

Floats = NDArray[np.float32]
Colour = tuple[float, float, float]
Top = Callable[[np.random.Generator], Floats]
"""Makes (h, w, 3) BGR reflectance, 0 to 255, not lit yet."""

_FELTS: tuple[Colour, ...] = ((62, 92, 38), (96, 54, 34), (48, 36, 110), (70, 66, 60))
_WOODS: tuple[Colour, ...] = ((74, 112, 158), (48, 76, 116), (120, 160, 196))
_CLOTHS: tuple[Colour, ...] = ((150, 128, 104), (110, 120, 128), (84, 70, 134))


def _noise(rng: np.random.Generator, grain_x: float, grain_y: float) -> Floats:
    """(h, w) smooth noise of mean 0 and deviation 1, its grain `grain_x` by `grain_y` px."""
    size = (max(4, round(HEIGHT_PX / grain_y)), max(4, round(WIDTH_PX / grain_x)))
    coarse = rng.standard_normal(size).astype(np.float32)
    wide = cv2.resize(coarse, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_CUBIC)
    return np.asarray((wide - wide.mean()) / wide.std(), dtype=np.float32)


def _felt(rng: np.random.Generator) -> tuple[Floats, Colour]:
    texture = 0.035 * _noise(rng, 1.5, 1.5) + 0.02 * _noise(rng, 5, 5) + 0.03 * _noise(rng, 200, 150)
    return texture, _FELTS[rng.integers(len(_FELTS))]


def _wood(rng: np.random.Generator) -> tuple[Floats, Colour]:
    grain = 0.06 * _noise(rng, 300, 4) + 0.04 * _noise(rng, 90, 2) + 0.05 * _noise(rng, 700, 40)
    rings = 0.04 * np.sin(6 * _noise(rng, 900, 160))
    planks = np.arange(HEIGHT_PX) // 230
    shades = rng.normal(0, 0.05, planks.max() + 1).astype(np.float32)
    seams = np.where(np.arange(HEIGHT_PX) % 230 < 3, -0.25, 0).astype(np.float32)
    return grain + rings + (shades[planks] + seams)[:, None], _WOODS[rng.integers(len(_WOODS))]


def _cloth(rng: np.random.Generator) -> tuple[Floats, Colour]:
    x, y = np.arange(WIDTH_PX), np.arange(HEIGHT_PX)
    weave = 0.05 * (np.sin(x * 1.3)[None, :] + np.sin(y * 1.25)[:, None])
    stripe = 0.08 * (np.sin(x / 38)[None, :] > 0.8)
    texture = weave.astype(np.float32) + stripe.astype(np.float32) + 0.03 * _noise(rng, 2, 2)
    return texture + 0.04 * _noise(rng, 260, 200), _CLOTHS[rng.integers(len(_CLOTHS))]


def lighting(rng: np.random.Generator) -> Floats:
    """(h, w) gain by place: a lamp somewhere above, and the lens darkening towards the corners."""
    rows, columns = np.mgrid[0:HEIGHT_PX, 0:WIDTH_PX].astype(np.float32)
    x, y = columns / WIDTH_PX - 0.5, rows / WIDTH_PX - HEIGHT_PX / WIDTH_PX / 2
    slope = rng.uniform(-0.14, 0.14, 2)
    gain = rng.uniform(0.86, 0.98) * (1 - 0.55 * (x**2 + y**2)) * (1 + slope[0] * x + slope[1] * y)
    return np.asarray(gain, dtype=np.float32)


def table_top(rng: np.random.Generator) -> Floats:
    """(h, w, 3) BGR reflectance of one of the tops, 0 to 255, not lit yet."""
    texture, colour = (_felt, _wood, _cloth)[rng.integers(3)](rng)
    return np.clip((1 + texture)[:, :, None] * np.array(colour, np.float32), 0, 255)


def _white_cloth(rng: np.random.Generator) -> Floats:
    """As white as cards are, with the creases in which it lay folded in the cupboard."""
    crease = np.zeros((HEIGHT_PX, WIDTH_PX), np.float32)
    for x in np.arange(rng.integers(60, 300), WIDTH_PX, 430):
        crease[:, x : x + 5] -= 0.05
    for y in np.arange(rng.integers(60, 300), HEIGHT_PX, 390):
        crease[y : y + 5] += 0.04
    soft = cv2.GaussianBlur(crease, (0, 0), 3)
    texture = soft + 0.012 * _noise(rng, 2, 2) + 0.02 * _noise(rng, 320, 240)
    return np.asarray(np.clip((1 + texture)[:, :, None] * np.array((226, 232, 236), np.float32), 0, 255), np.float32)


def _checked_cloth(rng: np.random.Generator) -> Floats:
    """Squares of a strong colour on white, half strong where only one stripe runs."""
    colour = np.array(((60, 50, 190), (150, 90, 40), (70, 120, 50))[rng.integers(3)], np.float32)
    side = float(rng.uniform(50, 110))
    x, y = (np.arange(count) % side < side / 2 for count in (WIDTH_PX, HEIGHT_PX))
    stripes = 0.46 * (x[None, :].astype(np.float32) + y[:, None].astype(np.float32))
    share = cv2.GaussianBlur(stripes, (0, 0), 1.2)[:, :, None]
    plain = (1 - share) * np.array((222, 228, 230), np.float32) + share * colour
    return np.asarray(np.clip(plain * (1 + 0.02 * _noise(rng, 2, 2))[:, :, None], 0, 255), np.float32)


def _flowered_cloth(rng: np.random.Generator) -> Floats:
    """Blossoms and leaves strewn over something pale."""
    cloth = np.full((HEIGHT_PX, WIDTH_PX, 3), (190, 206, 214), np.uint8)
    inks = ((60, 40, 190), (170, 90, 60), (70, 130, 60), (40, 170, 220), (140, 60, 150))
    for _ in range(220):
        middle = (int(rng.integers(WIDTH_PX)), int(rng.integers(HEIGHT_PX)))
        ink, size = inks[rng.integers(len(inks))], int(rng.integers(10, 34))
        for petal in range(int(rng.integers(1, 7))):
            angle = petal * 60 + int(rng.integers(20))
            cv2.ellipse(cloth, middle, (size, size // 3), angle, 0, 360, ink, -1, cv2.LINE_AA)
        cv2.circle(cloth, middle, size // 4, (60, 200, 230), -1, cv2.LINE_AA)
    texture = 1 + 0.02 * _noise(rng, 2, 2)
    return np.clip(cv2.GaussianBlur(cloth, (0, 0), 1.0) * texture[:, :, None], 0, 255).astype(np.float32)


HARD_TOPS: dict[str, Top] = {
    "white-cloth": _white_cloth,
    "checked-cloth": _checked_cloth,
    "flowered-cloth": _flowered_cloth,
    "plain-top": table_top,
}
"""What a table may be covered with when nothing is made easy."""
