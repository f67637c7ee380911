"""Small NiceGUI pieces of the host's page: a tappable button, and a list that keeps an element a key."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from nicegui import ui

from cardtable.page.text import safe

V = TypeVar("V")

TAP = "tap"
"""What `tap.js` makes of a press on an element of that class."""


def button(text: str, on_tap: Callable[[], Any], classes: str = "", *, html: str = "") -> ui.element:
    """A button with `text`, or with trusted `html` in its place; `on_tap` may be a coroutine function."""
    element = ui.element("button").classes(f"tap {classes}").on(TAP, on_tap)
    with element:
        ui.html(html or safe(text), sanitize=False, tag="span")
    return element


def markup(html: str, classes: str = "") -> ui.html:
    """Trusted `html`, made by the page itself with every text in it escaped."""
    return ui.html(html, sanitize=False).classes(classes)


Show = Callable[[V], None]
"""Brings something on the page to a new value."""


def tile(draw: Callable[[V], tuple[str, str]], on_tap: Callable[[V], Any]) -> Callable[[V], Show[V]]:
    """Makes buttons that show a value as `draw` gives it (classes, HTML) and act on the one that they show.

    The button outlives its values: a tap that is under way while the game goes on is not lost.
    """

    def make(value: V) -> Show[V]:
        shown = [value]
        element = ui.element("button").on(TAP, lambda: on_tap(shown[0]))
        with element:
            body = ui.html("", sanitize=False, tag="span")

        def show(value: V) -> None:
            shown[0] = value
            classes, html = draw(value)
            element.classes(replace=f"tap {classes}")
            body.set_content(html)

        show(value)
        return show

    return make


class Keyed(Generic[V]):
    """A list whose rows live as long as their keys: a finger on one is not disturbed by what happens to others.

    Nothing that can be tapped may be built anew for a new value, or a tap that is under way is lost.
    """

    def __init__(self, classes: str, make: Callable[[V], Show[V]]) -> None:
        """An empty list; `make` builds the row of a value, and returns what brings it to the next."""
        self._box = ui.element("div").classes(classes)
        self._make = make
        self._rows: dict[Hashable, tuple[V, ui.element, Show[V]]] = {}

    def show(self, items: Sequence[tuple[Hashable, V]]) -> None:
        """The list is now `items`, in this order; what stays must stay in the order it had."""
        wanted = {key for key, _ in items}
        for key in [key for key in self._rows if key not in wanted]:
            self._rows.pop(key)[1].delete()
        for place, (key, value) in enumerate(items):
            self._put(place, key, value)

    def _put(self, place: int, key: Hashable, value: V) -> None:
        kept = self._rows.get(key)
        if kept is None:
            self._rows[key] = self._new_row(place, value)
        elif kept[0] != value:
            kept[2](value)
            self._rows[key] = (value, kept[1], kept[2])

    def _new_row(self, place: int, value: V) -> tuple[V, ui.element, Show[V]]:
        with self._box:
            row = ui.element("div")
        row.move(self._box, target_index=place)
        with row:
            show = self._make(value)
        return value, row, show
