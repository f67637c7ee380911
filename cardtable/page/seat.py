"""A phone as a seat's button: tap and hold, with the honest uncertainty of a radio link."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import ceil

from nicegui import background_tasks, ui
from nicegui.events import GenericEventArguments

from cardtable.page.desk import Desk
from cardtable.page.hall_parts import badge_html, hand_html, remark_html
from cardtable.page.head import head_html
from cardtable.page.phone import PhoneButton
from cardtable.page.pieces import Keyed, markup, tile
from cardtable.page.sheets import Sheets
from cardtable.page.snapshot import Snapshot
from cardtable.page.text import safe
from cardtable.page.words import say
from engine.rules import SeatView
from engine.seats import Seat
from hardware.records import Kind

MEASURE_S = 2.0


class SeatPage:
    """One seat's phone. A press carries the moment that the phone saw it, on this machine's clock."""

    def __init__(self, desk: Desk, seat: Seat, footer: Callable[[], None]) -> None:
        """Builds the page where NiceGUI stands."""
        self._desk, self._seat, self._say = desk, seat, partial(say, desk.language)
        self._client, self._phone = ui.context.client, PhoneButton(desk, seat)
        self._is_asking, self._heard_ns = False, time.monotonic_ns()
        self._sheets = Sheets(desk)
        self._named: tuple[str, ...] = ()
        with ui.element("div").classes("host seat-page"):
            self._head = markup("", "head")
            self._mine = markup("", "mine")
            self._button = ui.element("button").classes("big")
            for gesture, kind in (("pointerdown", Kind.DOWN), ("pointerup", Kind.UP), ("pointercancel", Kind.UP)):
                self._button.on(gesture, partial(self._touch, kind), args=["timeStamp"])
            self._within = markup("", "within")
            self._words = Keyed("calls", tile(lambda call: ("", safe(call[1])), self._say_word))
            self._lay = Keyed("lay", tile(self._draw_lay, self._sheets.open_lay))
            with ui.element("div").classes("dock"):
                footer()
        ui.timer(MEASURE_S, self._measure)
        self._client.on_disconnect(self._leave)

    def show(self, shot: Snapshot) -> None:
        """The page at that moment."""
        view = next((view for view in shot.board.seats if view.seat == self._seat), None)
        self._head.set_content(head_html(shot))
        self._mine.set_content(self._mine_html(shot, view) if view else "")
        self._named = shot.board.named
        says = view.says if view else ()
        self._words.show([(call[0], call) for call in shot.board.calls if call[0] in says])
        self._lay.show([("lay", view)] if view and shot.is_blind else [])
        if shot.buttons.race.presses and shot.buttons.race.verdict is None:
            # The verdict may wait for this phone.
            background_tasks.create(self._measure(), name="phone")

    def _mine_html(self, shot: Snapshot, view: SeatView) -> str:
        said, means = remark_html(shot, view), safe(view.can)
        words = [said, means] if view.score is not None else [said or means]
        can = f"<small>{' · '.join(filter(None, words))}</small>"
        return f'{badge_html(shot, view)}<div class="name">{safe(view.player)}{can}</div>{hand_html(shot, view)}'

    async def _say_word(self, call: tuple[str, str]) -> None:
        if call[0] in self._named:
            self._sheets.open_card_of(call, self._seat)
        else:
            await self._desk.call(call[0], seat=self._seat)

    def _draw_lay(self, view: SeatView) -> tuple[str, str]:
        return "strong", safe(self._say("i-laid"))

    async def _touch(self, kind: Kind, event: GenericEventArguments) -> None:
        """The button lights while the referee has it down: who presses sees that it was heard."""
        if await self._phone.touch(kind, float(event.args["timeStamp"]), now_ns=time.monotonic_ns()):
            self._button.classes(add="heard") if kind is Kind.DOWN else self._button.classes(remove="heard")

    async def _measure(self) -> None:
        """Asks the phone for its time, which also proves that everything before has come."""
        if self._is_asking:
            return
        self._is_asking = True
        try:
            asked_ns = time.monotonic_ns()
            phone_ms = await self._client.run_javascript("performance.now()", timeout=MEASURE_S)
            came_ns = time.monotonic_ns()
        except TimeoutError:
            await self._leave()
            return
        finally:
            self._is_asking = False
        if phone_ms is None:
            return
        self._heard_ns = came_ns
        await self._phone.answer(asked_ns=asked_ns, phone_ms=float(phone_ms), came_ns=came_ns)
        self._within.set_content(self._say("seat-within", ms=ceil((self._phone.within_ns(came_ns) or 0) / 1e6)))

    async def _leave(self) -> None:
        now_ns = time.monotonic_ns()
        await self._phone.leave(now_ns, now_ns - self._heard_ns)
