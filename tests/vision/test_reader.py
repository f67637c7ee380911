"""The released reader on cards drawn by the simulated table, whose deck it was never trained on."""

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.simulated.cards import face, outline
from engine.cards import DECK_36, DECK_52, Card
from vision.reader import Reader, Reading

CLOTH = (62, 104, 40)


@cache
def reader() -> Reader:
    return Reader.load()


def table(*laid: tuple[str, float, float, float], size: int = 480, px_per_mm: float = 1.6) -> NDArray[np.uint8]:
    """A picture of cards (name, centre x and y in px, turn in degrees) on green cloth."""
    rng = np.random.default_rng(5)
    picture = np.clip(np.array(CLOTH) + rng.normal(0, 4, (size, size, 1)), 0, 255).astype(np.uint8)
    for name, x, y, degrees in laid:
        card, shape = face(Card(name)), outline()
        matrix = cv2.getRotationMatrix2D((card.shape[1] / 2, card.shape[0] / 2), degrees, px_per_mm / 10)
        matrix[:, 2] += (x - card.shape[1] / 2, y - card.shape[0] / 2)
        warped, mask = (cv2.warpAffine(p, matrix, (size, size), flags=cv2.INTER_AREA) for p in (card, shape))
        share = mask[:, :, None] / 255
        picture = (picture * (1 - share) + warped * share).astype(np.uint8)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.6), np.uint8)


def names(readings: tuple[Reading, ...]) -> set[str]:
    return {str(reading.card) for reading in readings}


def test_an_empty_table_holds_no_card() -> None:
    assert reader().read(table()) == ()


@pytest.mark.parametrize("name", ["AS", "10H", "6C", "9D", "QS", "KD", "2C", "7H"])
def test_a_single_card_is_read_with_certainty_and_in_its_place(name: str) -> None:
    (reading,) = reader().read(table((name, 240, 240, 20)), scales=[1.0])
    assert str(reading.card) == name
    assert reading.sure > 0.9
    assert len(reading.corners) == 2
    x, y, width, height = reading.box
    assert x < 240 < x + width
    assert y < 240 < y + height


@pytest.mark.parametrize("degrees", [0, 35, 160, 275])
def test_the_outline_lies_on_the_cards_edges(degrees: float) -> None:
    (reading,) = reader().read(table(("8C", 240, 240, degrees)), scales=[1.0])
    frame = cv2.boxPoints(((240, 240), (63 * 1.6, 88 * 1.6), -degrees))
    drawn, true = (
        cv2.fillConvexPoly(np.zeros((480, 480), np.uint8), np.round(np.array(p)).astype(int), 1).astype(np.bool_)
        for p in (reading.outline, frame)
    )
    assert (drawn & true).sum() / (drawn | true).sum() > 0.9


def test_six_and_nine_are_told_apart_whichever_way_they_lie() -> None:
    for degrees in range(0, 360, 45):
        assert names(reader().read(table(("6S", 130, 240, degrees), ("9S", 350, 240, degrees)), scales=[1.0])) == {
            "6S",
            "9S",
        }


def test_the_card_below_is_read_from_the_corner_that_peeps_out() -> None:
    readings = reader().read(table(("5H", 215, 215, 0), ("JC", 262, 270, 4)), scales=[1.0])
    assert names(readings) == {"5H", "JC"}


def test_a_corner_says_which_way_is_up_and_how_tall_it_is() -> None:
    corners = reader().corners(table(("4S", 240, 240, 0)))
    upper = min(corners, key=lambda corner: corner.y)
    assert upper.up[1] < -0.95
    assert 24 < upper.height_px < 40  # letter, gap and pip are some 20 mm at 1.6 px each
    assert upper.probabilities.shape == (52,)
    assert upper.probabilities.sum() <= 1.001


def test_cards_that_are_not_in_the_deck_are_never_read() -> None:
    picture = table(("2H", 240, 240, 0))
    assert names(reader().read(picture, scales=[1.0], deck=frozenset(DECK_52))) == {"2H"}
    assert "2H" not in names(reader().read(picture, scales=[1.0], deck=frozenset(DECK_36)))


def test_the_choices_start_with_the_card_itself() -> None:
    (reading,) = reader().read(table(("8D", 240, 240, 0)), scales=[1.0])
    first, sure = reading.distribution[0]
    assert first is reading.card
    assert sure == pytest.approx(reading.sure)
    assert len(reading.distribution) == 5


def test_a_card_that_fills_the_photograph_is_read_at_the_default_scales() -> None:
    assert names(reader().read(table(("KH", 480, 480, 10), size=960, px_per_mm=8))) == {"KH"}


def test_small_cards_of_a_large_photograph_are_read() -> None:
    """At the usual 1280 px their indices would be some 8 px high."""
    picture = table(("7H", 700, 800, 10), ("KS", 1900, 1700, 200), size=2700, px_per_mm=0.85)
    assert names(reader().read(picture)) == {"7H", "KS"}


def test_an_index_seen_at_several_scales_counts_once() -> None:
    readings = reader().read(table(("5H", 130, 240, 0), ("JC", 350, 240, 90)), scales=[0.5, 0.8, 1.0, 1.6])
    assert sorted(str(reading.card) for reading in readings) == ["5H", "JC"]


def test_a_dozen_small_cards_of_a_whole_table_are_read() -> None:
    laid = [(str(card), 100 + 210 * (i % 4), 140 + 270 * (i // 4), 17 * i) for i, card in enumerate(DECK_52[::4][:12])]
    readings = reader().read(table(*laid, size=1000, px_per_mm=1.5), scales=[1.0])
    assert names(readings) == {name for name, *_ in laid}
