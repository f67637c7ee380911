"""What each seat's lamp shows: a slap at once, then who was first, who was too early, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.slaps import Race, Remark
from engine.rules import Scoreboard
from engine.seats import Seat
from hardware.records import Edge, Kind
from hardware.signals import Signal

MS = 1_000_000
GLITCH_NS = 1 * MS
"""Contact shorter than this is no press (`hardware.debounce`), so it lights no lamp."""
SLAPPED_NS, FALSE_START_NS, LOCKED_OUT_NS, WINNER_NS = 250 * MS, 500 * MS, 4_000 * MS, 3_000 * MS
"""How long each is shown; `FALSE_START_NS` is three flashes, `LOCKED_OUT_NS` two."""

_REMARKED = {
    Remark.FALSE_START: (Signal.FALSE_START, FALSE_START_NS),
    Remark.LOCKED_OUT: (Signal.LOCKED_OUT, LOCKED_OUT_NS),
}
_UNFIT = (Remark.STUCK, Remark.HELD)


class Signals:
    """Decides what the lamps show. Pure; `touch` takes raw edges, since a lamp must not wait for other sources."""

    def __init__(self) -> None:
        self._touched: dict[tuple[str, Seat], int] = {}
        self._slapped: dict[Seat, int] = {}
        self._remarked: dict[Seat, tuple[Signal, int]] = {}
        self._remarks: Mapping[Seat, Remark] = {}
        self._race = Race()
        self._winner_ns = 0

    def touch(self, edge: Edge) -> None:
        """A contact may be a slap; it lights the lamp at the next look unless it has ended as a glitch by then."""
        if edge.seat is None:
            return
        key = (edge.source, edge.seat)
        if edge.kind is Kind.DOWN:
            self._touched.setdefault(key, edge.t_ns)
        elif edge.t_ns - self._touched.get(key, edge.t_ns) < GLITCH_NS:
            self._touched.pop(key, None)

    def now(self, now_ns: int, race: Race, remarks: Mapping[Seat, Remark], board: Scoreboard) -> dict[Seat, Signal]:
        """What every seat's lamp shows at `now_ns`."""
        self._slapped |= {seat: now_ns + SLAPPED_NS for _, seat in self._touched}
        self._touched.clear()
        for seat, remark in remarks.items():
            if remark in _REMARKED and self._remarks.get(seat) is not remark:
                signal, length_ns = _REMARKED[remark]
                self._remarked[seat] = (signal, now_ns + length_ns)
        if race.verdict is not None and race != self._race:
            self._winner_ns = now_ns + WINNER_NS
        self._remarks, self._race = remarks, race
        return {view.seat: self._of(view.seat, now_ns, is_turn=view.is_turn) for view in board.seats}

    def _of(self, seat: Seat, now_ns: int, *, is_turn: bool) -> Signal:
        signal, until_ns = self._remarked.get(seat, (Signal.NOTHING, 0))
        if now_ns < until_ns and signal is Signal.FALSE_START:
            return signal
        verdict = self._race.verdict
        if verdict is not None and now_ns < self._winner_ns and seat in verdict.first:
            return Signal.TIE if verdict.is_tie else Signal.FIRST
        if now_ns < self._slapped.get(seat, 0):
            return Signal.SLAPPED
        if now_ns < until_ns or self._remarks.get(seat) in _UNFIT:
            return Signal.LOCKED_OUT
        return Signal.TURN if is_turn else Signal.NOTHING
