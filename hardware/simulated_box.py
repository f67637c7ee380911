"""A slap box in software: it knows when its buttons were really pressed and has a clock of its own."""

from __future__ import annotations

from hardware.box_lines import ASK_BOOT, FIRST_LAMP, FIRST_NONCE, Answer, Boot, Levels, write_line


class Box:
    """Makes the lines that a box would send for what happens at true times."""

    def __init__(self, *, began_us: int = 123_456, rate: float = 1.0, boot_id: int = 0x2A, version: int = 1) -> None:
        self.boot_id, self.version = boot_id, version
        self.sequence = self.mask = 0
        self.lit: set[int] = set()
        """Which buttons' lamps the host has lit."""
        self._began_us, self._rate = began_us, rate

    def tick(self, t_ns: int) -> int:
        """The box's microseconds at the true time `t_ns`."""
        return (self._began_us + int(t_ns * self._rate) // 1_000) % 2**32

    def boots(self) -> bytes:
        """What it says after a reset."""
        return write_line(Boot(self.version, self.boot_id))

    def resets(self, boot_id: int) -> bytes:
        """Begins anew under another boot id."""
        self.boot_id, self.sequence = boot_id, 0
        return self.boots()

    def beats(self, t_ns: int) -> bytes:
        """A heartbeat."""
        return write_line(Levels(False, self.sequence, self.mask, self.tick(t_ns)))

    def changes(self, t_ns: int, *bits: int, drops: int = 0) -> bytes:
        """One interrupt in which the buttons `bits` changed."""
        for bit in bits:
            self.mask ^= 1 << bit
        self.sequence = (self.sequence + 1) % 2**16
        return write_line(Levels(True, self.sequence, self.mask, self.tick(t_ns), drops))

    def hears(self, sent: bytes, t_ns: int) -> bytes:
        """Its answers to what the host sent, read at `t_ns`."""
        for byte in sent:
            if FIRST_LAMP <= byte < FIRST_LAMP + 32:
                bit, is_lit = divmod(byte - FIRST_LAMP, 2)
                (self.lit.add if is_lit else self.lit.discard)(bit)
        answers = [
            self.boots() if bytes([byte]) == ASK_BOOT else write_line(Answer(byte, self.tick(t_ns)))
            for byte in sent
            if bytes([byte]) == ASK_BOOT or byte >= FIRST_NONCE
        ]
        return b"".join(answers)
