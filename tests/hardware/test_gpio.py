"""Design §5: a pin's own time is kept, whatever order and however late it is delivered."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Press
from engine.seats import Seat
from hardware.debounce import Debounce
from hardware.errors import NoPins
from hardware.gpio import STAMPED_BY_PYTHON, GpioSource, open_gpio
from hardware.records import Kind
from tests.hardware.pins import Bench, BenchFactory, PiGPIOFactory, S, StuckPin

US = 1_000
MS = 1_000_000


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.factory.reset()


@pytest.fixture
def no_factory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)


def judged(source: GpioSource, *, until_ns: int) -> list[tuple[str, int]]:
    debounce = Debounce()
    for edge in source.edges():
        debounce.feed(edge)
    return [(event.seat, event.t_ns) for event in debounce.pass_to(until_ns) if isinstance(event, Press)]


def test_the_level_at_the_start_is_no_edge(bench: Bench) -> None:
    levels = bench.open().edges()
    assert [(edge.kind, edge.seat, edge.is_down) for edge in levels] == [(Kind.LEVEL, seat, False) for seat in "ABC"]


def test_an_edge_keeps_the_pins_own_time(bench: Bench) -> None:
    source = bench.open()
    source.edges()
    bench.pin("B").edge_at(1_000.000123, is_high=False)
    bench.factory.now_ns += 80 * MS
    (down,) = source.edges()
    assert (down.kind, down.seat, down.t_ns, down.within_ns) == (Kind.DOWN, "B", 1_000_000_123_000, 1 * US)


@given(st.permutations("ABC"), st.permutations("ABC"))
def test_order_of_delivery_and_of_pins_never_decides(slapped: list[str], delivered: list[str]) -> None:
    bench = Bench()
    source = bench.open()
    moments = {seat: 1_001 * S + 35 * US * place for place, seat in enumerate(slapped)}
    for seat in delivered:
        bench.pin(seat).edge_at(moments[seat] / 1e9, is_high=False)
    assert judged(source, until_ns=1_002 * S) == [(seat, moments[seat]) for seat in slapped]
    bench.factory.reset()


def test_stuck_at_start_is_a_level_and_never_a_press() -> None:
    bench = Bench(BenchFactory(pin_class=StuckPin))
    source = bench.open()
    assert [edge.is_down for edge in source.edges()] == [True, True, True]
    bench.pin("A").edge_at(1_001.0, is_high=True)
    assert judged(source, until_ns=1_002 * S) == []


def test_gpiozero_956_a_press_while_the_pins_are_being_opened_harms_nobody() -> None:
    class PressedMeanwhile(BenchFactory):
        def pin(self, name: Any, pin_class: Any = None, **kwargs: Any) -> Any:
            if name == 6:
                super().pin(5).edge_at(self.ticks(), is_high=False)
            return super().pin(name, pin_class, **kwargs)

    bench = Bench(PressedMeanwhile())
    source = bench.open()
    assert (Kind.DOWN, "A") in [(edge.kind, edge.seat) for edge in source.edges()]
    bench.pin("C").edge_at(1_001.0, is_high=False)
    assert judged(source, until_ns=1_002 * S) == [("C", 1_001 * S)]


def test_gpiozero_697_a_swallowed_release_is_found_by_a_look_at_the_level(bench: Bench) -> None:
    source = bench.open()
    bench.pin("A").edge_at(1_000.010, is_high=False)
    source.edges()
    bench.pin("A").change_unseen(is_high=True)
    bench.factory.now_ns += 200 * MS
    (level,) = source.edges()
    assert (level.kind, level.seat, level.is_down, level.t_ns) == (Kind.LEVEL, "A", False, 1_000 * S + 200 * MS)


def test_a_button_that_is_really_held_is_left_alone(bench: Bench) -> None:
    source = bench.open()
    bench.pin("A").edge_at(1_000.010, is_high=False)
    source.edges()
    bench.factory.now_ns += 5 * S
    assert source.edges() == ()


def test_gpiozero_549_826_828_no_bounce_time_is_asked_of_any_factory(bench: Bench) -> None:
    source = bench.open()
    assert {each.pin.bounce for each in source._inputs.values()} == {None}


def test_gpiozero_857_two_overlapping_presses_are_two_edges(bench: Bench) -> None:
    source = bench.open()
    source.edges()
    for at_s, seat, is_high in (
        (1_001.0, "A", False),
        (1_001.1, "B", False),
        (1_001.2, "A", True),
        (1_001.3, "B", True),
    ):
        bench.pin(seat).edge_at(at_s, is_high=is_high)
    assert [(edge.kind, edge.seat) for edge in source.edges()] == [
        (Kind.DOWN, "A"),
        (Kind.DOWN, "B"),
        (Kind.UP, "A"),
        (Kind.UP, "B"),
    ]


def test_gpiozero_1087_closed_pins_can_be_opened_again(bench: Bench) -> None:
    bench.open().close()
    bench.open().close()


def test_an_edge_that_an_earlier_source_left_in_flight_is_not_the_new_ones(bench: Bench) -> None:
    bench.open().close()
    source = bench.open()
    source.edges()
    bench.pin("A").edge_at(999.9, is_high=False)
    assert source.edges() == ()


def test_gpiozero_1024_a_slow_reader_does_not_move_the_stamps(bench: Bench) -> None:
    source = bench.open()
    source.edges()
    bench.pin("A").edge_at(1_001.0, is_high=False)
    bench.factory.now_ns += 2_300 * MS
    bench.pin("B").edge_at(1_001.0003, is_high=False)
    assert [edge.t_ns for edge in source.edges()] == [1_001 * S, 1_001 * S + 300 * US]


def test_the_mark_stays_behind_what_may_be_in_flight(bench: Bench) -> None:
    assert bench.open().mark_ns(1_000 * S) == 1_000 * S - 1 * MS


def test_edges_from_another_thread_all_arrive(bench: Bench) -> None:
    source = bench.open()
    source.edges()

    def drum(seat: str) -> None:
        for i in range(200):
            bench.pin(seat).edge_at(1_001 + i / 1_000, is_high=bool(i % 2))

    drummers = [threading.Thread(target=drum, args=(seat,)) for seat in "ABC"]
    for drummer in drummers:
        drummer.start()
    for drummer in drummers:
        drummer.join()
    edges = source.edges()
    assert len(edges) == 600
    assert len({edge.number for edge in edges}) == 600
    assert list(edges) == sorted(edges, key=lambda edge: edge.t_ns)


@pytest.mark.parametrize("until_wrap_us", [10_000_000_000, 5_000, -5_000])
def test_pigpios_counter_is_put_on_the_tables_clock_even_as_it_wraps(until_wrap_us: int) -> None:
    factory = PiGPIOFactory(began_us=(2**32 - 1_000_000_000 - until_wrap_us) % 2**32)
    bench = Bench(factory)
    source = bench.open()
    source.edges()
    pressed_ns = 1_000 * S + 9 * MS
    bench.pin("A").edge_at(factory.at(pressed_ns), is_high=False)
    (down,) = source.edges()
    assert down.t_ns == pressed_ns


def test_an_edge_older_than_the_last_comparison_of_clocks_keeps_its_time() -> None:
    factory = PiGPIOFactory(began_us=77)
    bench = Bench(factory)
    source = bench.open()
    source.edges()
    factory.now_ns += 6 * S
    source.edges()
    bench.pin("A").edge_at(factory.at(1_003 * S), is_high=False)
    (down,) = source.edges()
    assert down.t_ns == 1_003 * S


def test_stamps_made_by_python_are_honest_about_it() -> None:
    class RPiGPIOFactory:
        pins = Bench().factory

        def __getattr__(self, name: str) -> Any:
            return getattr(self.pins, name)

    factory = RPiGPIOFactory()
    source = open_gpio({Seat("A"): 5}, factory=factory, clock=lambda: factory.pins.now_ns)
    assert source.edges()[0].within_ns == STAMPED_BY_PYTHON.within_ns == 80 * MS


def test_lg_19_libgpiod_87_a_factory_under_another_clock_is_refused() -> None:
    bench = Bench()
    with pytest.raises(NoPins, match=r"a clock that is 1700000000\.0 s away"):
        open_gpio(bench.pins, factory=bench.factory, clock=lambda: bench.factory.now_ns + 1_700_000_000 * S)


def test_a_pin_that_is_not_there_is_named(bench: Bench) -> None:
    bench.pins[Seat("C")] = 99
    with pytest.raises(NoPins, match="seat C: this machine has no pin 99"):
        bench.open()
    bench.pins[Seat("C")] = 13
    assert len(bench.open().edges()) == 3, "the pins that had been opened were let go of"


def test_two_seats_on_one_pin_are_refused(bench: Bench) -> None:
    bench.pins[Seat("B")] = 5
    with pytest.raises(NoPins, match="seat B: pin 5 is in use already"):
        bench.open()


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (PermissionError(13, "Permission denied"), "group gpio"),
        (RuntimeError("GPIO busy"), "another program is using pin 5"),
        (RuntimeError("bad handle"), r"cannot be read \(bad handle\)"),
    ],
)
def test_what_a_factory_raises_becomes_a_sentence(bench: Bench, raised: Exception, said: str) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise raised

    bench.factory.pin = refuse
    with pytest.raises(NoPins, match=said):
        bench.open()


def test_pins_that_fail_in_mid_game_are_gone_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    source = bench.open()
    bench.pin("A").edge_at(1_000.010, is_high=False)
    source.edges()

    def fail(_: Any) -> None:
        raise RuntimeError("bad handle")

    monkeypatch.setattr(type(bench.pin("A")), "_get_state", fail)
    kinds = []
    for _ in range(3):
        bench.factory.now_ns += 200 * MS
        kinds += [edge.kind for edge in source.edges()]
    assert kinds == [Kind.GONE]


@pytest.mark.skipif(importlib.util.find_spec("lgpio") is not None, reason="lgpio is installed and may work here")
@pytest.mark.usefixtures("no_factory")
def test_falling_back_from_lgpio_is_an_error_with_what_to_do() -> None:
    with pytest.raises(NoPins, match=r"Falling back from lgpio.*cardtable\[pi\].*keyboard"):
        open_gpio({Seat("A"): 5})


@pytest.fixture
def no_rights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine with a chip of pins, and a user who may touch nothing."""
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr("hardware.gpio.DEVICES", tmp_path)
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "abacus")


@pytest.mark.usefixtures("no_factory", "no_rights")
def test_a_user_without_the_right_to_read_pins_is_told_which_group_gives_it() -> None:
    with pytest.raises(NoPins, match=r"usermod -aG gpio"):
        open_gpio({Seat("A"): 5})


@pytest.mark.skipif(importlib.util.find_spec("lgpio") is None, reason="needs lgpio (pip install 'cardtable[pi]')")
@pytest.mark.parametrize("setting", ["", "LG_WD"])
def test_gpiozero_1106_lgpio_is_imported_where_nothing_may_be_written_and_leaves_no_trace(
    tmp_path: Path, setting: str
) -> None:
    code = (
        "import os, contextlib, hardware.gpio as gpio\n"
        "os.chdir('/proc')\n"
        "with contextlib.suppress(gpio.NoPins): gpio.default_factory()\n"
        "import lgpio\n"
        "assert lgpio._notify_thread.is_alive() and os.getcwd() == '/proc'\n"
    )
    kept = {name: value for name, value in os.environ.items() if name != "LG_WD"} | {"TMPDIR": str(tmp_path)}
    chosen = {setting: str(tmp_path / "chosen")} if setting else {}
    (tmp_path / "chosen").mkdir()
    subprocess.run([sys.executable, "-c", code], env=kept | chosen, check=True)
    assert [path.name for path in tmp_path.iterdir()] == ["chosen"]


@pytest.mark.usefixtures("no_factory")
def test_the_factory_chosen_by_gpiozeros_own_setting_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    source = open_gpio({Seat("A"): 5})
    assert [edge.kind for edge in source.edges()] == [Kind.LEVEL]
    source.close()


@pytest.mark.usefixtures("no_factory")
def test_an_unknown_factory_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "abacus")
    with pytest.raises(NoPins, match="abacus"):
        open_gpio({Seat("A"): 5})


@pytest.mark.skipif(
    importlib.util.find_spec("lgpio") is None or not list(Path("/dev").glob("gpiochip*")),
    reason="no real pins here: needs lgpio and a /dev/gpiochip",
)
@pytest.mark.usefixtures("no_factory")
def test_real_pins_tell_their_level_under_the_tables_clock() -> None:
    source = open_gpio({Seat("A"): 5})
    (level,) = source.edges()
    source.close()
    assert (level.kind, level.within_ns) == (Kind.LEVEL, 50 * US)
