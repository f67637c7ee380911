"""A ring of rendered samples on disk that a renderer fills while training draws from it.

    python -m vision.training.pool crops FOLDER --seed 3

fills FOLDER for ever (until killed). Drawing is by chance, so that renderer and training need not keep pace: a training
that is faster sees a sample several times, one that is slower misses some.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import TableError
from vision.reader.faces import HEIGHT_PX, WIDTH_PX
from vision.training.art import load_art
from vision.training.faces import faces_of_scene
from vision.training.fetch import art_folder
from vision.training.render import CROP_PX, MOST_INDICES, SCENE_PX, Renderer, Scene

SIZES = {"crops": 400_000, "scenes": 24_000, "faces": 200_000}
_PICTURE_PX = {"crops": (CROP_PX, CROP_PX), "scenes": (SCENE_PX, SCENE_PX), "faces": (HEIGHT_PX, WIDTH_PX)}
_TRUTH = {"crops": (1,), "scenes": (MOST_INDICES, 6), "faces": (1,)}


class Pool:
    """The ring's files: `pictures` uint8, `truth` float32 and `count`, how many samples were ever written."""

    def __init__(self, folder: Path, kind: str, size: int | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        size = size or SIZES[kind]
        self.pictures: NDArray[np.uint8] = _mapped(folder / "pictures.u8", np.uint8, (size, *_PICTURE_PX[kind], 3))
        self.truth: NDArray[np.float32] = _mapped(folder / "truth.f32", np.float32, (size, *_TRUTH[kind]))
        self._count: NDArray[np.int64] = _mapped(folder / "count.i64", np.int64, (1,))
        self._size = size

    def __len__(self) -> int:
        return min(int(self._count[0]), self._size)

    @property
    def written(self) -> int:
        """How many samples were ever written."""
        return int(self._count[0])

    def add(self, picture: NDArray[np.uint8], truth: NDArray[np.float32]) -> None:
        """Writes one sample over the oldest."""
        place = int(self._count[0]) % self._size
        self.pictures[place] = picture
        self.truth[place] = truth
        self._count[0] += 1

    def draw(self, rng: np.random.Generator, count: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Random samples, a copy; newer ones come more often than older ones."""
        ages = (len(self) * (1 - np.sqrt(rng.random(count)))).astype(np.int64)
        places = np.sort((self.written - 1 - ages) % self._size)
        return self.pictures[places], self.truth[places]


def _mapped(path: Path, kind: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
    """An array that lives in a file; made with zeros where the file isn't there yet."""
    return np.memmap(path, kind, "r+" if path.exists() else "w+", shape=shape)


def truth_of(scene: Scene) -> NDArray[np.float32]:
    """Rows of x, y, height, up x, up y, share seen; rows of zeros after the last."""
    rows = np.zeros((MOST_INDICES, 6), np.float32)
    for row, index in zip(rows, scene.indices, strict=False):
        row[:] = index.x, index.y, index.height_px, *index.up, max(index.seen, 1e-3)
    return rows


def fill(pool: Pool, renderer: Renderer, kind: str, count: int | None = None) -> None:
    """Renders into the pool, `count` samples or for ever."""
    done = 0
    while count is None or done < count:
        for picture, truth in _samples(renderer, kind):
            pool.add(picture, truth)
            done += 1


def _samples(renderer: Renderer, kind: str) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float32]]]:
    if kind == "scenes":
        scene = renderer.scene()
        yield scene.picture, truth_of(scene)
    else:
        for picture, label in faces_of_scene(renderer) if kind == "faces" else (renderer.crop(),):
            yield picture, np.array([label], np.float32)


def main() -> None:
    """Command line of `python -m vision.training.pool`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=tuple(SIZES))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, help="stop after so many samples")
    parser.add_argument("--held-out", action="store_true", help="render from what training never sees")
    parser.add_argument("--art", type=Path, default=art_folder())
    args = parser.parse_args()
    try:
        renderer = Renderer(load_art(args.art, held_out=args.held_out), args.seed)
    except TableError as error:
        sys.exit(f"error: {error}")
    fill(Pool(args.folder, args.kind, args.count), renderer, args.kind, args.count)


if __name__ == "__main__":
    main()
