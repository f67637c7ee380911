"""Readings that are not certain: told as such, asked about, and never ruled on against anybody."""

from __future__ import annotations

from engine.cards import Card
from engine.events import CardLaid, Event
from engine.rules import Question
from engine.rulings import Ruling

SURE = 0.9
"""A reading less probable than this is put to the table and proves nothing until then."""


def is_sure(event: Event) -> bool:
    """Whether the camera, or whoever said it, is certain of the card."""
    return not isinstance(event, CardLaid) or event.sure >= SURE


def doubts(event: Event, card: Card, *, is_amiss: bool) -> list[Ruling]:
    """A reading that nobody may be accused on before a person has confirmed it; `is_amiss`: it cannot be there."""
    rulings = []
    detail = (("card", str(card)),)
    if is_amiss:
        rulings.append(Ruling("deck-fault", None, 0, (event.number,), detail, "§8"))
    if card.is_known and not is_sure(event):
        rulings.append(Ruling("unsure", None, 0, (event.number,), detail, "§7"))
    return rulings


def question(event: Event, card: Card, *, is_amiss: bool) -> Question | None:
    """What the table should ask about the reading, or None where it is certain."""
    if card.is_known and is_sure(event) and not is_amiss:
        return None
    likely = event.likely if isinstance(event, CardLaid) else ()
    return Question(event.number, "what", cards=likely or ((card,) if card.is_known else ()))
