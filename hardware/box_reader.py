"""What a slap box's lines mean: edges at the table's time. Pure; see protocol.md and box.py for the wire."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.seats import Seat
from hardware.box_clock import MS, BoxClock, Exchange, S, Unwrapper
from hardware.box_lines import ASK_BOOT, FIRST_NONCE, LAST_NONCE, VERSION, Answer, Boot, Framing, Levels
from hardware.records import Kind

INTERRUPT_NS = 15_000
"""How far a stamp made in a small processor's interrupt is from the edge."""
ANSWER_NS = 1 * S
"""An answer that takes longer says nothing."""
PING_NS = 250 * MS
FIRST_PING_NS = 20 * MS
"""How often to ping while the clocks are not in step yet."""
WAITING = 500
"""Lines kept for when the clocks are in step; if that takes longer, the gap will show."""
DOUBTS = 5
"""After so many lines in a row that cannot be, the box is asked again who it is: it may have been reset unheard."""
WRAP = 1 << 16


class Put(Protocol):
    """Takes a record that the box gave rise to, e.g. `QueuedSource.put`."""

    def __call__(  # noqa: PLR0913  # all by keyword
        self,
        kind: Kind,
        seat: Seat | None,
        *,
        t_ns: int,
        within_ns: int,
        is_down: bool = False,
        jitter_ns: int | None = None,
    ) -> None: ...


@dataclass(slots=True)
class Counts:
    """What went wrong on the wire, for a person who wonders."""

    repeated: int = 0
    """Lines that came again or out of turn."""
    impossible: int = 0
    """Lines with a good checksum from the future or the distant past."""
    lost: int = 0
    """Lines that never came, or edges that the box forgot."""
    resets: int = 0


class BoxReader:
    """One box from the moment that it is opened to the moment that it is gone; each seat has one bit of the mask.

    `take` puts edges, `level`s at the start and after a reset, `lost` where the sequence has a gap.
    """

    def __init__(self, seats: Sequence[Seat], put: Put, *, now_ns: int) -> None:
        self.counts = Counts()
        self.framing = Framing()
        self.boot: Boot | None = None
        self.heard_ns = now_ns
        """When the last good line came."""
        self.has_spoken = False
        self.mark_ns = now_ns
        """Every edge before this has been put."""
        self._seats, self._put = tuple(seats), put
        self._pings: dict[int, int] = {}
        self._next_nonce = FIRST_NONCE
        self.next_ping_ns = now_ns
        """When `ping` will have something to send."""
        self._begin_anew()

    @property
    def is_ready(self) -> bool:
        """Whether the box has said who it is and the clocks are in step."""
        return self.boot is not None and self.clock.is_set

    @property
    def is_foreign(self) -> bool:
        """Whether it speaks another version of the protocol; its lines are passed over then."""
        return self.boot is not None and self.boot.version != VERSION

    def take(self, data: bytes, received_ns: int) -> None:
        """What the box sent, read by `received_ns` at the latest, split anywhere."""
        for line in self.framing.take(data):
            self.heard_ns, self.has_spoken = received_ns, True
            match line:
                case Boot():
                    self._boots(line, received_ns)
                case _ if self.is_foreign:
                    self.counts.impossible += 1
                case Answer():
                    self._answers(line, received_ns)
                case Levels() if self.clock.is_set:
                    self._shows(line, received_ns)
                case Levels():
                    self._waiting.append((line, received_ns))

    def ping(self, now_ns: int) -> bytes:
        """What to send to the box at `now_ns`; empty when it is not time or the box has never spoken."""
        if now_ns < self.next_ping_ns or not self.has_spoken:
            return b""
        self.next_ping_ns = now_ns + (PING_NS if self.is_ready else FIRST_PING_NS)
        nonce = self._next_nonce
        self._next_nonce = FIRST_NONCE if nonce == LAST_NONCE else nonce + 1
        self._pings[nonce] = now_ns
        is_known = self.boot is not None and self._doubts < DOUBTS
        return (b"" if is_known else ASK_BOOT) + bytes([nonce])

    def _begin_anew(self) -> None:
        self.clock = BoxClock()
        self._unwrapper = Unwrapper()
        self._sequence: int | None = None
        self._mask = self._doubts = 0
        self._last_ns: int | None = None
        self._waiting: deque[tuple[Levels, int]] = deque(maxlen=WAITING)
        self._pings.clear()

    def _boots(self, boot: Boot, received_ns: int) -> None:
        if self.boot is not None and (boot.boot_id != self.boot.boot_id or self._doubts >= DOUBTS):
            self.counts.resets += 1
            silent_ns = max(0, received_ns - self.mark_ns)
            self._put(Kind.GONE, None, t_ns=received_ns, within_ns=silent_ns)
            self._put(Kind.BACK, None, t_ns=received_ns, within_ns=silent_ns)
            self._begin_anew()
        self.boot = boot

    def _answers(self, answer: Answer, received_ns: int) -> None:
        sent_ns = self._pings.pop(answer.nonce, None)
        if sent_ns is None or received_ns - sent_ns > ANSWER_NS:
            self.counts.repeated += 1
            return
        self.clock.answered(Exchange(self._unwrapper.count(answer.tick), sent_ns, received_ns))
        while self._waiting:
            self._shows(*self._waiting.popleft())

    def _shows(self, line: Levels, received_ns: int) -> None:
        box_ns = self._unwrapper.count(line.tick)
        low, high = self.clock.bounds(box_ns)
        if low > received_ns or high < received_ns - 60 * S:
            self.counts.impossible += 1
            self._doubts += 1
        elif self._sequence is None:
            self._starts(line, box_ns)
        elif self._is_old(line, self._sequence, box_ns):
            self.counts.repeated += 1
            self._doubts += 1
        else:
            self._changes(line, self._sequence, box_ns)

    def _is_old(self, line: Levels, sequence: int, box_ns: int) -> bool:
        return box_ns < (self._last_ns or box_ns) or (line.is_edge and line.sequence == sequence)

    def _starts(self, line: Levels, box_ns: int) -> None:
        t_ns, within_ns = self._moment(box_ns)
        for bit, seat in enumerate(self._seats):
            is_down = bool(line.mask >> bit & 1)
            self._put(Kind.LEVEL, seat, t_ns=t_ns, within_ns=within_ns, is_down=is_down)
        self._stand(line, box_ns)

    def _changes(self, line: Levels, sequence: int, box_ns: int) -> None:
        missing = (line.sequence - sequence) % WRAP - line.is_edge + line.drops
        if missing or line.mask != self._mask:
            # A heartbeat that brings nothing new must not be placed: the line of an edge long past would go on and on.
            self._puts_changes(line, missing, box_ns)
        self._stand(line, box_ns)

    def _puts_changes(self, line: Levels, missing: int, box_ns: int) -> None:
        t_ns, within_ns = self._moment(box_ns)
        jitter_ns: int | None = INTERRUPT_NS
        if missing or not line.is_edge:
            t_ns, within_ns = self._somewhere_before(box_ns, t_ns, within_ns)
            jitter_ns = None
        if missing:
            self.counts.lost += missing
            self._put(Kind.LOST, None, t_ns=t_ns, within_ns=within_ns)
        for bit, seat in enumerate(self._seats):
            if (line.mask ^ self._mask) >> bit & 1:
                kind = Kind.DOWN if line.mask >> bit & 1 else Kind.UP
                self._put(kind, seat, t_ns=t_ns, within_ns=within_ns, jitter_ns=jitter_ns)

    def _moment(self, box_ns: int) -> tuple[int, int]:
        t_ns, within_ns = self.clock.moment(box_ns)
        return t_ns, within_ns + INTERRUPT_NS

    def _somewhere_before(self, box_ns: int, t_ns: int, within_ns: int) -> tuple[int, int]:
        # What a gap hides happened after the last line that came, and not after this one.
        span_ns = box_ns - (self._last_ns or box_ns)
        return t_ns - span_ns // 2, within_ns + (span_ns + 1) // 2

    def _stand(self, line: Levels, box_ns: int) -> None:
        self._sequence, self._mask, self._last_ns, self._doubts = line.sequence, line.mask, box_ns, 0
        self.mark_ns = max(self.mark_ns, self.clock.earliest(box_ns) - INTERRUPT_NS)
