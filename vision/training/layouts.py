"""How cards lie on tables: piles, fans, rows, tricks, scattered, alone; and what gets in the way."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import Art
from vision.training.decks import HEIGHT, WIDTH
from vision.training.scene import Canvas, Laid, cover, paste, placed, project
from vision.training.shoe import Face, Shoe
from vision.training.things import random_thing

Picture = NDArray[np.uint8]


def random_layout(shoe: Shoe, rng: np.random.Generator, most: int = 10) -> list[Laid]:
    """Cards in the order laid, about the world's origin."""
    kinds = (_single, _pile, _fan, _row, _scatter, _trick, _tableau)
    kind = kinds[rng.choice(len(kinds), p=(0.15, 0.25, 0.16, 0.16, 0.15, 0.07, 0.06))]
    places = kind(rng, most)
    backs = rng.random() < 0.25
    return [Laid(shoe.back() if backs and rng.random() < 0.25 else shoe.draw(), place) for place in places]


def _single(rng: np.random.Generator, most: int) -> list[NDArray[np.float64]]:
    del most
    return [placed((0, 0), rng.uniform(0, 2 * np.pi))]


def _pile(rng: np.random.Generator, most: int) -> list[NDArray[np.float64]]:
    count = int(rng.integers(2, most + 1))
    spread, twist = rng.uniform(8, 150), rng.uniform(0.03, 1.6)
    base = rng.uniform(0, 2 * np.pi)
    return [placed(rng.normal(0, spread, 2), base + rng.normal(0, twist)) for _ in range(count)]


def _fan(rng: np.random.Generator, most: int) -> list[NDArray[np.float64]]:
    count = int(rng.integers(2, most + 1))
    step, reach = np.radians(rng.uniform(4, 16)) * rng.choice((-1, 1)), rng.uniform(350, 800)
    base = rng.uniform(0, 2 * np.pi)
    turns = base + (np.arange(count) - count / 2) * step + rng.normal(0, 0.02, count)
    pivot = reach * np.array([-np.sin(base), np.cos(base)])
    return [placed((pivot[0] + reach * np.sin(turn), pivot[1] - reach * np.cos(turn)), turn) for turn in turns]


def _row(rng: np.random.Generator, most: int) -> list[NDArray[np.float64]]:
    count = int(rng.integers(2, most + 1))
    if rng.random() < 0.3:
        count = int(rng.integers(count, most + 5))
    base = rng.uniform(0, 2 * np.pi)
    step = np.exp(rng.uniform(np.log(36), np.log(340)))
    along = base if rng.random() < 0.6 else base + np.pi / 2
    offsets = (np.arange(count) - count / 2) * step
    noise = rng.uniform(0, 12)
    sloppy = rng.uniform(0, 0.08)
    way = np.array([np.cos(along), np.sin(along)])
    return [placed(o * way + rng.normal(0, noise, 2), base + rng.normal(0, sloppy)) for o in offsets]


def _scatter(rng: np.random.Generator, most: int) -> list[NDArray[np.float64]]:
    count = int(rng.integers(2, most + 1))
    reach = rng.uniform(0.6, 1.3) * HEIGHT * np.sqrt(count)
    return [placed(rng.uniform(-0.5, 0.5, 2) * reach, rng.uniform(0, 2 * np.pi)) for _ in range(count)]


def _trick(rng: np.random.Generator, most: int) -> list[NDArray[np.float64]]:
    count = min(int(rng.integers(3, 5)), most)
    base, reach = rng.uniform(0, 2 * np.pi), rng.uniform(80, 320)
    turns = base + np.arange(count) * np.pi / 2 + rng.normal(0, 0.15, count)
    return [placed((reach * np.cos(turn), reach * np.sin(turn)), turn + np.pi / 2) for turn in turns]


def _tableau(rng: np.random.Generator, most: int) -> list[NDArray[np.float64]]:
    """Columns side by side, each card covering the one above it but for a strip, as in patience."""
    columns, base = int(rng.integers(2, 5)), placed((0, 0), rng.uniform(0, 2 * np.pi))
    step, apart, slip = rng.uniform(70, 130), rng.uniform(310, 380), rng.uniform(0, 8)
    places = []
    for column in range(columns):
        for row in range(int(rng.integers(1, max(most // columns, 1) + 1))):
            x, y = np.array(((column - columns / 2) * apart, row * step)) + rng.normal(0, slip, 2)
            places.append(base @ np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]]))
    return places


def covering(laid: Laid, spot: int, face: Face, rng: np.random.Generator) -> Laid:
    """A card whose edge, or now and then corner, cuts the index number `spot` of the one below at any angle."""
    x, y, wide, tall, _ = laid.face.indices[spot]
    corners = np.array([(x + a * wide / 2, y + b * tall / 2) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    corners = project(laid.place, corners)
    way = rng.uniform(0, 2 * np.pi)
    if rng.random() < 0.5:
        # Most cards of a row or a tidy pile lie nearly parallel.
        way = np.arctan2(laid.place[1, 0], laid.place[0, 0]) + rng.integers(4) * np.pi / 2 + rng.normal(0, 0.15)
    inward, along = np.array([np.cos(way), np.sin(way)]), np.array([-np.sin(way), np.cos(way)])
    reach = corners @ inward
    cut = reach.min() + rng.uniform(0.12, 0.9) * np.ptp(reach)
    is_long_edge = rng.random() < 0.6
    deep, broad = (WIDTH, HEIGHT) if is_long_edge else (HEIGHT, WIDTH)
    slide = rng.uniform(-0.52, 0.52) * broad
    centre = inward * (cut + deep / 2) + along * (float((corners @ along).mean()) + slide)
    return Laid(face, placed(centre, way + (0 if is_long_edge else np.pi / 2)))


def random_camera(rng: np.random.Generator) -> NDArray[np.float64]:
    """Tilt, stretch and a little perspective about the origin, at scale 1."""
    lean = rng.uniform(0, 2 * np.pi)
    squeeze = np.cos(np.radians(min(abs(rng.normal(0, 24)), 58)))
    spin = np.array([[np.cos(lean), -np.sin(lean)], [np.sin(lean), np.cos(lean)]])
    affine = spin @ np.diag([1, squeeze]) @ spin.T
    # Frames squeezed into another shape stretch cards in a direction that has nothing to do with how they lie.
    pull = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(pull), -np.sin(pull)], [np.sin(pull), np.cos(pull)]])
    stretch = rng.normal(0, 0.45 if rng.random() < 0.35 else 0.08)
    affine = axes @ np.diag([np.exp(stretch), 1.0]) @ axes.T @ affine
    camera = np.eye(3)
    camera[:2, :2] = affine
    camera[2, :2] = rng.normal(0, 0.00022, 2)
    return camera


def table_top(art: Art, rng: np.random.Generator, size: int) -> Picture:
    """A square piece of table: a texture at a random zoom, or plain cloth with a weave."""
    if rng.random() < 0.22:
        return _cloth(rng, size)
    texture = art.backgrounds[rng.integers(len(art.backgrounds))]
    height, width = texture.shape[:2]
    side = int(min(height, width) * rng.uniform(0.12, 1))
    y, x = int(rng.integers(0, height - side + 1)), int(rng.integers(0, width - side + 1))
    piece = cv2.resize(texture[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.3:
        piece = cv2.convertScaleAbs(piece, alpha=float(rng.uniform(0.4, 1.4)), beta=float(rng.uniform(0, 60)))
    return np.asarray(piece, np.uint8)


def _cloth(rng: np.random.Generator, size: int) -> Picture:
    colour = (
        rng.integers(0, 256, 3)
        if rng.random() < 0.5
        else np.array([(60, 110, 20), (110, 60, 20), (30, 30, 130)])[rng.integers(3)]
    )
    weave = rng.normal(0, rng.uniform(1, 14), (size, size, 1))
    return np.asarray(np.clip(colour + weave, 0, 255), np.uint8)


def scribble(canvas: Canvas, art: Art, rng: np.random.Generator, scale: float) -> None:
    """Letters and pips that lie about but are no index: labels, boxes, prints."""
    font = art.fonts[rng.integers(len(art.fonts))]
    masks = list(font.texts.values()) + list(art.pips[rng.integers(len(art.pips))])
    size = canvas.owner.shape[0]
    for _ in range(int(rng.integers(1, 6))):
        mask = masks[rng.integers(len(masks))]
        tall = max(int(rng.uniform(20, 150) * scale), 3)
        wide = max(int(tall * mask.shape[1] / mask.shape[0]), 2)
        stamp = np.zeros((tall, wide, 4), np.uint8)
        stamp[:, :, :3] = rng.integers(0, 256, 3)
        stamp[:, :, 3] = cv2.resize(mask, (wide, tall), interpolation=cv2.INTER_AREA)
        turned = np.ascontiguousarray(np.rot90(stamp, int(rng.integers(4))))
        paste(canvas, turned, *(int(v) for v in rng.integers(-tall, size, 2)))


def clutter(canvas: Canvas, art: Art, rng: np.random.Generator, scale: float) -> None:
    """An object lying on table or cards."""
    if rng.random() < 0.6:
        paste(canvas, random_thing(art, rng, scale), *(int(v) for v in rng.integers(-60, canvas.owner.shape[0], 2)))
        return
    thing = art.clutter[rng.integers(len(art.clutter))]
    zoom = max(rng.uniform(60, 350) * scale / max(thing.shape[:2]), 4 / min(thing.shape[:2]))
    if zoom * max(thing.shape[:2]) > 700:
        return
    size = (max(int(thing.shape[1] * zoom), 1), max(int(thing.shape[0] * zoom), 1))
    small = cv2.resize(thing, size, interpolation=cv2.INTER_AREA)
    turned = np.ascontiguousarray(np.rot90(small, int(rng.integers(4))))
    paste(canvas, np.asarray(turned, np.uint8), *(int(v) for v in rng.integers(-20, canvas.owner.shape[0], 2)))


def hand(canvas: Canvas, rng: np.random.Generator, scale: float) -> None:
    """Fingers or a forearm reaching into the picture, skin or sleeve."""
    size = canvas.owner.shape[0]
    skin = np.array([rng.uniform(60, 190), 0, 0])
    skin[1] = skin[0] * rng.uniform(1.05, 1.25)
    skin[2] = min(skin[1] * rng.uniform(1.15, 1.4), 255)
    arm = rng.random() < 0.3
    thick = (rng.uniform(200, 420) if arm else rng.uniform(65, 105)) * scale
    colour = rng.integers(0, 255, 3) if arm and rng.random() < 0.6 else skin
    tip, way = rng.uniform(0, size, 2), rng.uniform(0, 2 * np.pi)
    side = np.array([-np.sin(way), np.cos(way)])
    for finger in range(1 if arm else int(rng.integers(1, 5))):
        start = tip + side * finger * thick * 1.05 + rng.normal(0, thick * 0.3, 2)
        shade = tuple(int(v) for v in np.clip(colour * rng.uniform(0.85, 1.1), 0, 255))
        cover(canvas, _capsule(start, way, thick / 2, 3.0 * size), (shade[0], shade[1], shade[2]), shade=0.4)


def _capsule(tip: NDArray[np.float64], way: float, radius: float, length: float) -> NDArray[np.float64]:
    angles = way + np.pi / 2 + np.linspace(0, np.pi, 10)
    cap = tip + radius * np.stack([np.cos(angles), np.sin(angles)], 1)
    away = length * np.array([np.cos(way), np.sin(way)])
    return np.vstack([cap, cap[-1] + away, cap[0] + away])
