"""Races: two cards that come within a moment under each other's hands, each dated by its own coming."""

from __future__ import annotations

from engine.events import CardLaid
from tests.vision.drawn import FRAME_NS, Arm, At, Film

FIRST, SECOND = At(-30.0, -8.0, 5.0), At(14.0, 6.0, -8.0)


def _raced() -> tuple[Film, int]:
    """A hand lays 7D and rests; as it leaves, another lays 7S with an index where the first had rested."""
    film = Film()
    film.lay("6C", At(0, 0, 10), "A")
    film.hold(5)
    base, rest = film.scene, At(24.0, 22.0)
    for i in range(8, 0, -1):
        film.show(base.with_card("7D", FIRST.moved(0, 35 * i)).with_arms(Arm((rest.x, rest.y + 35 * i), 90)))
    laid = base.with_card("7D", FIRST)
    for _ in range(8):
        film.show(laid.with_arms(Arm((rest.x, rest.y), 90)))
    for i in range(8, 0, -1):
        leaving = Arm((rest.x, rest.y + 40 * (9 - i)), 90)
        bringing = Arm((SECOND.x + 25 + 30 * i, SECOND.y - 30), 0)
        film.show(laid.with_card("7S", SECOND.moved(30 * i, 0)).with_arms(leaving, bringing))
    touch_ns = film.t_ns
    both = laid.with_card("7S", SECOND)
    film.show(both.with_arms(Arm((SECOND.x + 25, SECOND.y - 30), 0)))
    film.leave(both, At(SECOND.x, SECOND.y - 30), 0)
    film.hold(8)
    return film, touch_ns


def test_a_card_that_comes_where_another_hand_had_rested_is_dated_by_its_own_coming() -> None:
    film, touch_ns = _raced()
    assert film.words() == ["+6C", "+7D", "+7S"]
    second: CardLaid = film.laid()[-1]
    assert abs(second.t_ns - touch_ns) <= second.within_ns + FRAME_NS // 2
