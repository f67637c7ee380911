"""Faces and backs of the simulated table's own deck: plain Anglo cards, 63 × 88 mm, drawn from strokes and curves.

This deck is kept out of everything the card reader learns from.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from cardtable.simulated.glyphs import draw_letter, draw_pip, letter_width
from cardtable.simulated.sprites import Picture, as_picture
from engine.cards import Card, Rank, Suit

WIDTH_MM, HEIGHT_MM = 63.0, 88.0
RADIUS_MM = 3.5
PX_PER_MM = 10
_SIZE = (round(WIDTH_MM * PX_PER_MM), round(HEIGHT_MM * PX_PER_MM))

_BLACK, _RED = (26, 22, 24), (38, 28, 196)
_BLUE, _GREEN = (168, 78, 22), (44, 120, 20)


@dataclass(frozen=True, slots=True)
class Style:
    """How a deck is printed; colours are BGR."""

    name: str
    colours: tuple[tuple[int, int, int], ...]
    """Of clubs, diamonds, hearts and spades."""
    letter_mm: float
    """Height of the index letter."""
    pip_mm: float
    """Height of the pip under it."""
    weight: float
    """Stroke of the index letter as a share of its height."""
    back: tuple[int, int, int]

    def colour(self, suit: Suit) -> tuple[int, int, int]:
        """The suit's printing colour."""
        return self.colours[list(Suit).index(suit)]


PLAIN = Style("plain", (_BLACK, _RED, _RED, _BLACK), 10.5, 7.8, 0.17, (120, 58, 40))
LARGE = Style("large", (_BLACK, _RED, _RED, _BLACK), 13.0, 9.0, 0.16, (44, 40, 140))
FOUR_COLOURS = Style("four-colours", (_GREEN, _BLUE, _RED, _BLACK), 10.5, 7.8, 0.17, (70, 96, 30))
STYLES = (PLAIN, LARGE, FOUR_COLOURS)

_LEFT, _MIDDLE, _RIGHT = 20.0, 31.5, 43.0
_ROWS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((_MIDDLE, 16), (_MIDDLE, 72)),
    3: ((_MIDDLE, 16), (_MIDDLE, 44), (_MIDDLE, 72)),
    4: tuple((x, y) for x in (_LEFT, _RIGHT) for y in (16, 72)),
    6: tuple((x, y) for x in (_LEFT, _RIGHT) for y in (16, 44, 72)),
    8: tuple((x, y) for x in (_LEFT, _RIGHT) for y in (16, 34.7, 53.3, 72)),
}
_PIPS: dict[Rank, tuple[tuple[float, float], ...]] = {
    Rank.TWO: _ROWS[2],
    Rank.THREE: _ROWS[3],
    Rank.FOUR: _ROWS[4],
    Rank.FIVE: (*_ROWS[4], (_MIDDLE, 44)),
    Rank.SIX: _ROWS[6],
    Rank.SEVEN: (*_ROWS[6], (_MIDDLE, 30)),
    Rank.EIGHT: (*_ROWS[6], (_MIDDLE, 30), (_MIDDLE, 58)),
    Rank.NINE: (*_ROWS[8], (_MIDDLE, 44)),
    Rank.TEN: (*_ROWS[8], (_MIDDLE, 25.3), (_MIDDLE, 62.7)),
}


def corner_boxes(style: Style = PLAIN) -> tuple[tuple[float, float, float, float], ...]:
    """The card's two indices as (x, y, width, height) in mm from its upper left corner."""
    width, height = style.letter_mm * 0.9, style.letter_mm + 1.2 + style.pip_mm
    return (2.7, 4.0, width, height), (WIDTH_MM - 2.7 - width, HEIGHT_MM - 4.0 - height, width, height)


def _blank() -> Picture:
    return np.full((_SIZE[1], _SIZE[0], 3), 252, np.uint8)


def _turned(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[::-1, ::-1])


def _draw_index(picture: Picture, card: Card, style: Style) -> None:
    x, y, width, _ = corner_boxes(style)[0]
    middle = (x + width / 2) * PX_PER_MM
    height = style.letter_mm * PX_PER_MM
    across = min(letter_width(card.rank), 0.8) * height
    letter = np.full((round(height), round(letter_width(card.rank) * height) + 2, 3), 255, np.uint8)
    draw_letter(letter, card.rank, height=height, weight=style.weight, colour=style.colour(card.suit))
    letter = as_picture(cv2.resize(letter, (round(across), round(height)), interpolation=cv2.INTER_AREA))
    left, top = round(middle - across / 2), round(y * PX_PER_MM)
    part = picture[top : top + letter.shape[0], left : left + letter.shape[1]]
    np.minimum(part, letter, out=part)
    below = (y + style.letter_mm + 1.2 + style.pip_mm / 2) * PX_PER_MM
    draw_pip(picture, card.suit, centre=(middle, below), size=style.pip_mm * PX_PER_MM, colour=style.colour(card.suit))


def _draw_pips(picture: Picture, card: Card, style: Style) -> None:
    spots = ((_MIDDLE, 44.0),) if card.rank == Rank.ACE else _PIPS[card.rank]
    size = (26.0 if card.rank == Rank.ACE else 13.0) * PX_PER_MM
    for x, y in spots:
        centre = (x * PX_PER_MM, y * PX_PER_MM)
        colour = style.colour(card.suit)
        draw_pip(picture, card.suit, centre=centre, size=size if y <= 44 else -size, colour=colour)


def _figure(card: Card, style: Style) -> Picture:
    """Upper half of a court card's picture: a bust with a crown, a collar and the suit, in flat colours."""
    colour, gold, blue = style.colour(card.suit), (70, 184, 236), (150, 84, 40)
    half = np.full((31 * PX_PER_MM, 38 * PX_PER_MM, 3), 252, np.uint8)

    def polygon(points: list[tuple[float, float]], fill: tuple[int, ...]) -> None:
        cv2.fillPoly(half, [np.round(np.array(points) * PX_PER_MM * 16).astype(np.int32)], fill, cv2.LINE_AA, 4)

    polygon([(2, 31), (8, 19), (15, 16), (23, 16), (30, 19), (36, 31)], blue if card.rank == Rank.KING else colour)
    polygon([(13, 31), (19, 18), (25, 31)], gold)
    cv2.ellipse(half, (190, 115), (46, 56), 0, 0, 360, (170, 200, 240), -1, cv2.LINE_AA)
    for x in (174, 206):
        cv2.circle(half, (x, 108), 5, _BLACK, -1, cv2.LINE_AA)
    cv2.ellipse(half, (190, 136), (16, 6), 0, 0, 180, _BLACK, 3, cv2.LINE_AA)
    peaks = {Rank.JACK: 1, Rank.QUEEN: 3, Rank.KING: 5}[card.rank]
    spikes = [(13 + 12 * (i + 0.5 * j) / peaks, 6.6 - 4.5 * j) for i in range(peaks) for j in (0, 1)]
    polygon([*spikes, (25, 6.6), (25, 8.4), (13, 8.4)], gold)
    draw_pip(half, card.suit, centre=(62, 62), size=88, colour=colour)
    return half


def _draw_court(picture: Picture, card: Card, style: Style) -> None:
    left, right, top, bottom = (round(v * PX_PER_MM) for v in (12.5, 50.5, 13.0, 75.0))
    half = _figure(card, style)
    picture[top : top + half.shape[0], left:right] = half
    picture[bottom - half.shape[0] : bottom, left:right] = _turned(half)
    cv2.line(picture, (left, 440), (right, 440), _BLACK, 3, cv2.LINE_AA)
    cv2.rectangle(picture, (left, top), (right, bottom), style.colour(card.suit), 4, cv2.LINE_AA)


@lru_cache(maxsize=160)
def face(card: Card, style: Style = PLAIN) -> Picture:
    """The printed face of `card` at `PX_PER_MM`, BGR, square corners (`outline` cuts them)."""
    picture = _blank()
    if card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING):
        _draw_court(picture, card, style)
    else:
        _draw_pips(picture, card, style)
    _draw_index(picture, card, style)
    turned = _turned(picture)
    _draw_index(turned, card, style)
    return _turned(turned)


@lru_cache(maxsize=8)
def back(style: Style = PLAIN) -> Picture:
    """The printed back of a deck at `PX_PER_MM`, BGR."""
    picture = _blank()
    inner = picture[40:-40, 40:-40]
    inner[:] = style.back
    rows, columns = np.mgrid[0 : inner.shape[0], 0 : inner.shape[1]]
    lattice = (np.abs((rows + columns) % 60 - 30) < 4) | (np.abs((rows - columns) % 60 - 30) < 4)
    inner[lattice] = (236, 230, 226)
    return picture


@lru_cache(maxsize=1)
def outline() -> Picture:
    """Opacity of a card at `PX_PER_MM`, (h, w): 255 inside its rounded edge."""
    mask = np.zeros((_SIZE[1], _SIZE[0]), np.uint8)
    radius = round(RADIUS_MM * PX_PER_MM)
    width, height = _SIZE
    mask[radius:-radius, :] = 255
    mask[:, radius:-radius] = 255
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    return mask
