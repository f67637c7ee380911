"""The host's page on a phone: the state in small, open questions, and every correction in two taps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from nicegui import ui

from cardtable.page.desk import Desk
from cardtable.page.hall_parts import badge_html, hand_html, marks_of, remark_html, tone
from cardtable.page.head import head_html
from cardtable.page.pieces import Keyed, Show, button, markup, tile
from cardtable.page.sheets import Sheets
from cardtable.page.snapshot import Asked, Line, Offered, Snapshot
from cardtable.page.text import safe
from cardtable.page.words import say
from cardtable.slaps import Doubt
from engine.rules import SeatView
from engine.seats import Seat

V = TypeVar("V")

DEALT = "dealt"
SEAT_CALLS = ("out", "recount", "taken")
"""Words that every game has and that are about one seat: they stand on that seat's sheet."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A button beneath a question."""

    label: str
    classes: str
    give: Callable[[], Any]


class HostPage:
    """One browser's host page; `show` brings it to a new moment without rebuilding what has not changed."""

    def __init__(self, desk: Desk, footer: Callable[[], None]) -> None:
        """Builds the empty page where NiceGUI stands; `footer` adds links beside the undo button."""
        self._desk, self._language = desk, desk.language
        self._sheets = Sheets(desk)
        self._shot: Snapshot | None = None
        with ui.element("div").classes("host"):
            self._head = markup("", "head")
            self._offers = Keyed("questions", self._asker(self._offer_text, self._offer_answers))
            self._questions = Keyed("questions", self._asker(lambda asked: safe(asked.text), self._answers))
            self._starts = Keyed("questions", self._asker(self._start_text, self._start_answers))
            self._seats = Keyed("chips", tile(_draw_seat, lambda shown: self._sheets.open_seat(shown[0])))
            self._calls = Keyed("calls", tile(_draw_call, self._call))
            markup(say(self._language, "history"), "section")
            self._lines = Keyed("lines", tile(self._draw_line, self._sheets.open_line))
            with ui.element("div").classes("dock"):
                button(say(self._language, "undo"), desk.undo, "undo")
                footer()

    def show(self, shot: Snapshot) -> None:
        """The page at that moment."""
        self._shot = shot
        self._desk.players = {view.seat: view.player for view in shot.board.seats}
        html = head_html(shot)
        if self._head.content != html:
            self._head.set_content(html)
        self._offers.show([(offered.number, offered) for offered in shot.offers])
        self._questions.show([((asked.question.about, asked.question.kind), asked) for asked in shot.questions])
        self._starts.show([(doubt.press.number, doubt) for doubt in shot.buttons.doubtful])
        self._seats.show([(view.seat, (view, chip_html(shot, view))) for view in shot.board.seats])
        self._calls.show([(call[0], call) for call in shot.board.calls if call[0] not in SEAT_CALLS])
        self._lines.show([(line.number, line) for line in shot.lines])

    def _asker(self, text: Callable[[V], str], answers: Callable[[V], list[Answer]]) -> Callable[[V], Show[V]]:
        """Makes questions whose answers stay under the finger while the question changes."""

        def make(value: V) -> Show[V]:
            with ui.element("div").classes("question"):
                words = markup("", "text")
                buttons = Keyed("answers", tile(_draw_answer, lambda answer: answer.give()))

            def show(value: V) -> None:
                words.set_content(text(value))
                buttons.show([(answer.label, answer) for answer in answers(value)])

            show(value)
            return show

        return make

    def _start_text(self, doubt: Doubt) -> str:
        return safe(say(self._language, "start-asked", player=self._player(doubt.press.seat)))

    def _start_answers(self, doubt: Doubt) -> list[Answer]:
        settle = partial(self._desk.settle_start, doubt)
        return [
            Answer(say(self._language, word), "", partial(settle, counts=counts))
            for counts, word in ((True, "start-counts"), (False, "start-counts-not"))
        ]

    def _offer_text(self, offered: Offered) -> str:
        return f"{say(self._language, 'go-on')}<small>{safe(offered.text)}</small>"

    def _offer_answers(self, offered: Offered) -> list[Answer]:
        return [
            Answer(
                say(self._language, word),
                "" if go_on else "quiet",
                partial(self._desk.settle_offer, offered.number, go_on=go_on),
            )
            for go_on, word in ((True, "go-on-yes"), (False, "go-on-no"))
        ]

    def _answers(self, asked: Asked) -> list[Answer]:
        answer = partial(self._desk.answer, asked.question)
        answers = [Answer(self._player(seat), "", partial(answer, seat=seat)) for seat in asked.question.seats]
        answers += [Answer(card.pretty(), "", partial(answer, card=card)) for card in asked.cards]
        if asked.cards:
            more = partial(self._sheets.open_picker, asked)
            answers.append(Answer(say(self._language, "more-cards"), "quiet", more))
        return answers

    async def _call(self, call: tuple[str, str]) -> None:
        if call[0] == DEALT:
            await self._desk.call(DEALT)
        else:
            self._sheets.open_call(call, is_named=self._shot is not None and call[0] in self._shot.board.named)

    def _draw_line(self, line: Line) -> tuple[str, str]:
        classes = f"line {tone(line)}" + (" provisional" if line.is_provisional else "")
        return classes, line_html(self._language, line)

    def _player(self, seat: Seat) -> str:
        return self._shot.player(seat) if self._shot else str(seat)


def _draw_seat(shown: tuple[SeatView, str]) -> tuple[str, str]:
    view, html = shown
    return f"chip{' last' if view.is_last else ''}", html


def _draw_answer(answer: Answer) -> tuple[str, str]:
    return answer.classes, safe(answer.label)


def _draw_call(call: tuple[str, str]) -> tuple[str, str]:
    word, label = call
    return "strong" if word == DEALT else "", safe(label)


def chip_html(shot: Snapshot, view: SeatView) -> str:
    """A seat in small."""
    words = remark_html(shot, view) or safe(view.note)
    note = f"<small>{words}</small>" if words else ""
    return f'{badge_html(shot, view)}<div class="name">{safe(view.player)}{note}</div>{hand_html(shot, view)}'


def line_html(language: str, line: Line) -> str:
    """A ruling in the history."""
    marks = "".join(f"<span>{safe(mark)}</span>" for mark in marks_of(language, line))
    return safe(line.text) + (f"<small>{marks}</small>" if marks else "")
