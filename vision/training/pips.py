"""Pips drawn from scratch, each time a little otherwise, because fonts hardly differ in theirs.

Shapes are polygons in a square of side 1, y down. A club goes from three discs far apart to one blob, a spade from slim
to wide with any notch, both on stems of every kind.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.glyphs import Mask

Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]
Colour = tuple[int, int, int]
Points = NDArray[np.float64]

TALL_PX = 96
_SHIFT = 4
_MARGIN = 0.2


def draw_pip(suit: int, rng: np.random.Generator) -> Mask:
    """A random pip of a suit, 0 clubs to 3 spades, as a coverage mask cut to its ink, about `TALL_PX` high."""
    parts = (_club, _diamond, _heart, _spade)[suit](rng)
    side = round(TALL_PX * (1 + 2 * _MARGIN))
    mask = np.zeros((side, side), np.uint8)
    for part in parts:
        points = np.round((part + _MARGIN) * TALL_PX * 2**_SHIFT).astype(np.int32)
        cv2.fillPoly(mask, [points], (255,), cv2.LINE_AA, _SHIFT)
    return _cut(mask)


def _cut(mask: Mask) -> Mask:
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _curve(start: Points, one: Points, other: Points, end: Points) -> Points:
    """A cubic Bézier curve."""
    t = np.linspace(0, 1, 24)[:, None]
    return np.asarray(
        (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * one + 3 * (1 - t) * t**2 * other + t**3 * end, np.float64
    )


def _both_sides(right: Points) -> Points:
    """Closes an outline from the top of its axis to the foot with its mirror image."""
    return np.asarray(np.vstack([right, (right * (-1, 1))[::-1]]) + np.array([0.5, 0]), np.float64)


def _disc(x: float, y: float, radius: float, stretch: float) -> Points:
    angles = np.linspace(0, 2 * np.pi, 48)
    return np.stack([x + radius * stretch * np.cos(angles), y + radius * np.sin(angles)], axis=1)


def _club(rng: np.random.Generator) -> list[Points]:
    radius = rng.uniform(0.19, 0.29)
    spread = rng.uniform(0.95, 1.25) * radius
    low = rng.uniform(0.5, 0.62)
    stretch = rng.uniform(0.92, 1.12)
    upper = radius * rng.uniform(0.9, 1.15)
    discs = [_disc(0.5, upper, upper, stretch), *(_disc(0.5 + way * spread, low, radius, stretch) for way in (-1, 1))]
    # Discs that don't touch are joined over the middle.
    middle, narrow = (upper + 2 * low) / 3, rng.uniform(0.02, 0.1)
    joints = [
        _bar(np.array([0.5, middle]), ends, narrow)
        for ends in np.array([(0.5, upper), (0.5 - spread, low), (0.5 + spread, low)])
    ]
    return [*discs, *joints, _disc(0.5, middle, rng.uniform(0.09, 0.16), 1.0), _stem(rng, low)]


def _bar(start: Points, end: Points, half: float) -> Points:
    along = (end - start) / max(float(np.hypot(*(end - start))), 1e-6)
    across = np.array([-along[1], along[0]]) * half
    return np.stack([start + across, end + across, end - across, start - across])


def _stem(rng: np.random.Generator, top: float) -> Points:
    """A stem from inside the pip to the foot: a post, a wedge, a trumpet, with or without a plate."""
    slim, wide = rng.uniform(0.012, 0.06), rng.uniform(0.06, 0.34)
    foot, plate = rng.uniform(0.9, 1.05), rng.uniform(0, 0.06)
    bend = rng.uniform(0.1, 0.95)
    side = _curve(
        np.array([slim, top]),
        np.array([slim, top + (foot - top) * bend]),
        np.array([slim + (wide - slim) * rng.uniform(0, 0.6), foot - plate * rng.uniform(0, 1)]),
        np.array([wide, foot - plate]),
    )
    return _both_sides(np.vstack([(0, top), side, (wide, foot), (0, foot - rng.uniform(0, 0.05))]))


def _leaf(rng: np.random.Generator, tall: float) -> Points:
    """The right half of a heart standing on its tip, from the notch at the top to the tip at `tall`."""
    wide = rng.uniform(0.4, 0.56)
    notch, shoulder = rng.uniform(0.08, 0.3) * tall, rng.uniform(0.24, 0.4) * tall
    lobe = _curve(
        np.array([0.0, notch]),
        np.array([wide * rng.uniform(0.0, 0.3), -tall * rng.uniform(0.02, 0.14)]),
        np.array([wide * rng.uniform(0.9, 1.05), -tall * rng.uniform(0.0, 0.12)]),
        np.array([wide, shoulder]),
    )
    flank = _curve(
        np.array([wide, shoulder]),
        np.array([wide * rng.uniform(0.9, 1.02), shoulder + (tall - shoulder) * rng.uniform(0.25, 0.5)]),
        np.array([wide * rng.uniform(0.05, 0.4), tall * rng.uniform(0.66, 0.86)]),
        np.array([0.0, tall]),
    )
    return np.vstack([lobe, flank])


def _heart(rng: np.random.Generator) -> list[Points]:
    return [_both_sides(_leaf(rng, 1.0))]


def _spade(rng: np.random.Generator) -> list[Points]:
    tall = rng.uniform(0.68, 0.88)
    leaf = _leaf(rng, tall) * (1, -1) + (0, tall)
    return [_both_sides(leaf[::-1]), _stem(rng, tall * rng.uniform(0.55, 0.72))]


def _diamond(rng: np.random.Generator) -> list[Points]:
    wide, bulge = rng.uniform(0.32, 0.52), rng.uniform(-0.16, 0.08)
    corner = np.array([wide, 0.5])
    pull = np.array([0.5, wide]) * bulge
    upper = _curve(np.array([0.0, 0]), corner * 0.33 + pull, corner * 0.67 + pull, corner)
    return [_both_sides(np.vstack([upper, (upper * (1, -1) + (0, 1))[::-1]]))]


def print_mask(corner: Picture, mask: Mask, box: Box, ink: Colour) -> None:
    """Prints a mask into a box, left, top, right, foot; parts outside are cut off."""
    x0, y0, x1, y1 = box
    matrix = np.array([[(x1 - x0) / mask.shape[1], 0, x0], [0, (y1 - y0) / mask.shape[0], y0]], np.float32)
    cover = cv2.warpAffine(mask, matrix, (corner.shape[1], corner.shape[0]), flags=cv2.INTER_AREA)
    share = cover.astype(np.float32)[:, :, None] / 255
    corner[:] = (corner * (1 - share) + np.array(ink, np.float32) * share).astype(np.uint8)
