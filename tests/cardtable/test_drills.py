"""Seats by slapping, and the test whether all buttons are alike: no pin's number is typed, nothing is corrected."""

from __future__ import annotations

import io
from itertools import pairwise

from cardtable.drills import CUE_NS, FairnessDrill, FairnessView, SeatingDrill
from cardtable.seating import begin_seating
from cardtable.session import Session
from engine.events import Press
from engine.seats import Seat, seats
from hardware.fairness import LATEST_NS
from hardware.records import Edge, Kind
from hardware.signals import Signal
from tests.cardtable.helpers import MS, SECOND, plan

A, B, C = (Seat(letter) for letter in "ABC")


def tap(session: Session, source: str, button: str, t_ns: int) -> None:
    for kind, at_ns in ((Kind.DOWN, t_ns), (Kind.UP, t_ns + 60 * MS)):
        session.on_edge(Edge(seat=Seat(button), source=source, kind=kind, t_ns=at_ns, within_ns=1000, number=0))
        session.on_time(at_ns + 30 * MS)


def presses(session: Session) -> list[tuple[str, str]]:
    events = (told.event for told in session.referee.history())
    return [(event.source, event.seat) for event in events if isinstance(event, Press)]


def test_whoever_slaps_is_seated_and_plays_on_from_there() -> None:
    """Pins 13 and 5 and a box's second button, in the order in which Anna, Boris and Vera slap."""
    session, said = Session(plan()), io.StringIO()
    begin_seating(session, "en", file=said)
    session.on_time(0)
    for number, (source, button) in enumerate(
        (("gpio", "GPIO13"), ("box:1", "B"), ("gpio", "GPIO13"), ("gpio", "GPIO5"))
    ):
        tap(session, source, button, (number + 1) * SECOND)
    assert said.getvalue().splitlines() == [
        "Anna: slap your button.",
        "Boris: slap your button.",
        "Vera: slap your button.",
        "Everybody sits.",
    ]
    assert presses(session) == [], "a slap for a seat is none of the game's"
    session.call("dealt", who="host")
    for number, (source, button) in enumerate(
        (("gpio", "GPIO5"), ("box:1", "B"), ("gpio", "GPIO13"), ("gpio", "GPIO6"))
    ):
        tap(session, source, button, (number + 6) * SECOND)
    assert presses(session) == [("gpio", "C"), ("box:1", "B"), ("gpio", "A")]


def test_the_seat_given_last_can_be_taken_back() -> None:
    session = Session(plan())
    drill = SeatingDrill(seats(3))
    session.buttons.begin_drill(drill)
    tap(session, "gpio", "GPIO13", SECOND)
    drill.seating.undo()
    tap(session, "gpio", "GPIO6", 2 * SECOND)
    session.buttons.end_drill()
    assert session.buttons.seated == {("gpio", "GPIO6"): A}


def test_a_slap_that_comes_late_takes_its_seat_too() -> None:
    session = Session(plan())
    session.buttons.begin_drill(SeatingDrill(seats(3)))
    session.on_time(2 * SECOND)
    for kind, at_ns in ((Kind.DOWN, SECOND), (Kind.UP, SECOND + 60 * MS)):
        session.on_edge(Edge(seat=C, source="phone", kind=kind, t_ns=at_ns, within_ns=1000, number=0))
    session.buttons.end_drill()
    assert session.buttons.seated == {("phone", C): A}


def test_the_lamps_of_those_who_sit_are_lit() -> None:
    session = Session(plan())
    lights = Lights()
    session.buttons.lights = lights
    session.buttons.begin_drill(SeatingDrill(seats(3)))
    tap(session, "box:1", "C", SECOND)
    assert lights.shown[("box:1", "C")] is Signal.FIRST


def test_the_lamps_of_a_box_that_comes_back_are_written_anew() -> None:
    session = Session(plan())
    session.buttons.lights = lights = Lights()
    tap(session, "box:1", "C", SECOND)
    tap(session, "gpio", "A", 2 * SECOND)
    for number, kind in enumerate((Kind.GONE, Kind.BACK)):
        session.on_edge(Edge(seat=None, source="box:1", kind=kind, t_ns=3 * SECOND, within_ns=0, number=number))
    assert lights.anew == [("box:1", "C")]


class Lights:
    """Remembers what every lamp shows."""

    def __init__(self) -> None:
        self.shown: dict[object, Signal] = {}

    def show(self, places: object, signal: Signal) -> None:
        self.shown |= dict.fromkeys(places, signal)  # type: ignore[call-overload]

    def write_again(self, places: object) -> None:
        self.anew = list(places)  # type: ignore[call-overload]


def test_a_press_that_began_before_a_drill_does_not_become_a_hold_in_it() -> None:
    session = Session(plan())
    session.call("dealt", who="host")
    session.on_edge(Edge(seat=A, source="box", kind=Kind.DOWN, t_ns=SECOND, within_ns=1000, number=0))
    session.on_time(SECOND + 100 * MS)
    session.buttons.begin_drill(SeatingDrill(seats(3)))
    session.on_edge(Edge(seat=A, source="box", kind=Kind.UP, t_ns=SECOND + 200 * MS, within_ns=1000, number=0))
    session.on_time(3 * SECOND)
    assert [type(told.event).__name__ for told in session.referee.history()][-1] == "Release"


def run_fairness(drill: FairnessDrill, delays_ms: dict[Seat, int], until_ns: int) -> None:
    """Everybody slaps so long after each cue."""
    answered = 0
    for now_ns in range(0, until_ns, 5 * MS):
        drill.pass_to(now_ns)
        if drill.view().cues > answered:
            answered = drill.view().cues
            for seat, ms in delays_ms.items():
                drill.take(Press(t_ns=now_ns + ms * MS + answered * MS, seat=seat))


def test_everybody_slaps_on_ten_cues_and_the_spread_is_told() -> None:
    drill = FairnessDrill(seats(3), now_ns=0, seed=3)
    run_fairness(drill, {A: 300, B: 250}, until_ns=60 * SECOND)
    view = drill.view()
    assert (view.cues, view.is_over) == (10, True)
    told = [(each.seat, each.answered, each.behind_ns // MS, each.spread_ns // MS) for each in view.times]
    assert told == [(B, 10, 0, 9), (A, 10, 50, 9)]


def test_cues_light_every_lamp_at_moments_that_nobody_can_foresee() -> None:
    drill = FairnessDrill(seats(3), now_ns=0, seed=3)
    cues: list[int] = []
    for now_ns in range(0, 60 * SECOND, 5 * MS):
        drill.pass_to(now_ns)
        is_lit = drill.signals()[B] is Signal.FIRST
        if is_lit and (not cues or now_ns - cues[-1] > CUE_NS):
            cues.append(now_ns)
    gaps = {later - earlier for earlier, later in pairwise(cues)}
    assert len(cues) == 10
    assert len(gaps) > 5
    assert min(gaps) > LATEST_NS, "there is time to answer each"


def test_slaps_of_the_test_are_none_of_the_games() -> None:
    session = Session(plan())
    session.call("dealt", who="host")
    session.buttons.begin_drill(FairnessDrill(seats(3), now_ns=0, seed=1))
    tap(session, "box", "A", 2 * SECOND)
    assert presses(session) == []
    session.buttons.end_drill()
    tap(session, "box", "A", 4 * SECOND)
    assert presses(session) == [("box", "A")]
    assert not isinstance(session.buttons.shown.drill, FairnessView)
