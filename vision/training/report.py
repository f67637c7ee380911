"""Compares readings of labelled photographs with their labels, and shows what went wrong.

    cardtable look --json PHOTO... > readings.jsonl
    python -m vision.training.report index.jsonl readings.jsonl [--sheet failures.png]

`index.jsonl` has one object a photograph: `photo`, `cards`, `deck`, `complete` (whether all cards in view are
labelled) and `boxes` (`label`, `kind` card or corner, `box` x, y, w, h in px). Prints one JSON object: figures by deck,
by height of the index, by overlap (how much of the card's box other boxes take up), and the commonest confusions. The
sheet shows every missed card and every wrong reading.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.errors import TableError
from vision.errors import UnreadablePicture
from vision.frames import Picture, read_picture

HEIGHTS_PX = (0, 9, 12, 16, 24, 36, 60)
OVERLAPS = (0.0, 0.05, 0.25, 0.5)
SURE = 0.9
_INDEX_OF_CARD = 0.22
"""An index's height as a share of its card's longer side."""
_TILE_PX, _COLUMNS, _MOST_TILES = 110, 14, 280

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Photo:
    """One photograph: what it shows, what was read."""

    path: str
    deck: str
    is_complete: bool
    boxes: dict[str, Box]
    """Label to its largest box."""
    height_px: dict[str, float]
    """Label to its tallest index."""
    wanted: frozenset[str]
    read: dict[str, float]
    places: dict[str, Box]

    @property
    def missed(self) -> frozenset[str]:
        """Labels that were not read."""
        return self.wanted - self.read.keys()

    @property
    def wrong(self) -> frozenset[str]:
        """Readings that are not labelled; mistakes only where the labels are complete."""
        return frozenset(self.read) - self.wanted

    def overlap(self, label: str) -> float:
        """The largest share of the label's box that another card's box takes up."""
        others = [box for other, box in self.boxes.items() if other != label]
        return max((_shared(self.boxes[label], other) for other in others), default=0.0)


def read_photos(index: Path, readings: Path) -> list[Photo]:
    """The photographs of `index` that were read, matched by the end of their paths."""
    by_name = defaultdict(list)
    for line in _lines(readings):
        by_name[Path(line["photo"]).name].append(line)
    photos = []
    for label in _lines(index):
        found = [each for each in by_name[Path(label["photo"]).name] if each["photo"].endswith(label["photo"])]
        if found:
            photos.append(_photo(label, found[0]))
    return photos


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from map(json.loads, file)
    except (OSError, ValueError) as error:
        raise UnreadablePicture(f"{path} cannot be read as JSON lines: {error}") from error


def _photo(label: dict[str, Any], found: dict[str, Any]) -> Photo:
    boxes: dict[str, Box] = {}
    heights: dict[str, float] = {}
    for each in label.get("boxes", ()):
        if each["box"] is None:
            continue
        name, box, side = each["label"], tuple(each["box"]), max(each["box"][2:])
        if name not in boxes or box[2] * box[3] > boxes[name][2] * boxes[name][3]:
            boxes[name] = box
        heights[name] = max(heights.get(name, 0.0), side * (_INDEX_OF_CARD if each["kind"] == "card" else 1.0))
    return Photo(
        path=found["photo"],
        deck=label["deck"],
        is_complete=label["complete"],
        boxes=boxes,
        height_px=heights,
        wanted=frozenset(label["cards"]),
        read={card["card"]: card["sure"] for card in found["cards"]},
        places={card["card"]: tuple(card["box"]) for card in found["cards"]},
    )


def figures(photos: Iterable[Photo]) -> dict[str, float | int | None]:
    """Recall over labelled cards; precision, exact and sure-and-wrong over completely labelled photographs."""
    photos = list(photos)
    whole = [photo for photo in photos if photo.is_complete]
    hits = [photo.read[card] for photo in photos for card in photo.wanted if card in photo.read]
    sure = [card in photo.wanted for photo in whole for card, chance in photo.read.items() if chance >= SURE]
    return {
        "photographs": len(photos),
        "cards": sum(len(photo.wanted) for photo in photos),
        "recall": _share(len(hits), sum(len(photo.wanted) for photo in photos)),
        "precision": _share(sum(len(p.wanted & set(p.read)) for p in whole), sum(len(p.read) for p in whole)),
        "exact": _share(sum(p.wanted == set(p.read) for p in whole), len(whole)),
        "sure_wrong": _share(sure.count(False), len(sure)),
        "bold": _share(sum(chance >= SURE for chance in hits), len(hits)),
    }


def report(photos: list[Photo]) -> dict[str, Any]:
    """All figures, ready for JSON."""
    decks = sorted({photo.deck for photo in photos})
    placed = [(photo, card) for photo in photos for card in photo.boxes if card in photo.wanted]
    return {
        "all": figures(photos),
        "decks": {deck: figures(photo for photo in photos if photo.deck == deck) for deck in decks},
        "by_height_px": _by_band(((p.height_px[c], c in p.read) for p, c in placed), HEIGHTS_PX),
        "by_overlap": _by_band(((p.overlap(c), c in p.read) for p, c in placed), OVERLAPS),
        "confusions": dict(Counter(confusions(photos)).most_common(30)),
    }


def _by_band(seen: Iterable[tuple[float, bool]], edges: tuple[float, ...]) -> dict[str, dict[str, float | int | None]]:
    """Cards and recall in each band, named by its lower edge."""
    bands: dict[float, list[bool]] = {edge: [] for edge in edges}
    for value, is_read in seen:
        bands[max(edge for edge in edges if edge <= value)].append(is_read)
    return {str(edge): {"cards": len(hits), "recall": _share(sum(hits), len(hits))} for edge, hits in bands.items()}


def confusions(photos: Iterable[Photo]) -> Iterator[str]:
    """`QC>QS` for every missed card in whose place another one was read, `QC>` where nothing was."""
    for photo in photos:
        for card in photo.missed:
            there = [other for other in photo.wrong if card in photo.boxes and _meets(photo, card, other)]
            yield f"{card}>{there[0] if there else ''}"


def _meets(photo: Photo, card: str, other: str) -> bool:
    x, y, width, height = photo.places[other]
    return _shared(photo.boxes[card], photo.places[other]) > 0 or _shared((x, y, width, height), photo.boxes[card]) > 0


def _shared(box: Box, other: Box) -> float:
    """The share of `box` that lies in `other`."""
    across = min(box[0] + box[2], other[0] + other[2]) - max(box[0], other[0])
    down = min(box[1] + box[3], other[1] + other[3]) - max(box[1], other[1])
    return max(across, 0) * max(down, 0) / max(box[2] * box[3], 1e-6)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def failure_sheet(photos: Iterable[Photo]) -> Picture:
    """Every missed card and, where labels are complete, every wrong reading, each with its name below."""
    tiles: list[Picture] = []
    for photo in photos:
        wrong = photo.wrong if photo.is_complete else frozenset()
        spots = [(f"{card}?", photo.boxes[card]) for card in sorted(photo.missed) if card in photo.boxes]
        spots += [(f"not {card} {photo.read[card]:.2f}", photo.places[card]) for card in sorted(wrong)]
        if spots and len(tiles) < _MOST_TILES:
            picture = read_picture(Path(photo.path))
            tiles += [_tile(picture, box, text) for text, box in spots]
    blank = np.zeros((_TILE_PX + 14, _TILE_PX, 3), np.uint8)
    tiles += [blank] * (-len(tiles) % _COLUMNS or (0 if tiles else _COLUMNS))
    rows = [np.hstack(tiles[start : start + _COLUMNS]) for start in range(0, len(tiles), _COLUMNS)]
    return np.asarray(np.vstack(rows), np.uint8)


def _tile(picture: Picture, box: Box, text: str) -> Picture:
    x, y, side = box[0] + box[2] / 2, box[1] + box[3] / 2, max(box[2:]) * 1.6
    zoom = _TILE_PX / max(side, 1.0)
    matrix = np.array([[zoom, 0, _TILE_PX / 2 - zoom * x], [0, zoom, _TILE_PX / 2 - zoom * y]])
    tile = cv2.warpAffine(picture, matrix, (_TILE_PX, _TILE_PX), flags=cv2.INTER_AREA)
    tile = cv2.copyMakeBorder(tile, 0, 14, 0, 0, cv2.BORDER_CONSTANT)
    cv2.putText(tile, text, (2, _TILE_PX + 11), cv2.FONT_HERSHEY_SIMPLEX, 0.36, (255, 255, 255), 1, cv2.LINE_AA)
    return np.asarray(tile, np.uint8)


def main() -> None:
    """Command line of `python -m vision.training.report`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("index", type=Path)
    parser.add_argument("readings", type=Path)
    parser.add_argument("--sheet", type=Path, help="picture of all failures to write")
    args = parser.parse_args()
    try:
        photos = read_photos(args.index, args.readings)
        if args.sheet and not cv2.imwrite(str(args.sheet), failure_sheet(photos)):
            raise UnreadablePicture(f"cannot write {args.sheet}; check that the folder can be written to")
    except TableError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    print(json.dumps(report(photos), indent=1))


if __name__ == "__main__":
    main()
