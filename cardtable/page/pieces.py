"""Small NiceGUI pieces of the host's page: a tappable button, and a list that keeps an element a key."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from nicegui import ui

from cardtable.page.text import safe

V = TypeVar("V")


def button(text: str, on_tap: Callable[[], Any], classes: str = "", *, html: str = "") -> ui.element:
    """A button with `text`, or with trusted `html` in its place; `on_tap` may be a coroutine function."""
    element = ui.element("button").classes(f"tap {classes}").on("click", on_tap)
    with element:
        ui.html(html or safe(text), sanitize=False, tag="span")
    return element


def markup(html: str, classes: str = "") -> ui.html:
    """Trusted `html`, made by the page itself with every text in it escaped."""
    return ui.html(html, sanitize=False).classes(classes)


class Keyed(Generic[V]):
    """A list whose rows live as long as their keys: a finger on one is not disturbed by what happens to others."""

    def __init__(self, classes: str, build: Callable[[V], None]) -> None:
        """An empty list; `build` fills the row of a value."""
        self._box = ui.element("div").classes(classes)
        self._build = build
        self._rows: dict[Hashable, tuple[V, ui.element]] = {}

    def show(self, items: Sequence[tuple[Hashable, V]]) -> None:
        """The list is now `items`, in this order; what stays must stay in the order it had."""
        wanted = {key for key, _ in items}
        for key in [key for key in self._rows if key not in wanted]:
            self._rows.pop(key)[1].delete()
        for place, (key, value) in enumerate(items):
            self._put(place, key, value)

    def _put(self, place: int, key: Hashable, value: V) -> None:
        kept = self._rows.get(key)
        if kept is not None and kept[0] == value:
            return
        row = self._new_row(place) if kept is None else kept[1]
        row.clear()
        with row:
            self._build(value)
        self._rows[key] = (value, row)

    def _new_row(self, place: int) -> ui.element:
        with self._box:
            row = ui.element("div")
        row.move(self._box, target_index=place)
        return row
