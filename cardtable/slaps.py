"""What the rulings don't say of the slaps: whose button is not fit, who was too early, who was first and how surely."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from engine.events import CardLaid, Press
from engine.referee import SLAP, Told
from engine.rules import Scoreboard
from engine.seats import Seat
from hardware.arming import ANTICIPATION_NS, Buttons, Condition, Cue, Start, judge_start
from hardware.records import Edge
from hardware.verdict import DOUBTS, Verdict, judge

RACE_NS = 500_000_000
"""Slaps further apart than this belong to different races: nobody who races is half a second behind."""
REMARK_NS = 3_000_000_000
"""So long a remark about one slap stands on the page."""
ASKED_NS = 20_000_000_000
"""So long the table is asked about a doubtful start; then it stays as it is."""
MOST_SLAPS = 40
"""A race's slaps are among so many last ones."""


class Remark(Enum):
    """Why a seat's slap does not count, or not as a matter of course."""

    STUCK = Condition.STUCK.value
    HELD = Condition.HELD.value
    FALSE_START = Start.FALSE_START.value
    DOUBTFUL = Start.DOUBTFUL.value
    ANTICIPATION = Start.ANTICIPATION.value
    LOCKED_OUT = "locked-out"
    """Others may slap now, this seat may not."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A slap of which the stamps cannot tell whether it came before or after the cue: the table is asked."""

    press: Press
    cue_ns: int
    is_heard: bool
    """Whether the game has taken it, as it stands."""


@dataclass(frozen=True, slots=True)
class Race:
    """The last slaps that were made together."""

    presses: tuple[Press, ...] = ()
    """In order of their stamps."""
    verdict: Verdict | None = None
    """Who was first; None while a source may still know of somebody earlier."""


class Slaps:
    """Follows edges, rulings and the scoreboard. Pure: all times are handed in."""

    def __init__(self, *, anticipation_ns: int = ANTICIPATION_NS) -> None:
        self.race = Race()
        self._anticipation_ns = anticipation_ns
        self._presses: dict[int, Press] = {}
        self._doubts: deque[Edge] = deque(maxlen=MOST_SLAPS)
        self._remarks: dict[Seat, tuple[Remark, int]] = {}
        self._doubtful: dict[int, Doubt] = {}
        self._held: set[tuple[str, Seat]] = set()
        self._starts = _Starts()

    def take(self, edge: Edge) -> None:
        """Remembers an edge that casts doubt on the order of others."""
        if edge.kind in DOUBTS:
            self._doubts.append(edge)

    def note(self, told: Iterable[Told], board: Scoreboard, buttons: Buttons) -> None:
        """Something was ruled; `board` is how things stand now."""
        told = tuple(told)
        for seat, cue in self._starts.open(board, told).items():
            self._open(seat, cue, buttons)
        for each in told:
            if isinstance(each.event, Press):
                self._note_press(each, each.event, board)

    def pass_to(self, now_ns: int, marks: Mapping[str, int], buttons: Buttons) -> None:
        """Time has come to `now_ns`, and each source has told all of its edges up to its mark."""
        self._held = {key for key in self._held if buttons.condition(*key, now_ns) is Condition.HELD}
        self._remarks = {seat: remark for seat, remark in self._remarks.items() if remark[1] > now_ns}
        late_ns = now_ns - ASKED_NS
        self._doubtful = {number: doubt for number, doubt in self._doubtful.items() if doubt.press.t_ns > late_ns}
        if self.race.presses and self.race.verdict is None:
            self.race = Race(self.race.presses, self._judge(self.race.presses, now_ns, marks))

    @property
    def doubtful(self) -> tuple[Doubt, ...]:
        """Starts that the table is asked about."""
        return tuple(self._doubtful.values())

    def settle(self, number: int) -> None:
        """The table has answered about the press of that number."""
        self._doubtful.pop(number, None)

    def remarks(self, now_ns: int, buttons: Buttons) -> dict[Seat, Remark]:
        """What stands on the page about each seat; of several things the one that explains most."""
        found = {seat: Remark.HELD for _, seat in self._held}
        found |= {seat: remark for seat, (remark, _) in self._remarks.items()}
        stuck = (key for key in buttons.known if buttons.condition(*key, now_ns) is Condition.STUCK)
        return found | {seat: Remark.STUCK for _, seat in stuck}

    def _open(self, seat: Seat, cue: Cue, buttons: Buttons) -> None:
        """`seat`'s button has come to mean something."""
        mine = (key for key in buttons.known if key[1] == seat)
        self._held |= {key for key in mine if buttons.condition(*key, cue.t_ns) is Condition.HELD}
        early = self._starts.early.pop(seat, None)
        if early is not None and judge_start(early.t_ns, early.within_ns, cue) is Start.DOUBTFUL:
            self._remark(early, Remark.DOUBTFUL)
            self._doubtful[early.number] = Doubt(early, cue.t_ns, is_heard=False)

    def _note_press(self, told: Told, press: Press, board: Scoreboard) -> None:
        is_slap = any(ruling.code == SLAP for ruling in told.rulings)
        if is_slap != (told.number in self._presses) or (is_slap and self._presses[told.number] != press):
            self._count(told.number, press if is_slap else None)
        if told.before is None:
            self._note_start(press, board, is_heard=bool(told.rulings))

    def _note_start(self, press: Press, board: Scoreboard, *, is_heard: bool) -> None:
        remark = self._starts.judge(press, board, is_heard=is_heard, anticipation_ns=self._anticipation_ns)
        self._remarks.pop(press.seat, None)
        if remark is not None:
            self._remark(press, remark)
        if remark is Remark.DOUBTFUL:
            self._doubtful[press.number] = Doubt(press, self._starts.cues[press.seat].t_ns, is_heard)

    def _remark(self, press: Press, remark: Remark) -> None:
        self._remarks[press.seat] = (remark, press.t_ns + REMARK_NS)

    def _count(self, number: int, press: Press | None) -> None:
        """The press of that number is a slap, or (None) no longer; what is known of the last race is judged anew."""
        self._presses.pop(number, None)
        if press is not None:
            self._presses[number] = press
            while len(self._presses) > MOST_SLAPS:
                del self._presses[min(self._presses)]
        presses = last_race(self._presses.values())
        if presses != self.race.presses:
            self.race = Race(presses)

    def _judge(self, presses: tuple[Press, ...], now_ns: int, marks: Mapping[str, int]) -> Verdict | None:
        began_ns, ended_ns = presses[0].t_ns - RACE_NS, presses[-1].t_ns
        doubts = [edge for edge in self._doubts if began_ns - edge.within_ns <= edge.t_ns <= ended_ns + edge.within_ns]
        return judge(presses, marks=marks, now_ns=now_ns, edges=doubts)


class _Starts:
    """Whose button means something since when."""

    def __init__(self) -> None:
        self.early: dict[Seat, Press] = {}
        """The last slap of a seat before anybody's button meant anything."""
        self.cues: dict[Seat, Cue] = {}
        """When each seat's button came to mean something."""
        self._seen: frozenset[Seat] = frozenset()
        """Cues that could be seen coming: a card on its way."""
        self._alive: frozenset[Seat] | None = None

    def open(self, board: Scoreboard, told: tuple[Told, ...]) -> dict[Seat, Cue]:
        """The seats whose button has come to mean something by what was told, and when that was."""
        alive = frozenset(view.seat for view in board.seats if view.can and view.is_active)
        before, self._alive = self._alive, alive
        if before is None or not told:
            return {}
        last = max((each.event for each in told), key=lambda event: event.t_ns)
        opened = dict.fromkeys(alive - before, Cue(last.t_ns, last.within_ns))
        self.cues |= opened
        self._seen = (self._seen - opened.keys()) | (opened.keys() if isinstance(last, CardLaid) else frozenset())
        return opened

    def judge(self, press: Press, board: Scoreboard, *, is_heard: bool, anticipation_ns: int) -> Remark | None:
        """What there is to say of a press that the game has heard, or has not."""
        cue = self.cues.get(press.seat)
        if is_heard:
            return self._of_heard(press, cue, 0 if press.seat in self._seen else anticipation_ns)
        if board.over or not any(view.seat == press.seat and view.is_active for view in board.seats):
            return None
        alive = self._alive or frozenset()
        if press.seat in alive and cue is not None:
            start = judge_start(press.t_ns, press.within_ns, cue, anticipation_ns=0)
            return Remark(start.value) if start in (Start.FALSE_START, Start.DOUBTFUL) else None
        if alive:
            return Remark.LOCKED_OUT
        self.early[press.seat] = press
        return Remark.FALSE_START

    def _of_heard(self, press: Press, cue: Cue | None, anticipation_ns: int) -> Remark | None:
        if cue is None:
            return None
        start = judge_start(press.t_ns, press.within_ns, cue, anticipation_ns=anticipation_ns)
        return Remark(start.value) if start in (Start.DOUBTFUL, Start.ANTICIPATION) else None


def last_race(presses: Iterable[Press]) -> tuple[Press, ...]:
    """The slaps of the last race among `presses`, in order of their stamps.

    A race ends where two neighbouring presses lie more than `RACE_NS` apart.
    """
    ordered = sorted(presses, key=lambda press: (press.t_ns, press.seat, press.source))
    start = len(ordered) - 1
    while start > 0 and ordered[start].t_ns - ordered[start - 1].t_ns <= RACE_NS:
        start -= 1
    return tuple(ordered[max(start, 0) :])
