"""The hall: what a television beside the table shows. No buttons, no scrolling."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from cardtable.page.hall_parts import hall_html
from cardtable.page.pieces import markup
from cardtable.page.snapshot import Snapshot


class HallPage:
    """One browser's hall; only what has changed is sent to it."""

    def __init__(self, corner: Callable[[], None]) -> None:
        """Builds the empty page where NiceGUI stands; `corner` adds what belongs in the upper right corner."""
        self._parts: dict[str, ui.html] = {}
        with ui.element("div").classes("hall"):
            with ui.element("div").classes("bar"):
                self._add("bar")
                ui.element("span").classes("spring")
                corner()
            with ui.element("div").classes("main"):
                self._add("needed", "top", "seats")
            self._add("ask")
            with ui.element("div").classes("foot"):
                self._add("ruling", "race")
        self._add("drill")

    def _add(self, *names: str) -> None:
        for name in names:
            self._parts[name] = markup("")

    def show(self, shot: Snapshot) -> None:
        """The page at that moment."""
        for name, html in hall_html(shot).items():
            if self._parts[name].content != html:
                self._parts[name].set_content(html)
