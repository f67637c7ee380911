"""What is told of each kind of place, by short rendered sequences: hands lay, turn and take cards under a camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardtable.simulated.placing import toward
from engine.cards import BACK, Card, read_cards
from engine.events import CardLaid
from engine.seats import Seat
from tests.vision.places.stage import Stage, told

pytestmark = pytest.mark.slow  # renders and reads some seconds of video a test

A, B = Seat("A"), Seat("B")


def opened(game: str, seats: int = 2) -> Stage:
    """A table that has been looked at."""
    stage = Stage(game, seats)
    stage.begin()
    return stage


def test_a_card_in_the_trick_is_told_with_its_seat_and_once_more_when_it_goes() -> None:
    stage = opened("debertz")
    first = stage.felt.piece(Card("10H"), stage.spots.trick(B))
    laid = stage.lay("B", first)
    assert told(laid) == ["10H trick"]
    assert isinstance(laid[0], CardLaid)
    assert laid[0].hand == {B}
    assert told(stage.lay("A", stage.felt.piece(Card("KS"), stage.spots.trick(A)))) == ["KS trick"]
    assert told(stage.take("B", first)) == ["10H gone"]


def test_the_widow_is_laid_two_at_a_time_and_told_card_by_card_as_it_is_turned() -> None:
    stage = opened("ton", 3)
    widow = [stage.felt.piece(BACK, stage.spots.widow(slot)) for slot in range(4)]
    assert stage.lay("A", *widow[:2]) == []
    assert stage.lay("A", *widow[2:]) == []
    assert told(stage.turn("B", widow[2], Card("QD"))[1]) == ["QD widow-3"]
    assert told(stage.turn("B", widow[0], Card("AS"))[1]) == ["AS widow-1"]


def test_the_trump_is_told_once_and_stays_where_it_is_under_the_pack() -> None:
    stage = opened("ton", 3)
    trump = stage.felt.piece(Card("7C"), stage.spots.trump())
    assert told(stage.lay("A", trump)) == ["7C trump"]
    assert stage.lay("A", stage.felt.piece(BACK, stage.spots.stock())) == []
    assert "7C" in [str(lying.card) for lying in stage.places.spread.cards]


def test_cards_laid_at_once_before_a_seat_are_shown_together() -> None:
    stage = opened("debertz")
    cards = read_cards("9H 10H JH")
    places = stage.spots.shown(A, 3, beside_packet=False)
    pieces = [stage.felt.piece(card, place) for card, place in zip(cards, places, strict=True)]
    (shown,) = told(stage.lay("A", *pieces))
    assert shown.startswith("A shows ")
    assert sorted(shown.removeprefix("A shows ").split()) == ["10H", "9H", "JH"]


@pytest.mark.parametrize("step_mm", [18.0, 34.0, 67.0], ids=["fanned", "half over", "beside"])
def test_a_row_is_told_back_by_back_and_turned_up_in_its_order(step_mm: float) -> None:
    stage = opened("ochko")
    row = [stage.felt.piece(BACK, stage.spots.row(A, place, step_mm)) for place in range(3)]
    assert [told(stage.lay("B", piece)) for piece in row] == [["## seat-A"]] * 3
    for place, card in enumerate(read_cards("QS 6D 10C")):
        row[place], news = stage.turn("A", row[place], card)
        assert told(news) == [f"{card} seat-A-{place + 1}"]
    assert sorted(told(stage.take("A", *row))) == ["10C gone", "6D gone", "QS gone"]


def test_a_back_that_is_taken_from_a_row_is_gone() -> None:
    stage = opened("ochko")
    row = [stage.felt.piece(BACK, stage.spots.row(A, place, 40.0)) for place in range(2)]
    for piece in row:
        stage.lay("B", piece)
    assert told(stage.take("B", row[1])) == ["## gone"]


def test_a_row_cleared_and_dealt_anew_before_anybody_could_look_is_another_row() -> None:
    stage = opened("ochko")
    row = [stage.felt.piece(BACK, stage.spots.row(A, place, 34.0)) for place in range(2)]
    for piece in row:
        stage.lay("A", piece)
    for place, card in enumerate(read_cards("QC 8D")):
        row[place], _ = stage.turn("A", row[place], card)
    cleared = stage.felt.take(A, row, stage.now_ns)
    news = stage.wait(cleared.leave_ns + 150_000_000)
    news += stage.lay("A", stage.felt.piece(BACK, stage.spots.row(A, 0, 34.0)))
    assert sorted(told(news)) == ["## seat-A", "8D gone", "QC gone"]


def test_a_card_flipped_face_down_and_up_again_is_no_new_card() -> None:
    stage = opened("debertz")
    piece = stage.felt.piece(Card("AD"), stage.spots.trick(A))
    assert told(stage.lay("A", piece)) == ["AD trick"]
    down, news = stage.turn("A", piece, BACK)
    assert news == []
    up, news = stage.turn("A", down, Card("AD"))
    assert news == []
    assert told(stage.take("A", up)) == ["AD gone"]


def test_what_lies_there_at_the_start_is_not_told_and_what_comes_then_is() -> None:
    stage = Stage("debertz", 2)
    stage.felt.put(stage.felt.piece(Card("8C"), stage.spots.trick(B)), 0)
    stage.begin()
    assert told(stage.lay("A", stage.felt.piece(Card("JS"), stage.spots.trick(A)))) == ["JS trick"]


def test_what_lies_there_at_the_start_is_not_told_when_the_light_changes() -> None:
    stage = Stage("debertz", 2)
    stage.felt.put(stage.felt.piece(Card("8C"), stage.spots.trick(B)), 0)
    stage.begin()
    stage.wait(3_500_000_000)
    stage.scene.light_up(np.full((1080, 1920, 3), 0.8))
    assert stage.wait(stage.now_ns + 2_500_000_000) == []


def test_a_card_beside_which_a_hand_rests_for_long_is_asked_about() -> None:
    """Nobody knows any more when it was laid; silence would lose a card."""
    stage = opened("debertz")
    reach = stage.felt.lay(A, [stage.felt.piece(Card("KD"), stage.spots.trick(A))], stage.now_ns)
    x, y = reach.tip
    dx, dy = toward(reach.turn, -38.0)
    later_ns = 4_500_000_000
    beside = (x + dx, y + dy)
    longer = replace(reach, tip=beside, leave_ns=reach.leave_ns + later_ns, end_ns=reach.end_ns + later_ns)
    stage.felt.replace(reach, longer)
    (laid,) = stage.done(longer)
    assert isinstance(laid, CardLaid)
    assert (laid.card, laid.likely, laid.sure < 0.9) == (Card("KD"), (Card("KD"),), True)
