"""The comparison finds what was missed, what was wrong and what was asked without need, and nothing else."""

from __future__ import annotations

import pytest

from cardtable.session import Update
from cardtable.simulated.book import Due
from cardtable.simulated.sight import ENOUGH_FRAMES
from cardtable.simulated.truth import Comparison, compare, hides_card, hides_seat
from cardtable.simulated.witness import Witness
from cardtable.simulated.world import MS, TrueLay
from engine.cards import Card
from engine.events import CardLaid, Press
from engine.referee import Told
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat

A, B = Seat("A"), Seat("B")


def true_lay(card: str, seat: Seat, t_ms: int, code: str = "ok", **more: object) -> TrueLay:
    values = {"slap_ns": t_ms * MS, "planned": "lay", "seen_frames": ENOUGH_FRAMES} | more
    return TrueLay(t_ms, Card(card), seat, t_ms * MS, t_ms * MS, code, **values)  # type: ignore[arg-type]


def told(card: str, seat: Seat, t_ms: int, code: str = "ok", *, lay: int = 1) -> Told:
    seats = frozenset((seat,))
    laid = CardLaid(t_ns=t_ms * MS, card=Card(card), lay=lay, seats=seats, number=lay)
    return Told(lay, laid, (Ruling(code, seat),))


def heard(*tellings: Told, now_ms: int = 1200) -> Witness:
    witness = Witness(lambda: now_ms * MS)
    witness.listen(Update(now_ms * MS, tellings))
    return witness


def kinds(comparison: Comparison) -> list[str]:
    return [difference.kind for difference in comparison.differences]


def test_what_was_ruled_as_it_was_is_no_difference() -> None:
    comparison = compare([true_lay("2C", A, 1000)], [], [], heard(told("2C", A, 1017)))
    assert kinds(comparison) == []
    assert len(comparison.pairs) == 1


@pytest.mark.parametrize(
    "ruled",
    [told("2D", A, 1017), told("2C", B, 1017), told("2C", A, 1017, "wrong-rank")],
    ids=["another card", "another seat", "another verdict"],
)
def test_a_lay_ruled_otherwise_is_wrong_once(ruled: Told) -> None:
    assert kinds(compare([true_lay("2C", A, 1000)], [], [], heard(ruled))) == ["wrong"]


def test_a_lay_never_ruled_is_missed() -> None:
    assert kinds(compare([true_lay("2C", A, 1000)], [], [], heard())) == ["missed"]


def test_a_ruling_on_no_lay_is_wrong() -> None:
    assert kinds(compare([], [], [], heard(told("2C", A, 1017)))) == ["wrong"]


def test_a_ruling_that_was_withdrawn_is_none() -> None:
    withdrawn = Told(1, CardLaid(t_ns=1017 * MS, card=Card("2C"), lay=1, number=1), ())
    assert kinds(compare([], [], [], heard(told("2C", A, 1017), withdrawn))) == []


def test_the_same_card_laid_twice_is_two_lays() -> None:
    lays = [true_lay("5C", A, 1000, "wrong-rank"), true_lay("5C", A, 4000)]
    first, second = told("5C", A, 1010, "wrong-rank"), told("5C", A, 4010, lay=2)
    assert kinds(compare(lays, [], [], heard(first, second))) == []


def test_other_rulings_are_compared_by_code_and_seat() -> None:
    press = Told(5, Press(t_ns=0, seat=A), (Ruling("bare-slap", A), Ruling("slap", A)))
    assert kinds(compare([], [], [A], heard(press))) == []
    assert kinds(compare([], [], [B], heard(press))) == ["missed", "wrong"]
    assert kinds(compare([], [Due("loser", B)], [A], heard(press))) == ["missed"]


def asked(witness: Witness, kind: str) -> Witness:
    witness.hear(Question(1, kind, (A, B)))
    witness.hear(Question(1, kind, (A, B)))
    return witness


def test_a_question_needs_hidden_evidence() -> None:
    plain = [true_lay("2C", A, 1000)]
    hidden = [true_lay("2C", A, 1000, slap_ns=None, is_alone=False, seen_frames=0)]
    for kind in ("who", "what"):
        assert kinds(compare(plain, [], [], asked(heard(told("2C", A, 1017)), kind))) == ["asked"]
        comparison = compare(hidden, [], [], asked(heard(told("2C", A, 1017)), kind))
        assert (kinds(comparison), comparison.questions) == ([], 1)


def test_a_card_is_hidden_when_no_index_was_open_long_enough() -> None:
    assert hides_card(true_lay("2C", A, 0, seen_frames=ENOUGH_FRAMES - 1))
    assert not hides_card(true_lay("2C", A, 0, seen_frames=ENOUGH_FRAMES))


def test_a_slap_left_out_in_a_throng_hides_the_seat_of_its_neighbours_too() -> None:
    unslapped = true_lay("2C", A, 1000, slap_ns=None, is_alone=False)
    near, far = true_lay("3C", B, 2500), true_lay("3C", B, 3500)
    assert hides_seat(near, [unslapped, near, far])
    assert not hides_seat(far, [unslapped, near, far])
    assert not hides_seat(true_lay("2C", A, 0, slap_ns=None), [])
