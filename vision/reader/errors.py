"""What can go wrong with models and pictures in a way that a person can mend."""

from engine.errors import TableError
from vision.errors import UnreadablePicture

__all__ = ["BadDeck", "BadModel", "UnreadablePicture"]


class BadDeck(TableError):
    """A learnt deck is missing, damaged, or was learnt with other weights."""


class BadModel(TableError):
    """A model file is missing, damaged or not the one that was released."""
