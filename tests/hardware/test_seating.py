"""Seats by slapping: at set-up each player slaps and is seated; no pin numbers are typed."""

from __future__ import annotations

from engine.events import Press
from engine.seats import Seat, seats
from hardware.records import Edge, Kind
from hardware.replay import ScriptedSource
from hardware.seating import SeatedSource, Seating


def press(source: str, seat: str, t_ns: int = 0) -> Press:
    return Press(t_ns=t_ns, seat=Seat(seat), source=source)


def test_whoever_slaps_gets_the_next_seat_and_a_second_slap_changes_nothing() -> None:
    seating = Seating(seats(3))
    assert seating.take(press("box", "C")) == "A"
    assert seating.take(press("box", "C")) is None
    assert seating.next_seat == "B"
    assert seating.take(press("gpio", "C")) == "B"
    assert seating.take(press("box", "A")) == "C"
    assert seating.next_seat is None
    assert seating.take(press("box", "B")) is None


def test_the_wrong_one_can_be_sent_away_again() -> None:
    seating = Seating(seats(2))
    assert seating.undo() is None
    seating.take(press("box", "D"))
    assert seating.undo() == "A"
    assert seating.take(press("box", "B")) == "A"
    assert seating.seated == {("box", "B"): "A"}


def test_a_seated_source_speaks_of_the_new_seats_and_not_of_strangers() -> None:
    edges = [
        Edge(seat=None if seat is None else Seat(seat), source="box", kind=kind, t_ns=t_ns, within_ns=1, number=t_ns)
        for t_ns, (seat, kind) in enumerate([("D", Kind.DOWN), ("B", Kind.DOWN), (None, Kind.GONE), ("D", Kind.UP)])
    ]
    script = ScriptedSource("box", edges)
    script.release(10)
    source = SeatedSource(script, {("box", Seat("D")): Seat("A"), ("gpio", Seat("B")): Seat("B")})
    assert [(edge.seat, edge.kind) for edge in source.edges()] == [("A", Kind.DOWN), (None, Kind.GONE), ("A", Kind.UP)]
    assert (source.name, source.mark_ns(99)) == ("box", 99)
    source.close()
