"""What can go wrong around a session in a way that a person can mend."""

from engine.errors import TableError


class BadRecording(TableError, ValueError):
    """A recording is missing, incomplete or does not make sense."""


class BadStore(TableError):
    """The file that keeps the sessions is damaged, from another program, or cannot be written."""


class BadSettings(TableError, ValueError):
    """A setting or a flag does not make sense."""


class NoSuchSession(TableError, LookupError):
    """The store keeps no session of that number."""


class BareTable(TableError):
    """The table shows too little to notice by that it, or the camera, is moved."""
