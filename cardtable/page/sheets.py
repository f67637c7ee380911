"""Sheets that slide up on the host's page: a ruling opened up, a seat, a card picker, a correction's consequences."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from nicegui import ui

from cardtable.page.desk import Desk
from cardtable.page.details import Choice, Details, Preview, ShownChange
from cardtable.page.drawing import card_svg
from cardtable.page.pieces import button, markup
from cardtable.page.snapshot import Asked, Line
from cardtable.page.text import safe
from cardtable.page.words import say
from engine.cards import Card, Rank, Suit
from engine.events import CardLaid
from engine.log import Correct, Edit, Overrule, Void
from engine.rules import SeatView
from engine.seats import Seat

_SUITS = (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
_MOST_CARDS = 27
"""Nobody holds more in any game with two seats and a full deck."""


class Sheets:
    """The one sheet of a browser; whatever is opened takes the place of what was there."""

    def __init__(self, desk: Desk) -> None:
        self._desk, self._say = desk, partial(say, desk.language)
        self._dialog = ui.dialog().props("position=bottom")
        with self._dialog:
            self._sheet = ui.element("div").classes("sheet")

    async def open_line(self, line: Line) -> None:
        """A ruling: what else it could be, which card, whose, and why."""
        details = await self._desk.details(line.number)
        if details is not None:
            self._open(lambda: self._build_details(details))

    def open_seat(self, view: SeatView) -> None:
        """A seat: count its hand again, or say that it is out."""
        self._open(lambda: self._build_seat(view))

    def open_call(self, call: tuple[str, str], *, is_named: bool) -> None:
        """A word of the game's own: about whom it is said, and, if `is_named`, of which card."""
        self._open(lambda: self._build_call(*call, is_named=is_named))

    def open_card_of(self, call: tuple[str, str], seat: Seat) -> None:
        """The card that this seat's word is about."""
        word, label = call

        def build() -> None:
            self._title(label)
            self._build_picker(lambda card: self._call(word, seat, None, card))

        self._open(build)

    def open_lay(self, view: SeatView) -> None:
        """Any card, as the one that this seat has just laid where no camera sees it."""

        def build() -> None:
            self._title(self._say("laid-by", player=view.player))
            self._build_picker(partial(self._lay, view.seat))

        self._open(build)

    def open_picker(self, asked: Asked) -> None:
        """Any card as the answer to a question."""

        def build() -> None:
            self._title(asked.text)
            self._build_picker(partial(self._answer, asked))

        self._open(build)

    def _open(self, build: Callable[[], None]) -> None:
        self._sheet.clear()
        with self._sheet:
            build()
        self._dialog.open()

    async def _then_close(self, doing: Awaitable[Any]) -> None:
        self._dialog.close()
        await doing

    async def _correct(self, edit: Edit) -> None:
        """Carries `edit` out at once, or shows first what it would change and asks."""
        preview = await self._desk.preview(edit)
        if preview is not None and preview.changes:
            self._open(lambda: self._build_preview(edit, preview))
        elif preview is not None:
            await self._then_close(self._desk.edit(edit))

    def _build_details(self, details: Details) -> None:
        self._title(details.text)
        self._build_why(details)
        if details.is_filmed:
            markup(f'<a class="tap" href="/proof/{details.number}">{safe(self._say("watch"))}</a>')
        if details.choices:
            self._section("overrule")
            with ui.element("div").classes("stack"):
                for choice in details.choices:
                    self._build_choice(details, choice)
        if isinstance(details.event, CardLaid):
            self._build_lay(details, details.event)
        self._section("or")
        void = Void(who=self._desk.who, why=self._say("void"), target=details.number)
        with ui.element("div").classes("stack"):
            button(self._say("void"), partial(self._correct, void), "quiet")

    def _build_choice(self, details: Details, choice: Choice) -> None:
        edit = Overrule(who=self._desk.who, why=choice.text, target=details.number, rulings=choice.rulings)
        button(choice.text, partial(self._correct, edit), "foul" if choice.is_foul else "")

    def _build_lay(self, details: Details, lay: CardLaid) -> None:
        self._section("that-seat")
        with ui.element("div").classes("answers"):
            for seat, name in details.seats:
                if lay.seats != frozenset({seat}):
                    button(name, partial(self._correct_seat, details.number, lay, seat))
        self._section("that-card")
        self._build_picker(partial(self._correct_card, details.number, lay), details.cards)

    async def _correct_card(self, number: int, lay: CardLaid, card: Card) -> None:
        event = replace(lay, card=card, sure=1.0, likely=())
        await self._correct(Correct(who=self._desk.who, why=self._say("that-card"), target=number, event=event))

    async def _correct_seat(self, number: int, lay: CardLaid, seat: Seat) -> None:
        event = replace(lay, seats=frozenset({seat}), hand=frozenset({seat}))
        await self._correct(Correct(who=self._desk.who, why=self._say("that-seat"), target=number, event=event))

    def _build_picker(self, pick: Callable[[Card], Awaitable[Any]], likely: tuple[Card, ...] = ()) -> None:
        if likely:
            with ui.element("div").classes("likely"):
                for card in likely:
                    button("", partial(pick, card), html=card_svg(card))
        with ui.element("div").classes("picker"):
            for suit in _SUITS:
                for rank in sorted(Rank):
                    card = Card.of(rank, suit)
                    button(card.pretty(), partial(pick, card))
                ui.element("i")

    def _build_why(self, details: Details) -> None:
        paragraphs = ", ".join(
            f'<a href="{safe(address)}">{safe(self._say("paragraph", paragraph=paragraph))}</a>'
            for paragraph, address in details.paragraphs
        )
        grounds = "".join(f"<li>{safe(phrase)}</li>" for phrase in details.because)
        markup(f"{paragraphs}<ul>{grounds}</ul>", "why")

    def _build_preview(self, edit: Edit, preview: Preview) -> None:
        self._title(self._say("would-change"))
        kept: set[int] = set()
        for change in preview.changes:
            self._build_change(change, kept)
        with ui.element("div").classes("stack"):
            back = safe(", ".join(preview.goes_back)) or self._say("rewind-hint")
            wrong = f"{self._say('record-wrong')}<small>{self._say('record-wrong-hint')}</small>"
            button("", partial(self._settle, edit, kept), "strong", html=wrong)
            rewind = f"{self._say('rewind')}<small>{back}</small>"
            button("", partial(self._settle, replace(edit, rewind=True), set()), "strong", html=rewind)
            button(self._say("cancel"), self._dialog.close, "quiet")

    def _build_change(self, change: ShownChange, kept: set[int]) -> None:
        """A later ruling, and a switch to keep it as it was played."""
        before, after = (f"<small>{self._say(word)}</small>" for word in ("was", "becomes"))
        new = safe(change.after) if change.after else self._say("void")
        with ui.element("div").classes("change"):
            markup(f"{before}{safe(change.before)}{after}{new}")
            if change.after:
                switch = ui.switch(self._say("keep"))
                switch.on_value_change(lambda: _keep(kept, change.number, is_kept=switch.value))

    async def _settle(self, edit: Edit, kept: set[int]) -> None:
        await self._then_close(self._desk.edit(edit, tuple(kept)))

    def _build_seat(self, view: SeatView) -> None:
        self._title(self._say("recount-of", player=view.player))
        with ui.element("div").classes("picker"):
            for count in range(_MOST_CARDS + 1):
                button(str(count), partial(self._call, "recount", view.seat, count), "on" if count == view.hand else "")
        with ui.element("div").classes("stack"):
            button(self._say("laid-by", player=view.player), partial(self.open_lay, view))
            button(self._say("i-am-out", player=view.player), partial(self._call, "out", view.seat, None), "strong")
            for card in view.owed:
                taken = self._say("taken", card=card.pretty())
                button(taken, partial(self._call, "taken", view.seat, None, card))

    async def _answer(self, asked: Asked, card: Card) -> None:
        await self._then_close(self._desk.answer(asked.question, card=card))

    async def _lay(self, seat: Seat, card: Card) -> None:
        await self._then_close(self._desk.lay(card, seat))

    def _build_call(self, word: str, label: str, *, is_named: bool) -> None:
        self._title(self._say("about-whom", label=label))
        with ui.element("div").classes("answers"):
            for seat, player in self._desk.players.items():
                of_card, alone = partial(self.open_card_of, (word, label), seat), partial(self._call, word, seat, None)
                button(player, of_card if is_named else alone)
            if not is_named:
                button(self._say("nobody"), partial(self._call, word, None, None), "quiet")

    async def _call(self, word: str, seat: Seat | None, count: int | None, card: Card | None = None) -> None:
        await self._then_close(self._desk.call(word, seat=seat, count=count, card=card))

    def _title(self, text: str) -> None:
        markup(safe(text), "title")

    def _section(self, word: str) -> None:
        markup(self._say(word), "section")


def _keep(kept: set[int], number: int, *, is_kept: bool) -> None:
    if is_kept:
        kept.add(number)
    else:
        kept.discard(number)
