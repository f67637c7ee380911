"""Playing cards as SVG, drawn for a television across the room: one index in each of two corners, one large pip."""

from __future__ import annotations

from engine.cards import BACK, Card, Suit

# Suits in a box of 100 × 100, our own curves.
_PIPS = {
    Suit.HEARTS: "M50 93C22 68 6 50 6 31 6 16 17 6 29.5 6 39 6 46.5 12 50 21.5 53.5 12 61 6 70.5 6 83 6 94 16 94 31 "
    "94 50 78 68 50 93Z",
    Suit.DIAMONDS: "M50 4C59 22 71 38 86 50 71 62 59 78 50 96 41 78 29 62 14 50 29 38 41 22 50 4Z",
    Suit.SPADES: "M50 4C58 24 92 40 92 63 92 76 82 84 71 84 63 84 57 80 53.5 73 54 84 58 91 66 96H34C42 91 46 84 "
    "46.5 73 43 80 37 84 29 84 18 84 8 76 8 63 8 40 42 24 50 4Z",
    Suit.CLUBS: "M50 5A20.5 20.5 0 0 1 65 39.5 20.5 20.5 0 1 1 53.5 71C54 84 58 91 66 96H34C42 91 46 84 "
    "46.5 71A20.5 20.5 0 1 1 35 39.5 20.5 20.5 0 0 1 50 5Z",
}
_RED, _BLACK = "#c4122f", "#15181c"


def pip_svg(suit: Suit) -> str:
    """The suit alone, in the colour of the text around it where that is black, else red."""
    return f'<svg class="pip{" red" if suit.is_red else ""}" viewBox="0 0 100 100"><path d="{_PIPS[suit]}"/></svg>'


def card_svg(card: Card | None) -> str:
    """The card's face, its back, or `?` for one that could not be read; an empty outline for None. 63 × 88 units."""
    if card is None:
        return _frame('<rect x="1" y="1" width="61" height="86" rx="5" class="empty"/>', "no card")
    if card is BACK:
        return _frame(_paper() + '<rect x="4" y="4" width="55" height="80" rx="3" fill="#274b6d"/>', "back")
    if not card.is_known:
        return _frame(_paper() + _text("?", 31.5, 62, 52, _BLACK), "unknown card")
    return _frame(_paper() + _face(card), card.pretty())


def _frame(inside: str, name: str) -> str:
    return f'<svg class="card" viewBox="0 0 63 88" role="img" aria-label="{name}">{inside}</svg>'


def _paper() -> str:
    return '<rect x=".5" y=".5" width="62" height="87" rx="5" fill="#fbf9f3" stroke="#d9d4c5" stroke-width=".5"/>'


def _face(card: Card) -> str:
    colour = _RED if card.suit.is_red else _BLACK
    index = _text(str(card.rank), 11.5, 20.5, 20, colour) + _pip(card.suit, 6, 23.5, 11, colour)
    turned = f'<g transform="rotate(180 31.5 44)">{index}</g>'
    return index + turned + _pip(card.suit, 15, 27.5, 33, colour)


def _pip(suit: Suit, x: float, y: float, size: float, colour: str) -> str:
    return f'<path d="{_PIPS[suit]}" fill="{colour}" transform="translate({x} {y}) scale({size / 100})"/>'


def _text(text: str, x: float, y: float, size: float, colour: str) -> str:
    narrow = ' textLength="19" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
    place = f'x="{x}" y="{y}" text-anchor="middle" font-size="{size}" font-weight="700"'
    return f'<text {place} fill="{colour}"{narrow}>{text}</text>'
