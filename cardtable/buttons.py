"""All that a session knows and does about buttons, from the edge to the lamp; the game gets what is left: presses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from cardtable.drills import Drill, FairnessView, SeatingDrill, SeatingView
from cardtable.signals import Signals
from cardtable.slaps import Doubt, Race, Remark, Slaps
from engine.events import Press
from engine.referee import Told
from engine.rules import Scoreboard
from engine.seats import Seat
from hardware.arming import ANTICIPATION_NS
from hardware.debounce import ButtonEvent, Debounce
from hardware.inspection import ButtonReport, Inspection
from hardware.lamps import Place
from hardware.records import Edge, Kind
from hardware.seating import Button
from hardware.signals import Signal


class Lights(Protocol):
    """What is used of `hardware.lamps.Lamps`."""

    def show(self, places: Iterable[Place], signal: Signal) -> None:
        """From now on `signal` there; returns at once."""
        ...

    def write_again(self, places: Iterable[Place]) -> None:
        """Those lamps were without power."""
        ...


@dataclass(frozen=True, slots=True)
class ButtonsShown:
    """What pages show of buttons and slaps."""

    race: Race = Race()  # noqa: RUF009  (frozen)
    remarks: Mapping[Seat, Remark] = field(default_factory=dict)
    signals: Mapping[Seat, Signal] = field(default_factory=dict)
    reports: tuple[ButtonReport, ...] = ()
    drill: SeatingView | FairnessView | None = None
    doubtful: tuple[Doubt, ...] = ()
    """Starts that the table is asked about."""


class Buttons:
    """Edges in, presses and signals out; no thread and no clock of its own."""

    def __init__(self, seats: Iterable[Seat] | None = None, *, anticipation_ns: int = ANTICIPATION_NS) -> None:
        self.seats = None if seats is None else frozenset(seats)
        """The game's; buttons of any others are nobody's. None: there is no game."""
        self.lights: Lights | None = None
        self.shown = ButtonsShown()
        self.seated: dict[Button, Seat] = {}
        """Whose a button is, of sources at which seats were taken by slapping."""
        self._anticipation_ns = anticipation_ns
        self._debounce, self._drilling = Debounce(), Debounce()
        self._inspection, self._signals = Inspection(), Signals()
        self._slaps = Slaps(anticipation_ns=anticipation_ns)
        self._board: Scoreboard | None = None
        self._marks: dict[str, int] = {}
        self._drill: Drill | None = None
        self._known: set[Button] = set()
        """Every button that was ever heard of, as its source calls it."""

    @property
    def mark_ns(self) -> int:
        """Every press that began before this moment has been given."""
        return self._debounce.mark_ns

    @property
    def drill(self) -> Drill | None:
        """What the buttons are used for in place of the game."""
        return self._drill

    def begin_drill(self, drill: Drill) -> None:
        """From now on every press is `drill`'s."""
        self._drill, self._drilling = drill, Debounce()
        self.shown = replace(self.shown, drill=drill.view())

    def end_drill(self) -> None:
        """The presses are the game's again; whoever was seated by slapping sits."""
        if isinstance(self._drill, SeatingDrill):
            self.seated = dict(self._drill.seating.seated)
            self._inspection = Inspection()  # under the new seats
        self._drill = None
        self.shown = replace(self.shown, drill=None)

    def go_on(self, told: Iterable[Told], board: Scoreboard) -> None:
        """Another game is gone on with: its slaps in place of what was."""
        self.seats = frozenset(view.seat for view in board.seats)
        self._slaps = Slaps(anticipation_ns=self._anticipation_ns)
        self._board = None
        self.note(told, board)

    def edge(self, edge: Edge) -> Edge | None:
        """The edge as the game's record has it: at its seat; None where it is nobody's, or a drill's."""
        if edge.kind is Kind.BACK and self.lights is not None:
            self.lights.write_again([(edge.source, seat) for source, seat in self._known if source == edge.source])
        if edge.seat is not None:
            self._known.add((edge.source, edge.seat))
        if self._drill is not None:
            self._inspection.take(edge)
            self._give(self._drill, self._drilling.feed(edge))
            # A press that began before the drill must end for the game too, or it would become a hold.
            return self._at_seat(edge) if edge.kind is not Kind.DOWN else None
        mine = self._at_seat(edge)
        if mine is not None:
            self._inspection.take(mine)
            self._slaps.take(mine)
            self._signals.touch(mine)
        return mine

    def take(self, edge: Edge) -> tuple[ButtonEvent, ...]:
        """Presses that `edge` completes, if it came after its time."""
        return self._debounce.feed(edge)

    def report_mark(self, source: str, mark_ns: int | None) -> None:
        """A source outside the driver's, such as a phone, has told all up to `mark_ns`; None: it is not there."""
        self._marks.pop(source, None)
        if mark_ns is not None:
            self._marks[source] = mark_ns

    def settle(self, number: int) -> None:
        """The table has answered whether the doubtful start of that number counts."""
        self._slaps.settle(number)
        self.shown = replace(self.shown, doubtful=self._slaps.doubtful)

    def pass_to(self, edges_ns: int) -> tuple[ButtonEvent, ...]:
        """All presses that are certain once no edge up to `edges_ns` is missing."""
        if self._drill is not None:
            self._give(self._drill, self._drilling.pass_to(edges_ns))
        return self._debounce.pass_to(edges_ns)

    def note(self, told: Iterable[Told], board: Scoreboard) -> None:
        """Something was ruled."""
        self._board = board
        self._slaps.note(told, board, self._inspection.buttons)

    def look(self, now_ns: int, marks: Mapping[str, int]) -> None:
        """Judges who was first, as far as the sources have spoken, and tells the lamps what has changed."""
        buttons = self._inspection.buttons
        self._slaps.pass_to(now_ns, {**marks, **self._marks}, buttons)
        remarks = self._slaps.remarks(now_ns, buttons)
        signals = self._now(now_ns, remarks)
        self._light(signals)
        view = None if self._drill is None else self._drill.view()
        self.shown = ButtonsShown(
            self._slaps.race, remarks, signals, self._inspection.reports(now_ns), view, self._slaps.doubtful
        )

    @staticmethod
    def _give(drill: Drill, events: Iterable[ButtonEvent]) -> None:
        for event in events:
            if isinstance(event, Press):
                drill.take(event)

    def _now(self, now_ns: int, remarks: Mapping[Seat, Remark]) -> Mapping[Seat, Signal]:
        if self._drill is not None:
            self._drill.pass_to(now_ns)
            return self._drill.signals()
        if self._board is None:
            return {}
        return self._signals.now(now_ns, self._slaps.race, remarks, self._board)

    def _light(self, signals: Mapping[Seat, Signal]) -> None:
        before = self.shown.signals
        changed = [seat for seat, signal in signals.items() if before.get(seat) is not signal]
        gone = [seat for seat in before if seat not in signals]
        for signal in dict.fromkeys(signals[seat] for seat in changed):
            self._show([seat for seat in changed if signals[seat] is signal], signal)
        self._show(gone, Signal.NOTHING)

    def _show(self, seats: Iterable[Seat], signal: Signal) -> None:
        places = [place for seat in seats for place in self._places(seat)]
        if self.lights is not None and places:
            self.lights.show(places, signal)

    def _places(self, seat: Seat) -> Iterator[Place]:
        yield seat
        # While seats are being taken, those that have one shine.
        seated = self._drill.seating.seated if isinstance(self._drill, SeatingDrill) else self.seated
        yield from (button for button, at in seated.items() if at == seat)
        # A source at which nobody was seated by slapping has its buttons in the seats' order.
        sources = {source for source, _ in seated}
        yield from (
            (report.source, seat)
            for report in self.shown.reports
            if report.seat == seat and report.source not in sources
        )

    def _at_seat(self, edge: Edge) -> Edge | None:
        if edge.seat is None:
            return edge
        is_seated = any(source == edge.source for source, _ in self.seated)
        seat = self.seated.get((edge.source, edge.seat)) if is_seated else edge.seat
        return replace(edge, seat=seat) if self.seats is None or seat in self.seats else None
