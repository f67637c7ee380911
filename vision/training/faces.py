"""Whole cards as the reader will outline them, more or less well, with what lies on them: faces, backs, neither."""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reader.faces import BACK, NOTHING, card_at
from vision.training.decks import HEIGHT, WIDTH
from vision.training.degrade import photographed
from vision.training.layouts import random_layout
from vision.training.render import Renderer
from vision.training.scene import Laid, Matrix, project

Picture = NDArray[np.uint8]

SCENE_PX = 288
LEAST_SEEN = 0.3
SHARE_BACKS = 0.15
SHARE_NOTHING = 0.12
SHORTEST, TALLEST = 7.0, 44.0
"""Range of index heights in px: cards are about 4.4 times as tall."""
_CORNERS = np.array([(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)], np.float64)


def faces_of_scene(renderer: Renderer) -> Iterator[tuple[Picture, int]]:
    """Upright pictures of the cards in one random scene, each with its number, `BACK` or `NOTHING`."""
    rng = renderer.rng
    cards = [_perhaps_turned(laid, renderer) for laid in random_layout(renderer.shoe, rng, most=7)]
    height = float(np.exp(rng.uniform(np.log(SHORTEST), np.log(TALLEST))))
    middle = np.array([[1, 0, SCENE_PX / 2], [0, 1, SCENE_PX / 2], [0, 0, 1.0]])
    camera = middle @ renderer.view(cards, height)
    canvas, scene = renderer.paint(cards, camera, SCENE_PX)
    levels = [photographed(scene.picture, rng, height_px=height)]
    for number, laid in enumerate(cards):
        outline = project(camera @ laid.place, _CORNERS)
        if _seen(canvas.owner, outline, number) >= LEAST_SEEN:
            label = laid.face.number if laid.face.number >= 0 else BACK
            yield _cut(levels, laid, camera, rng), label
    if rng.random() < SHARE_NOTHING * len(cards):
        lost = Laid(cards[0].face, cards[int(rng.integers(len(cards)))].place @ _astray(rng))
        yield _cut(levels, lost, camera, rng), NOTHING


def _perhaps_turned(laid: Laid, renderer: Renderer) -> Laid:
    return Laid(renderer.shoe.back(), laid.place) if renderer.rng.random() < SHARE_BACKS else laid


def _seen(owner: Picture, outline: NDArray[np.float64], number: int) -> float:
    """Share of the outline in which card `number` lies on top and within the picture."""
    mask = np.zeros(owner.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 1)
    area = max(float(cv2.contourArea(outline.astype(np.float32))), 1.0)
    return float(np.count_nonzero((owner == number) & (mask > 0))) / area


def _cut(levels: list[Picture], laid: Laid, camera: Matrix, rng: np.random.Generator) -> Picture:
    outline = project(camera @ laid.place, _misjudged(rng))
    return card_at(levels, tuple((float(x), float(y)) for x, y in outline))


def _misjudged(rng: np.random.Generator) -> NDArray[np.float64]:
    """The card's corners in its own px as a reader would guess them who sees one index or two; either way up."""
    loose = 1.0 if rng.random() < 0.5 else 0.4
    size = np.array((WIDTH, HEIGHT))
    pivot = np.array((40.0, 62.0)) if loose == 1.0 else size / 2
    grow = np.exp(rng.normal(0, 0.07 * loose, 2))
    turn = rng.normal(0, 0.05 * loose)
    cos, sin = np.cos(turn), np.sin(turn)
    shape = np.array([[cos, -sin], [sin, cos]]) @ np.array([[1, rng.normal(0, 0.04 * loose)], [0, 1]]) @ np.diag(grow)
    corners = (_CORNERS - pivot) @ shape.T + pivot + rng.normal(0, 0.015, 2) * size
    return np.asarray(size - corners if rng.random() < 0.5 else corners, np.float64)


def _astray(rng: np.random.Generator) -> Matrix:
    """Moves an outline to where no card lies: far off its card, or across it."""
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.45, 1.5) * HEIGHT
    turn = rng.choice((0.0, np.pi / 2)) + rng.normal(0, 0.3)
    cos, sin = np.cos(turn), np.sin(turn)
    centre, back = np.eye(3), np.eye(3)
    centre[:2, 2], back[:2, 2] = (WIDTH / 2, HEIGHT / 2), (-WIDTH / 2, -HEIGHT / 2)
    moved = np.array([[cos, -sin, far * np.cos(way)], [sin, cos, far * np.sin(way)], [0, 0, 1.0]])
    return np.asarray(centre @ moved @ back, np.float64)
