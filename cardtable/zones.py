"""Which zones of the table a game uses, and what lies in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.plan import Plan
from engine.cards import DECK_32, DECK_36, DECK_52, Card
from engine.games import find_game

if TYPE_CHECKING:
    from vision.places import Manner

ANY = ("pile", "seat")
"""For a table at which no game has been chosen yet."""
_KINDS: dict[str, tuple[str, ...]] = {
    "bong": ("pile",),
    "ton": ("trick", "widow", "stock", "discard", "seat"),
    "ochko": ("stock", "discard", "seat"),
    "debertz": ("trick", "stock", "show", "seat"),
}
_DECKS: dict[str, tuple[Card, ...]] = {"32": DECK_32, "36": DECK_36, "52": DECK_52, "2x52": DECK_52}
_USUAL_DECK = {"ton": "36", "ochko": "36", "debertz": "32"}
_WITH_ROWS = ("ochko",)
"""Games in which each seat has a row of cards that come face down."""


def kinds_of(game: str | None) -> tuple[str, ...]:
    """Kinds of zone (`vision.finding.zones.KINDS`) that `game` uses; raises `UnknownGame`."""
    return ANY if game is None else _KINDS.get(find_game(game).name, ANY)


def manner_of(plan: Plan) -> Manner | None:
    """What the plan's game does with its places; None where everything goes on one pile."""
    if "pile" in kinds_of(plan.game):
        return None
    from vision.places import Manner  # noqa: PLC0415  (OpenCV is slow to import)

    deck = str(plan.setup.options.get("deck", _USUAL_DECK.get(plan.game, "52")))
    return Manner(frozenset(_DECKS.get(deck, DECK_52)), has_rows=plan.game in _WITH_ROWS)
