"""Measures the exported reader on whole rendered pictures of held-out art, and makes its certainty honest.

    python -m vision.training.measure --models models --count 150 [--calibrate]

Prints recall and precision of cards (readable indices only), and how often readings of each certainty are right.
`--calibrate` also writes the temperature that fits best into `labels.json`, and the checksums.
"""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from engine.cards import DECK_52
from engine.errors import TableError
from vision.reader import Reader
from vision.reader.classifier import classify
from vision.reader.finder import Spot, find
from vision.reader.weights import Weights, load_weights
from vision.training.art import load_art
from vision.training.export import write_settings
from vision.training.fetch import art_folder
from vision.training.mine import label_of
from vision.training.render import NONE, Renderer, Scene

PICTURE_PX = 448
BINS = (0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0001)
TEMPERATURES = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.1, 1.2)


def measure(reader: Reader, scenes: list[Scene]) -> dict[str, object]:
    """Recall and precision over cards, and for each band of certainty how many readings were right."""
    hits = wanted = read = right = 0
    bands = {low: [0, 0] for low in BINS[:-1]}
    for scene in scenes:
        there = {i.number for i in scene.indices if i.seen > 0.15}
        good = {i.number for i in scene.indices if i.seen >= 0.7 and i.height_px >= 10}
        readings = reader.read(scene.picture, scales=[1.0])
        found = {DECK_52.index(reading.card): reading.sure for reading in readings}
        wanted, hits = wanted + len(good), hits + len(good & set(found))
        read, right = read + len(found), right + len(there & set(found))
        for number, sure in found.items():
            band = max((low for low in bands if low <= sure), default=BINS[0])
            bands[band][0] += 1
            bands[band][1] += number in there
    return {
        "recall": round(hits / max(wanted, 1), 4),
        "precision": round(right / max(read, 1), 4),
        "bands": {f"{low:.2f}": (count, round(ok / max(count, 1), 3)) for low, (count, ok) in bands.items()},
    }


def best_temperature(weights: Weights, scenes: list[Scene]) -> float:
    """Temperature under which the labels of the finder's spots are likeliest, second looks included."""
    found = [(scene, find(weights.finder, scene.picture, 1.0, weights.settings.threshold)) for scene in scenes]
    return min(TEMPERATURES, key=lambda temperature: _surprise(weights, found, temperature))


def _surprise(weights: Weights, found: list[tuple[Scene, list[Spot]]], temperature: float) -> float:
    """Mean of minus log probability of the labels; "none" is what the 52 cards leave."""
    losses = []
    for scene, spots in found:
        labels = [label_of(spot, scene) for spot in spots]
        chances = classify(
            weights.classifier, scene.picture, spots, settings=replace(weights.settings, temperature=temperature)
        )
        for label, row in zip(labels, chances, strict=True):
            if label is not None:
                losses.append(-np.log(max(float(1 - row.sum() if label == NONE else row[label]), 1e-4)))
    return float(np.mean(losses))


def main() -> None:
    """Command line of `python -m vision.training.measure`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--count", type=int, default=150, help="pictures to render")
    parser.add_argument("--seed", type=int, default=77)
    parser.add_argument("--calibrate", action="store_true", help="write the best temperature into labels.json")
    parser.add_argument("--art", type=Path, default=art_folder())
    args = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        weights, renderer = load_weights(args.models, threads=1), Renderer(load_art(args.art, held_out=True), args.seed)
    except TableError as error:
        sys.exit(f"error: {error}")
    scenes = [renderer.scene(PICTURE_PX) for _ in range(args.count)]
    if args.calibrate:
        write_settings(args.models, temperature=round(best_temperature(weights, scenes), 2))
    print(
        json.dumps(
            {"temperature": load_weights(args.models).settings.temperature, **measure(Reader.load(args.models), scenes)}
        )
    )


if __name__ == "__main__":
    main()
