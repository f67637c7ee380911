"""Rendered scenes know the truth about themselves."""

import numpy as np
import pytest

from tests.vision.cards import plain_card
from vision.training.fetch import art_folder

pytest.importorskip("PIL", reason="needs pillow (extra `train`)")
from vision.training.art import load_art
from vision.training.layouts import covering
from vision.training.render import Renderer
from vision.training.scene import Canvas, Laid, indices_of, lay, placed
from vision.training.shoe import Face
from vision.training.things import SIDES, random_thing


def plain_face() -> Face:
    """A number card with its two indices."""
    card = plain_card()
    levels = (card, np.ascontiguousarray(card[::2, ::2]), np.ascontiguousarray(card[::4, ::4]))
    return Face(levels, 5, ((35.0, 62.0, 34.0, 80.0, 1.0), (265.0, 358.0, 34.0, 80.0, -1.0)))


def test_what_a_card_above_covers_counts_as_unseen() -> None:

    face = plain_face()
    canvas = Canvas(np.zeros((400, 400, 3), np.uint8))
    camera = np.array([[0.5, 0, 200], [0, 0.5, 200], [0, 0, 1.0]])
    below, above = Laid(face, placed((0, 0), 0)), Laid(face, placed((120, 90), 0))
    for number, laid in enumerate((below, above)):
        lay(canvas, laid, camera, np.random.default_rng(1), card=number)
    seen = [
        round(index.seen, 1)
        for laid, n in ((below, 0), (above, 1))
        for index in indices_of(canvas, laid, camera, card=n)
    ]
    assert seen == [1.0, 0.0, 1.0, 1.0]
    upper = indices_of(canvas, above, camera, card=1)[0]
    assert upper.up == pytest.approx((0, -1))
    assert upper.height_px == pytest.approx(40)


def test_a_covering_card_leaves_every_share_of_the_index_below_in_sight() -> None:

    rng, face, shares = np.random.default_rng(4), plain_face(), []
    camera = np.array([[0.5, 0, 300], [0, 0.5, 300], [0, 0, 1.0]])
    for _ in range(200):
        below = Laid(face, placed((0, 0), rng.uniform(0, 2 * np.pi)))
        canvas, spot = Canvas(np.zeros((600, 600, 3), np.uint8)), int(rng.integers(2))
        for number, laid in enumerate((below, covering(below, spot, face, rng))):
            lay(canvas, laid, camera, rng, card=number)
        shares.append(indices_of(canvas, below, camera, card=0)[spot].seen)
    assert np.histogram(shares, (0, 0.2, 0.4, 0.6, 0.8, 1))[0].min() > 15


@pytest.mark.art
@pytest.mark.skipif(not (art_folder() / "decks").is_dir(), reason="needs card art: vision.training.fetch and decks")
def test_the_same_seed_renders_the_same_pictures() -> None:

    art = load_art(art_folder(), held_out=True)
    one, other = Renderer(art, 3), Renderer(art, 3)
    for _ in range(4):
        assert (one.scene(128).picture == other.scene(128).picture).all()
        first, second = one.crop(), other.crop()
        assert (first[0] == second[0]).all()
        assert first[1] == second[1]


@pytest.mark.art
@pytest.mark.skipif(not (art_folder() / "decks").is_dir(), reason="needs card art: vision.training.fetch and decks")
def test_things_beside_the_cards_have_their_size_on_the_table() -> None:

    art, rng = load_art(art_folder(), held_out=True), np.random.default_rng(5)
    longest = max(side for _, side in SIDES.values())
    for _ in range(60):
        thing = random_thing(art, rng, 0.3)
        assert thing[:, :, 3].any()
        assert max(thing.shape[:2]) <= 0.3 * longest * 1.5
