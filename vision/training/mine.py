"""Shows the classifier what the finder really hands it: its hits as they are framed, and its false alarms.

    python -m vision.training.mine POOL/mined --models models --seed 31

Renders scenes for ever, lets the exported finder look at them and fills a pool of crops: found indices with their
cards, everything else as "none". `train --extra POOL/mined` mixes them in.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import TableError
from vision.reader.classifier import crop_at
from vision.reader.finder import Spot, find
from vision.reader.values import Corner
from vision.reader.weights import Weights, load_weights
from vision.training.art import load_art
from vision.training.fetch import art_folder
from vision.training.pool import Pool
from vision.training.render import CROP_PX, GONE, NONE, Renderer, Scene
from vision.training.scene import TrueIndex

WHOLE = 0.85
"""Share of an index from which it counts as uncovered."""
NEAR = 0.9
"""Index heights within which a spot has to do with an index at all."""
OFF, OFF_COVERED = 0.35, 0.55
"""Index heights by which a spot may miss the middle of a whole and of a covered index."""


def nearest(spot: Spot | Corner, scene: Scene) -> TrueIndex | None:
    """The index of which something is seen that is nearest to the spot, by its own height; None where none is near."""
    near = [
        (float(np.hypot(spot.x - i.x, spot.y - i.y)) / i.height_px, number)
        for number, i in enumerate(scene.indices)
        if i.seen >= GONE
    ]
    far, number = min(near, default=(np.inf, 0))
    return scene.indices[number] if far < NEAR else None


def label_of(spot: Spot | Corner, scene: Scene) -> int | None:
    """The card whose index the spot shows, `NONE` if it shows none, None where that can't be said."""
    index = nearest(spot, scene)
    if index is None:
        return NONE
    # Of a covered index the finder sees the rest, and centres on that.
    slack = OFF if index.seen > WHOLE else OFF_COVERED
    if np.hypot(spot.x - index.x, spot.y - index.y) > slack * index.height_px:
        return None
    like = 0.55 < spot.height_px / index.height_px < 1.7 and spot.up[0] * index.up[0] + spot.up[1] * index.up[1] > 0.85
    return index.number if like else None


def mined(scene: Scene, weights: Weights, threshold: float) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Crops of what the finder finds in a scene, with their labels."""
    levels = [scene.picture]
    for spot in find(weights.finder, scene.picture, 1.0, threshold):
        label = label_of(spot, scene)
        if label is not None:
            yield crop_at(levels, spot, weights.settings.crop_span, CROP_PX), label


def main() -> None:
    """Command line of `python -m vision.training.mine`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--threshold", type=float, default=0.12, help="finder score from which a spot is taken")
    parser.add_argument("--size", type=int, default=100_000, help="crops that the pool holds")
    parser.add_argument("--art", type=Path, default=art_folder())
    args = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        weights, renderer = load_weights(args.models, threads=1), Renderer(load_art(args.art), args.seed)
    except TableError as error:
        sys.exit(f"error: {error}")
    pool = Pool(args.folder, "crops", args.size)
    while True:
        for crop, label in mined(renderer.scene(), weights, args.threshold):
            pool.add(crop, np.array([label], np.float32))


if __name__ == "__main__":
    main()
