"""The installed art in memory, split into what is trained on and what is held out for validation."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.fetch import ArtMissing
from vision.training.glyphs import Font, Mask, are_pips, load_fonts

Picture = NDArray[np.uint8]

HELD_OUT_DECKS = {"knoll", "five-card-draw", "gnome-rheinland", "gnome-tigullio", "kde-tigullio-international"}
"""Never trained on; the last two and the first two are drawn after the same originals."""
BACKGROUND_PX = 512
_TEXTURES = {
    "ufoai-textures": ("wood",
                       "floor", "carpet", "stone", "tile", "concrete", "marble", "fabric", "cloth", "leather"),
    "openarena-081-textures": ("wood", "floor", "stone", "carpet", "concrete", "tile", "marble"),
    "metaworld": ("/textures/",),
    "robosuite": ("/textures/",),
    "scikit-image": ("/data/",),
    "mate-backgrounds": ("/backgrounds/",),
    "lomiri-wallpapers-16.04": ("",),
    "lomiri-wallpapers-20.04": ("",),
    "plasma-workspace-wallpapers": ("1280x800", "1920x1080", "1080x1920"),
    "opencv-doc": ("/samples/data/", "/doc/tutorials/"),
}  # fmt: skip
_UNFIT = ("_nm.", "_sm.", "_gm.", "_nr.", "normal", "height", "screenshot", "sudoku", "chess", "digits", "letter")
_CLUTTER_PACKAGE = "tuxpaint-stamps-default"


@dataclass(frozen=True, slots=True)
class Deck:
    """A cut deck, see `vision.training.decks`."""

    name: str
    cards: Picture
    letter: NDArray[np.float32]
    pip: NDArray[np.float32]
    four: bool


@dataclass(frozen=True, slots=True)
class Art:
    """Everything a scene is made of."""

    decks: tuple[Deck, ...]
    fonts: tuple[Font, ...]
    pips: tuple[tuple[Mask, ...], ...]
    """Pip shapes, clubs to spades."""
    backgrounds: tuple[Picture, ...]
    clutter: tuple[Picture, ...]
    """Cut-out objects with alpha."""


def load_art(folder: Path, *, held_out: bool = False) -> Art:
    """Loads the art for training, or the decks, fonts and backgrounds that validation alone may see."""
    if not (folder / "decks").is_dir():
        raise ArtMissing(f"no cut decks in {folder}; run python -m vision.training.fetch, then …decks")
    decks = tuple(d for d in _load_decks(folder / "decks") if (d.name in HELD_OUT_DECKS) == held_out)
    packages = folder / "packages"
    fonts = tuple(font for font in load_fonts(packages) if _is_held_out(font.name) == held_out)
    shapes = (_pips_of(deck) for deck in decks if deck.pip.any())
    pips = tuple(font.pips for font in fonts if font.pips) + tuple(four for four in shapes if are_pips(four))
    backgrounds = tuple(_thumbnail(path) for path in _texture_files(packages) if _is_held_out(path.name) == held_out)
    clutter = tuple(cut for path in _clutter_files(packages) if (cut := _cut_out(path)) is not None)
    return Art(decks, fonts, pips, tuple(b for b in backgrounds if b.size), clutter)


def _is_held_out(name: str) -> bool:
    return zlib.crc32(name.encode()) % 8 == 0


def _load_decks(folder: Path) -> Iterator[Deck]:
    for path in sorted(folder.glob("*.npz")):
        stored = np.load(path)
        yield Deck(path.stem, stored["cards"], stored["letter"], stored["pip"], bool(stored["four"]))


def _pips_of(deck: Deck) -> tuple[Mask, ...]:
    """Pip shapes cut from the corners of a deck's fours."""
    x0, y0, x1, y1 = (int(v) for v in deck.pip + np.array([-2, -2, 3, 3]))
    shapes = []
    for suit in range(4):
        crop = deck.cards[suit * 13 + 2][y0:y1, x0:x1].astype(np.float32)
        paper = np.median(deck.cards[suit * 13 + 2][150:270, 6:14].reshape(-1, 3), axis=0)
        ink = np.abs(crop - paper).max(axis=2)
        shapes.append(np.clip(ink / max(float(ink.max()), 60.0) * 290 - 15, 0, 255).astype(np.uint8))
    return tuple(shapes)


def _texture_files(packages: Path) -> Iterator[Path]:
    for package, wanted in _TEXTURES.items():
        files = (
            path for path in (packages / package).rglob("*") if path.suffix.lower() in {".jpg", ".jpeg", ".png", ".tga"}
        )
        for path in sorted(files):
            name = str(path.relative_to(packages)).lower()
            if any(word in name for word in wanted) and not any(word in name for word in _UNFIT):
                yield path


def _thumbnail(path: Path) -> Picture:
    picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if picture is None or min(picture.shape[:2]) < 100 or float(picture.std()) < 2:
        return np.zeros((0, 0, 3), np.uint8)
    scale = BACKGROUND_PX / max(picture.shape[:2])
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(picture, np.uint8)


def _clutter_files(packages: Path) -> list[Path]:
    return sorted((packages / _CLUTTER_PACKAGE).rglob("*.png"))[::3]


def _cut_out(path: Path) -> Picture | None:
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4 or min(picture.shape[:2]) < 60:
        return None
    scale = min(1.0, 256 / max(picture.shape[:2]))
    return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
