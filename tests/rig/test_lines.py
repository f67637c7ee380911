"""Real lines of a real GPIO chip, read by libgpiod: the kernel's stamps, its order, its queue."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from engine.events import Press, Release
from engine.seats import Seat, seats
from hardware.choose import open_buttons
from hardware.debounce import Debounce
from hardware.errors import NoPins
from hardware.pins import PinSource, find_header, open_pins
from hardware.records import Edge, Kind
from hardware.trials import Pair, as_slap, count_pairs
from hardware.verdict import tied_first
from tests.rig.simdevices import Chip, Pin, instant_edges, play
from tests.rig.waiting import fetched, in_time, until

pytestmark = pytest.mark.rig

PINS = {Seat("A"): 26, Seat("B"): 5, Seat("C"): 6}
US, MS = 1_000, 1_000_000
ROUNDS = 500
"""On a busy machine a tick often falls between two presses."""
SLACK_NS = 50 * US
"""What `within_ns` claims."""


@pytest.fixture
def source() -> Iterator[PinSource]:
    source = open_pins(PINS)
    until(source, lambda found: {edge.seat for edge in found if edge.kind is Kind.LEVEL} == PINS.keys())
    yield source
    source.close()


@pytest.fixture
def switches(source: PinSource) -> dict[str, Pin]:
    return {seat: Pin(pin) for seat, pin in PINS.items()}


def test_gpiozero_1166_the_header_is_found_by_its_label() -> None:
    assert find_header() == "/dev/gpiochip0"


@pytest.fixture
def second_chip() -> Iterator[Chip]:
    chip = Chip("pinctrl-rp1")
    yield chip
    chip.remove()


def test_gpiozero_1166_the_header_is_found_whatever_its_number_is(second_chip: Chip) -> None:
    assert second_chip.path != "/dev/gpiochip0"
    assert find_header() == second_chip.path


def test_the_option_gpio_reads_them_with_libgpiod() -> None:
    (source,) = open_buttons("gpio:A=26,B=5,C=6", tuple(PINS))
    assert isinstance(source, PinSource)
    source.close()


def test_stamps_lie_within_what_they_claim_and_order_is_that_of_the_presses(
    source: PinSource, switches: dict[str, Pin]
) -> None:
    moves = [(0.000, "A"), (0.002, "B"), (0.004, "C")]
    bounds = play([(at_s, switches[seat], False) for at_s, seat in moves])
    edges = fetched(source, 3)
    assert [(edge.kind, edge.seat) for edge in edges] == [(Kind.DOWN, seat) for _, seat in moves]
    for edge, (earliest, latest) in zip(edges, bounds, strict=True):
        assert earliest - SLACK_NS <= edge.t_ns <= latest + SLACK_NS
    play([(0, switch, True) for switch in switches.values()])


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_two_presses_in_one_interrupt_are_a_tie_in_either_order(
    source: PinSource, switches: dict[str, Pin], order: str
) -> None:
    ties = 0
    instant_edges(False)
    for _ in range(ROUNDS):
        time.sleep(0.02)  # the simulated chip works in ticks of 10 ms
        for seat in order:
            switches[seat].press()
        slaps = [as_slap(edge) for edge in fetched(source, 2, Kind.DOWN)]
        first = tied_first(slaps)
        ties += first == ("A", "B")
        # A tick may fall between the two; then they are a tick apart, in the order in which they were made.
        assert first == ("A", "B") or (first == (order[0],) and slaps[1].t_ns - slaps[0].t_ns > 1 * MS)
        for seat in order:
            switches[seat].release()
        fetched(source, 2, Kind.UP)
        if ties == 10:
            return
    pytest.fail(f"only {ties} pairs fell into one interrupt")


def test_eight_presses_within_5_ms_are_all_recorded_in_their_order() -> None:
    pins = dict(zip(seats(8), (26, 5, 19, 6, 13, 21, 20, 16), strict=True))
    switches = [Pin(pin) for pin in pins.values()]
    with closing(open_pins(pins)) as source:
        source.edges()

        def press_all() -> int:
            """How long it took."""
            bounds = [switch.press() for switch in switches]
            assert [edge.seat for edge in fetched(source, 8, Kind.DOWN)] == list(pins)
            for switch in switches:
                switch.release()
            fetched(source, 8, Kind.UP)
            return bounds[-1][1] - bounds[0][0]

        in_time(press_all, lambda took_ns: took_ns <= 5 * MS)


def test_a_bouncing_contact_is_one_press_at_its_first_touch(source: PinSource, switches: dict[str, Pin]) -> None:
    def bounce() -> tuple[list[Edge], tuple[int, int]]:
        first = switches["B"].bounce([0.001, 0.0005, 0.001, 0.0005])
        switches["B"].bounce([0.0005, 0.0005], final_high=True)
        return fetched(source, 8, Kind.DOWN, Kind.UP), first

    edges, (earliest, latest) = in_time(bounce, lambda done: done[0][-1].t_ns - done[0][0].t_ns < 20 * MS)
    debounce = Debounce()
    events = [event for edge in edges for event in debounce.feed(edge)]
    events += debounce.pass_to(time.monotonic_ns() + 1_000 * MS)
    assert [type(event) for event in events if not isinstance(event, Release)] == [Press]
    assert earliest - SLACK_NS <= events[0].t_ns <= latest + SLACK_NS


def test_a_tap_of_3_ms_is_seen(source: PinSource, switches: dict[str, Pin]) -> None:
    play([(0, switches["C"], False), (0.003, switches["C"], True)])
    assert [edge.kind for edge in fetched(source, 2)] == [Kind.DOWN, Kind.UP]


def test_a_stalled_reader_that_loses_edges_is_told_and_ends_with_the_true_level(
    source: PinSource, switches: dict[str, Pin]
) -> None:
    for _ in range(700):
        switches["B"].press()
        switches["B"].release()
    switches["B"].press()
    edges = fetched(source, 1_025)
    assert source.lost == 1_401 - 1_024
    assert Kind.LOST in {edge.kind for edge in edges}
    assert edges[-1].kind is Kind.DOWN
    switches["B"].release()


def test_lg_18_a_release_that_never_came_is_seen_by_the_level(source: PinSource, switches: dict[str, Pin]) -> None:
    switches["A"].press()
    assert [edge.kind for edge in fetched(source, 1)] == [Kind.DOWN]
    switches["A"].release()
    assert len(source._request.read_edge_events()) == 1, "the release is what gets lost"
    (level,) = fetched(source, 1)
    assert (level.kind, level.seat, level.is_down) == (Kind.LEVEL, "A", False)


def test_a_pin_that_is_taken_is_named_with_its_user(source: PinSource) -> None:
    with pytest.raises(NoPins, match="seat C: cardtable is using pin 26"):
        open_pins({Seat("C"): 26})


def test_a_pin_that_is_not_there_is_named() -> None:
    with pytest.raises(NoPins, match="seat A: this machine has no pin 99; they go from 0 to 53"):
        open_pins({Seat("A"): 99})


def test_closing_one_source_does_not_deafen_another(source: PinSource, switches: dict[str, Pin]) -> None:
    open_pins({Seat("D"): 13}).close()
    switches["A"].press()
    assert [edge.kind for edge in fetched(source, 1)] == [Kind.DOWN]
    switches["A"].release()


PRESSER = """
import sys, time
from tests.rig.simdevices import Pin, sleep_until
pins = {n: Pin(n) for n in (26, 5, 6)}
order = [(26, 5), (5, 26), (6, 26), (26, 6), (5, 6), (6, 5)]
gap_ns = int(sys.argv[2]) * 1_000
for i in range(int(sys.argv[1])):
    one, other = (pins[n] for n in order[i % 6])
    # Counted from the first press as it was made, not as it was planned: a busy machine may have held it up.
    sleep_until(one.press()[1] + gap_ns)
    sleep_until(other.press()[1] + 2_000_000)
    one.release()
    other.release()
    time.sleep(0.003)
"""


def hog(over: threading.Event) -> None:
    while not over.is_set():
        sum(range(10_000))


@pytest.fixture
def busy() -> Iterator[None]:
    """Threads that hog the interpreter and a process that hogs the processor."""
    over = threading.Event()
    for _ in range(3):
        threading.Thread(target=hog, args=(over,), daemon=True).start()
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    yield
    over.set()
    process.kill()
    process.wait()


@pytest.mark.slow  # 1,000 pairs take their time
@pytest.mark.usefixtures("busy")
@pytest.mark.parametrize("gap_us", [100, 1_000])
def test_1000_of_1000_pairs_keep_their_order_under_load_and_1_ms_apart_they_are_never_tied(
    source: PinSource, gap_us: int
) -> None:
    pairs, order = 1_000, ["AB", "BA", "CA", "AC", "BC", "CB"]
    with subprocess.Popen([sys.executable, "-c", PRESSER, str(pairs), str(gap_us)]) as presser:
        edges: list[Edge] = []
        while presser.poll() is None:
            time.sleep(0.005)
            edges += source.edges()
    time.sleep(0.05)
    edges += source.edges()
    pressed = [Pair(Seat(order[i % 6][0]), Seat(order[i % 6][1]), gap_us * US) for i in range(pairs)]
    counts = count_pairs(pressed, edges)
    print(f"pairs {gap_us} us apart: {counts}")
    assert source.lost == 0
    assert (counts.recorded, counts.right_order) == (pairs, pairs)
    assert gap_us < 1_000 or counts.tied == 0
