"""Says where the reader errs on rendered tables of held-out art: by how much of an index is covered, and by its height.

    python -m vision.training.audit --models models --count 200

One line of JSON: for every band the corners found there, the share read right, the share read with 0.9 and more, and
the share of those that is wrong (`slips`); then the cards most often taken for others.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2

from engine.cards import DECK_52
from engine.errors import TableError
from vision.reader import Corner, Reader
from vision.training.art import load_art
from vision.training.fetch import art_folder
from vision.training.mine import label_of, nearest
from vision.training.render import NONE, Renderer, Scene

PICTURE_PX = 448
SURE = 0.9
REPORTED = 0.5
"""Certainty from which a card is reported."""
SEEN_BANDS = (0.12, 0.35, 0.5, 0.7, 0.85, 0.97)
HEIGHT_BANDS_PX = (8, 10, 12, 16, 24, 40)
MOST_CONFUSIONS = 12


@dataclass(frozen=True, slots=True)
class Case:
    """One corner with its truth."""

    corner: Corner
    label: int
    """The card's number, or `NONE`."""
    seen: float
    height_px: float

    @property
    def is_right(self) -> bool:
        """Whether its likeliest card is the true one, or where there is no index, whether none is reported."""
        return self.corner.sure < REPORTED if self.label == NONE else self.corner.label == self.label


def cases_in(reader: Reader, scenes: list[Scene]) -> Iterator[Case]:
    """All corners found in the scenes of which can be said what they show."""
    for scene in scenes:
        for corner in reader.corners(scene.picture):
            label, index = label_of(corner, scene), nearest(corner, scene)
            if label is not None:
                yield Case(corner, label, index.seen if index else 0.0, index.height_px if index else 0.0)


def figures(cases: list[Case]) -> dict[str, float]:
    """How many, how many right, how many sure, how many of these wrong."""
    sure = [case for case in cases if case.corner.sure >= SURE]
    return {
        "corners": len(cases),
        "right": _share(case.is_right for case in cases),
        "sure": _share(case.corner.sure >= SURE for case in cases),
        "slips": _share(not case.is_right for case in sure),
    }


def _share(answers: Iterator[bool]) -> float:
    given = list(answers)
    return round(sum(given) / max(len(given), 1), 4)


def report(cases: list[Case]) -> dict[str, object]:
    """Figures of all bands."""
    cards = [case for case in cases if case.label != NONE]
    whole = [case for case in cards if case.seen >= SEEN_BANDS[-1]]
    return {
        "no index": figures([case for case in cases if case.label == NONE]),
        "by share seen": {f"{low}-": figures(_within(cards, "seen", low, SEEN_BANDS)) for low in SEEN_BANDS},
        "whole, by height in px": {
            f"{low}-": figures(_within(whole, "height_px", low, HEIGHT_BANDS_PX)) for low in HEIGHT_BANDS_PX
        },
        "whole, taken for": _confusions(whole),
    }


def _within(cases: list[Case], what: str, low: float, bands: tuple[float, ...]) -> list[Case]:
    high = min((band for band in bands if band > low), default=float("inf"))
    return [case for case in cases if low <= getattr(case, what) < high]


def _confusions(cases: list[Case]) -> dict[str, int]:
    wrong = Counter(
        f"{DECK_52[case.label]} as {DECK_52[case.corner.label]}"
        for case in cases
        if not case.is_right and case.corner.sure >= REPORTED
    )
    return dict(wrong.most_common(MOST_CONFUSIONS))


def main() -> None:
    """Command line of `python -m vision.training.audit`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--count", type=int, default=200, help="pictures to render")
    parser.add_argument("--seed", type=int, default=78)
    parser.add_argument("--art", type=Path, default=art_folder())
    args = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        reader = Reader.load(args.models, threads=1)
        renderer = Renderer(load_art(args.art, held_out=True), args.seed)
    except TableError as error:
        sys.exit(f"error: {error}")
    scenes = [renderer.scene(PICTURE_PX) for _ in range(args.count)]
    print(json.dumps(report(list(cases_in(reader, scenes)))))


if __name__ == "__main__":
    main()
