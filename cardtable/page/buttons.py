"""The buttons' page: how each one does, seats by slapping, and whether all are alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from nicegui import ui

from cardtable.drills import FairnessView, SeatingView
from cardtable.page.desk import Desk
from cardtable.page.hall_parts import badge_html
from cardtable.page.pieces import Keyed, button, markup, tile
from cardtable.page.remarks import drill_lines, drill_text, source_name
from cardtable.page.snapshot import Snapshot
from cardtable.page.text import safe
from cardtable.page.words import say
from hardware.inspection import ButtonReport

Choice = tuple[str, str, str]
"""What a drill offers to do: its name, its words, its classes."""


class ButtonsPage:
    """One browser's view of the buttons; made for a phone, fine on any screen."""

    def __init__(self, desk: Desk, footer: Callable[[], None]) -> None:
        """Builds the page where NiceGUI stands."""
        self._desk, self._say = desk, partial(say, desk.language)
        self._doing = {
            "take-back": desk.take_seat_back,
            "finish": desk.end_drill,
            "stop": desk.end_drill,
        }
        with ui.element("div").classes("host buttons-page"):
            self._drill = markup("", "now-drill")
            self._choices = Keyed("stack", tile(_draw_choice, lambda choice: self._doing[choice[0]]()))
            for word, begin in (("seating", desk.begin_seating), ("fairness", desk.begin_fairness)):
                hint = f"{self._say(word)}<small>{self._say(f'{word}-hint')}</small>"
                button("", begin, "strong", html=hint)
            markup(self._say("buttons"), "section")
            self._rows = markup("", "found")
            with ui.element("div").classes("dock"):
                footer()

    def show(self, shot: Snapshot) -> None:
        """The page at that moment."""
        rows = "".join(_row_html(shot, report) for report in shot.buttons.reports)
        self._rows.set_content(rows or f"<p>{self._say('no-buttons')}</p>")
        lines = "".join(f"<li>{safe(text)}</li>" for text in drill_lines(shot))
        self._drill.set_content(f"<b>{safe(drill_text(shot))}</b><ul>{lines}</ul>" if shot.buttons.drill else "")
        self._choices.show([(choice[0], choice) for choice in self._offered(shot)])

    def _offered(self, shot: Snapshot) -> list[Choice]:
        match shot.buttons.drill:
            case SeatingView(next_seat=next_seat, seated=seated):
                back: list[Choice] = [("take-back", self._say("take-back"), "quiet")] if seated else []
                return [*back, ("finish", self._say("finish" if next_seat is None else "leave-out"), "")]
            case FairnessView(is_over=is_over):
                return [("stop", self._say("finish" if is_over else "stop"), "quiet")]
        return []


def _draw_choice(choice: Choice) -> tuple[str, str]:
    return choice[2], safe(choice[1])


def _row_html(shot: Snapshot, report: ButtonReport) -> str:
    """One button: whose, of what, whether it is down, how it does."""
    view = next((view for view in shot.board.seats if view.seat == report.seat), None)
    badge = badge_html(shot, view) if view else f'<span class="badge">{safe(report.seat)}</span>'
    name = safe(f"{shot.player(report.seat)} · {source_name(report.source, shot.players, shot.language)}")
    level = say(shot.language, "is-down" if report.is_down else "is-up")
    condition = say(shot.language, f"condition-{report.condition.value}")
    small = "<br>".join(safe(text) for text in _facts(shot, report))
    classes = f"row {report.condition.value}{' down' if report.is_down else ''}"
    return (
        f'<div class="{classes}">{badge}<div class="name">{name}<small>{small}</small></div>{level} · {condition}</div>'
    )


def _facts(shot: Snapshot, report: ButtonReport) -> list[str]:
    language = shot.language
    bounce_ms = f"{report.bounce_ns / 1e6:.1f}"
    chatter = say(language, "bounce", ms=bounce_ms, count=report.bounces) if report.bounces else say(language, "clean")
    good_to = say(language, "good-to", ms=f"{report.within_ns / 1e6:.2g}")
    ago = [f"{(shot.now_ns - t_ns) / 1e9:.1f}" for t_ns in report.times_ns]
    facts = [f"{say(language, 'contacts', count=report.contacts)}, {chatter}", good_to]
    return facts + ([say(language, "last-times", times=", ".join(ago))] if ago else [])
