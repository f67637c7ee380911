"""The simulated host as the one who puts the record right: what was ruled wrongly is seen by those who sit there.

Every ruling that he has to mend counts as missed or wrong all the same; mended, it does not spoil the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from cardtable.session import Session
from cardtable.simulated.truth import Difference, paired, tell, tell_heard, verdicts
from cardtable.simulated.witness import Heard, Witness
from cardtable.simulated.world import MS, TrueLay
from engine.events import CardLaid
from engine.log import Correct, Edit, Insert, Overrule, Void

_STANDS_NS = 4_000 * MS
"""A ruling that has stood for so long is one that people have read and wondered about."""
WHO = "host"
Mend = tuple[int, Difference, Callable[[Session], Edit | None]]
"""When it happened, what is wrong, and the edit that mends it."""


class Umpire:
    """Compares what the screen says with what everybody saw, and mends the earliest difference."""

    def __init__(self, witness: Witness, lays: Sequence[TrueLay]) -> None:
        self._witness, self._lays = witness, lays
        self.mended: list[Difference] = []
        self._looks_ns = 0

    def mend(self, session: Session, now_ns: int) -> bool:
        """Mends one ruling, if one has stood wrong for long; looks twice a second."""
        if now_ns < self._looks_ns:
            return False
        self._looks_ns = now_ns + 500 * MS
        wrong = (mend for mend in self._wrong(now_ns - _STANDS_NS) if mend[1] not in self.mended)
        found = min(wrong, key=lambda mend: mend[0], default=None)
        if found is None:
            return False
        _, difference, edit_for = found
        self.mended.append(difference)
        edit = edit_for(session)
        if edit is not None:
            session.edit(edit)
        return edit is not None

    def _wrong(self, before_ns: int) -> Iterator[Mend]:
        live = [heard for heard in self._witness.lays.values() if heard.rulings]
        pairs = paired(self._lays, live)
        for lay, heard in pairs:
            for difference in verdicts(lay, heard) if self._is_old(lay, heard, before_ns) else ():
                yield lay.touch_ns, difference, lambda session, lay=lay, heard=heard: _right(session, lay, heard)  # type: ignore[misc]
        told = {heard.laid.lay for _, heard in pairs}
        for heard in live:
            if heard.laid.lay not in told and heard.first_ns < before_ns:
                difference = Difference("wrong", "no such lay", tell_heard(heard))
                yield heard.laid.t_ns, difference, lambda _, heard=heard: _void(heard)  # type: ignore[misc]
        known = {lay.key for lay, _ in pairs}
        for lay in self._lays:
            if lay.key not in known and lay.touch_ns < before_ns:
                yield lay.touch_ns, Difference("missed", tell(lay), "nothing"), lambda _, lay=lay: self._insert(lay)  # type: ignore[misc]

    def _is_old(self, lay: TrueLay, heard: Heard, before_ns: int) -> bool:
        return max(lay.touch_ns, heard.first_ns) < before_ns

    def _insert(self, lay: TrueLay) -> Edit:
        earlier = [heard.laid.lay for heard in self._witness.lays.values() if heard.laid.t_ns < lay.touch_ns]
        number = max(earlier, default=0) + 1
        while number in self._witness.lays:
            number += 1
        seats = frozenset((lay.seat,))
        laid = CardLaid(t_ns=lay.touch_ns, card=lay.card, lay=number, rest_ns=lay.rest_ns, seats=seats, hand=seats)
        return Insert(event=laid, who=WHO, why="the camera has missed this card")


def _void(heard: Heard) -> Edit:
    return Void(target=heard.laid.number, who=WHO, why="no such card was laid")


def _right(session: Session, lay: TrueLay, heard: Heard) -> Edit | None:
    number, seats = heard.laid.number, frozenset((lay.seat,))
    if heard.laid.card is not lay.card or heard.seats != seats:
        laid = replace(heard.laid, card=lay.card, sure=1.0, likely=(), seats=seats, hand=seats)
        return Correct(target=number, event=laid, who=WHO, why="that card, by that player")
    choices = session.referee.options(number)
    chosen = next((ruling for ruling in choices if ruling.code == lay.code), None)
    if chosen is None:
        return None
    return Overrule(target=number, rulings=(chosen,), who=WHO, why="as everybody saw it")
