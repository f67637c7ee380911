"""Cuts installed decks into single cards and finds where their indices are.

    python -m vision.training.decks [--art FOLDER] [--sheet FILE.png]

Every deck becomes FOLDER/decks/NAME.npz with `cards` (52, 420, 300, 3) uint8 BGR, clubs to spades and two to ace, and
`letter`, `pip`: the boxes (x0, y0, x1, y1) in px that rank letter and small pip fill in the upper left corner, and
`four`: whether all four corners carry an index. Where each package keeps its cards: see the functions below.
"""

import argparse
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import TableError
from vision.training.fetch import ArtMissing, art_folder

Picture = NDArray[np.uint8]

WIDTH, HEIGHT = 300, 420
"""A cut card's size in px; 300 px are the 63 mm of a poker card."""
SUITS = "CDHS"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")

GNOME_UNFIT = {"swiss-xvii", "guyenne-classic", "ornamental", "simplistic"}
KDE_DECKS = {"svg-tigullio-international", "svg-jolly-royal", "svg-oxygen-white", "svg-nicu-white"}


def cut_decks(art: Path) -> None:
    """Cuts every deck that isn't cut yet; raises `ArtMissing` where a package or a tool is missing."""
    packages, decks = art / "packages", art / "decks"
    if not packages.is_dir():
        raise ArtMissing(f"no packages in {packages}; run python -m vision.training.fetch first")
    decks.mkdir(exist_ok=True)
    for name, cut in _all_decks(packages):
        if not (decks / f"{name}.npz").exists():
            print(name, flush=True)
            save_deck(decks / f"{name}.npz", cut())


def _all_decks(packages: Path) -> Iterator[tuple[str, Callable[[], list[Picture]]]]:
    for sheet in sorted((packages / "gnome-cards-data/usr/share/aisleriot/cards").glob("*.svgz")):
        if sheet.stem not in GNOME_UNFIT:
            yield f"gnome-{sheet.stem}", lambda sheet=sheet: _cut_grid(sheet)  # type: ignore[misc]
    for sheet in sorted((packages / "kdegames-card-data-kf5/usr/share/carddecks").glob("*/*.svgz")):
        if sheet.parent.name in KDE_DECKS:
            yield f"kde-{sheet.parent.name[4:]}", lambda sheet=sheet: _cut_by_id(sheet)  # type: ignore[misc]
    for folder in sorted((packages / "heruka_urgyen-react-playing-cards/package/src/images").glob("*color*")):
        yield f"kennard-{folder.name}", lambda folder=folder: _from_files(_kennard(folder))  # type: ignore[misc]
    yield "aguilar", lambda: _from_files(packages / "cardsJS/package/cards" / f"{r}{s}.svg" for s, r in _names())
    yield "knoll", lambda: _from_files(_knoll(next(packages.glob("blackjack-gui/**/images"))))
    draw = packages / "five-card-draw/five_card_draw/data"
    yield "five-card-draw", lambda: _from_files(draw / f"{s}{RANKS.index(r) + 2}.png" for s, r in _names())
    tex = packages / "texlive-games/usr/share/texlive/texmf-dist/tex/latex/jeuxcartes"
    yield "texlive-v2", lambda: _from_files(tex / f"CaJ-PokeRv2-{_french(s, r)}.pdf" for s, r in _names())
    yield "texlive-v3", lambda: _from_files(tex / f"CaJ-PokeRv3-{_french(s, r)}.pdf" for s, r in _names())
    yield "texlive-tarot", lambda: _from_files(tex / f"CaJ-TaroTv1-{_french(s, r)}.png" for s, r in _names())


def _names() -> Iterator[tuple[str, str]]:
    return ((suit, rank) for suit in SUITS for rank in RANKS)


def _kennard(folder: Path) -> Iterable[Path]:
    return (folder / f"{rank.replace('10', 'T')}{suit}.svg" for suit, rank in _names())


def _knoll(folder: Path) -> Iterable[Path]:
    suits = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
    ranks = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
    return (folder / f"{ranks.get(r, r)}_of_{suits[s]}{'2' if r in 'JQK' else ''}.png" for s, r in _names())


def _french(suit: str, rank: str) -> str:
    ranks = {"J": "V", "Q": "D", "K": "R"}
    return ranks.get(rank, rank) + dict(zip(SUITS, "TKCP", strict=True))[suit]


def _cut_grid(sheet: Path) -> list[Picture]:
    """Cuts an aisleriot sheet: 13 columns A 2 … K, rows clubs, diamonds, hearts, spades, others."""
    with tempfile.TemporaryDirectory() as scratch:
        svg, png = Path(scratch) / "sheet.svg", Path(scratch) / "sheet.png"
        svg.write_bytes(gzip.decompress(sheet.read_bytes()))
        _run("rsvg-convert", "-u", "-w", "5200", "-o", str(png), str(svg))
        whole = _read(png)
    tall, wide = whole.shape[0] / 5, whole.shape[1] / 13
    columns = [*range(1, 13), 0]
    cells = ((row, column) for row in range(4) for column in columns)
    return [
        _card(whole[round(r * tall) : round((r + 1) * tall), round(c * wide) : round((c + 1) * wide)]) for r, c in cells
    ]


def _cut_by_id(sheet: Path) -> list[Picture]:
    """Renders a KDE deck's cards by their element names such as `10_spade`."""
    suits = dict(zip(SUITS, ("club", "diamond", "heart", "spade"), strict=True))
    ranks = {"J": "jack", "Q": "queen", "K": "king", "A": "1"}
    cards = []
    with tempfile.TemporaryDirectory() as scratch:
        svg, png = Path(scratch) / "sheet.svg", Path(scratch) / "card.png"
        svg.write_bytes(gzip.decompress(sheet.read_bytes()))
        for suit, rank in _names():
            _run(
                "rsvg-convert",
                "-u",
                "-i",
                f"{ranks.get(rank, rank)}_{suits[suit]}",
                "-z",
                "3",
                "-o",
                str(png),
                str(svg),
            )
            cards.append(_card(_read(png)))
    return cards


def _from_files(paths: Iterable[Path]) -> list[Picture]:
    with tempfile.TemporaryDirectory() as scratch:
        return [_card(_rendered(path, Path(scratch) / "card.png")) for path in paths]


def _rendered(path: Path, png: Path) -> Picture:
    if not path.exists():
        raise ArtMissing(f"{path.name} is not in its package; remove {path.parent} and run fetch again")
    if path.suffix == ".svg":
        _run("rsvg-convert", "-u", "-h", "840", "-o", str(png), str(path))
    elif path.suffix == ".pdf":
        _run("pdftoppm", "-png", "-singlefile", "-scale-to-x", "600", "-scale-to-y", "-1", str(path), str(png)[:-4])
    else:
        return _read(path)
    return _read(png)


def _run(*command: str) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError as error:
        raise ArtMissing(f"{command[0]} is not installed; install librsvg2-bin and poppler-utils") from error
    except subprocess.CalledProcessError as error:
        raise ArtMissing(f"{command[0]} cannot render {command[-1]}: {error.stderr.decode()[-200:].strip()}") from error


def _read(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise ArtMissing(f"{path} is no picture; remove its package's folder and run fetch again")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return np.asarray(picture, np.uint8)


def _card(cell: Picture) -> Picture:
    """Trims a cell to its card and lays it on its own paper colour at the standard size."""
    if cell.shape[2] == 4:
        solid = cell[:, :, 3] > 128
        if not solid.any():
            raise ArtMissing("a card came out empty; the deck's file isn't built as expected")
        rows, columns = (np.flatnonzero(solid.mean(axis) > 0.3 * solid.mean(axis).max()) for axis in (1, 0))
        cell = cell[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        alpha = cell[:, :, 3:].astype(np.float32) / 255
        paper = _paper(cell[:, :, :3])
        cell = (cell[:, :, :3] * alpha + paper * (1 - alpha)).astype(np.uint8)
    return np.asarray(cv2.resize(cell, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


def _paper(card: Picture) -> NDArray[np.float32]:
    """Colour of the bare paper: the median of the left margin."""
    height, width = card.shape[:2]
    margin = card[height // 4 : -height // 4, width // 60 + 1 : width // 22 + 2]
    return np.asarray(np.median(margin.reshape(-1, 3), axis=0), np.float32)


def save_deck(path: Path, cards: list[Picture]) -> None:
    """Writes a cut deck with the boxes of its indices."""
    letter, pip, four = find_index(cards)
    np.savez(path, cards=np.stack(cards), letter=letter, pip=pip, four=four)


def find_index(cards: list[Picture]) -> tuple[NDArray[np.float32], NDArray[np.float32], bool]:
    """Boxes of letter and pip in the upper left corner, and whether the upper right has one too.

    The number cards agree on where their index is; ornaments of single cards are voted down by the median.
    """
    found = [
        boxes for number, card in enumerate(cards) if number % 13 < 9 and (boxes := _corner_boxes(card)) is not None
    ]
    if len(found) < 12:
        return np.zeros(4, np.float32), np.zeros(4, np.float32), False
    letter, pip = (np.median([pair[kind] for pair in found], axis=0).astype(np.float32) for kind in (0, 1))
    mirrored = [_corner_boxes(np.ascontiguousarray(card[:, ::-1])) for card in cards[:8]]
    four = sum(boxes is not None and bool(np.all(np.abs(boxes[1] - pip) < 8)) for boxes in mirrored) >= 5
    return letter, pip, four


def _corner_boxes(card: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    corner = card[: int(HEIGHT * 0.42), : int(WIDTH * 0.26)]
    ink = (np.abs(corner.astype(np.float32) - _paper(card)).max(axis=2) > 70).astype(np.uint8)
    ink[:5] = 0
    ink[:, :5] = 0
    count, _, stats, centres = cv2.connectedComponentsWithStats(ink)
    parts = [stats[i] for i in range(1, count) if stats[i][4] > 60 and centres[i][0] < WIDTH * 0.17]
    parts = [part for part in parts if part[0] + part[2] < corner.shape[1] - 1]
    if not parts:
        return None
    parts.sort(key=lambda part: int(part[1]))
    letters = [part for part in parts if part[1] < parts[0][1] + parts[0][3] * 0.6]
    letter = _around(letters)
    below = [part for part in parts if part[1] >= letter[3] - 4 and part[1] < letter[3] + 40]
    return (letter, _around(below[:1])) if below else None


def _around(parts: Iterable[NDArray[np.int32]]) -> NDArray[np.float32]:
    boxes = np.array([(x, y, x + w, y + h) for x, y, w, h, _ in parts], np.float32)
    return np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)]).astype(np.float32)


def write_sheet(decks: Path, sheet: Path) -> None:
    """Draws a few cards of every cut deck with the found index boxes, to be looked at."""
    rows = []
    for path in sorted(decks.glob("*.npz")):
        deck = np.load(path)
        cards = [deck["cards"][number].copy() for number in (0, 8, 22, 23, 36, 51)]
        for card in cards:
            for box, colour in ((deck["letter"], (255, 0, 255)), (deck["pip"], (255, 160, 0))):
                x0, y0, x1, y1 = (int(v) for v in box)
                cv2.rectangle(card, (x0, y0), (x1, y1), colour, 2)
        row = cv2.resize(np.hstack(cards), None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)
        cv2.putText(
            row, f"{path.stem} {'4' if deck['four'] else ''}".encode("ascii", "replace").decode(), (4, 160), 0, 0.5, 0
        )
        rows.append(row)
    half = (len(rows) + 1) // 2
    rows += [np.zeros_like(rows[0])] * (2 * half - len(rows))
    cv2.imwrite(str(sheet), np.hstack([np.vstack(rows[:half]), np.vstack(rows[half:])]))


def main() -> None:
    """Command line of `python -m vision.training.decks`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--art", type=Path, default=art_folder(), help="where the art lives (default: %(default)s)")
    parser.add_argument("--sheet", type=Path, help="write a picture of cards with their index boxes")
    args = parser.parse_args()
    try:
        cut_decks(args.art)
        if args.sheet:
            write_sheet(args.art / "decks", args.sheet)
    except TableError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
