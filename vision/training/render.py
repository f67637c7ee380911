"""Renders training pictures: index crops for the classifier, cut-outs of scenes for the finder.

    python -m vision.training.render crops --sheet crops.png
    python -m vision.training.render scenes --sheet scenes.png --seed 7

writes a sheet to look at. The training itself starts renderers that fill a pool (see `vision.training.pool`).
"""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import TableError
from vision.training.art import Art, load_art
from vision.training.degrade import photographed
from vision.training.fetch import art_folder
from vision.training.layouts import clutter, covering, hand, random_camera, random_layout, scribble, table_top
from vision.training.scene import Canvas, Laid, Matrix, TrueIndex, indices_of, lay, project
from vision.training.shoe import Shoe

Picture = NDArray[np.uint8]

CROP_PX = 48
CROP_SPAN = 1.5
"""A crop's side in index heights: an index askew by half a right angle just fits, a pip has a quarter of the side."""
SCENE_PX = 256
MOST_INDICES = 32
NONE = 52
"""Label of a crop that shows no index."""
SHARE_NONE, SHARE_COVERED = 0.2, 0.3
GONE = 0.12
"""Share of an index below which nothing of it counts as seen.

From there on a crop keeps its card's label however much is covered: what remains fits some cards better than others,
and cross entropy on the truth teaches just these shares.
"""
SHORTEST, TALLEST = 8.0, 62.0
"""Range of index heights in px."""
SMALL, SHARE_SMALL = 20.0, 0.35


@dataclass(frozen=True, slots=True)
class Scene:
    """A finished picture with its truth."""

    picture: Picture
    indices: tuple[TrueIndex, ...]


class Renderer:
    """Makes random training pictures from art; the same seed makes the same pictures."""

    def __init__(self, art: Art, seed: int) -> None:
        self._art = art
        self.rng = np.random.default_rng(seed)
        self.shoe = Shoe(art, self.rng)

    def crop(self) -> tuple[Picture, int]:
        """An upright (48, 48, 3) crop around an index and its card's number, or `NONE`."""
        while True:
            kind = self.rng.random()
            made = self._none_crop() if kind < SHARE_NONE else self._index_crop(covered=kind > 1 - SHARE_COVERED)
            if made is not None:
                return made

    def _index_crop(self, *, covered: bool) -> tuple[Picture, int] | None:
        rng = self.rng
        cards = random_layout(self.shoe, rng, most=5)
        target = len(cards) - 1 - min(int(rng.geometric(0.45)) - 1, len(cards) - 1)
        if not cards[target].face.indices:
            return None
        height = self._height()
        spot = int(rng.integers(len(cards[target].face.indices)))
        if covered:
            del cards[target + 1 :]
            cards.append(covering(cards[target], spot, self.shoe.any_face(), rng))
        camera = self._camera_on(
            cards[target],
            height * np.exp(rng.normal(0, 0.16)),
            spot=spot,
            off=0.06,
            turn=rng.normal(0, 0.16 if rng.random() < 0.7 else 0.4),
        )
        size = max(round(CROP_SPAN * height), 8)
        camera = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1.0]]) @ camera
        _, scene = self.paint(cards, camera, size)
        middle = [
            i for i in scene.indices if i.card == target and np.hypot(i.x - size / 2, i.y - size / 2) < 0.3 * height
        ]
        if not middle:
            return None
        return self._finish(scene.picture, height), middle[0].number if middle[0].seen >= GONE else NONE

    def _none_crop(self) -> tuple[Picture, int] | None:
        rng = self.rng
        cards = random_layout(self.shoe, rng, most=4)
        height = self._height()
        size = max(round(CROP_SPAN * height), 8)
        camera = self.view(cards, height)
        camera = np.array([[1, 0, size / 2], [0, 1, size / 2], [0, 0, 1.0]]) @ camera
        _, scene = self.paint(cards, camera, size)
        near = [i for i in scene.indices if max(abs(i.x - size / 2), abs(i.y - size / 2)) < 0.55 * i.height_px]
        if any(index.seen >= GONE for index in near):
            return None
        return self._finish(scene.picture, height), NONE

    def _finish(self, picture: Picture, height: float) -> Picture:
        photo = photographed(picture, self.rng, height_px=height)
        way = cv2.INTER_AREA if photo.shape[0] > CROP_PX else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(photo, (CROP_PX, CROP_PX), interpolation=way), np.uint8)

    def scene(self, size: int = SCENE_PX) -> Scene:
        """A (size, size, 3) cut-out of a table with the truth about its indices."""
        rng = self.rng
        cards = random_layout(self.shoe, rng)
        if rng.random() < SHARE_COVERED and cards[-1].face.indices:
            spot = int(rng.integers(len(cards[-1].face.indices)))
            cards.append(covering(cards[-1], spot, self.shoe.any_face(), rng))
        height = self._height()
        if rng.random() < 0.9:
            faces = [card for card in cards if card.face.indices] or cards
            card = faces[rng.integers(len(faces))]
            spot = int(rng.integers(max(len(card.face.indices), 1)))
            camera = self._camera_on(card, height, off=0, turn=rng.uniform(0, 2 * np.pi), spot=spot)
        else:
            camera = self.view(cards, height)
        x, y = rng.uniform(0.1, 0.9, 2) * size
        _, scene = self.paint(cards, np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]]) @ camera, size)
        return Scene(photographed(scene.picture, rng, height_px=height), scene.indices)

    def _height(self) -> float:
        """An index height in px; the small ones, which are hardest to read, come more often."""
        tallest = SMALL if self.rng.random() < SHARE_SMALL else TALLEST
        return float(np.exp(self.rng.uniform(np.log(SHORTEST), np.log(tallest))))

    def _camera_on(self, laid: Laid, height: float, *, spot: int, off: float, turn: float) -> Matrix:
        """Camera that shows the card's index number `spot` at the origin, upright but for `turn`, `height` px tall."""
        rng = self.rng
        if not laid.face.indices:
            return self.view([laid], height)
        x, y, _, tall, way = laid.face.indices[spot]
        ends = project(laid.place, np.array([(x, y + way * tall / 2), (x, y - way * tall / 2)]))
        middle = ends.mean(0)
        tilt = random_camera(rng) @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
        foot, top = project(tilt, ends)
        span = top - foot
        scale = height / max(float(np.hypot(*span)), 1e-6)
        angle = -np.pi / 2 + turn - np.arctan2(span[1], span[0])
        cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
        shift = rng.normal(0, 1, 2) * off * height
        return np.asarray(np.array([[cos, -sin, shift[0]], [sin, cos, shift[1]], [0, 0, 1]]) @ tilt, np.float64)

    def view(self, cards: list[Laid], height: float) -> Matrix:
        """Camera on a random point of a random card or beside it, scaled so that an index would be `height` px."""
        rng = self.rng
        laid = cards[rng.integers(len(cards))]
        spot = project(laid.place, rng.uniform((-60, -60), (360, 480))[None])[0]
        scale, angle = height / 90, rng.uniform(0, 2 * np.pi)
        if rng.random() < 0.5:
            angle = -np.arctan2(laid.place[1, 0], laid.place[0, 0]) + rng.choice((0, np.pi)) + rng.normal(0, 0.2)
        cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
        centre = random_camera(rng) @ np.array([[1, 0, -spot[0]], [0, 1, -spot[1]], [0, 0, 1.0]])
        return np.asarray(np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]]) @ centre, np.float64)

    def paint(self, cards: list[Laid], camera: Matrix, size: int) -> tuple[Canvas, Scene]:
        """A table with these cards and what gets in the way, before it is photographed."""
        rng = self.rng
        shadow = float(rng.uniform(0.2, 0.8)) if rng.random() < 0.7 else 0.0
        canvas = Canvas(table_top(self._art, rng, size), shadow)
        scale = float(np.sqrt(abs(np.linalg.det(camera[:2, :2]))))
        if rng.random() < 0.2:
            scribble(canvas, self._art, rng, scale)
        if rng.random() < 0.18:
            clutter(canvas, self._art, rng, scale)
        seen = [lay(canvas, laid, camera, rng, card=number) for number, laid in enumerate(cards)]
        if rng.random() < 0.1:
            clutter(canvas, self._art, rng, scale)
        if rng.random() < 0.14:
            hand(canvas, rng, scale)
        indices = [
            index
            for number, laid in enumerate(cards)
            if seen[number]
            for index in indices_of(canvas, laid, camera, card=number)
        ]
        return canvas, Scene(canvas.picture, tuple(indices))


def crop_sheet(renderer: Renderer, columns: int = 20, rows: int = 12) -> Picture:
    """Crops with their labels below."""
    return _grid([_labelled(*renderer.crop()) for _ in range(columns * rows)], columns)


def _labelled(crop: Picture, label: int) -> Picture:
    tile = np.zeros((CROP_PX + 14, CROP_PX + 2, 3), np.uint8)
    tile[:CROP_PX, :CROP_PX] = crop
    name = "none" if label == NONE else f"{('23456789' + 'TJQKA')[label % 13]}{'CDHS'[label // 13]}"
    cv2.putText(tile, name, (2, CROP_PX + 11), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 255, 255), 1)
    return tile


def scene_sheet(renderer: Renderer, columns: int = 5, rows: int = 4) -> Picture:
    """Scenes with arrows along the readable indices, red where too little is seen to count."""
    return _grid([_arrows(renderer.scene()) for _ in range(columns * rows)], columns)


def _arrows(scene: Scene) -> Picture:
    picture = scene.picture.copy()
    for index in scene.indices:
        colour = (0, 255, 0) if index.seen >= 0.6 else (0, 0, 255) if index.seen >= 0.15 else (120, 120, 120)
        reach = index.height_px / 2
        start = (int(index.x - index.up[0] * reach), int(index.y - index.up[1] * reach))
        end = (int(index.x + index.up[0] * reach), int(index.y + index.up[1] * reach))
        cv2.arrowedLine(picture, start, end, colour, 1, tipLength=0.3)
    return picture


def _grid(tiles: list[Picture], columns: int) -> Picture:
    return np.vstack([np.hstack(tiles[i : i + columns]) for i in range(0, len(tiles), columns)])


def main() -> None:
    """Command line of `python -m vision.training.render`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=("crops", "scenes", "faces"))
    parser.add_argument("--sheet", type=Path, required=True, help="picture file to write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="render from what training never sees")
    parser.add_argument("--art", type=Path, default=art_folder())
    args = parser.parse_args()
    try:
        renderer = Renderer(load_art(args.art, held_out=args.held_out), args.seed)
    except TableError as error:
        sys.exit(f"error: {error}")
    start = time.perf_counter()
    sheet = crop_sheet(renderer) if args.kind == "crops" else scene_sheet(renderer)
    print(f"{time.perf_counter() - start:.2f} s")
    cv2.imwrite(str(args.sheet), sheet)


if __name__ == "__main__":
    main()
