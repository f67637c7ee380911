"""Index letters of many fonts and languages, and pips of many shapes, as coverage masks.

Rank letters follow `LETTERS`; the pictures of a letter are uint8 masks (height, width), 0 paper to 255 ink.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]

CAP_PX = 72
"""Height of a capital letter in a mask, about."""

_DIGITS = {rank: str(rank) for rank in range(2, 11)}
LETTERS: dict[str, tuple[float, dict[int, str]]] = {
    "english": (0.52, {11: "J", 12: "Q", 13: "K", 14: "A"}),
    "russian": (0.16, {11: "В", 12: "Д", 13: "К", 14: "Т"}),
    "german": (0.10, {11: "B", 12: "D", 13: "K", 14: "A"}),
    "french": (0.08, {11: "V", 12: "D", 13: "R", 14: "1"}),
    "french-ace": (0.02, {11: "V", 12: "D", 13: "R", 14: "A"}),
    "swedish": (0.03, {11: "Kn", 12: "D", 13: "K", 14: "E"}),
    "danish": (0.03, {11: "B", 12: "D", 13: "K", 14: "E"}),
    "polish": (0.03, {11: "W", 12: "D", 13: "K", 14: "A"}),
    "dutch": (0.02, {11: "B", 12: "V", 13: "H", 14: "A"}),
}
"""Share of each language in re-lettered cards, and its letters; 11 is the jack, 14 the ace.

A French V is the jack and a Dutch one the queen; where the picture beside it doesn't tell, these shares do.
"""

_NO_LETTERS = ("D050000L", "StandardSymbols", "LinBiolinum_K", "LinLibertine_I", "RKey", "Keyboard")
"""Fonts that draw symbols, key caps or ornaments in place of Latin letters."""
_NOTO_WANTED = ("NotoSans-", "NotoSerif-", "NotoSansDisplay-", "NotoSerifDisplay-")
_WEIGHTS = ("bold", "regular", "medium", "black", "semibold", "condensed", "demi", "roman", "book", "heavy", "light")
_SUIT_TEXT = "♣♦♥♠"


@dataclass(frozen=True, slots=True)
class Font:
    """One font's masks: its texts by name and, where it has them, its four pips clubs to spades."""

    name: str
    texts: dict[str, Mask]
    pips: tuple[Mask, ...] | None


def load_fonts(packages: Path) -> list[Font]:
    """All usable fonts of the installed packages, in a fixed order."""
    return [font for path in sorted(set(_font_files(packages))) if (font := _load(path)) is not None]


def _font_files(packages: Path) -> Iterator[Path]:
    for path in packages.rglob("*"):
        if path.suffix.lower() not in {".ttf", ".otf", ".t1"} or not path.is_file():
            continue
        name = path.name
        if "italic" in name.lower() or "oblique" in name.lower() or "fonts-" not in str(path):
            continue
        if any(word in name for word in _NO_LETTERS):
            continue
        if name.startswith("Noto") and not name.startswith(_NOTO_WANTED):
            continue
        if name.startswith("Noto") and not any(weight in name for weight in ("Bold", "Regular", "Medium", "Black")):
            continue
        if "-" in path.stem and not any(weight in name.lower() for weight in _WEIGHTS):
            continue
        yield path


def _load(path: Path) -> Font | None:
    try:
        font = ImageFont.truetype(str(path), CAP_PX + 28)
    except OSError:
        return None
    missing = _draw(font, "\U0010fff0")
    texts = {}
    for text in sorted({text for _, letters in LETTERS.values() for text in letters.values()} | set(_DIGITS.values())):
        mask = _draw(font, text)
        if mask is not None and not _same(mask, missing):
            texts[text] = mask
    if not set(_DIGITS.values()) | set("AKQJ") <= set(texts):
        return None
    pips = [_draw(font, pip) for pip in _SUIT_TEXT]
    known = tuple(pip for pip in pips if pip is not None and not _same(pip, missing))
    return Font(path.stem, texts, known if len(known) == 4 and are_pips(known) else None)


def _draw(font: ImageFont.FreeTypeFont, text: str) -> Mask | None:
    picture = Image.new("L", (360, 260))
    try:
        ImageDraw.Draw(picture).text((60, 40), text, fill=255, font=font)
    except OSError:
        return None
    box = picture.getbbox()
    if box is None or box[3] - box[1] < 30:
        return None
    return np.asarray(picture.crop(box), np.uint8)


def _same(one: Mask, other: Mask | None) -> bool:
    return other is not None and one.shape == other.shape and bool((one == other).all())


def are_pips(masks: tuple[Mask, ...]) -> bool:
    """Whether four masks can be clubs to spades: FreeSerif Bold swaps them, and a club's head is the broader one."""
    club, spade = (float((mask[: max(len(mask) // 8, 1)] > 127).mean()) for mask in (masks[0], masks[3]))
    return club > spade


def text_of(rank: int, language: str) -> str:
    """What an index of that language prints for a rank of 2 to 14."""
    return _DIGITS.get(rank) or LETTERS[language][1][rank]
