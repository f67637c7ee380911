"""The decks that have been learnt at this computer: one small file each in the user's data folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.errors import BadSettings

if TYPE_CHECKING:
    from vision.reader import LearntDeck

_NAME = re.compile(r"[\w-]{1,60}")


def decks_folder() -> Path:
    """Where learnt decks are kept."""
    from platformdirs import user_data_path  # noqa: PLC0415  (only where a deck is named)

    return user_data_path("cardtable", appauthor=False) / "decks"


def deck_path(name: str) -> Path:
    """The file of the deck called `name`; raises `BadSettings` for names that make no file name."""
    if not _NAME.fullmatch(name):
        raise BadSettings(f"a deck cannot be called {name!r}; use letters, digits, - and _, e.g. black-foil")
    return decks_folder() / f"{name}.npz"


def find_deck(name: str) -> LearntDeck | None:
    """The learnt deck called `name`, None for the empty name; raises `BadSettings` or `BadDeck` with what there is."""
    if not name:
        return None
    from vision.reader import read_deck  # noqa: PLC0415  (numpy is slow to import)

    path = deck_path(name)
    if not path.exists():
        there = ", ".join(sorted(each.stem for each in decks_folder().glob("*.npz"))) or "none yet"
        raise BadSettings(
            f"no deck called {name!r} has been learnt (there are: {there}); cardtable learn {name} --photos DIR does it"
        )
    return read_deck(path)
