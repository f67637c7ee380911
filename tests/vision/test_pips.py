"""Pips that the renderer draws: of every shape, and each still of its suit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("PIL", reason="needs pillow (extra `train`)")
from vision.training.field import places
from vision.training.glyphs import are_pips
from vision.training.pips import TALL_PX, draw_pip


@given(st.integers(0, 2**32))
def test_a_club_has_a_broader_head_than_a_spade(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pips = tuple(draw_pip(suit, rng) for suit in range(4))

    assert are_pips(pips)
    assert not are_pips(pips[::-1]), "as in a font that has the two in each other's place"


@given(st.integers(0, 2**32), st.integers(0, 3))
def test_a_pip_is_cut_to_its_ink(seed: int, suit: int) -> None:
    pip = draw_pip(suit, np.random.default_rng(seed))

    assert 0.6 * TALL_PX < pip.shape[0] < 1.3 * TALL_PX
    assert all(edge.any() for edge in (pip[0], pip[-1], pip[:, 0], pip[:, -1]))


@given(st.integers(2, 10))
def test_a_number_card_has_as_many_pips_as_its_rank(rank: int) -> None:
    spots = places(rank)

    assert len(set(spots)) == rank
    assert all((-x, y) in spots for x, y in spots), "left and right are alike"
