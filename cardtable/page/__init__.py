"""The pages that NiceGUI serves: `/` is the hall (a television), `/host` the host's phone.

They know a session only through its driver: `Session.subscribe`, `Referee.view`, `questions()` and the edits. They know no
game: everything on them comes ready in words from a `Scoreboard`, a `Question`, a `Told`.
"""

from cardtable.page.errors import PageError

__all__ = ["PageError", "serve"]


def serve(driver: "Driver", *, host: str = "0.0.0.0", port: int = 8080, language: str = "en") -> None:
    """See `cardtable.page.app.serve`; NiceGUI is imported only when a page is served."""
    from cardtable.page.app import serve as serve_now

    serve_now(driver, host=host, port=port, language=language)
