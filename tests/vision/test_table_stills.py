"""Pictures of a settled pile: each shows its top card; a card that shows again means that those above it are gone."""

import numpy as np

from engine.cards import DECK_52, Card
from engine.events import CardGone, CardLaid, Event
from vision.frames import Frame
from vision.layout import Layout
from vision.reader import Corner, Reader, Reading
from vision.table import Tracker


def corner(x: float, y: float, up: tuple[float, float], height_px: float = 60) -> Corner:
    return Corner(x, y, height_px, up, 0.9, np.zeros(len(DECK_52), dtype=np.float32))


def whole(name: str, sure: float = 0.95, others: str = "") -> Reading:
    """A complete card in the middle of a 640 × 480 picture."""
    both = (corner(220, 120, (0, -1)), corner(420, 360, (0, 1)))
    rest = tuple((Card(word), (1 - sure) / 2) for word in others.split())
    return Reading(Card(name), sure, (200, 90, 240, 300), both, ((Card(name), sure), *rest))


def peeping(name: str) -> Reading:
    """One corner of a neighbour at the picture's edge, read with more certainty than the top card."""
    return Reading(Card(name), 0.99, (0, 0, 30, 60), (corner(15, 30, (0, -1)),), ((Card(name), 0.99),))


class Scripted(Reader):
    """Reads what the test lays before it."""

    def __init__(self, *pictures: tuple[Reading, ...]) -> None:
        self.pictures = list(pictures)

    def read(self, picture: object, **_: object) -> tuple[Reading, ...]:
        return self.pictures.pop(0)


def play(*pictures: tuple[Reading, ...]) -> list[Event]:
    tracker = Tracker(Scripted(*pictures), Layout.above((640, 480)), stills=True)
    blank = np.zeros((480, 640, 3), dtype=np.uint8)
    return [event for i in range(len(pictures)) for event in tracker.see(Frame(blank, i * 10**9, 10**7, i))]


def names(events: list[Event]) -> list[str]:
    signs = {CardLaid: "+", CardGone: "-"}
    return [signs[type(event)] + str(event.card) for event in events if isinstance(event, CardLaid | CardGone)]


def test_each_new_top_card_is_laid_at_the_pictures_time() -> None:
    events = play((whole("2C"),), (whole("3D"),))
    assert names(events) == ["+2C", "+3D"]
    assert [event.t_ns for event in events] == [0, 10**9]


def test_a_neighbour_that_peeps_in_is_not_the_top_card() -> None:
    assert names(play((peeping("KH"), whole("2C")), (whole("3D"), peeping("2C")))) == ["+2C", "+3D"]


def test_after_a_foul_the_last_good_card_shows_again_and_the_foul_card_can_be_laid_later() -> None:
    events = play((whole("5H"),), (whole("8H"),), (whole("5H"),), (whole("6C"),), (whole("8H"),))
    assert names(events) == ["+5H", "+8H", "-8H", "+6C", "+8H"]
    assert len({event.lay for event in events if isinstance(event, CardLaid)}) == 4


def test_the_same_picture_twice_is_one_lay() -> None:
    assert names(play((whole("5H"),), (whole("5H"),))) == ["+5H"]


def test_a_picture_without_a_card_says_nothing() -> None:
    assert names(play((whole("5H"),), (), (whole("5H"),))) == ["+5H"]


def test_an_unsure_reading_names_the_likely_cards() -> None:
    (laid,) = play((whole("8C", sure=0.5, others="8S 3S"),))
    assert isinstance(laid, CardLaid)
    assert laid.card == Card("8C")
    assert laid.likely == (Card("8C"), Card("8S"), Card("3S"))


def test_a_card_buried_deep_is_rather_a_misreading_of_a_new_one() -> None:
    pile = [(whole(name),) for name in ("8S", "9D", "10C", "JC", "QH")]
    assert names(play(*pile, (whole("8S", sure=0.6, others="8C 3S"),)))[-1] == "+8C"
