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
from vision.reader.weights import Weights, load_weights
from vision.training.art import load_art
from vision.training.fetch import art_folder
from vision.training.pool import Pool
from vision.training.render import GONE, NONE, READABLE, Renderer, Scene

SHARE_HITS = 1.0
"""Share of hits kept; false alarms are all kept."""


def label_of(spot: Spot, scene: Scene) -> int | None:
    """The card whose index the spot shows, `NONE` if it shows none, None where that can't be said."""
    near = [i for i in scene.indices if i.seen >= GONE and np.hypot(spot.x - i.x, spot.y - i.y) < 0.9 * i.height_px]
    if not near:
        return NONE
    index = min(near, key=lambda i: float(np.hypot(spot.x - i.x, spot.y - i.y)) / i.height_px)
    if np.hypot(spot.x - index.x, spot.y - index.y) > 0.35 * index.height_px:
        return None
    like = 0.55 < spot.height_px / index.height_px < 1.7 and spot.up[0] * index.up[0] + spot.up[1] * index.up[1] > 0.85
    return index.number if index.seen >= READABLE and like else None


def mined(scene: Scene, weights: Weights, threshold: float) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Crops of what the finder finds in a scene, with their labels."""
    levels = [scene.picture]
    for spot in find(weights.finder, scene.picture, 1.0, threshold):
        label = label_of(spot, scene)
        if label is not None:
            yield crop_at(levels, spot, weights.settings.crop_span), label


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
    pool, rng = Pool(args.folder, "crops", args.size), np.random.default_rng(args.seed)
    while True:
        for crop, label in mined(renderer.scene(), weights, args.threshold):
            if label == NONE or rng.random() < SHARE_HITS:
                pool.add(crop, np.array([label], np.float32))


if __name__ == "__main__":
    main()
