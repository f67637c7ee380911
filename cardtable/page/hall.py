"""The hall: what a television beside the table shows. No buttons, no scrolling."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nicegui import ui

from cardtable.page.hall_parts import hall_html
from cardtable.page.pieces import markup
from cardtable.page.snapshot import Snapshot
from engine.seats import Seat
from hardware.signals import TONES, Signal


class HallPage:
    """One browser's hall; only what has changed is sent to it."""

    def __init__(self, corner: Callable[[], None]) -> None:
        """Builds the empty page where NiceGUI stands; `corner` adds what belongs in the upper right corner."""
        self._parts: dict[str, ui.html] = {}
        self._client = ui.context.client
        self._signals: Mapping[Seat, Signal] | None = None
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
        self._sound(shot.buttons.signals)

    def _sound(self, signals: Mapping[Seat, Signal]) -> None:
        """The tone of every signal that has just begun; a browser plays none before it was touched once."""
        before, self._signals = self._signals, signals
        begun = {signal for seat, signal in signals.items() if before is not None and before.get(seat) is not signal}
        for signal in begun & TONES.keys():
            hertz, length_ns = TONES[signal]
            self._client.run_javascript(f"tone({hertz}, {length_ns / 1e9})")
