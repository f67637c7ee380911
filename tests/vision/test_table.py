"""What a table's camera sees over time, and what was laid, taken back, pushed and gathered there."""

import math
from dataclasses import replace

import pytest

from engine.cards import Card
from engine.events import CardGone, CardLaid
from engine.seats import Seat
from tests.vision.drawn import FRAME_NS, LAYOUT, Arm, At, Film, Scene

PLACES = (At(0, 0, 10), At(8, -6, -25), At(-10, 5, 70), At(3, 9, 190), At(-5, -8, 100), At(6, 4, 45))


def play(*names: str) -> Film:
    """A film in which these cards were laid in turn by A, B, C, D."""
    film = Film()
    for i, name in enumerate(names):
        film.lay(name, PLACES[i % len(PLACES)], "ABCD"[i % 4])
        film.hold(5)
    return film


def test_a_pile_grows_card_by_card() -> None:
    film = play("2C", "3D", "4S", "5H", "6C", "7D")
    assert film.words() == ["+2C", "+3D", "+4S", "+5H", "+6C", "+7D"]
    lays = [event.lay for event in film.laid()]
    assert lays == sorted(set(lays))


def test_the_touch_is_when_the_card_first_lay_there_and_its_uncertainty_is_honest() -> None:
    film = Film()
    touches = []
    for name, at in zip(("2C", "3D", "4S"), PLACES, strict=False):
        touches.append(film.lay(name, at))
        film.hold(5)
    for event, touch_ns in zip(film.laid(), touches, strict=True):
        assert abs(event.t_ns - touch_ns) <= event.within_ns
        assert event.within_ns <= 2 * FRAME_NS


def test_a_card_is_told_before_the_hand_has_left() -> None:
    film = Film()
    touch_ns = film.lay("2C", PLACES[0], frames=12)
    assert film.said_ns[0] - touch_ns <= 5 * FRAME_NS


def test_the_hands_side_is_told() -> None:
    film = play("2C", "3D", "4S", "5H")
    assert [event.hand for event in film.laid()] == [frozenset({Seat(seat)}) for seat in "ABCD"]


def test_a_hand_between_two_seats_is_not_told() -> None:
    film = Film()
    laid = film.scene.with_card("2C", PLACES[0])
    for i in range(8):
        film.show(Scene().with_arms(Arm((200 - 25 * i, 200 - 25 * i), 45)))
    film.leave(laid, PLACES[0], 45)
    film.hold(5)
    (event,) = film.laid()
    assert event.hand == frozenset()


def test_a_foul_card_taken_back_is_gone_and_can_be_laid_again() -> None:
    film = play("2C", "9D")
    film.take_back("9D", "B")
    film.hold(4)
    film.lay("3S", PLACES[2], "C")
    film.hold(4)
    film.lay("9D", PLACES[3], "B")
    film.hold(4)
    assert film.words() == ["+2C", "+9D", "-9D", "+3S", "+9D"]
    nines = {event.lay for event in film.laid() if event.card is Card("9D")}
    gone = [event.lay for event in film.events if isinstance(event, CardGone)]
    assert len(nines) == 2
    assert gone[0] in nines


def test_a_foul_card_that_the_next_one_buries_stays() -> None:
    film = Film()
    film.lay("2C", PLACES[0])
    film.lay("9D", PLACES[1], "B")
    film.lay("3S", PLACES[1].moved(4, 3, 5), "C")
    film.hold(10)
    assert film.words() == ["+2C", "+9D", "+3S"]


def test_a_pile_taken_up_is_gone_and_the_next_one_begins() -> None:
    film = play("2C", "3D", "4S")
    full = film.scene
    for i in range(8, 0, -1):
        film.show(full.with_arms(Arm((0, 20 + 30 * i), 90)))
    for i in range(8):
        moved = tuple((card, at.moved(0, 45 * i)) for card, at in full.cards)
        film.show(Scene(moved, (Arm((0, 20 + 45 * i), 90),)))
    film.show(Scene())
    film.hold(10)
    film.lay("2C", PLACES[3])
    film.hold(4)
    assert film.words() == ["+2C", "+3D", "+4S", "gone", "+2C"]


def test_pushing_and_squaring_up_lay_nothing() -> None:
    film = play("2C", "3D", "4S")
    full = film.scene
    for i in range(10):
        moved = tuple((card, at.moved(3 * i, -2 * i, 4 * i)) for card, at in full.cards)
        film.show(Scene(moved, (Arm((20 + 3 * i, 20 - 2 * i), 60),)))
    film.leave(Scene(moved), At(30, 0), 60)
    film.hold(10)
    squared = tuple((card, At(20, -15, 5)) for card, _ in full.cards)
    for _ in range(6):
        film.show(Scene(squared, (Arm((20, 20), 60),)))
    film.leave(Scene(squared), At(20, 0), 60)
    film.hold(10)
    assert film.words() == ["+2C", "+3D", "+4S"]


def test_hands_sleeves_and_shadows_are_no_cards() -> None:
    film = play("2C", "3D")
    full = film.scene
    for i in range(20):
        film.show(full.with_arms(Arm((150 - 15 * min(i, 10), -20), 0), Arm((-10, 150 - 12 * min(i, 10)), 90)))
    film.hold(20)
    for i in range(30):
        film.show(replace(full, light=1.0 - 0.012 * i))
    film.hold(10)
    film.show(full)
    film.hold(10)
    assert film.words() == ["+2C", "+3D"]


def test_a_card_laid_beside_a_resting_hand_is_told_while_the_hand_rests() -> None:
    film = play("2C")
    resting = Arm((-15, 25), 180)
    for _ in range(10):
        film.show(film.scene.with_arms(resting))
    for i in range(6):
        film.show(
            film.scene.with_card("3D", At(25, -200 + 35 * i, 15)).with_arms(resting)
            if i == 0
            else _moved(film.scene, i)
        )
    touch_ns = film.t_ns
    film.hold(8)
    assert film.words() == ["+2C", "+3D"]
    assert film.said_ns[1] - touch_ns <= 6 * FRAME_NS


def _moved(scene: Scene, i: int) -> Scene:
    *rest, (card, _) = scene.cards
    return replace(scene, cards=(*rest, (card, At(25, -200 + 35 * i, 15))))


def test_two_cards_150_ms_apart_are_two_lays_in_their_order() -> None:
    film = play("6C")
    first, second = At(-12, 0, 15), At(14, 3, -20)
    base = film.scene
    for i in range(24):
        film.show(_race(base, i, (("7D", first, 180.0, 8), ("7S", second, 0.0, 13))))
    film.hold(8)
    assert film.words() == ["+6C", "+7D", "+7S"]
    lays = film.laid()
    assert lays[1].t_ns < lays[2].t_ns
    assert [lay.hand for lay in lays[1:]] == [frozenset({Seat("B")}), frozenset({Seat("D")})]
    assert all(lay.rival is None for lay in lays)


def _race(base: Scene, frame: int, cards: tuple[tuple[str, At, float, int], ...]) -> Scene:
    """Several hands bring a card each: (card, place, direction, frame of its touch)."""
    scene, arms = base, []
    for name, at, angle, touch in cards:
        away = 30.0 * abs(frame - touch)
        x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        card_at = at.moved(away * x, away * y) if frame < touch else at
        scene = scene.with_card(name, card_at) if away < 300 or frame >= touch else scene
        arms.append(Arm((at.x + (25 + away) * x, at.y + (25 + away) * y), angle))
    return scene.with_arms(*arms)


def test_two_cards_laid_at_once_by_one_hand_are_two_lays_bottom_first() -> None:
    film = play("6C")
    lower, upper = At(-6, 0, 100), At(8, 10, 100)
    base = film.scene
    for i in range(8, 0, -1):
        there = base.with_card("7D", lower.moved(0, 35 * i)).with_card("8S", upper.moved(0, 35 * i))
        film.show(there.with_arms(Arm((upper.x, upper.y + 30 + 35 * i), 90)))
    laid = base.with_card("7D", lower).with_card("8S", upper)
    film.leave(laid, upper, 90)
    film.hold(8)
    assert sorted(film.words()) == ["+6C", "+7D", "+8S"]
    by_order = sorted(film.laid(), key=lambda event: event.lay)
    assert [str(event.card) for event in by_order] == ["6C", "7D", "8S"]


def test_a_card_that_was_hidden_by_a_hand_gets_its_place_in_the_pile_afterwards() -> None:
    """The upper card is read first; the lower one comes out from under the hand and is told with a lower number."""
    film = play("6C")
    lower, upper = At(-20, -5, 0), At(25, 5, 90)
    base = film.scene
    for i in range(8, 0, -1):
        film.show(base.with_card("7D", lower.moved(-35 * i, 0)).with_arms(Arm((lower.x - 35 * i, lower.y), 180)))
    resting = Arm((24, -6), 180)
    for i in range(8, 0, -1):
        film.show(base.with_card("7D", lower).with_card("8S", upper.moved(35 * i, 0)).with_arms(resting))
    both = base.with_card("7D", lower).with_card("8S", upper)
    for _ in range(12):
        film.show(both.with_arms(resting))
    film.leave(both, At(0, -6), 180)
    film.hold(10)
    by_order = sorted(film.laid(), key=lambda event: event.lay)
    assert [str(event.card) for event in by_order] == ["6C", "7D", "8S"]


def test_the_mark_never_passes_a_lay_that_is_told_later() -> None:
    film = Film()
    marks: list[int] = []
    film.on_frame = lambda _: marks.append(film.tracker.mark_ns)
    for i, name in enumerate(("2C", "3D", "4S")):
        film.lay(name, PLACES[i], "ABC"[i])
        film.hold(5)
    laid = [(said, event) for said, event in zip(film.said_ns, film.events, strict=True) if isinstance(event, CardLaid)]
    for said_ns, event in laid:
        earlier = [
            mark for mark, t_ns in zip(marks, range(5 * FRAME_NS, film.t_ns, FRAME_NS), strict=False) if t_ns <= said_ns
        ]
        assert max(earlier) <= event.t_ns + event.within_ns
    assert film.tracker.mark_ns > film.laid()[-1].t_ns


def test_an_unchanged_picture_is_quiet_and_not_read() -> None:
    film = play("2C")
    film.hold(10)
    read_px = film.reader.read_px
    film.hold(20)
    assert film.tracker.is_quiet
    assert film.reader.read_px == read_px


def test_only_the_pile_zone_counts() -> None:
    film = Film()
    film.lay("2C", At(190, 0))
    film.hold(8)
    assert film.words() == []


def test_cards_that_lie_there_at_the_start_are_told() -> None:
    film = Film()
    film.scene = Scene().with_card("2C", PLACES[0])
    film.tracker = type(film.tracker)(film.reader, LAYOUT)
    film.hold(8)
    assert film.words() == ["+2C"]


@pytest.mark.parametrize("seed", range(3))
def test_noise_alone_says_nothing(seed: int) -> None:
    film = Film(seed)
    film.hold(40)
    assert film.words() == []
