"""Design §5: who was first and how surely; who was too early; what is the matter with a button: each its own state."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cardtable.session import Session, Update
from cardtable.slaps import REMARK_NS, Remark
from engine.seats import Seat
from hardware.records import Edge, Kind
from hardware.signals import Signal
from tests.cardtable.helpers import MS, SECOND, begin, grey_frame, lay, plan, tap

A, B, C = (Seat(letter) for letter in "ABC")


def edge(kind: Kind, seat: Seat | None, t_ns: int, *, source: str = "test", is_down: bool = False) -> Edge:
    return Edge(seat=seat, source=source, kind=kind, t_ns=t_ns, within_ns=1000, number=0, is_down=is_down)


def press(session: Session, seat: Seat, t_ns: int, *, source: str = "test", marks: Mapping[str, int] = {}) -> None:
    """A button goes down, and its contact is confirmed."""
    session.on_edge(edge(Kind.DOWN, seat, t_ns, source=source))
    session.on_time(t_ns + 10 * MS, t_ns + 10 * MS, marks)


def remarks(session: Session) -> Mapping[Seat, Remark]:
    return session.buttons.shown.remarks


@pytest.fixture
def session() -> Session:
    """Anna may lay a two; time stands at 5 s."""
    session = Session(plan())
    begin(session)
    return session


def test_the_first_is_told_when_every_source_has_proved_that_nothing_older_is_under_way(session: Session) -> None:
    at_ns = 6 * SECOND
    press(session, A, at_ns, source="box", marks={"box": at_ns + 10 * MS, "phone:B": at_ns - MS})
    assert session.buttons.shown.race.verdict is None, "the phone may still tell of an earlier slap"
    session.on_time(at_ns + 40 * MS, at_ns + 40 * MS, {"box": at_ns + 40 * MS, "phone:B": at_ns + 30 * MS})
    verdict = session.buttons.shown.race.verdict
    assert verdict is not None
    assert (verdict.first, verdict.is_sure) == ((A,), True)


def test_after_250_ms_the_first_is_told_with_the_name_of_whoever_was_silent(session: Session) -> None:
    at_ns = 6 * SECOND
    press(session, A, at_ns, marks={"test": at_ns + 10 * MS, "box": at_ns - SECOND})
    for after_ms in (100, 249):
        session.on_time(at_ns + after_ms * MS, None, {"test": at_ns + after_ms * MS, "box": at_ns - SECOND})
        assert session.buttons.shown.race.verdict is None
    session.on_time(at_ns + 250 * MS, None, {"test": at_ns + 250 * MS, "box": at_ns - SECOND})
    verdict = session.buttons.shown.race.verdict
    assert verdict is not None
    assert (verdict.first, verdict.silent) == ((A,), ("box",))


def test_edges_lost_in_the_round_make_the_verdict_unsure(session: Session) -> None:
    session.on_edge(edge(Kind.LOST, None, 6 * SECOND - 20 * MS, source="box"))
    press(session, B, 6 * SECOND)
    verdict = session.buttons.shown.race.verdict
    assert verdict is not None
    assert verdict.doubted == ("box",)


def test_edges_lost_long_before_do_not(session: Session) -> None:
    session.on_edge(edge(Kind.LOST, None, 5 * SECOND, source="box"))
    press(session, B, 6 * SECOND)
    verdict = session.buttons.shown.race.verdict
    assert verdict is not None
    assert verdict.is_sure


def test_two_within_the_window_are_tied_in_either_order_of_arrival() -> None:
    found = []
    for order in ((A, B), (B, A)):
        session = Session(plan())
        begin(session)
        for seat in order:
            session.on_edge(edge(Kind.DOWN, seat, 6 * SECOND + 100_000 * (seat == B)))
        session.on_time(6 * SECOND + 20 * MS)
        shown = session.buttons.shown
        assert shown.race.verdict is not None
        found.append((shown.race.verdict.first, [shown.signals[seat] for seat in (A, B)]))
    assert found == [((A, B), [Signal.TIE, Signal.TIE])] * 2


def test_a_late_earlier_slap_changes_the_verdict(session: Session) -> None:
    press(session, A, 6 * SECOND)
    session.on_edge(edge(Kind.DOWN, B, 6 * SECOND - 50 * MS))
    session.on_edge(edge(Kind.UP, B, 6 * SECOND))
    session.on_time(6 * SECOND + 20 * MS)
    verdict = session.buttons.shown.race.verdict
    assert verdict is not None
    assert verdict.first == (B,)


def test_a_press_that_becomes_a_hold_was_no_slap(session: Session) -> None:
    press(session, A, 6 * SECOND)
    assert session.buttons.shown.race.presses
    session.on_time(7 * SECOND)
    assert not session.buttons.shown.race.presses


def test_false_start_before_the_deal_is_done() -> None:
    session = Session(plan())
    press(session, B, SECOND)
    assert remarks(session) == {B: Remark.FALSE_START}
    session.on_time(SECOND + REMARK_NS + 20 * MS)
    assert remarks(session) == {}


def test_doubtful_start_when_the_clocks_cannot_tell() -> None:
    """A phone's stamp, good to 30 ms, says 20 ms before the cue."""
    session = Session(plan())
    session.on_edge(Edge(seat=B, source="phone:B", kind=Kind.DOWN, t_ns=SECOND - 20 * MS, within_ns=30 * MS, number=1))
    session.on_time(SECOND)
    assert remarks(session) == {B: Remark.FALSE_START}
    session.call("dealt", who="host")
    session.on_time(SECOND + MS)
    assert remarks(session) == {B: Remark.DOUBTFUL}
    (doubt,) = session.buttons.shown.doubtful
    assert (doubt.press.seat, doubt.cue_ns, doubt.is_heard) == (B, SECOND, False)
    session.on_time(SECOND + 21 * SECOND)
    assert session.buttons.shown.doubtful == (), "who isn't answered in 20 s stays too early"


def test_a_doubtful_start_that_the_game_has_heard_is_asked_about_too() -> None:
    session = Session(plan())
    session.on_time(SECOND)
    session.call("dealt", who="host")
    session.on_edge(Edge(seat=B, source="phone:B", kind=Kind.DOWN, t_ns=SECOND + 10 * MS, within_ns=30 * MS, number=1))
    session.on_time(SECOND + 30 * MS)
    (doubt,) = session.buttons.shown.doubtful
    assert (doubt.is_heard, remarks(session)) == (True, {B: Remark.DOUBTFUL})
    session.buttons.settle(doubt.press.number)
    assert session.buttons.shown.doubtful == ()


def test_anticipation_is_sooner_than_anybody_can_answer() -> None:
    session = Session(plan())
    session.on_time(SECOND)
    session.call("dealt", who="host")
    press(session, B, SECOND + 60 * MS)
    press(session, C, SECOND + 160 * MS)
    assert remarks(session) == {B: Remark.ANTICIPATION}


def test_stuck_at_the_start_until_let_go() -> None:
    session = Session(plan())
    session.on_edge(edge(Kind.LEVEL, B, 0, is_down=True))
    session.on_time(SECOND)
    assert remarks(session) == {B: Remark.STUCK}
    session.on_edge(edge(Kind.UP, B, 2 * SECOND))
    session.on_time(2 * SECOND + 30 * MS)
    assert remarks(session) == {}


def test_held_when_the_round_opens_until_let_go_and_quiet() -> None:
    session = Session(plan())
    session.on_edge(edge(Kind.LEVEL, B, 0))
    session.on_edge(edge(Kind.DOWN, B, SECOND))
    session.on_time(5 * SECOND)
    session.call("dealt", who="host")
    session.on_time(5 * SECOND + MS)
    assert remarks(session) == {B: Remark.HELD}
    session.on_edge(edge(Kind.UP, B, 6 * SECOND))
    session.on_time(6 * SECOND + 20 * MS)
    assert remarks(session) == {B: Remark.HELD}
    session.on_time(6 * SECOND + 26 * MS)
    assert remarks(session) == {}


def test_a_seat_that_is_out_is_not_accused_of_anything(session: Session) -> None:
    session.call("out", who="host", seat=C)
    press(session, C, 6 * SECOND)
    assert C not in remarks(session)


def test_listeners_hear_of_lamps_and_verdicts_without_any_ruling(session: Session) -> None:
    heard: list[Update] = []
    session.subscribe(heard.append)
    session.on_edge(edge(Kind.DOWN, A, 6 * SECOND))
    session.on_time(6 * SECOND + MS, 6 * SECOND)
    session.on_edge(edge(Kind.UP, A, 6 * SECOND + 60 * MS))
    for after_ms in range(60, 5_000, 20):
        session.on_time(6 * SECOND + after_ms * MS)
    seen = [update.buttons.signals[A] for update in heard]
    assert list(dict.fromkeys(seen)) == [Signal.SLAPPED, Signal.FIRST, Signal.TURN]


def test_a_slap_lights_its_lamp_though_another_source_is_silent(session: Session) -> None:
    """The game waits for the box's mark; the lamp does not."""
    session.on_edge(edge(Kind.DOWN, B, 6 * SECOND))
    session.on_time(6 * SECOND + 5 * MS, 5 * SECOND, {"test": 6 * SECOND, "box": 5 * SECOND})
    assert session.buttons.shown.signals[B] is Signal.SLAPPED
    assert not session.buttons.shown.race.presses


def test_a_spike_lights_no_lamp(session: Session) -> None:
    session.on_edge(edge(Kind.DOWN, B, 6 * SECOND))
    session.on_edge(edge(Kind.UP, B, 6 * SECOND + 300_000))
    session.on_time(6 * SECOND + 5 * MS)
    assert session.buttons.shown.signals[B] is Signal.NOTHING


def test_the_lamp_of_a_false_start_flashes_and_your_turn_blinks() -> None:
    session = Session(plan())
    press(session, B, SECOND)
    assert session.buttons.shown.signals[B] is Signal.FALSE_START
    begin_at = Session(plan())
    begin(begin_at)
    begin_at.on_time(5 * SECOND + MS)
    assert begin_at.buttons.shown.signals == {A: Signal.TURN, B: Signal.NOTHING, C: Signal.NOTHING}


def test_the_last_race_is_known_after_going_on_with_a_broken_off_session(session: Session) -> None:
    lay(session, "2C", "A", 6 * SECOND)
    other = Session(plan())
    other.go_on(session.plan, session.referee, _Forgetful())
    other.on_time(other.now_ns)
    assert [press.seat for press in other.buttons.shown.race.presses] == [A]


class _Forgetful:
    def keep(self, session: Session) -> None:
        pass


def test_a_button_of_a_seat_that_is_not_in_the_game_is_nobodys(session: Session) -> None:
    press(session, Seat("GPIO5"), 6 * SECOND)
    session.on_frame(grey_frame(None, 6 * SECOND + 20 * MS))
    tap(session, "Z", 7 * SECOND)
    assert [told for told in session.referee.history() if getattr(told.event, "seat", A) in ("GPIO5", "Z")] == []
