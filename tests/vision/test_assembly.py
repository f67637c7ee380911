"""Corners become cards: ends of one card join, nested readings count once, one deck holds each card once."""

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.cards import DECK_52, Card
from vision.reader import Corner
from vision.reader.assembly import are_opposite, assemble, masked, shared_out

H = 30.0


def corner(x: float, y: float, up: tuple[float, float] = (0, -1), *, height: float = H, **chances: float) -> Corner:
    """A corner with chances such as `c8C=0.7`."""
    row = np.zeros(52, np.float32)
    for name, chance in chances.items():
        row[DECK_52.index(Card(name[1:]))] = chance
    return Corner(x, y, height, up, 0.9, row)


def read(*corners: Corner, least_sure: float = 0.4) -> dict[str, float]:
    return {str(reading.card): round(reading.sure, 3) for reading in assemble(corners, least_sure)}


def far_end(of: Corner, **chances: float) -> Corner:
    """The index at the other end of an upright card."""
    return corner(of.x + 2.3 * H, of.y + 2.7 * H, (0, 1), **chances)


def test_both_ends_of_a_card_are_one_card_and_make_it_surer() -> None:
    upper = corner(100, 100, c7H=0.8)
    assert read(upper, far_end(upper, c7H=0.7)) == {"7H": 0.94}


def test_the_box_covers_both_ends() -> None:
    upper = corner(100, 100, c7H=0.8)
    (reading,) = assemble([upper, far_end(upper, c7H=0.7)], 0.4)
    x, y, width, height = reading.box
    assert [x, y] == pytest.approx([77.5, 77.5])
    assert x + width > 100 + 2.3 * H
    assert y + height > 100 + 2.7 * H


def test_the_outline_has_a_cards_proportions_and_keeps_both_indices_inside() -> None:
    upper = corner(100, 100, c7H=0.8)
    (reading,) = assemble([upper, corner(100 + 2.5 * H, 100 + 3.0 * H, (0, 1), c7H=0.7)], 0.4)
    (left, top), (right, _), (_, foot), _ = reading.outline
    assert (right - left) / (foot - top) == pytest.approx(63 / 88, abs=0.01)
    assert [left, top] == pytest.approx([100 - 0.325 * H, 100 - 0.7 * H], abs=1)


def test_an_index_that_stands_askew_does_not_turn_the_outline() -> None:
    lean = np.radians(7)
    upper = corner(100, 100, (np.sin(lean), -np.cos(lean)), c7H=0.8)
    lower = corner(100 + 2.5 * H, 100 + 3.0 * H, (-np.sin(lean), np.cos(lean)), c7H=0.7)
    (reading,) = assemble([upper, lower], 0.4)
    (left, top), (right, beside), *_ = reading.outline
    assert np.degrees(np.arctan2(beside - top, right - left)) == pytest.approx(0, abs=0.5)


def test_a_card_seen_at_one_end_is_as_large_as_the_others_in_the_picture() -> None:
    whole = corner(100, 100, c7H=0.95)
    far = corner(100 + 2.2 * H, 100 + 2.6 * H, (0, 1), c7H=0.95)
    alone = corner(500, 100, c9S=0.95)
    seen = {str(reading.card): reading.outline for reading in assemble([whole, far, alone], 0.4)}
    widths = [abs(right[0] - left[0]) for left, right, *_ in (seen["7H"], seen["9S"])]
    assert widths[1] == pytest.approx(widths[0], rel=0.01)
    assert widths[1] < 63 / 20 * H


def test_two_readings_of_one_index_count_once() -> None:
    assert set(read(corner(100, 100, c8S=0.9, c6S=0.05), corner(106, 104, c6S=0.5, c8S=0.3))) == {"8S"}


def test_looks_at_one_index_that_contradict_each_other_leave_the_card_open() -> None:
    (reading,) = assemble([corner(100, 100, c4C=0.98), corner(102, 101, height=0.8 * H, c4S=0.98)], 0.4)
    assert {str(card) for card, _ in reading.distribution[:2]} == {"4C", "4S"}
    assert reading.sure == pytest.approx(0.45, abs=0.05)


def test_who_took_the_large_pip_for_an_index_has_no_say_in_what_the_index_reads() -> None:
    assert read(corner(100, 100, c4C=0.9), corner(103, 104, height=1.8 * H, c4S=0.85)) == {"4C": 0.9}


def test_indices_side_by_side_in_a_dense_row_are_two_cards() -> None:
    assert set(read(corner(100, 100, c9D=0.9), corner(100 + 0.4 * H, 100, c10D=0.9))) == {"9D", "10D"}


def test_an_unsure_end_takes_the_word_of_the_other() -> None:
    upper = corner(100, 100, cKS=0.95)
    assert set(read(upper, far_end(upper, cKC=0.5, cKS=0.4))) == {"KS"}


def test_two_cards_of_one_deck_are_never_the_same() -> None:
    assert read(corner(100, 100, c8S=0.95), corner(900, 700, c8S=0.6, c8C=0.35)) == {
        "8S": pytest.approx(0.884, abs=0.01),
        "8C": pytest.approx(0.814, abs=0.01),
    }


def test_neighbours_in_a_pile_that_cannot_be_two_ends_are_two_cards() -> None:
    pile = corner(100, 100, c3S=0.9, c3C=0.08), corner(100 + 2 * H, 100 + 2 * H, c3S=0.6, c3C=0.38)
    assert set(read(*pile)) == {"3S", "3C"}


def test_a_card_claimed_twice_lies_here_or_there() -> None:
    assert read(corner(100, 100, cKH=0.99), corner(900, 700, cKH=0.98))["KH"] > 0.98


def test_cards_share_out_the_deck_as_all_their_arrangements_do() -> None:
    chances = np.zeros((3, 52), np.float32)
    chances[0, [0, 1]], chances[1, [1, 2]], chances[2, [2]] = (0.5, 0.4), (0.6, 0.3), (0.8,)
    assert shared_out(chances) == pytest.approx(_counted_out(chances), abs=0.01)


def _counted_out(chances: NDArray[np.float32]) -> NDArray[np.float64]:
    """The same by going through every arrangement."""
    rows = [np.append(row, 1 - row.sum()) for row in chances.astype(float)]
    total = np.zeros((len(rows), 53))
    for cards in itertools.product(*(np.flatnonzero(row) for row in rows)):
        real = [card for card in cards if card < 52]
        if len(set(real)) == len(real):
            total[range(len(rows)), cards] += np.prod([row[card] for row, card in zip(rows, cards, strict=True)])
    return np.asarray(total[:, :52] / total.sum(axis=1, keepdims=True), np.float64)


def test_a_small_thing_inside_a_card_is_no_card() -> None:
    upper = corner(100, 100, cQD=0.97)
    inside = corner(130, 150, height=9, c2D=0.7)
    assert set(read(upper, far_end(upper, cQD=0.97), inside)) == {"QD"}


def test_a_large_pip_beside_a_sure_index_is_no_card() -> None:
    assert set(read(corner(100, 100, c4H=0.96), corner(180, 190, (0, 1), height=2.1 * H, c8D=0.55))) == {"4H"}
    assert set(read(corner(100, 100, c4H=0.96), corner(180, 190, (0, 1), height=1.3 * H, c8D=0.55))) == {"4H", "8D"}


def test_an_unsure_reading_is_left_out() -> None:
    assert read(corner(100, 100, c3C=0.3)) == {}


def test_a_smaller_deck_rules_cards_out() -> None:
    deck = frozenset(card for card in DECK_52 if card.rank >= 7)
    (left,) = masked([corner(100, 100, c6S=0.6, c9S=0.3)], deck)
    assert left.label == DECK_52.index(Card("9S"))
    assert left.sure == pytest.approx(0.75)


def test_indices_that_point_the_same_way_are_two_cards() -> None:
    assert not are_opposite(corner(100, 100), corner(170, 180))
    assert are_opposite(corner(100, 100), corner(170, 180, (0, 1)))
