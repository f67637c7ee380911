"""What can be wrong with a picture file, whoever reads it."""

from engine.errors import TableError


class UnreadablePicture(TableError):
    """A file is no picture that can be decoded."""
