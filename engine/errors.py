"""What can go wrong in a way that a person can mend; players' mistakes are rulings, never errors."""


class TableError(Exception):
    """Base of every error shown to a person: one sentence that says what is wrong, where, and what to do."""


class UnknownGame(TableError, LookupError):
    """No game of that name is registered."""


class BadSetup(TableError, ValueError):
    """Players, seats, dealer or options do not fit the game."""


class BadCard(TableError, ValueError):
    """A text names no card."""


class BadLog(TableError, ValueError):
    """A log, a recording or an edit of one does not make sense."""
