"""The keyboard of the terminal that the program runs in, as buttons.

A terminal tells only of presses, never of releases, so each key stroke is a tap, and Shift with the key is a hold.
"""

from __future__ import annotations

import atexit
import codecs
import contextlib
import os
import re
import select
import termios
import threading
import time
import tty
from collections.abc import Callable, Iterator, Mapping

from engine.seats import Seat
from hardware.errors import BadButtons
from hardware.keyboard import MS, KeyboardSource

WITHIN_NS = 20 * MS
"""A keyboard is asked every 8 ms or so, and the terminal has its own rhythm on top."""
REPEAT_NS = 60 * MS
"""No finger strikes the same key twice so soon: that is the keyboard repeating a key that is held."""

# Arrow and function keys send several characters beginning with escape, some of them letters.
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^\[O])?")


class Strokes:
    """Which seat tapped or held, from the characters that a terminal sends. Pure: stamps are handed in."""

    def __init__(self, keys: Mapping[str, Seat]) -> None:
        self._keys = keys
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        self._last_ns: dict[Seat, int] = {}

    def read(self, sent: bytes, t_ns: int) -> Iterator[tuple[Seat, bool]]:
        """The seat of each stroke in `sent`, and whether it is a hold; keys that are nobody's are passed over."""
        for key in ESCAPES.sub("", self._decoder.decode(sent)):
            seat = self._keys.get(key.lower())
            if seat is not None and not self._repeats(seat, t_ns):
                yield seat, key.isupper()

    def _repeats(self, seat: Seat, t_ns: int) -> bool:
        last_ns = self._last_ns.get(seat)
        self._last_ns[seat] = t_ns
        return last_ns is not None and t_ns - last_ns < REPEAT_NS


class TerminalKeys(KeyboardSource):
    """Reads key strokes in a thread of its own until closed; Ctrl+C still ends the program.

    Raises `BadButtons` when `fd` is no terminal.
    """

    def __init__(self, keys: Mapping[str, Seat], *, fd: int = 0, clock: Callable[[], int] = time.monotonic_ns) -> None:
        super().__init__("keyboard", lag_ns=WITHIN_NS)
        self._fd, self._clock, self._strokes = fd, clock, Strokes(keys)
        self._before = _to_single_keys(fd)
        atexit.register(self._give_back)
        self._is_closed = False
        self._wake_out, self._wake_in = os.pipe()
        self._thread = threading.Thread(target=self._listen, name="keyboard", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stops reading and gives the terminal back as it was; a second time does nothing."""
        if self._is_closed:
            return
        self._is_closed = True
        os.write(self._wake_in, b".")
        self._thread.join()
        os.close(self._wake_in)
        os.close(self._wake_out)
        self._give_back()
        atexit.unregister(self._give_back)

    def _give_back(self) -> None:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(self._fd, termios.TCSADRAIN, self._before)

    def _listen(self) -> None:
        while self._wake_out not in (ready := select.select([self._fd, self._wake_out], [], [])[0]):
            t_ns = self._clock()
            if ready and not self._hear(t_ns):
                return

    def _hear(self, t_ns: int) -> bool:
        try:
            sent = os.read(self._fd, 1024)
        except OSError:
            # The terminal was closed; whoever started the program there will not press keys any more.
            return False
        for seat, is_hold in self._strokes.read(sent, t_ns):
            (self.hold if is_hold else self.tap)(seat, t_ns, WITHIN_NS)
        return bool(sent)


def _to_single_keys(fd: int) -> list[int | list[bytes | int]]:
    try:
        before = termios.tcgetattr(fd)
        tty.setcbreak(fd)
    except termios.error as error:
        raise BadButtons(
            "the keyboard can be read only where the program runs in a terminal: "
            "start it in one, or choose other buttons"
        ) from error
    return before
