"""One browser that opens a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from nicegui import Client

from cardtable.page.desk import Desk
from cardtable.page.feed import Feed
from cardtable.page.pieces import markup
from cardtable.page.snapshot import Snapshot
from cardtable.page.words import LANGUAGES, say

Show = Callable[[Snapshot], None]
"""Brings a page to a new moment."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What a page may know of whoever opens it."""

    feed: Feed
    client: Client
    language: str
    path: str
    """Where it is, e.g. `/seat/A`."""
    parameters: Mapping[str, str]
    """What stands in the path's braces."""

    def desk(self, who: str) -> Desk:
        """A hand on the session; `who` is written into the log beside every word and correction."""
        return Desk(self.feed, self.client, language=self.language, who=who)

    def build_switch(self) -> None:
        """The link to the other language."""
        other = next(code for code in LANGUAGES if code != self.language)
        markup(f'<a class="language" href="/language/{other}?to={self.path}">{say(self.language, "switch")}</a>')


OpenPage = Callable[[Visit], Show | None]
"""Builds a page where NiceGUI stands; returns what brings it to a new moment, None where it shows no session."""
