"""What a host does to the session, as coroutines: each runs in the session's thread, and a refusal becomes a notice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from secrets import randbelow
from typing import TypeVar

from nicegui import Client, ui

from cardtable.drills import FairnessDrill, SeatingDrill
from cardtable.page.details import Details, Preview, details_of, preview_of
from cardtable.page.feed import Feed
from cardtable.page.questions import settle_offer
from cardtable.page.words import say
from cardtable.session import Session
from cardtable.slaps import Doubt
from engine.cards import Card
from engine.errors import TableError
from engine.events import Call
from engine.log import Correct, Edit, Happened, Void
from engine.rules import Question
from engine.seats import Seat
from hardware.records import Edge, Kind

T = TypeVar("T")


class Desk:
    """One browser's hand on the session."""

    def __init__(self, feed: Feed, client: Client, *, language: str, who: str) -> None:
        """`who` is written into the log beside every word and correction."""
        self._feed, self._client, self.language, self.who = feed, client, language, who
        self.players: dict[Seat, str] = {}

    async def undo(self) -> None:
        """Takes the last event back."""
        await self._do(lambda session: session.undo(who=self.who))

    async def answer(self, question: Question, *, seat: Seat | None = None, card: Card | None = None) -> None:
        """Answers what the table asked."""
        await self._do(lambda session: session.answer(question, seat=seat, card=card, who=self.who))

    async def call(
        self, word: str, *, seat: Seat | None = None, count: int | None = None, card: Card | None = None
    ) -> None:
        """Says one of the game's words, and tells the host where it means nothing now."""

        def say_it(session: Session) -> bool:
            session.call(word, who=self.who, seat=seat, count=count, card=card)
            said = (entry for entry in reversed(session.referee.log.entries) if isinstance(entry, Happened))
            return any(isinstance(entry.event, Call) and entry.rulings for entry in islice(said, 3))

        if await self._do(say_it) is False:
            self.notice(say(self.language, "nothing-of-that"))

    async def lay(self, card: Card, seat: Seat) -> None:
        """Says what was laid and by whom, where no camera sees it."""
        await self._do(lambda session: session.lay(card, seats=frozenset({seat})))

    async def edge(  # noqa: PLR0913  (all by keyword)
        self, source: str, seat: Seat | None, kind: Kind, *, number: int, t_ns: int, within_ns: int
    ) -> bool:
        """A phone's button went down or up at `t_ns` on CLOCK_MONOTONIC, or the phone went or came; whether heard."""
        at = self._feed.driver.session_ns

        def put(session: Session) -> bool:
            session.on_edge(
                Edge(seat=seat, source=source, kind=kind, t_ns=at(t_ns), within_ns=within_ns, number=number)
            )
            return True

        return await self._do(put) is True

    async def report_mark(self, source: str, mark_ns: int | None) -> bool:
        """A phone has told all up to `mark_ns` on CLOCK_MONOTONIC (None: it is not there); whether it was lost."""
        at = self._feed.driver.session_ns

        def put(session: Session) -> bool:
            session.buttons.report_mark(source, None if mark_ns is None else at(mark_ns))
            return source in session.lost

        return await self._do(put) is True

    async def settle_start(self, doubt: Doubt, *, counts: bool) -> None:
        """Says whether a slap counts of which the clocks cannot tell whether it came before or after the cue."""

        def settle(session: Session) -> None:
            press, why = doubt.press, say(self.language, "start-counts" if counts else "start-counts-not")
            session.buttons.settle(press.number)
            if counts and not doubt.is_heard:
                event = replace(press, t_ns=doubt.cue_ns + 1)
                session.edit(Correct(who=self.who, why=why, target=press.number, event=event))
            elif doubt.is_heard and not counts:
                session.edit(Void(who=self.who, why=why, target=press.number))

        await self._do(settle)
        self._feed.wake()

    async def begin_seating(self) -> None:
        """From now on whoever slaps takes the next seat."""
        await self._do(lambda session: session.buttons.begin_drill(SeatingDrill(session.plan.setup.seats)))
        self._feed.wake()

    async def take_seat_back(self) -> None:
        """The seat that was given last is free again."""

        def take(session: Session) -> None:
            if isinstance(session.buttons.drill, SeatingDrill):
                session.buttons.drill.seating.undo()

        await self._do(take)

    async def begin_fairness(self) -> None:
        """From now on everybody slaps on cues."""

        def begin(session: Session) -> None:
            drill = FairnessDrill(session.plan.setup.seats, now_ns=session.now_ns, seed=randbelow(2**31))
            session.buttons.begin_drill(drill)

        await self._do(begin)
        self._feed.wake()

    async def end_drill(self) -> None:
        """The buttons are the game's again."""
        await self._do(lambda session: session.buttons.end_drill())
        self._feed.wake()

    async def details(self, number: int) -> Details | None:
        """The event of that number opened up."""
        return await self._do(lambda session: details_of(session, number, self.language))

    async def preview(self, edit: Edit) -> Preview | None:
        """What `edit` would change; None when it is refused."""
        return await self._do(lambda session: preview_of(session, edit, self.language))

    async def settle_offer(self, number: int, *, go_on: bool) -> None:
        """Goes on with a broken-off session in place of this one, or no longer offers it."""
        await self._do(lambda session: settle_offer(session, number, go_on=go_on))
        self._feed.wake()

    async def edit(self, edit: Edit, keep: Iterable[int] = ()) -> None:
        """Carries the correction out; the events `keep` stay ruled as they were played."""
        await self._do(lambda session: session.edit(edit, keep=keep))

    async def _do(self, job: Callable[[Session], T]) -> T | None:
        try:
            return await self._feed.ask(job)
        except TableError as error:
            self.notice(str(error), is_bad=True)
        except TimeoutError:
            self.notice(say(self.language, "session-ended"), is_bad=True)
        return None

    def notice(self, text: str, *, is_bad: bool = False) -> None:
        """A few words at the foot of the page, gone by themselves."""
        with self._client:
            ui.notify(text, position="top", color="negative" if is_bad else "dark")
