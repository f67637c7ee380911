"""What can go wrong with buttons in a way that a person can mend."""

from __future__ import annotations

from engine.errors import TableError


class ButtonError(TableError):
    """Base of everything that is wrong with buttons."""


class BadButtons(ButtonError, ValueError):
    """A text that should say which buttons to use does not."""


class NoPins(ButtonError, OSError):
    """The pins of this machine cannot be read."""


class NoBox(ButtonError, OSError):
    """A button box cannot be opened or does not answer as one."""


class NoKeys(ButtonError, OSError):
    """A keyboard or gamepad cannot be read, or lacks the key."""
