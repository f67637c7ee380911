"""The session turns inputs into rulings, draws lots, lets time pass, and keeps before it tells."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable.numbering import Numbering
from cardtable.session import PATIENCE_NS, Session, Update
from engine.cards import BACK, Card
from engine.errors import BadLog
from engine.events import CardGone, CardLaid, Drawn, Passed, PileGone
from engine.log import Happened, Overrule
from hardware.records import Edge, Kind
from tests.cardtable.helpers import MS, SECOND, GreyWatcher, begin, codes, grey_frame, lay, plan, tap


@pytest.fixture
def session() -> Session:
    return Session(plan(), tracker=GreyWatcher())


def test_slaps_and_pictures_become_rulings(session: Session) -> None:
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    lay(session, "3D", "B", 8 * SECOND)
    lay(session, "5H", "C", 10 * SECOND)
    lay(session, "4H", "B", 12 * SECOND)
    assert codes(session) == [
        ("2C", "ok", "A"),
        ("3D", "ok", "B"),
        ("5H", "wrong-rank", "C"),
        ("4H", "double-play", "B"),
    ]


def test_each_lay_is_settled_once_in_pile_order(session: Session) -> None:
    settled: list[str] = []
    session.subscribe(lambda update: settled.extend(str(getattr(told.event, "card", "")) for told in update.settled))
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    assert settled == [], "a slap may still arrive"
    lay(session, "3D", "B", 8 * SECOND)
    session.on_time(20 * SECOND)
    session.on_time(30 * SECOND)
    assert settled == ["2C", "3D"]


def test_listener_that_has_gone_is_told_nothing(session: Session) -> None:
    updates: list[Update] = []
    stop = session.subscribe(updates.append)
    session.call("dealt", who="host")
    heard = len(updates)
    stop()
    tap(session, "A", SECOND)
    assert heard > 0
    assert len(updates) == heard


def test_log_is_kept_before_listeners_are_told() -> None:
    kept: list[int] = []

    class Keeper:
        def keep(self, session: Session) -> None:
            kept.append(len(session.referee.log))

    session = Session(plan(), keeper=Keeper())
    seen: list[tuple[int, int]] = []
    session.subscribe(lambda _: seen.append((kept[-1], len(session.referee.log))))
    session.call("dealt", who="host")
    tap(session, "A", SECOND)
    session.on_time(6 * SECOND)
    assert seen
    assert all(stored == length for stored, length in seen)


def lots(session: Session) -> list[Drawn]:
    entries = session.referee.log.entries
    return [entry.event for entry in entries if isinstance(entry, Happened) and isinstance(entry.event, Drawn)]


def test_lot_is_drawn_from_the_seed_at_the_moment_that_asked_for_it() -> None:
    seats = set()
    for _ in range(3):
        session = Session(plan(), tracker=GreyWatcher())
        session.call("dealt", who="host")
        tap(session, "A", 1 * SECOND)
        tap(session, "C", 2 * SECOND)
        session.on_time(9 * SECOND)
        (lot,) = lots(session)
        assert lot.t_ns == 4 * SECOND, "the claim window closes three seconds after the first claim"
        seats.add(lot.seat)
    assert len(seats) == 1


def test_passed_waits_for_the_camera_but_no_longer_than_a_quarter_second(session: Session) -> None:
    def passed() -> bool:
        entries = session.referee.log.entries
        return any(isinstance(entry, Happened) and isinstance(entry.event, Passed) for entry in entries)

    session.call("dealt", who="host")
    session.on_frame(grey_frame(None, 0))
    tap(session, "A", 1 * SECOND)
    session.on_time(4 * SECOND + PATIENCE_NS - MS)
    assert not passed(), "the camera has said nothing about what happened since 0 s"
    session.on_time(4 * SECOND + PATIENCE_NS)
    assert passed()


def test_a_lost_camera_holds_nothing_up(session: Session) -> None:
    session.call("dealt", who="host")
    session.on_frame(grey_frame(None, 0))
    tap(session, "A", 1 * SECOND)
    session.set_lost("camera", True)
    session.on_time(4 * SECOND + 10 * MS)
    assert any(isinstance(e, Happened) and isinstance(e.event, Passed) for e in session.referee.log.entries)


def test_buttons_that_go_and_come_back_are_shown(session: Session) -> None:
    lost: list[frozenset[str]] = []
    session.subscribe(lambda update: lost.append(update.lost))
    for number, kind in enumerate((Kind.GONE, Kind.BACK)):
        session.on_edge(Edge(seat=None, source="box:1", kind=kind, t_ns=number, within_ns=0, number=number))
    assert lost == [frozenset({"box:1"}), frozenset()]


def test_corrections_are_told_and_a_senseless_one_is_refused(session: Session) -> None:
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    session.on_time(10 * SECOND)
    number = next(told.number for told in session.referee.history() if isinstance(told.event, CardLaid))
    updates: list[Update] = []
    session.subscribe(updates.append)
    other: Any = session.referee.options(number)[-1]
    session.edit(Overrule(target=number, rulings=(other,), who="host", why="seen otherwise"))
    assert [told.rulings for update in updates for told in update.told if told.number == number] == [(other,)]
    with pytest.raises(BadLog):
        session.edit(Overrule(target=999, rulings=(), who="host", why=""))


def test_undo_takes_the_last_lay_back(session: Session) -> None:
    begin(session)
    lay(session, "2C", "A", 6 * SECOND)
    lay(session, "3D", "B", 8 * SECOND)
    session.on_time(12 * SECOND)
    session.undo(who="host")
    assert codes(session) == [("2C", "ok", "A")]


def test_a_card_said_by_a_person_is_the_same_card_when_the_camera_sees_it(session: Session) -> None:
    begin(session)
    tap(session, "A", 6 * SECOND)
    session.lay(Card("2C"))
    session.on_frame(grey_frame("2C", 6 * SECOND + 200 * MS))
    lay(session, "3D", "B", 8 * SECOND)
    assert [card for card, _, _ in codes(session)] == ["2C", "3D"]


def test_a_card_face_down_that_a_person_enters_is_not_the_next_one_that_the_camera_sees() -> None:
    numbering = Numbering()
    numbering.note(CardLaid(t_ns=1, card=BACK, lay=1, zone="seat-A"))
    seen = CardLaid(t_ns=9, card=BACK, lay=1, zone="seat-B")
    assert numbering.own(seen) == CardLaid(t_ns=9, card=BACK, lay=2, zone="seat-B")


def test_a_new_tracker_knows_the_pile_again_and_numbers_on() -> None:
    numbering = Numbering()
    numbering.restart([CardLaid(t_ns=1, card=Card("2C"), lay=1), CardLaid(t_ns=2, card=Card("3D"), lay=2)])
    assert numbering.own(CardLaid(t_ns=9, card=Card("3D"), lay=1)) is None
    assert numbering.own(CardLaid(t_ns=10, card=Card("4H"), lay=2)) == CardLaid(t_ns=10, card=Card("4H"), lay=4)
    assert numbering.own(CardGone(t_ns=11, card=Card("3D"), lay=1)) == CardGone(t_ns=11, card=Card("3D"), lay=2)
    numbering.own(PileGone(t_ns=12))
    assert numbering.own(CardLaid(t_ns=13, card=Card("2C"), lay=3)) == CardLaid(t_ns=13, card=Card("2C"), lay=5)
