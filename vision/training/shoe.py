"""A shoe of card faces ready to be laid into scenes: original, re-lettered, recoloured, dark.

Faces are kept for a few dozen uses, because making one costs more than laying it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.art import Art, Deck
from vision.training.decks import HEIGHT, WIDTH
from vision.training.field import MOST_PIPS, print_field
from vision.training.glyphs import LETTERS, Font, Mask, text_of
from vision.training.pips import draw_pip, print_mask

Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]
Colour = tuple[int, int, int]

RELETTERED = 0.75
RECOLOURED = 0.16
DARK = 0.18
JUMBO = 0.22
HOLLOW = 0.06
"""Share of re-lettered cards whose pip, and half of these whose letter too, is drawn as an outline."""
WORN = 0.15
CURLED = 0.12
ONE = 0.03
"""Share of cards with an index in one corner only."""
INSIDE = 0.06
"""Share of re-lettered cards whose letter stands inside the pip."""
DRAWN = 0.7
"""Share of re-lettered cards with a drawn pip: most fonts have the same club, which real decks don't print."""
SPREAD = 0.5
"""Share of re-lettered number cards whose field is printed anew with the pips of their index."""
FOUR = 0.08
"""Share of re-lettered cards that get an index in all four corners."""
_RED = (2, 1)


@dataclass(frozen=True, slots=True)
class Face:
    """A card's picture and where its indices are, in px of a 300 × 420 card."""

    levels: tuple[Picture, ...]
    """The picture at full, half and quarter size."""
    number: int
    """Position in `engine.cards.DECK_52`; -1 for a back."""
    indices: tuple[tuple[float, float, float, float, float], ...]
    """Each: centre x, y, width, height, and 1 for upright or -1 for upside down."""


class Shoe:
    """Hands out faces, makes a new one for every `reuse` handed out."""

    def __init__(self, art: Art, rng: np.random.Generator, *, size: int = 1500, reuse: int = 12) -> None:
        self._art, self._rng, self._size, self._reuse = art, rng, size, reuse
        self._decks = [deck for deck in art.decks if deck.letter.any()]
        self._families = _by_family(art.fonts)
        self._faces: list[Face] = []
        self._backs: list[Face] = []
        self._drawn = 0

    def draw(self) -> Face:
        """A random face."""
        self._drawn += 1
        if (len(self._faces) < self._size and self._drawn % 3 == 1) or not self._faces:
            self._faces.append(self._make())
        elif self._drawn % self._reuse == 0:
            self._faces[self._rng.integers(len(self._faces))] = self._make()
        return self._faces[self._rng.integers(len(self._faces))]

    def back(self) -> Face:
        """A random card back."""
        if len(self._backs) < 60:
            self._backs.append(make_back(self._art, self._rng))
        return self._backs[self._rng.integers(len(self._backs))]

    def any_face(self) -> Face:
        """A random face, now and then a back."""
        return self.back() if self._rng.random() < 0.15 else self.draw()

    def _make(self) -> Face:
        rng = self._rng
        deck = self._decks[rng.integers(len(self._decks))]
        number = int(rng.integers(52))
        card = deck.cards[number].copy()
        letter, pip = _box(deck.letter), _box(deck.pip)
        four = deck.four
        if rng.random() < RELETTERED:
            four = four or rng.random() < FOUR
            letter, pip = self._reletter(card, deck, number, four=four)
        card = _recoloured(card, number, rng)
        if rng.random() < WORN:
            card = _worn(card, rng)
        if rng.random() < CURLED:
            card = _curled(card, rng)
        indices = _indices(letter, pip, four=four)
        if rng.random() < ONE:
            card, indices = _without_lower(card, indices), indices[:1]
        return Face(_levels(card), number, indices)

    def _reletter(self, card: Picture, deck: Deck, number: int, *, four: bool) -> tuple[Box, Box]:
        """Prints a new index over the old one; returns the boxes of its letter and its pip."""
        glyph, pip_mask = self._glyph(number % 13 + 2), self._pip(number // 13)
        ink = _ink_colour(number // 13, self._rng)
        if self._rng.random() < HOLLOW:
            pip_mask = _hollow(pip_mask, self._rng)
            glyph = _hollow(glyph, self._rng) if self._rng.random() < 0.5 else glyph
        paper = _paper(card)
        if number % 13 <= MOST_PIPS - 2 and self._rng.random() < SPREAD:
            print_field(card, number % 13 + 2, pip_mask, ink, self._rng)
        is_inside = self._rng.random() < INSIDE
        letter, pip = (_plan_inside if is_inside else _plan)(deck, glyph, pip_mask, self._rng)
        corner = _erase(card, deck, (letter, pip), paper)
        print_mask(corner, pip_mask, pip, ink)
        print_mask(corner, glyph, letter, (int(paper[0]), int(paper[1]), int(paper[2])) if is_inside else ink)
        height, width = corner.shape[:2]
        card[:height, :width] = corner
        card[HEIGHT - height :, WIDTH - width :] = corner[::-1, ::-1]
        if four:
            self._spare_corners(card, corner)
        return (pip, pip) if is_inside else (letter, pip)

    def _glyph(self, rank: int) -> Mask:
        """A rank's letter in a random font and language."""
        rng = self._rng
        family = self._families[rng.integers(len(self._families))]
        font = family[rng.integers(len(family))]
        language = str(rng.choice(list(LETTERS), p=np.array([s for s, _ in LETTERS.values()]) / _SHARES))
        glyph = font.texts.get(text_of(rank, language))
        return font.texts[text_of(rank, "english")] if glyph is None else glyph

    def _pip(self, suit: int) -> Mask:
        """A suit's pip, mostly drawn anew, else out of a font or a deck."""
        if self._rng.random() < DRAWN:
            return draw_pip(suit, self._rng)
        return self._art.pips[self._rng.integers(len(self._art.pips))][suit]

    @staticmethod
    def _spare_corners(card: Picture, corner: Picture) -> None:
        """Prints the index block also in the upper right and lower left, as decks with four indices have it."""
        height, width = corner.shape[:2]
        # Letters are never mirrored: the block is moved, and the paper left of the index swapped to its right.
        moved = np.roll(corner, -4, axis=1)
        card[:height, WIDTH - width :] = moved
        card[HEIGHT - height :, :width] = moved[::-1, ::-1]


_SHARES = sum(share for share, _ in LETTERS.values())


def _by_family(fonts: tuple[Font, ...]) -> list[list[Font]]:
    """Fonts grouped by the start of their names, so that large families don't crowd out the rest."""
    families: dict[str, list[Font]] = {}
    for font in fonts:
        families.setdefault(font.name[:7], []).append(font)
    return list(families.values())


def _box(values: NDArray[np.float32]) -> Box:
    x0, y0, x1, y1 = (float(v) for v in values)
    return x0, y0, x1, y1


def _paper(card: Picture) -> NDArray[np.float32]:
    return np.asarray(np.median(card[150:270, 6:14].reshape(-1, 3), axis=0), np.float32)


def _plan(deck: Deck, glyph: Mask, pip: Mask, rng: np.random.Generator) -> tuple[Box, Box]:
    """Where a new letter and its pip go: about the old place, or larger where a jumbo index is wanted."""
    x0, y0, x1, _ = _box(deck.letter)
    tall = float(rng.uniform(34, 62))
    if rng.random() < JUMBO:
        tall = float(rng.uniform(58, 100))
    squeeze = float(rng.uniform(0.55, 1.05))
    wide = min(tall * glyph.shape[1] / glyph.shape[0] * squeeze, tall * 1.15)
    small = tall * float(rng.uniform(0.5, 0.95))
    small_wide = small * min(pip.shape[1] / pip.shape[0], 1.3) * float(rng.uniform(0.8, 1.1))
    centre = max((x0 + x1) / 2 + float(rng.normal(0, 3)), max(wide, small_wide) / 2 + 5)
    top = max(y0 + float(rng.normal(0, 4)), 7.0)
    gap = tall * float(rng.uniform(0.04, 0.22))
    return (
        (centre - wide / 2, top, centre + wide / 2, top + tall),
        (centre - small_wide / 2, top + tall + gap, centre + small_wide / 2, top + tall + gap + small),
    )


def _plan_inside(deck: Deck, glyph: Mask, pip: Mask, rng: np.random.Generator) -> tuple[Box, Box]:
    """Where a large pip with the letter inside it goes."""
    x0, y0, _, _ = _box(deck.letter)
    tall = float(rng.uniform(58, 105))
    wide = tall * min(pip.shape[1] / pip.shape[0], 1.2)
    left, top = max(x0 + float(rng.normal(0, 3)), 6.0), max(y0 + float(rng.normal(0, 4)), 6.0)
    small = tall * float(rng.uniform(0.36, 0.5))
    small_wide = min(small * glyph.shape[1] / glyph.shape[0] * float(rng.uniform(0.6, 1)), wide * 0.5)
    x, y = left + wide / 2, top + tall * float(rng.uniform(0.42, 0.52))
    letter = (x - small_wide / 2, y - small / 2, x + small_wide / 2, y + small / 2)
    return letter, (left, top, left + wide, top + tall)


def _erase(card: Picture, deck: Deck, new: tuple[Box, Box], paper: NDArray[np.float32]) -> Picture:
    """Returns a copy of the corner block with the old index painted over, large enough for the new one."""
    old = [_box(deck.letter), _box(deck.pip)]
    right = int(max(box[2] for box in (*old, *new)) + 4)
    foot = int(max(box[3] for box in (*old, *new)) + 4)
    corner = card[:foot, :right].copy()
    left = int(max(min(box[0] for box in (*old, *new)) - 4, 4))
    top = int(max(min(box[1] for box in (*old, *new)) - 4, 4))
    corner[top:, left:] = paper
    return corner


def _hollow(mask: Mask, rng: np.random.Generator) -> Mask:
    """Only the outline of a letter or pip."""
    thick = max(int(min(mask.shape) * rng.uniform(0.06, 0.14)), 2)
    padded = cv2.copyMakeBorder(mask, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=(0,))
    inner = cv2.erode(padded, np.ones((3, 3), np.uint8), iterations=thick)
    return np.asarray(cv2.subtract(padded, inner), np.uint8)


def _worn(card: Picture, rng: np.random.Generator) -> Picture:
    """Creases and scratches, now and then ink rubbed off or a stain: what years of play do."""
    worn = card.copy()
    for _ in range(int(rng.integers(1, 9))):
        (x0, y0), (over, down) = rng.uniform((0, 0), (WIDTH, HEIGHT)), rng.normal(0, 90, 2)
        shade, thick = int(rng.integers(90, 256)), int(rng.integers(1, 3))
        cv2.line(worn, (int(x0), int(y0)), (int(x0 + over), int(y0 + down)), (shade,) * 3, thick, cv2.LINE_AA)
    if rng.random() < 0.4:
        grain = cv2.resize(rng.normal(0, 1, (21, 15)), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
        rubbed = (np.clip(grain - rng.uniform(0.3, 1.2), 0, 1) * rng.uniform(0.3, 0.9))[:, :, None]
        worn = (worn * (1 - rubbed) + _paper(card) * rubbed).astype(np.uint8)
    if rng.random() < 0.3:
        stain, spot = np.zeros((HEIGHT, WIDTH), np.float32), rng.uniform((0, 0), (WIDTH, HEIGHT))
        cv2.circle(stain, (int(spot[0]), int(spot[1])), int(rng.uniform(15, 90)), 1.0, -1)
        worn = (worn * (1 - cv2.blur(stain, (9, 9))[:, :, None] * rng.uniform(0.05, 0.4, 3))).astype(np.uint8)
    return np.asarray(worn, np.uint8)


def _curled(card: Picture, rng: np.random.Generator) -> Picture:
    """A card that doesn't lie flat: squeezed towards one side, brighter where it faces the lamp."""
    strength, phase = float(rng.uniform(2, 7)), rng.uniform(0, 2 * np.pi)
    is_long = rng.random() < 0.5
    along = np.linspace(0, 2 * np.pi, HEIGHT if is_long else WIDTH, dtype=np.float32) * float(rng.uniform(0.3, 1))
    shift, light = strength * np.sin(along + phase), 1 + 0.02 * strength * np.cos(along + phase)
    columns, rows = np.meshgrid(np.arange(WIDTH, dtype=np.float32), np.arange(HEIGHT, dtype=np.float32))
    shift, light = (shift[:, None], light[:, None]) if is_long else (shift[None], light[None])
    moved = (columns, rows + shift) if is_long else (columns + shift, rows)
    curled = cv2.remap(
        card,
        moved[0].astype(np.float32),
        moved[1].astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(np.clip(curled * light[:, :, None], 0, 255), np.uint8)


def _without_lower(card: Picture, indices: tuple[tuple[float, float, float, float, float], ...]) -> Picture:
    """All indices but the first painted over: cards with a single one."""
    bare, paper = card.copy(), _paper(card)
    for x, y, wide, tall, _ in indices[1:]:
        left, top = int(max(x - wide / 2 - 3, 0)), int(max(y - tall / 2 - 3, 0))
        bare[top : int(y + tall / 2 + 4), left : int(x + wide / 2 + 4)] = paper
    return bare


def _ink_colour(suit: int, rng: np.random.Generator) -> Colour:
    """BGR ink: mostly red or black, sometimes a four-colour deck's green, blue or yellow."""
    kind = rng.random()
    if kind < 0.12:
        base = {0: (60, 130, 20), 1: (190, 90, 20), 2: (40, 30, 200), 3: (30, 25, 25)}[suit]
    elif kind < 0.15:
        base = {0: (30, 25, 25), 1: (20, 170, 220), 2: (40, 30, 200), 3: (70, 140, 30)}[suit]
    elif kind < 0.17:
        base = {0: (60, 130, 20), 1: (20, 150, 230), 2: (40, 30, 200), 3: (160, 70, 20)}[suit]
    elif suit in _RED:
        base = (int(rng.integers(10, 70)), int(rng.integers(5, 70)), int(rng.integers(150, 245)))
    else:
        shade = int(rng.integers(0, 60))
        base = (shade, shade, shade)
    blue, green, red = (int(np.clip(c + rng.normal(0, 10), 0, 255)) for c in base)
    return blue, green, red


def _recoloured(card: Picture, number: int, rng: np.random.Generator) -> Picture:
    """Prints the card on other paper or in other ink; a few become dark cards with bright ink."""
    kind = rng.random()
    if kind < DARK:
        return _dark(card, number, rng)
    if kind < DARK + RECOLOURED:
        paper = _paper(card)
        tint = np.array([rng.uniform(0.72, 1), rng.uniform(0.86, 1), rng.uniform(0.92, 1)], np.float32)
        return np.clip(card * (tint * 250 / np.maximum(paper, 120)), 0, 255).astype(np.uint8)
    if kind < DARK + RECOLOURED + 0.08:
        return _other_ink(card, number, rng)
    return card


def _other_ink(card: Picture, number: int, rng: np.random.Generator) -> Picture:
    """Number cards in one other ink; courts are left alone."""
    if number % 13 in {9, 10, 11}:
        return card
    paper = _paper(card)
    share = np.clip(np.abs(card - paper).max(axis=2, keepdims=True) / 200, 0, 1)
    ink = np.array(_ink_colour(number // 13, rng), np.float32)
    return np.asarray(paper * (1 - share) + ink * share, np.uint8)


def _dark(card: Picture, number: int, rng: np.random.Generator) -> Picture:
    """A dark card: dark paper, gold, silver, white or red ink, courts as bright line work."""
    paper = _paper(card)
    share = np.clip(np.abs(card - paper).max(axis=2, keepdims=True) / 190, 0, 1)
    if number % 13 in {9, 10, 11}:
        share = share * float(rng.uniform(0.5, 1))
    night = np.array(rng.uniform(5, 60) + rng.normal(0, 5, 3), np.float32)
    inks = [(80, 170, 205), (60, 140, 175), (190, 190, 195), (235, 235, 235), (110, 190, 225), (200, 160, 110)]
    ink = np.array(inks[rng.integers(len(inks))], np.float32) * float(rng.uniform(0.6, 1.05))
    if number // 13 in _RED and rng.random() < 0.4:
        ink = np.array((50, 40, 215), np.float32)
    return np.asarray(np.clip(night * (1 - share) + ink * _sheen(rng) * share, 0, 255), np.uint8)


def _sheen(rng: np.random.Generator) -> NDArray[np.float32]:
    """Foil shines at one end of the card and is dull at the other."""
    angle, depth = rng.uniform(0, 2 * np.pi), float(rng.uniform(0, 0.6))
    rows, columns = np.linspace(-1, 1, HEIGHT)[:, None], np.linspace(-1, 1, WIDTH)[None]
    return np.asarray(
        1 - depth * (0.5 + 0.5 * np.clip(columns * np.cos(angle) + rows * np.sin(angle), -1, 1)), np.float32
    )[:, :, None]


def _levels(card: Picture) -> tuple[Picture, ...]:
    half = cv2.resize(card, (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
    quarter = cv2.resize(half, (WIDTH // 4, HEIGHT // 4), interpolation=cv2.INTER_AREA)
    return card, np.asarray(half, np.uint8), np.asarray(quarter, np.uint8)


def _indices(letter: Box, pip: Box, *, four: bool) -> tuple[tuple[float, float, float, float, float], ...]:
    x0, x1 = min(letter[0], pip[0]), max(letter[2], pip[2])
    top, foot = letter[1], pip[3]
    x, y, wide, tall = (x0 + x1) / 2, (top + foot) / 2, x1 - x0, foot - top
    both = [(x, y, wide, tall, 1.0), (WIDTH - x, HEIGHT - y, wide, tall, -1.0)]
    if four:
        both += [(WIDTH - x, y, wide, tall, 1.0), (x, HEIGHT - y, wide, tall, -1.0)]
    return tuple(both)


def make_back(art: Art, rng: np.random.Generator) -> Face:
    """A back: a texture or a lattice in one colour, mostly with a pale border."""
    colour = tuple(int(v) for v in rng.integers(0, 230, 3))
    back = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
    inner = back[12:-12, 12:-12] if rng.random() < 0.8 else back
    if rng.random() < 0.4:
        texture = art.backgrounds[rng.integers(len(art.backgrounds))]
        inner[:] = cv2.resize(texture, (inner.shape[1], inner.shape[0]), interpolation=cv2.INTER_AREA)
    else:
        inner[:] = colour
        step, thick = int(rng.integers(6, 26)), int(rng.integers(1, 4))
        pale = tuple(int(v) for v in rng.integers(150, 256, 3))
        for start in range(-HEIGHT, WIDTH, step):
            cv2.line(back, (start, 12), (start + HEIGHT, HEIGHT - 12), pale, thick)
            cv2.line(back, (start + HEIGHT, 12), (start, HEIGHT - 12), pale, thick)
        cv2.ellipse(back, (WIDTH // 2, HEIGHT // 2), (60, 90), 0, 0, 360, pale, int(rng.integers(1, 12)))
    return Face(_levels(back), -1, ())
