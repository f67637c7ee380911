"""Text made safe for HTML, with suits as coloured signs that phones don't turn into pictures."""

from __future__ import annotations

from html import escape

_TEXT_STYLE = "\ufe0e"
"""The variation selector that asks for a plain character in place of an emoji."""


def safe(text: str) -> str:
    """`text` for use inside HTML: escaped, suit signs in their colours."""
    marked = escape(text)
    for sign in "♥♦":
        marked = marked.replace(sign, f'<span class="suit red">{sign}{_TEXT_STYLE}</span>')
    for sign in "♠♣":
        marked = marked.replace(sign, f'<span class="suit">{sign}{_TEXT_STYLE}</span>')
    return marked
