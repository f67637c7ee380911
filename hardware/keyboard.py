"""Keys as buttons: one keyboard for the whole table, in the terminal or on a page, and phones."""

from __future__ import annotations

from collections.abc import Iterable

from engine.seats import Seat
from hardware.records import Kind
from hardware.sources import QueuedSource

MS = 1_000_000
TAP_NS = 50 * MS
HOLD_NS = 850 * MS
"""Just longer than what makes a press a hold."""

LATIN = "abcdefghijklmnopqrstuvwxyz"
RUSSIAN = "фисвуапршолдьтщзйкыегмцчня"
"""The letters on the same keys while the keyboard is switched to Russian."""


def seat_keys(seats: Iterable[Seat]) -> dict[str, Seat]:
    """Which key is whose if nobody chooses: the seat's letter, its Russian neighbour on that key, and its number."""
    keys: dict[str, Seat] = {}
    for number, seat in enumerate(seats, start=1):
        keys |= key_of(seat, seat.lower())
        if number <= 9:
            keys[str(number)] = seat
    return keys


def key_of(seat: Seat, key: str) -> dict[str, Seat]:
    """`key` as `seat`'s, whichever of the two alphabets the keyboard is switched to."""
    key = key.lower()
    same_key = {**dict(zip(LATIN, RUSSIAN, strict=True)), **dict(zip(RUSSIAN, LATIN, strict=True))}
    return dict.fromkeys((key, same_key.get(key, key)), seat)


class KeyboardSource(QueuedSource):
    """Buttons that somebody else watches and reports: the terminal, a page's keys, a phone.

    Safe to call from any thread. Stamps are on the table's clock and `within_ns` is the caller's honest figure: a
    terminal's is some 20 ms, a phone's half of its round trip at best. `lag_ns` is how long a report may be under way;
    nobody waits that long for a source that was never touched.
    """

    def __init__(self, name: str = "keyboard", *, lag_ns: int = 20 * MS) -> None:
        super().__init__(name, lag_ns=lag_ns)
        self._is_used = False

    def mark_ns(self, now_ns: int) -> int:
        """`now_ns`, less the longest way of a report once there has been one."""
        return super().mark_ns(now_ns) if self._is_used else now_ns

    def put(  # noqa: PLR0913  # all by keyword
        self,
        kind: Kind,
        seat: Seat | None,
        *,
        t_ns: int,
        within_ns: int,
        is_down: bool = False,
        jitter_ns: int | None = None,
    ) -> None:
        """Adds one edge."""
        self._is_used = True
        super().put(kind, seat, t_ns=t_ns, within_ns=within_ns, is_down=is_down, jitter_ns=jitter_ns)

    def down(self, seat: Seat, t_ns: int, within_ns: int) -> None:
        """The key went down. A key that repeats while it is held may say so again: that changes nothing."""
        self.put(Kind.DOWN, seat, t_ns=t_ns, within_ns=within_ns)

    def up(self, seat: Seat, t_ns: int, within_ns: int) -> None:
        """The key came up."""
        self.put(Kind.UP, seat, t_ns=t_ns, within_ns=within_ns)

    def tap(self, seat: Seat, t_ns: int, within_ns: int) -> None:
        """A tap of which only the beginning is known."""
        self._strike(seat, t_ns, within_ns, lasting_ns=TAP_NS)

    def hold(self, seat: Seat, t_ns: int, within_ns: int) -> None:
        """A hold said with one key stroke, which begins at `t_ns`."""
        self._strike(seat, t_ns, within_ns, lasting_ns=HOLD_NS)

    def _strike(self, seat: Seat, t_ns: int, within_ns: int, *, lasting_ns: int) -> None:
        self.put(Kind.DOWN, seat, t_ns=t_ns, within_ns=within_ns)
        self.put(Kind.UP, seat, t_ns=t_ns + lasting_ns, within_ns=within_ns)
