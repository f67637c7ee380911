"""The simulated table's own deck: 52 different faces, each with its index in two opposite corners."""

from __future__ import annotations

import numpy as np
import pytest

from cardtable.simulated.cards import PX_PER_MM, STYLES, Style, back, corner_boxes, face
from engine.cards import DECK_52, Card


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_every_face_differs_from_every_other(style: Style) -> None:
    faces = {face(card, style).tobytes() for card in DECK_52}
    assert len(faces) == len(DECK_52)


@pytest.mark.parametrize("card", [Card("2C"), Card("10D"), Card("QH"), Card("AS")], ids=str)
def test_the_index_reads_the_same_from_both_ends(card: Card) -> None:
    picture = face(card)
    first, second = (_cut(picture, box) for box in corner_boxes())
    assert np.abs(first.astype(int) - second[::-1, ::-1].astype(int)).mean() < 1


def test_indices_alone_tell_all_cards_apart() -> None:
    assert len({_cut(face(card), corner_boxes()[0]).tobytes() for card in DECK_52}) == len(DECK_52)


def test_the_margin_around_an_index_is_blank() -> None:
    x, y, _, height = (round(v * PX_PER_MM) for v in corner_boxes()[0])
    picture = face(Card("8S"))
    assert picture[: y - 2, :200].min() > 240
    assert picture[y : y + height, : x - 2].min() > 240


def test_the_back_shows_no_face() -> None:
    assert back().std() > 20
    assert all(back().tobytes() != face(card).tobytes() for card in DECK_52)


def _cut(picture: np.ndarray, box: tuple[float, float, float, float]) -> np.ndarray:
    x, y, width, height = (round(v * PX_PER_MM) for v in box)
    return picture[y : y + height, x : x + width]
