"""What can go wrong with models and pictures in a way that a person can mend."""

from engine.errors import TableError


class BadModel(TableError):
    """A model file is missing, damaged or not the one that was released."""


class UnreadablePicture(TableError):
    """A file is no picture that can be decoded."""
