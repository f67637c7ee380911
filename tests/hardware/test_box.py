"""A slap box on a real pty: half lines, unplugging, coming back, and ports that cannot be used."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from engine.seats import seats
from hardware.box import BoxSource, open_box
from hardware.box_ports import Address, address_of, find_boxes
from hardware.choose import open_buttons
from hardware.errors import NoBox
from hardware.records import Edge, Kind
from hardware.sources import EdgeSource
from tests.hardware.boxes import MS, Box, Plug, S, told

LEVELS = [(Kind.LEVEL, seat) for seat in "ABC"]


class Table:
    """A box plugged into a pty, the source that reads it, and a clock that can be put forward."""

    def __init__(self, path: Path) -> None:
        self.plug, self.box = Plug(path), Box()
        self.skipped_ns = 0
        self.edges: list[Edge] = []
        self.plug.push_in()
        self.source = BoxSource(self.plug.address, seats(3), clock=self.now_ns)

    def now_ns(self) -> int:
        return time.monotonic_ns() + self.skipped_ns

    def turn(self, *sent: bytes) -> None:
        """The box says `sent`, a heartbeat, and its answers; the source does its work."""
        self.plug.send(b"".join(sent) + self.box.beats(self.now_ns()))
        self.source.pump(0.05)
        heard = self.plug.heard(within_s=0)
        if heard:
            self.plug.send(self.box.hears(heard, self.now_ns()))
        self.edges += self.source.edges()

    def until(self, is_so: Callable[[], bool]) -> None:
        """Turns until it is so."""
        for _ in range(1_000):
            if is_so():
                return
            self.turn()
        raise AssertionError("it never came to that")

    def begin(self) -> None:
        """In step, the levels of the start fetched and forgotten."""
        self.plug.send(self.box.boots())
        self.until(lambda: len(self.edges) == 3)
        assert told(self.edges) == LEVELS
        self.edges.clear()

    def lose(self) -> None:
        """Unplugs the box; the source notices."""
        self.plug.pull_out()
        self.source.pump(1)
        self.edges += self.source.edges()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "box")
    yield made
    made.source.close()
    made.plug.pull_out()


def test_a_press_on_a_real_port_is_placed_within_what_it_claims(table: Table) -> None:
    table.begin()
    pressed_ns = table.now_ns()
    table.turn(table.box.changes(pressed_ns, 1))
    table.until(lambda: bool(table.edges))
    (down,) = table.edges
    assert (down.kind, down.seat, down.source) == (Kind.DOWN, "B", table.plug.address.name)
    assert abs(down.t_ns - pressed_ns) <= down.within_ns


def test_pyserial_248_half_a_line_waits_for_the_other_half(table: Table) -> None:
    table.begin()
    line = table.box.changes(table.now_ns(), 0)
    table.plug.send(line[:9])
    table.source.pump(1)
    assert table.source.edges() == ()
    table.plug.send(line[9:])
    table.until(lambda: bool(table.edges))
    assert told(table.edges) == [(Kind.DOWN, "A")]


def test_garbage_between_two_edges_costs_nothing(table: Table) -> None:
    table.begin()
    first = table.box.changes(table.now_ns(), 0)
    second = table.box.changes(table.now_ns(), 2)
    table.turn(first, os.urandom(500), b"\n", second)
    table.until(lambda: len(table.edges) == 2)
    assert told(table.edges) == [(Kind.DOWN, "A"), (Kind.DOWN, "C")]


def test_pyserial_401_417_331_unplugging_is_one_gone(table: Table) -> None:
    table.begin()
    table.lose()
    for _ in range(5):
        table.source.pump(0)
    table.edges += table.source.edges()
    assert told(table.edges) == [(Kind.GONE, None)]


def test_a_box_that_is_gone_holds_nobody_up(table: Table) -> None:
    table.begin()
    assert table.source.mark_ns(table.now_ns() + 60 * S) < table.now_ns()
    table.lose()
    assert table.source.mark_ns(7) == 7


def test_a_box_that_was_unplugged_comes_back_with_its_levels(table: Table) -> None:
    table.begin()
    table.turn(table.box.changes(table.now_ns(), 0))
    table.lose()
    table.edges.clear()
    table.skipped_ns += 5 * S
    table.source.pump(0)
    table.plug.push_in()
    table.skipped_ns += 5 * S
    table.source.pump(0)
    table.box = Box(boot_id=0x77)
    table.until(lambda: len(table.edges) == 4)
    assert told(table.edges) == [(Kind.BACK, None), *LEVELS]
    table.turn(table.box.changes(table.now_ns(), 2))
    table.until(lambda: len(table.edges) == 5)
    assert told(table.edges[4:]) == [(Kind.DOWN, "C")]


def test_what_is_plugged_in_instead_and_does_not_speak_is_not_back(table: Table) -> None:
    table.begin()
    table.lose()
    table.edges.clear()
    table.plug.push_in()
    table.skipped_ns += 5 * S
    table.source.pump(0)
    table.plug.send(b"ok T:21.3\n")
    table.source.pump(1)
    assert table.source.edges() == ()
    assert table.plug.heard(within_s=0) == b""


def test_a_box_of_another_version_that_is_plugged_in_instead_is_not_back(table: Table) -> None:
    table.begin()
    table.lose()
    table.edges.clear()
    table.plug.push_in()
    table.skipped_ns += 5 * S
    table.source.pump(0)
    table.box = Box(boot_id=0x77, version=2)
    table.plug.send(table.box.boots() + table.box.changes(table.now_ns(), 0))
    table.source.pump(1)
    assert table.source.edges() == ()
    assert table.source.mark_ns(7) == 7


def test_a_second_of_silence_is_gone_though_the_port_is_there(table: Table) -> None:
    table.begin()
    table.source.pump(0.05)  # what is still on the wire would break the silence
    table.skipped_ns += 2 * S
    table.source.pump(0)
    gone = next(edge for edge in table.source.edges() if edge.kind is Kind.GONE)
    assert gone.within_ns >= 2 * S


def test_pyserial_36_the_same_box_is_found_under_another_name(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = on_ports(monkeypatch, {str(tmp_path / "box"): (0x2E8A, 0x0005, "E661")})
    address = address_of(str(tmp_path / "box"))
    assert address.name == "box:2e8a:0005:E661"
    table.source.close()
    table.source = BoxSource(address, seats(3), clock=table.now_ns)
    table.begin()
    table.lose()
    other = Plug(tmp_path / "other")
    other.push_in()
    ports[:] = [port_info(str(tmp_path / "other"), (0x2E8A, 0x0005, "E661"))]
    table.edges.clear()
    table.plug = other
    table.skipped_ns += 5 * S
    table.source.pump(0)
    table.until(lambda: len(table.edges) == 4)
    assert told(table.edges) == [(Kind.BACK, None), *LEVELS]


def port_info(path: str, identity: tuple[int, int, str] | None) -> ListPortInfo:
    info = ListPortInfo(path)
    if identity is not None:
        info.vid, info.pid, info.serial_number = identity
    return info


def on_ports(monkeypatch: pytest.MonkeyPatch, ports: dict[str, tuple[int, int, str] | None]) -> list[ListPortInfo]:
    """Lets the machine have these serial ports; the list may be changed afterwards."""
    infos = [port_info(path, identity) for path, identity in ports.items()]
    monkeypatch.setattr(list_ports, "comports", lambda: infos)
    return infos


class Playing:
    """A box that answers by itself, in a thread, like a real one."""

    def __init__(self, path: Path) -> None:
        self.plug, self.box = Plug(path), Box()
        self._speaking = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> Playing:
        self.plug.push_in()
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._over.set()
        self._thread.join()
        self.plug.pull_out()

    def press(self, *bits: int) -> int:
        """Changes the buttons `bits` now, and gives the time."""
        with self._speaking:
            pressed_ns = time.monotonic_ns()
            self.plug.send(self.box.changes(pressed_ns, *bits))
        return pressed_ns

    def _play(self) -> None:
        while not self._over.is_set():
            with self._speaking:
                self.plug.send(self.box.beats(time.monotonic_ns()))
            heard = self.plug.heard(within_s=0.02)
            with self._speaking:
                self.plug.send(self.box.hears(heard, time.monotonic_ns()))


def test_a_box_that_runs_by_itself_is_opened_by_its_port_and_closed(tmp_path: Path) -> None:
    with Playing(tmp_path / "box") as playing:
        source = open_box(str(tmp_path / "box"), seats(3))
        assert source.reader.is_ready
        pressed_ns = playing.press(0, 2)
        edges = [source._queue.get(timeout=10) for _ in range(5)]
        source.close()
        assert told(edges) == [*LEVELS, (Kind.DOWN, "A"), (Kind.DOWN, "C")]
        assert all(abs(edge.t_ns - pressed_ns) <= edge.within_ns for edge in edges[3:])


def test_a_box_is_found_by_its_usb_identity_among_other_ports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Playing(tmp_path / "b"):
        on_ports(
            monkeypatch,
            {
                "/dev/ttyS0": None,
                str(tmp_path / "a-gone"): (0x2341, 0x0043, "757"),
                str(tmp_path / "b"): (0x2E8A, 0x0005, "E661"),
                str(tmp_path / "modem"): (0x1199, 0x9071, "LTE"),
            },
        )
        source = open_box(None, seats(3))
        source.close()
        assert source.name == "box:2e8a:0005:E661"


def test_two_boxes_at_one_table_are_two_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Playing(tmp_path / "one") as one, Playing(tmp_path / "two") as two:
        monkeypatch.setattr("hardware.box.find_boxes", lambda: [one.plug.address, two.plug.address])
        left, right = open_buttons("box=A,B+box=C,D", seats(4))
        assert (left.name, right.name) == (one.plug.address.name, two.plug.address.name)
        two.press(1)
        assert wait_for_down(right).seat == "D"
        left.close()
        right.close()


def wait_for_down(source: EdgeSource) -> Edge:
    """The next press; the box and the reader are threads of their own."""
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s:
        found = [edge for edge in source.edges() if edge.kind is Kind.DOWN]
        if found:
            return found[0]
        threading.Event().wait(0.005)
    raise AssertionError("no press came")


def test_boxes_without_a_serial_number_are_told_apart_by_their_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    infos = on_ports(monkeypatch, {"/dev/ttyUSB0": (0x1A86, 0x7523, ""), "/dev/ttyUSB1": (0x1A86, 0x7523, "")})
    infos[0].location, infos[1].location = "1-1.2", "1-1.3"
    assert [address.name for address in find_boxes()] == ["box:1a86:7523:1-1.2", "box:1a86:7523:1-1.3"]


def test_a_port_that_is_not_there_is_named_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    on_ports(monkeypatch, {"/dev/ttyS0": None, "/dev/ttyS1": None})
    with pytest.raises(NoBox, match=r"no serial port /dev/ttyACM9; ports here: /dev/ttyS0, /dev/ttyS1"):
        open_box("/dev/ttyACM9", seats(3))


def test_no_box_to_be_found_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    on_ports(monkeypatch, {})
    with pytest.raises(NoBox, match=r"no slap box was found: plug it in.*there are no serial ports here"):
        open_box(None, seats(3))


def test_a_port_that_another_program_has_is_a_sentence(table: Table) -> None:
    with pytest.raises(NoBox, match="another program is using"):
        BoxSource(table.plug.address, seats(3))


def test_a_file_is_no_serial_port(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("hello")
    for path in (tmp_path / "file", tmp_path):
        with pytest.raises(NoBox, match="cannot be used as a serial port"):
            open_box(str(path), seats(3))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may use every port")
def test_a_port_that_this_user_may_not_use_is_a_sentence(table: Table) -> None:
    Path(table.plug.address.path).chmod(0)
    with pytest.raises(NoBox, match="group dialout"):
        open_box(table.plug.address.path, seats(3))


def test_the_sentence_for_a_lack_of_rights_names_the_group(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("hardware.box_ports.Serial", refuse)
    with pytest.raises(NoBox, match="group dialout"):
        open_box("/dev/ttyACM0", seats(3))


class Hurried:
    """A clock that passes three seconds in a few looks."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        self.now_ns += 100 * MS
        return self.now_ns


def test_a_port_with_something_else_on_it_is_no_box(tmp_path: Path) -> None:
    plug = Plug(tmp_path / "printer")
    plug.push_in()
    source = BoxSource(plug.address, seats(3), clock=Hurried())
    plug.send(b"ok T:21.3\n" * 50)
    with pytest.raises(NoBox, match="does not answer as a slap box"):
        source.wait_until_ready()
    source.close()
    assert plug.heard(within_s=0) == b"", "nothing was sent to it"
    plug.pull_out()


def test_a_box_of_another_version_is_a_sentence(tmp_path: Path) -> None:
    plug = Plug(tmp_path / "box")
    plug.push_in()
    source = BoxSource(plug.address, seats(3), clock=Hurried())
    plug.send(Box(version=2).boots())
    with pytest.raises(NoBox, match="speaks version 2 of the slap box protocol, this program version 1"):
        source.wait_until_ready()
    source.close()
    plug.pull_out()


def test_pyserial_713_707_closing_while_the_thread_reads_is_clean(tmp_path: Path) -> None:
    with Playing(tmp_path / "box"):
        before = threading.active_count()
        for _ in range(5):
            open_box(str(tmp_path / "box"), seats(3)).close()
        assert threading.active_count() == before


def test_an_address_without_identity_is_its_path() -> None:
    assert Address("/dev/ttyS9").name == "box:/dev/ttyS9"
    assert Address("/dev/no-such-port").find() is None
