"""The pages that NiceGUI serves: `/` is the hall (a television), `/host` the host's phone, `/seat/A` a phone
as that seat's button.

They know a session only through its driver: `Session.subscribe`, `Referee.view`, `questions()` and the edits. They know
no game: everything on them comes ready in words from a `Scoreboard`, a `Question`, a `Told`.
"""

from cardtable.page.app import serve
from cardtable.page.errors import PageError

__all__ = ["PageError", "serve"]
