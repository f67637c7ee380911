"""Cut decks know where their indices are."""

import pytest

from tests.vision.cards import plain_card
from vision.training.decks import find_index


def test_the_index_is_found_in_the_corner_of_cut_cards() -> None:
    letter, pip, four = find_index([plain_card()] * 52)
    assert letter == pytest.approx([16, 20, 48, 64], abs=8)
    assert pip == pytest.approx([22, 75, 49, 102], abs=4)
    assert not four
