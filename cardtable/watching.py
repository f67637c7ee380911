"""Opens the eyes of a session with the reader it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.eyes import Eyes
from cardtable.plan import Plan

if TYPE_CHECKING:
    from vision.frames import Picture


def open_eyes(plan: Plan, *, reference: Picture | None = None, camera: str = "") -> Eyes:
    """Eyes with the released reader and the plan's learnt deck.

    Raises `BadModel` if the weights aren't there or aren't as released, `BadSettings` or `BadDeck` if the deck isn't.
    """
    from cardtable.decks import find_deck  # noqa: PLC0415
    from vision.reader import Reader  # noqa: PLC0415  (ONNX Runtime is slow to import)

    return Eyes(plan, Reader.load(learnt=find_deck(plan.deck)), reference=reference, camera=camera)
