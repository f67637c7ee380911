"""Reads photographs from files and draws what was read into them."""

import time
from pathlib import Path
from typing import TypedDict

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Suit
from vision.reader.errors import UnreadablePicture
from vision.reader.reader import Reader
from vision.reader.values import Corner, Reading


class CardSeen(TypedDict):
    """One card of a photograph."""

    card: str
    sure: float
    box: list[int]
    outline: list[list[int]]
    """The card's four corners [x, y] as far as its indices tell, clockwise from the one beside its first index."""


class PhotoRead(TypedDict):
    """What `cardtable look --json` prints for one photograph."""

    photo: str
    cards: list[CardSeen]
    ms: float


def load_picture(path: Path) -> NDArray[np.uint8]:
    """A picture file as (h, w, 3) BGR, turned as its EXIF orientation says; raises `UnreadablePicture`."""
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise UnreadablePicture(f"cannot open {path}: {error.strerror}; check the path") from error
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise UnreadablePicture(f"{path} is no picture that can be decoded; give a JPEG or PNG file")
    return np.asarray(picture, np.uint8)


def read_photo(reader: Reader, path: Path) -> PhotoRead:
    """Reads one photograph of unknown distance; `ms` is the reading alone, without decoding the file."""
    return read_picture(reader, load_picture(path), str(path))[0]


def read_picture(reader: Reader, picture: NDArray[np.uint8], name: str) -> tuple[PhotoRead, tuple[Reading, ...]]:
    """Reads a picture already in memory; also returns the readings, for drawing."""
    start = time.perf_counter()
    readings = reader.read(picture)
    ms = (time.perf_counter() - start) * 1000
    cards = [_seen(reading, picture.shape) for reading in readings]
    return PhotoRead(photo=name, cards=cards, ms=round(ms, 1)), readings


def _seen(reading: Reading, shape: tuple[int, ...]) -> CardSeen:
    x, y, width, height = reading.box
    left, top = max(round(x), 0), max(round(y), 0)
    right, foot = min(round(x + width), shape[1]), min(round(y + height), shape[0])
    outline = [[round(x), round(y)] for x, y in reading.outline]
    box = [left, top, right - left, foot - top]
    return CardSeen(card=str(reading.card), sure=round(reading.sure, 4), box=box, outline=outline)


def draw_photo(reader: Reader, path: Path, folder: Path) -> PhotoRead:
    """Reads a photograph and writes it, annotated, into `folder` under its own name."""
    picture = load_picture(path)
    result, readings = read_picture(reader, picture, str(path))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{path.stem}.png"
    if not cv2.imwrite(str(target), annotated(picture, readings)):
        raise UnreadablePicture(f"cannot write {target}; check that the folder can be written to")
    return result


def annotated(picture: NDArray[np.uint8], readings: tuple[Reading, ...]) -> NDArray[np.uint8]:
    """A copy with each card's outline, its indices with their direction, its name and how sure it is."""
    drawn = picture.copy()
    thick = max(1, round(max(picture.shape[:2]) / 600))
    for reading in readings:
        colour = (40, 170, 40) if reading.sure >= 0.9 else (0, 160, 255)
        cv2.polylines(drawn, [np.round(np.array(reading.outline)).astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        for corner in reading.corners:
            _draw_corner(drawn, corner, colour, thick)
        _draw_name(drawn, reading, (round(reading.box[0]), round(reading.box[1])), thick, colour)
    return drawn


def _draw_corner(drawn: NDArray[np.uint8], corner: Corner, colour: tuple[int, int, int], thick: int) -> None:
    reach = corner.height_px / 2
    start = (round(corner.x - corner.up[0] * reach), round(corner.y - corner.up[1] * reach))
    end = (round(corner.x + corner.up[0] * reach), round(corner.y + corner.up[1] * reach))
    cv2.arrowedLine(drawn, start, end, colour, thick, tipLength=0.25)


_SUIT_LETTERS = {Suit.CLUBS: "c", Suit.DIAMONDS: "d", Suit.HEARTS: "h", Suit.SPADES: "s"}


def _draw_name(
    drawn: NDArray[np.uint8], reading: Reading, place: tuple[int, int], thick: int, colour: tuple[int, int, int]
) -> None:
    text = f"{reading.card.rank}{_SUIT_LETTERS[reading.card.suit]} {reading.sure:.2f}"
    size = 0.5 * thick
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x, y = max(place[0], 0), max(place[1], height + 4)
    cv2.rectangle(drawn, (x, y - height - 4), (x + width, y + 2), (255, 255, 255), -1)
    cv2.putText(drawn, text, (x, y - 2), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
