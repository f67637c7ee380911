"""A session: one loop's worth of state that turns edges, pictures, words and time into rulings.

`Session` has no thread and no clock of its own. A driver (live, a recording, the simulated table) calls `on_time`,
`on_edge`, `on_frame` and `on_call` from one thread; listeners are told in that thread, after the store has it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from cardtable.buttons import Buttons, ButtonsShown
from cardtable.errors import BadRecording, BadStore
from cardtable.numbering import Numbering
from cardtable.plan import Plan
from engine.cards import Card
from engine.events import Call, CardLaid, Drawn, Event, Passed
from engine.games import find_game
from engine.log import TABLE, Edit, Entry, Happened, Log
from engine.referee import Referee, Told
from engine.rules import Audience, Question
from engine.seats import Seat
from hardware.records import Edge, Kind

if TYPE_CHECKING:
    from vision.frames import Frame, Picture
    from vision.troubles import Trouble

T = TypeVar("T")

PAUSE_NS = 1_000_000_000
"""A session goes on this long after its last event, however long it really was."""
SAID_WITHIN_NS = 1_000_000_000
"""How far a person's report may lie from the moment that it is about."""
STORE, RECORDING = "store", "recording"
BUTTONS = "buttons"
"""All sources of edges together, where a driver does not tell them apart."""
FOREVER_NS = 2**62
PATIENCE_NS = 250_000_000
"""A source that lags further than this no longer holds play up (design: provisional within 250 ms)."""


class Watcher(Protocol):
    """What a session needs of `vision.table.Tracker`."""

    @property
    def mark_ns(self) -> int:
        """Cards touched before this are all reported."""
        ...

    @property
    def is_quiet(self) -> bool:
        """Whether the last frame brought nothing new to look at."""
        ...

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """What `frame` adds."""
        ...


class Keeper(Protocol):
    """Where a session's log goes as it happens."""

    def keep(self, session: Session) -> None:
        """Stores what is new in the session's log; called before any listener is told."""
        ...


class Proof(Protocol):
    """What keeps the last minutes' pictures."""

    def add(self, frame: Frame, *, is_quiet: bool) -> None:
        """A frame that was looked at; must not hold up the session."""
        ...

    def frames(self, from_ns: int, to_ns: int) -> Iterator[tuple[int, Picture]]:
        """(t_ns, picture) of what is kept between those moments; called in any thread."""
        ...


class Recorder(Protocol):
    """Where a session's inputs go as they come."""

    def edge(self, edge: Edge, *, at_ns: int) -> None: ...

    def frame(self, frame: Frame, *, at_ns: int, is_quiet: bool) -> None: ...

    def call(self, event: Event, *, at_ns: int) -> None: ...

    def edit(self, edit: Edit, log: Log, *, at_ns: int) -> None: ...

    def settled(self, told: Told) -> None: ...


@dataclass(frozen=True, slots=True)
class Offer:
    """A session that was broken off and can be gone on with."""

    number: int
    plan: Plan
    started: str
    """UTC, ISO 8601."""
    entries: int
    """How long its log is."""
    restore: Callable[[], tuple[Plan, Referee[Any], Keeper]]
    """Gives what `Session.go_on` takes."""
    decline: Callable[[], None]
    """Nobody wants to go on with it: it is not offered again."""


@dataclass(frozen=True, slots=True)
class Update:
    """What a listener is told after one input."""

    now_ns: int
    told: tuple[Told, ...] = ()
    """Rulings that are new or have changed."""
    settled: tuple[Told, ...] = ()
    """Lays that nothing still on its way can change, each once, in pile order."""
    lost: frozenset[str] = frozenset()
    """Sources that are gone at present."""
    buttons: ButtonsShown = ButtonsShown()  # noqa: RUF009  (frozen)
    """How buttons, slaps and lamps stand."""


Listener = Callable[[Update], None]


class Driver(Protocol):
    """What runs a session; a page talks to the session through it, from any thread."""

    session: Session

    def post(self, job: Callable[[Session], T]) -> Future[T]:
        """Runs `job` in the session's own thread, soon."""
        ...

    def session_ns(self, clock_ns: int) -> int:
        """A moment of CLOCK_MONOTONIC on the session's clock."""
        ...


class Session:
    """A game at the table, from its plan to its last ruling."""

    def __init__(
        self,
        plan: Plan,
        *,
        tracker: Watcher | None = None,
        keeper: Keeper | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        """Begins `plan`; raises `UnknownGame` and `BadSetup`."""
        self.plan = plan
        self.referee: Referee[Any] = Referee(find_game(plan.game), plan.setup)
        self.tracker = tracker
        self.offers: tuple[Offer, ...] = ()
        """Broken-off sessions that this one may go on with instead, the latest first."""
        self.now_ns = 0
        self.lost: frozenset[str] = frozenset()
        """Names of sources that are gone at present; `store` and `recording` when nothing more can be kept."""
        self.buttons = Buttons(plan.setup.seats)
        self.camera_trouble: Trouble | None = None
        """Why the camera is lost, where it is known."""
        self.proof: Proof | None = None
        """What keeps the last minutes, so that a ruling can be looked at again."""
        self._keeper, self._recorder = keeper, recorder
        self._shown: object = None
        """What listeners were told last beside rulings."""
        self._numbering = Numbering()
        self._listeners: list[Listener] = []
        self._camera_ns: int | None = None
        self._told: list[Told] = []
        self._noted = 0
        self.buttons.note((), self.referee.view(Audience()))
        self._draw(0)  # a game may begin with a lot, e.g. for the dealer

    def go_on(self, plan: Plan, referee: Referee[Any], keeper: Keeper) -> None:
        """Goes on with a broken-off session from its last event; listeners, tracker and recorder stay."""
        self.plan, self.referee, self._keeper, self.offers = plan, referee, keeper, ()
        events = [told.event for told in referee.history()]
        self._numbering.restart(events)
        self.now_ns = max([self.now_ns, *(event.t_ns + PAUSE_NS for event in events)])
        self.buttons.go_on(referee.history(), referee.view(Audience()))
        self._tell()

    def record(self, recorder: Recorder) -> None:
        """Keeps everything from now on, and what has happened already as if it were said again."""
        self._recorder = recorder
        for entry in self.referee.log.entries:
            if isinstance(entry, Happened) and not isinstance(entry.event, Drawn | Passed):
                recorder.call(entry.event, at_ns=entry.event.t_ns)
            self._record_edits((entry,))

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tells `listener` of every change from now on; call what is returned to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def on_time(
        self, now_ns: int, buttons_ns: int | None = None, marks: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        """The clock stands at `now_ns`; no edge older than `buttons_ns` (default: now) is still on its way.

        `marks` says the same of each source by its name, where the driver knows.
        """
        self.now_ns = max(now_ns, self.now_ns)
        edges_ns = self.now_ns if buttons_ns is None else max(buttons_ns, self.now_ns - PATIENCE_NS)
        self._feed(self.buttons.pass_to(edges_ns))
        self._pass(self._mark_ns())
        self._note()
        self.buttons.look(self.now_ns, marks or {BUTTONS: self.now_ns if buttons_ns is None else buttons_ns})
        self._tell(self.referee.settled_lays(self._mark_ns()))

    def on_edge(self, edge: Edge) -> None:
        """A line changed, or a source of edges went or came back."""
        if edge.kind in (Kind.GONE, Kind.BACK):
            self.set_lost(edge.source, edge.kind is Kind.GONE)
        mine = self.buttons.edge(edge)
        if mine is not None:
            self._to_recorder(lambda recorder: recorder.edge(mine, at_ns=self.now_ns))
            self._feed(self.buttons.take(mine))
        self._tell()

    def on_frame(self, frame: Frame) -> None:
        """The camera took a picture; the session's tracker looks at it here and now."""
        if self.tracker is not None:
            events = self.tracker.see(frame)
            self.on_seen(frame, events, mark_ns=self.tracker.mark_ns, is_quiet=self.tracker.is_quiet)

    def on_seen(self, frame: Frame, events: Iterable[Event], *, mark_ns: int, is_quiet: bool) -> None:
        """A tracker has looked at `frame`, perhaps in a thread of its own, and found `events`."""
        self._to_recorder(lambda recorder: recorder.frame(frame, at_ns=self.now_ns, is_quiet=is_quiet))
        if self.proof is not None:
            self.proof.add(frame, is_quiet=is_quiet)
        self._camera_ns = mark_ns
        self._feed(own for event in events if (own := self._numbering.own(event)) is not None)
        self._tell()

    def on_call(self, event: Event) -> None:
        """A person says what the referee must know, shows cards, or reports what no camera saw."""
        self._to_recorder(lambda recorder: recorder.call(event, at_ns=self.now_ns))
        self._numbering.note(event)
        self._feed((event,))
        self._tell()

    def call(
        self, word: str, *, who: str, seat: Seat | None = None, count: int | None = None, card: Card | None = None
    ) -> None:
        """`who` says `word` now; see `engine.events.Call`."""
        self.on_call(Call(t_ns=self.now_ns, word=word, who=who, seat=seat, count=count, card=card))

    def lay(self, card: Card, *, seats: frozenset[Seat] = frozenset(), zone: str = "") -> None:
        """A person says that `card` was laid just now, where no camera has seen it.

        `seats`: by whom, if he knows; `zone`: where, see `CardLaid.zone`.
        """
        lay, now_ns = self._numbering.next(), self.now_ns
        self.on_call(CardLaid(t_ns=now_ns, within_ns=SAID_WITHIN_NS, card=card, lay=lay, hand=seats, zone=zone))

    def undo(self, *, who: str, why: str = "") -> tuple[Told, ...]:
        """Takes back the last thing that mattered; raises `BadLog` when there is nothing left."""
        return self._change(lambda referee: referee.undo(who=who, why=why))

    def edit(self, edit: Edit, *, keep: Iterable[int] = ()) -> tuple[Told, ...]:
        """A person puts the record right; the events `keep` stay ruled as they were played.

        Raises `BadLog` when the edit is about nothing that counts.
        """
        return self._change(lambda referee: referee.edit(edit, keep=keep))

    def answer(
        self, question: Question, *, seat: Seat | None = None, card: Card | None = None, who: str
    ) -> tuple[Told, ...]:
        """A person answers what the table asked; raises `BadLog` when the question is about nothing that counts."""
        return self._change(lambda referee: referee.answer(question, seat=seat, card=card, who=who))

    def settle(self) -> None:
        """Nothing more will come: every lay is told as settled, as it is ruled now. The end of a session."""
        self._tell(self.referee.settled_lays(FOREVER_NS))

    def set_lost(self, source: str, is_lost: bool) -> None:
        """A source of edges or the camera went (it no longer holds play up), or came back."""
        self.lost = self.lost | {source} if is_lost else self.lost - {source}
        if source == "camera" and is_lost:
            self._camera_ns = None

    def restart_tracker(self) -> None:
        """From now on another tracker tells what is seen; the pile is still the one that lies there."""
        self._numbering.restart(told.event for told in self.referee.history())

    def set_camera_trouble(self, trouble: Trouble | None) -> None:
        """No good pictures come at present, or they do again."""
        self.camera_trouble = trouble
        self.set_lost("camera", trouble is not None)

    def _mark_ns(self) -> int:
        """Up to here every source is complete, or no longer waited for."""
        camera_ns = self.now_ns if self._camera_ns is None else self._camera_ns
        return max(self.now_ns - PATIENCE_NS, min(self.buttons.mark_ns, camera_ns))

    def _change(self, edit: Callable[[Referee[Any]], tuple[Told, ...]]) -> tuple[Told, ...]:
        length = len(self.referee.log)
        told = edit(self.referee)
        self._told += told
        self._record_edits(self.referee.log.entries[length:])
        self._draw(self.now_ns)
        self._tell()
        return told

    def _record_edits(self, entries: Iterable[Entry]) -> None:
        edits = [entry for entry in entries if isinstance(entry, Edit) and entry.who != TABLE]
        for edit in edits:
            self._to_recorder(partial(_write_edit, edit=edit, log=self.referee.log, at_ns=self.now_ns))

    def _feed(self, events: Iterable[Event]) -> None:
        for event in events:
            self._told += self.referee.feed(event)
            self._draw(event.t_ns)

    def _pass(self, mark_ns: int) -> None:
        before = None
        while (due := self.referee.deadline()) is not None and due <= mark_ns and due != before:
            before = due
            self._feed((Passed(t_ns=due),))

    def _draw(self, t_ns: int) -> None:
        """Draws what lots the game asks for, at the moment that asked: cards laid later are judged after the lot."""
        asked = None
        while (lot := self.referee.lot()) is not None and lot != asked:
            asked = lot
            name, among = lot
            self._told += self.referee.feed(Drawn(t_ns=t_ns, lot=name, seat=self._lot(among)))

    def _lot(self, among: tuple[Seat, ...]) -> Seat:
        """One of `among`; counted from the log, so that a restored session draws as the unbroken one would have."""
        entries = self.referee.log.entries
        drawn = sum(isinstance(entry, Happened) and isinstance(entry.event, Drawn) for entry in entries)
        return random.Random(f"{self.plan.seed}:{drawn}").choice(among)

    def _note(self) -> None:
        """Lets the lamps and the last race know what has been ruled since the last time."""
        if len(self._told) > self._noted:
            self.buttons.note(self._told[self._noted :], self.referee.view(Audience()))
            self._noted = len(self._told)

    def _tell(self, settled: tuple[Told, ...] = ()) -> None:
        self._note()
        told, self._told, self._noted = tuple(self._told), [], 0
        self._keep()
        for lay in settled:
            self._to_recorder(partial(_write_settled, told=lay))
        shown = (self.lost, self.buttons.shown)
        if told or settled or shown != self._shown:
            self._shown = shown
            update = Update(self.now_ns, told, settled, *shown)
            for listener in tuple(self._listeners):
                listener(update)

    def _to_recorder(self, write: Callable[[Recorder], None]) -> None:
        if self._recorder is None:
            return
        try:
            write(self._recorder)
        except BadRecording:
            # As with the store, a full disk must not stop the game.
            self._recorder = None
            self.lost |= {RECORDING}

    def _keep(self) -> None:
        if self._keeper is None:
            return
        try:
            self._keeper.keep(self)
        except BadStore:
            # A full disk must not stop the game; the page says that nothing is kept.
            self.lost |= {STORE}


def _write_edit(recorder: Recorder, *, edit: Edit, log: Log, at_ns: int) -> None:
    recorder.edit(edit, log, at_ns=at_ns)


def _write_settled(recorder: Recorder, *, told: Told) -> None:
    recorder.settled(told)
