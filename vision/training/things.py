"""What lies on card tables besides cards: chips, glasses, phones, notes; drawn: no package has them from above."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import Art

Picture = NDArray[np.uint8]
"""BGR and alpha."""
Thing = Callable[[Art, np.random.Generator, int], Picture]

SIDES = {"chip": (150, 210), "glass": (250, 420), "phone": (500, 760), "note": (250, 800)}
"""Shortest and longest side of each in card px: 300 are 63 mm."""


def random_thing(art: Art, rng: np.random.Generator, scale: float) -> Picture:
    """A random thing as a cut-out; `scale`: picture px for one card px."""
    name = str(rng.choice(list(_THINGS), p=(0.5, 0.15, 0.15, 0.2)))
    side = int(np.clip(rng.uniform(*SIDES[name]) * scale, 6, 700))
    return _turned(_THINGS[name](art, rng, side), rng)


def _turned(thing: Picture, rng: np.random.Generator) -> Picture:
    side = int(np.hypot(*thing.shape[:2])) + 2
    turn = cv2.getRotationMatrix2D((thing.shape[1] / 2, thing.shape[0] / 2), float(rng.uniform(0, 360)), 1.0)
    turn[:, 2] += (side - thing.shape[1]) / 2, (side - thing.shape[0]) / 2
    return np.asarray(cv2.warpAffine(thing, turn, (side, side), flags=cv2.INTER_LINEAR), np.uint8)


def _colour(rng: np.random.Generator) -> tuple[int, int, int, int]:
    blue, green, red = (int(v) for v in rng.integers(0, 256, 3))
    return blue, green, red, 255


def _chip(art: Art, rng: np.random.Generator, side: int) -> Picture:
    """A gaming chip: a disc with edge spots, an inlay and often a number or a pip on it."""
    chip = np.zeros((side, side, 4), np.uint8)
    middle, radius = (side // 2, side // 2), side // 2 - 1
    cv2.circle(chip, middle, radius, _colour(rng), -1)
    spots, spot, start = int(rng.integers(4, 13)), _colour(rng), rng.uniform(0, 360)
    for number in range(spots):
        angle = start + 360 * number / spots
        cv2.ellipse(chip, middle, (radius, radius), 0, angle, angle + 180 / spots, spot, -1)
    inlay = _colour(rng)
    cv2.circle(chip, middle, int(radius * rng.uniform(0.5, 0.78)), inlay, -1)
    if rng.random() < 0.6:
        _stamp(chip, _mask(art, rng), int(side * rng.uniform(0.2, 0.4)), rng)
    return chip


def _mask(art: Art, rng: np.random.Generator) -> NDArray[np.uint8]:
    font = art.fonts[rng.integers(len(art.fonts))]
    masks = [*font.texts.values(), *art.pips[rng.integers(len(art.pips))]]
    return masks[rng.integers(len(masks))]


def _stamp(thing: Picture, mask: NDArray[np.uint8], tall: int, rng: np.random.Generator) -> None:
    """Prints a letter or pip in the middle."""
    wide = min(max(int(tall * mask.shape[1] / mask.shape[0]), 1), thing.shape[1])
    small = cv2.resize(mask, (wide, max(tall, 1)), interpolation=cv2.INTER_AREA) > 127
    y, x = (thing.shape[0] - small.shape[0]) // 2, (thing.shape[1] - wide) // 2
    thing[y : y + small.shape[0], x : x + wide][small] = _colour(rng)


def _glass(art: Art, rng: np.random.Generator, side: int) -> Picture:
    """A glass or cup from above: rings, a drink, a highlight."""
    del art
    glass = np.zeros((side, side, 4), np.uint8)
    middle, radius = (side // 2, side // 2), side // 2 - 1
    cv2.circle(glass, middle, radius, _colour(rng), -1, cv2.LINE_AA)
    for share in sorted(rng.uniform(0.4, 0.95, int(rng.integers(1, 4))), reverse=True):
        cv2.circle(glass, middle, int(radius * share), _colour(rng), -1, cv2.LINE_AA)
    start, reach = rng.uniform(0, 360), int(radius * rng.uniform(0.5, 0.9))
    bright = max(side // 40, 1) + int(rng.integers(0, 3))
    cv2.ellipse(glass, middle, (reach, reach), 0, start, start + rng.uniform(20, 90), (250, 250, 250, 255), bright)
    return glass


def _phone(art: Art, rng: np.random.Generator, side: int) -> Picture:
    """A telephone: a dark slab with a screen that is off or shows something."""
    phone = np.zeros((side, max(int(side * rng.uniform(0.45, 0.53)), 2), 4), np.uint8)
    phone[:] = (*(int(v) for v in rng.integers(5, 70, 3)), 255)
    edge = max(side // 30, 1)
    screen = phone[edge:-edge, edge:-edge]
    if screen.size and rng.random() < 0.6:
        background = art.backgrounds[rng.integers(len(art.backgrounds))]
        screen[:, :, :3] = cv2.resize(background, screen.shape[1::-1], interpolation=cv2.INTER_AREA)
    return phone


def _note(art: Art, rng: np.random.Generator, side: int) -> Picture:
    """A sheet of paper with lines of writing: the score, a letter, a bill."""
    note = np.zeros((side, max(int(side * rng.uniform(0.5, 1)), 2), 4), np.uint8)
    note[:] = (*(int(v) for v in rng.integers(170, 256, 3)), 255)
    tall = max(int(side * rng.uniform(0.03, 0.12)), 2)
    font, ink = art.fonts[rng.integers(len(art.fonts))], _colour(rng)
    texts = list(font.texts.values())
    for y in range(tall, side - 2 * tall, 2 * tall):
        x = tall
        while x < note.shape[1] - 2 * tall and rng.random() < 0.85:
            mask = texts[rng.integers(len(texts))]
            wide = max(int(tall * mask.shape[1] / mask.shape[0]), 1)
            small = cv2.resize(mask, (wide, tall), interpolation=cv2.INTER_AREA)[:, : note.shape[1] - x] > 127
            note[y : y + tall, x : x + wide][small] = ink
            x += wide + max(tall // 4, 1)
    return note


_THINGS: dict[str, Thing] = {"chip": _chip, "glass": _glass, "phone": _phone, "note": _note}
