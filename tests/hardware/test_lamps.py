"""Design §5: gpiozero drives lamps and buzzer, in a thread of their own, so that no pin can delay a slap."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPWMPin

from engine.seats import Seat
from hardware.errors import NoPins
from hardware.lamps import Lamps, open_lamps
from hardware.signals import PATTERNS, TONES, Signal

MS = 1_000_000
A, B, C = (Seat(name) for name in "ABC")
PINS = {A: 17, B: 27, C: 22}


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.reset()  # gpiozero #1087: closing a mock factory keeps its pins


class Bench:
    """Lamps on mock pins under a clock that stands where the test puts it."""

    def __init__(self, factory: MockFactory) -> None:
        self.now_ns = 0
        self.lamps = open_lamps(PINS, buzzer=18, factory=factory)
        self.lamps._clock = lambda: self.now_ns
        self._factory = factory

    def lit(self) -> str:
        return "".join(seat for seat, pin in PINS.items() if self._factory.pin(pin).state)

    def seen(self, until_ms: int, step_ms: int = 10) -> list[str]:
        """Which lamps are lit, every step from now on."""
        seen = []
        for at_ms in range(0, until_ms, step_ms):
            self.now_ns = at_ms * MS
            self.lamps.turn()
            seen.append(self.lit())
        return seen


@pytest.fixture
def bench(factory: MockFactory) -> Iterator[Bench]:
    bench = Bench(factory)
    yield bench
    bench.lamps.close()


def test_the_first_is_steady_until_told_otherwise(bench: Bench) -> None:
    bench.lamps.show([B], Signal.FIRST)
    assert set(bench.seen(5_000)) == {"B"}
    bench.lamps.show([B], Signal.NOTHING)
    bench.lamps.turn()
    assert bench.lit() == ""


def test_those_who_are_tied_blink_in_step(bench: Bench) -> None:
    bench.lamps.show([C, A], Signal.TIE)
    assert bench.seen(400, 50) == ["AC", "AC", "", "", "AC", "AC", "", ""]


def test_a_false_start_is_three_flashes(bench: Bench) -> None:
    bench.lamps.show([A], Signal.FALSE_START)
    seen = bench.seen(2_000)
    assert sum(now == "A" and before == "" for before, now in zip(["", *seen], seen, strict=False)) == 3
    assert seen[-1] == ""


def test_every_signal_looks_different(bench: Bench) -> None:
    looks = set()
    for signal in Signal:
        bench.now_ns = 0
        bench.lamps.show([A], signal)
        looks.add(tuple(bench.seen(3_000)))
    assert len(looks) == len(Signal)


def test_a_slap_lights_its_lamp_at_the_next_turn_and_goes_out_by_itself(bench: Bench) -> None:
    bench.lamps.show([A], Signal.SLAPPED)
    next_ns = bench.lamps.turn()
    assert (bench.lit(), next_ns) == ("A", 200 * MS)
    bench.now_ns = 200 * MS
    bench.lamps.turn()
    assert bench.lit() == ""


def test_signals_with_a_tone_sound_it_and_stop(bench: Bench, factory: MockFactory) -> None:
    bench.lamps.show([A], Signal.FALSE_START)
    bench.lamps.turn()
    hertz, length_ns = TONES[Signal.FALSE_START]
    assert factory.pin(18).frequency == pytest.approx(hertz, abs=1)
    bench.now_ns = length_ns
    bench.lamps.turn()
    assert factory.pin(18).frequency is None


def test_lamps_that_were_without_power_are_written_anew(bench: Bench, factory: MockFactory) -> None:
    bench.lamps.show([A], Signal.FIRST)
    bench.lamps.turn()
    factory.pin(PINS[A]).state = False
    bench.lamps.turn()
    assert bench.lit() == "", "nobody has said that it lost its power"
    bench.lamps.write_again([A])
    bench.lamps.turn()
    assert bench.lit() == "A"


def test_a_seat_without_a_lamp_is_passed_over(bench: Bench) -> None:
    bench.lamps.show([Seat("F"), A], Signal.FIRST)
    bench.lamps.turn()
    assert bench.lit() == "A"


@pytest.mark.parametrize("signal", Signal)
def test_the_next_change_is_named_exactly(signal: Signal) -> None:
    pattern = PATTERNS[signal]
    lit = [pattern.is_lit(age_ms * MS) for age_ms in range(4_000)]
    changes = [age_ms for age_ms in range(1, 4_000) if lit[age_ms] != lit[age_ms - 1]]
    named, age_ns = [], 0
    while (change_ns := pattern.next_change_ns(age_ns)) is not None and change_ns < 4_000 * MS:
        named.append(change_ns // MS)
        age_ns = change_ns
    assert set(changes) <= set(named)


class SlowLamp:
    """A lamp whose pin takes for ever, until the test lets it."""

    def __init__(self) -> None:
        self.may_go_on, self.is_asked = threading.Event(), threading.Event()
        self.writer = ""

    def on(self) -> None:
        self.writer = threading.current_thread().name
        self.is_asked.set()
        assert self.may_go_on.wait(30)

    def off(self) -> None: ...

    def close(self) -> None: ...


def test_whoever_shows_a_signal_never_waits_for_the_pin() -> None:
    lamp = SlowLamp()
    lamps = Lamps({A: lamp})
    lamps.start()
    lamps.show([A], Signal.FIRST)
    assert lamp.is_asked.wait(30)
    for _ in range(100):
        lamps.show([A], Signal.SLAPPED)
    assert lamp.writer == "lamps"
    lamp.may_go_on.set()
    lamps.close()


def test_a_pin_that_two_lamps_share_is_a_sentence(factory: MockFactory) -> None:
    with pytest.raises(NoPins, match="give every lamp and the buzzer a free pin"):
        open_lamps({A: 17, B: 17}, factory=factory)
    open_lamps({A: 17}, factory=factory).close()


def test_a_boxs_lamps_need_no_pins_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "abacus")
    lit: list[str] = []

    class BoxLamp:
        def on(self) -> None:
            lit.append("on")

        def off(self) -> None:
            lit.append("off")

        def close(self) -> None:
            lit.append("closed")

    lamps = open_lamps({}, others={Seat("A"): BoxLamp()})
    lamps.show([Seat("A")], Signal.FIRST)
    lamps.turn()
    lamps.close()
    assert lit[0] == "on"
