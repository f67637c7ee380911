"""A slap box on a Raspberry Pi Pico or Pico 2 (MicroPython): eight buttons, each between its pin and ground.

Every edge is stamped in the pin's interrupt and told to the host in the language of ../../protocol.md, over USB.
Bits 0 to 7 of the mask are the pins GP2 to GP9; their lamps, if there are any, are on GP10 to GP17.
"""

import os
import select
import sys
import time

VERSION = 1
FIRST_PIN, BUTTONS = 2, 8
ALL_DOWN = (1 << BUTTONS) - 1
GPIO_IN = 0xD000_0004
"""The levels of all pins in one register: SIO, RP2040 datasheet 2.3.1.7; the RP2350 has it in the same place."""

HEARTBEAT_US = 20_000
TICKS_PERIOD = 1 << 30
"""Where ticks_us() of MicroPython wraps; the protocol's tick wraps at 32 bits."""
EDGES = 64
MOST_DROPS = 0xFF
FIRST_NONCE = 0x80
FIRST_LAMP, LAMP_PIN = 0x40, 10


def crc8(text: bytes) -> int:
    """The checksum of protocol.md."""
    crc = 0
    for byte in text:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 0x07 if crc & 0x80 else crc << 1) & 0xFF
    return crc


def ticks_between(later: int, earlier: int) -> int:
    """Microseconds from one count to another, negative when the first is earlier."""
    return (later - earlier + TICKS_PERIOD // 2) % TICKS_PERIOD - TICKS_PERIOD // 2


class Box:
    """`note` is the interrupt, `turn` one turn of the main loop.

    `levels()` gives the pins' register, `ticks()` microseconds as ticks_us() does; `send` takes a line, and
    `light(bit, is_lit)` puts a lamp on or out.
    """

    def __init__(self, levels, ticks, send, boot_id: int, light=None) -> None:  # type: ignore[no-untyped-def]  # no typing there
        self._levels, self._ticks, self._send, self._boot_id, self._light = levels, ticks, send, boot_id, light
        self._edge_ticks = [0] * EDGES
        self._edge_masks = [0] * EDGES
        self._edge_drops = [0] * EDGES
        self._into = self._out = 0
        self._sequence = 0
        self._mask = self._told_mask = self._buttons()
        self._last_ticks = self._beaten = ticks()
        self._total = self._last_ticks

    def note(self, _pin: object) -> None:
        """Something has changed at a pin. When the queue is full, its newest place is used again.

        In an interrupt nothing may need memory, not even a tuple.
        """
        ticks = self._ticks()
        mask = self._buttons()
        if mask == self._mask:
            return
        self._mask = mask
        drops = 0
        if self._into - self._out == EDGES:
            self._into -= 1
            drops = self._edge_drops[self._into % EDGES]
            if drops < MOST_DROPS:
                drops += 1
        place = self._into % EDGES
        self._edge_ticks[place] = ticks
        self._edge_masks[place] = mask
        self._edge_drops[place] = drops
        self._into += 1

    def boot(self) -> None:
        """Says who it is."""
        self._tell(f"B{VERSION:02X}{self._boot_id:08X}")

    def hear(self, byte: int) -> None:
        """What the host sent: a question, a ping, or nothing of ours."""
        if byte == ord("?"):
            self.boot()
        elif byte >= FIRST_NONCE:
            self._tell(f"S{byte:02X}{self._tick(self._ticks()):08X}")
        elif self._light and FIRST_LAMP <= byte < FIRST_LAMP + 2 * BUTTONS:
            self._light((byte - FIRST_LAMP) // 2, byte & 1)

    def turn(self) -> None:
        """Tells the oldest edge that waits, or beats when it is time."""
        # Taken first: then every edge up to this moment is in the queue already.
        ticks = self._ticks()
        if self._into != self._out:
            self._tell_edge()
        elif ticks_between(ticks, self._beaten) >= HEARTBEAT_US:
            self._beaten = ticks
            self._total, self._last_ticks = self._tick(ticks), ticks
            self._tell(f"H{self._sequence:04X}{self._told_mask:04X}{self._total:08X}")

    def _buttons(self) -> int:
        levels: int = self._levels()
        return ~levels >> FIRST_PIN & ALL_DOWN

    def _tick(self, ticks: int) -> int:
        total: int = self._total + ticks_between(ticks, self._last_ticks)
        return total & 0xFFFF_FFFF

    def _tell_edge(self) -> None:
        place = self._out % EDGES
        ticks, drops = self._edge_ticks[place], self._edge_drops[place]
        self._told_mask = self._edge_masks[place]
        self._out += 1
        self._sequence = (self._sequence + 1) & 0xFFFF
        self._tell(f"E{self._sequence:04X}{self._told_mask:04X}{self._tick(ticks):08X}{drops:02X}")

    def _tell(self, body: str) -> None:
        self._send(f"{body}*{crc8(body.encode()):02X}\n".encode())


def run() -> None:
    """Serves the box for ever."""
    micropython.alloc_emergency_exception_buf(100)
    pins = [machine.Pin(FIRST_PIN + bit, machine.Pin.IN, machine.Pin.PULL_UP) for bit in range(BUTTONS)]
    time.sleep_ms(1)  # type: ignore[attr-defined]  # for the pull-ups to charge the cables
    boot_id = int.from_bytes(os.urandom(4), "big")
    lamps = [machine.Pin(LAMP_PIN + bit, machine.Pin.OUT, value=0) for bit in range(BUTTONS)]

    def light(bit: int, is_lit: int) -> None:
        lamps[bit].value(is_lit)

    box = Box(lambda: machine.mem32[GPIO_IN], time.ticks_us, sys.stdout.buffer.write, boot_id, light)  # type: ignore[attr-defined]
    for pin in pins:
        pin.irq(box.note, machine.Pin.IRQ_FALLING | machine.Pin.IRQ_RISING, hard=True)
    arrivals = select.poll()
    arrivals.register(sys.stdin, select.POLLIN)
    box.boot()
    while True:
        if arrivals.poll(0):
            box.hear(sys.stdin.buffer.read(1)[0])
        box.turn()


if __name__ == "__main__":
    import machine  # type: ignore[import-not-found]
    import micropython  # type: ignore[import-not-found]

    run()
