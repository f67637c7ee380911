"""What can go wrong with the page in a way that a person can mend."""

from engine.errors import TableError


class PageError(TableError):
    """The page cannot be served."""
