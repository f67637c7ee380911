"""A hard table: everything that can go wrong does, several times a party, and the truth stays the truth."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.simulated.book import Phase
from cardtable.simulated.demo import open_demo
from cardtable.simulated.hard import Hardships
from cardtable.simulated.placing import PILE_MM
from cardtable.simulated.reach import Piece
from cardtable.simulated.scene import Scene
from cardtable.simulated.world import MS
from engine.cards import DECK_52
from engine.errors import TableError
from engine.seats import Seat
from tests.simulated.test_party import Screenplay

ALL = {
    "bump",
    "lamp",
    "resting-hand",
    "hovering-hand",
    "card-aside",
    "knocked-apart",
    "squared-up",
    "two-hands",
    "face-down",
    "half-outside",
}
SEEDS = (1, 2, 3)


class Unseen(Scene):
    """A scene of which no picture is wanted: the camera moves, nothing is drawn anew."""

    def look_from(self, view: NDArray[np.float64]) -> None:
        self.camera = self.camera.bumped(view)


class HardPlay(Screenplay):
    """A whole party at a hard table, looked at between the steps."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.scene = Unseen(seed)
        self.hardships = Hardships(self.party, self.scene, random.Random(f"hard {seed}"))
        self.views: set[tuple[float, ...]] = set()
        self.lights: set[float] = set()
        self.backs: dict[int, Piece] = {}
        self.asides: dict[int, Piece] = {}
        self.places: dict[int, set[tuple[float, float]]] = {}

    def run(self) -> HardPlay:
        self.hardships.start()
        for now_ns in self.play():
            self._look(now_ns)
        return self

    def _look(self, now_ns: int) -> None:
        self.views.add(tuple(self.scene.camera.view.ravel()))
        light = self.scene.light
        self.lights.add(1.0 if light is None else round(float(light.mean()), 2))
        self.asides.update({thing.piece.key: thing.piece for thing in self.world.aside})
        for piece in self.world.lies(now_ns):
            self.places.setdefault(piece.key, set()).add((piece.place.x_mm, piece.place.y_mm))
            if not piece.is_face_up:
                self.backs[piece.key] = piece


@pytest.fixture(scope="module")
def played() -> list[HardPlay]:
    return [HardPlay(seed).run() for seed in SEEDS]


def test_everything_goes_wrong_sooner_or_later_and_often(played: list[HardPlay]) -> None:
    done = sum((play.hardships.done for play in played), Counter[str]())
    assert set(done) == ALL
    assert min(done.values()) >= len(SEEDS)


def test_the_party_goes_on_to_its_loser_all_the_same(played: list[HardPlay]) -> None:
    assert [play.world.book.phase for play in played] == [Phase.OVER] * len(SEEDS)


def test_no_card_is_lost_or_doubled(played: list[HardPlay]) -> None:
    for play in played:
        shown = [piece.card for piece in play.world.shows(play.world.now_ns)]
        hands = [card for seat in play.world.seats for card in play.world.book.hands[seat]]
        assert len(shown) == len(set(shown))
        assert set(shown) | set(hands) <= set(DECK_52)


def test_the_camera_stays_where_it_was_bumped_to_and_the_pile_stays_in_sight(played: list[HardPlay]) -> None:
    for play in played:
        assert len(play.views) > play.hardships.done["bump"]
        corners = np.array([(x, y) for x in (-PILE_MM / 2, PILE_MM / 2) for y in (-PILE_MM / 2, PILE_MM / 2)])
        for view in play.views:
            seen = play.scene.camera.bumped(np.array(view).reshape(3, 3)).project(corners)
            assert (seen > 0).all()
            assert (seen < (1920, 1080)).all()


def test_lamps_take_light_away_and_give_it_back(played: list[HardPlay]) -> None:
    for play in played:
        assert min(play.lights) < 0.85
        assert max(play.lights) == 1.0


def test_a_card_put_aside_lies_outside_the_zone_and_is_no_lay(played: list[HardPlay]) -> None:
    for play in played:
        assert play.asides
        assert not play.asides.keys() & {lay.key for lay in play.world.lays}
        for piece in play.asides.values():
            assert max(abs(piece.place.x_mm), abs(piece.place.y_mm)) > PILE_MM / 2


def test_a_card_dropped_face_down_is_laid_when_it_is_turned_up(played: list[HardPlay]) -> None:
    for play in played:
        turned = [lay for lay in play.world.lays if lay.planned == "face-down"]
        assert {lay.key for lay in turned} == set(play.backs)
        assert all(lay.slap_ns is not None and abs(lay.slap_ns - lay.touch_ns) < 300 * MS for lay in turned)


def test_a_knock_moves_cards_and_lays_none(played: list[HardPlay]) -> None:
    for play in played:
        moved = [key for key, places in play.places.items() if len(places) > 1]
        assert moved
        assert set(moved) <= {lay.key for lay in play.world.lays}


def test_two_hands_lay_within_a_fifth_of_a_second(played: list[HardPlay]) -> None:
    for play in played:
        touches: dict[Seat, list[int]] = {}
        for lay in play.world.lays:
            if lay.planned == "two-hands":
                touches.setdefault(lay.seat, []).append(lay.touch_ns)
        times = sorted(t_ns for seat in touches.values() for t_ns in seat)
        assert any(later - earlier < 200 * MS for earlier, later in pairwise(times))


def test_only_bong_is_played_at_a_hard_table() -> None:
    with pytest.raises(TableError, match="only bong"):
        open_demo("ton", seed=1, is_hard=True)
