"""Simulated people play by the rules, err at the planned rate, and lose no card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from cardtable.simulated.book import Phase
from cardtable.simulated.mistakes import WEIGHTS
from cardtable.simulated.party import Party
from cardtable.simulated.sight import Sight
from cardtable.simulated.truth import hides_seat
from cardtable.simulated.world import MS, Screen, World
from engine.cards import DECK_52
from engine.events import Press
from engine.seats import seats
from hardware.debounce import Debounce
from vision.layout import around

STEP_NS = 10 * MS
CLAIM_NS = 3000 * MS
PARTIES = range(1, 13)


class Screenplay:
    """Shows people what a referee who knows everything would show."""

    def __init__(self, seed: int) -> None:
        sitting = seats(3 + seed % 4)
        self.world = World(sitting, seed)
        self.party = Party(self.world, around(sitting), dealer=sitting[0], seed=seed)
        self.debounce = Debounce()
        self.presses: list[Press] = []
        self._closes_ns: int | None = None
        self._heard: set[int] = set()

    def play(self, minutes: float = 15) -> Iterator[int]:
        """Step by step to the end of the game."""
        self.party.start()
        while self.party.over_ns is None and self.world.now_ns < minutes * 60_000 * MS:
            self.world.advance(self.world.now_ns + STEP_NS)
            self._press()
            self._show()
            yield self.world.now_ns

    def _press(self) -> None:
        self.world.buttons.release(self.world.now_ns)
        events = [event for edge in self.world.buttons.edges() for event in self.debounce.feed(edge)]
        events += self.debounce.pass_to(self.world.now_ns)
        self.presses += [event for event in events if isinstance(event, Press)]

    def _show(self) -> None:
        book, now = self.world.book, self.world.now_ns
        if book.phase is Phase.CLAIM and book.claims:
            self._closes_ns = self._closes_ns or now + CLAIM_NS
            if now > self._closes_ns:
                self._closes_ns = None
                self.party.reads(Screen("start-lay", book.claims[0]))
        if book.phase is Phase.ASKED and self.world.screen.asked != book.last:
            self.party.reads(Screen("stall-check", None, book.last))
        elif book.phase is Phase.RACE:
            self.world.screen = Screen("race")
        for lay in self.world.lays:
            if lay.key not in self._heard and lay.code != "ok":
                self._heard.add(lay.key)
                self.party.hears_foul(lay.card)


@pytest.fixture(scope="module")
def played() -> list[Screenplay]:
    plays = [Screenplay(seed) for seed in PARTIES]
    for play in plays:
        for _ in play.play():
            pass
    return plays


def test_every_party_ends_with_one_loser(played: list[Screenplay]) -> None:
    for play in played:
        assert play.world.book.phase is Phase.OVER
        assert [due.code for due in play.world.book.due].count("loser") == 1


def test_every_mistake_is_made_sooner_or_later(played: list[Screenplay]) -> None:
    made = Counter(lay.planned for play in played for lay in play.world.lays)
    made["bare-slap"] = sum(len(play.world.bare_slaps) for play in played)
    assert set(WEIGHTS) - {"false-no-card"} <= {kind for kind, count in made.items() if count}
    assert {"wrong-rank", "double-play"} <= {lay.code for play in played for lay in play.world.lays}


def test_every_card_is_always_in_one_place() -> None:
    play = Screenplay(3)
    for _ in play.play():
        book = play.world.book
        if book.phase in (Phase.DEAL, Phase.GATHER, Phase.OVER):
            continue
        held = [card for hand in book.hands.values() for card in hand]
        assert sorted(map(str, [*held, *book.pile, *book.owed])) == sorted(map(str, DECK_52))


def test_every_slap_comes_through_the_bounce_as_one_press(played: list[Screenplay]) -> None:
    for play in played:
        slaps = [(seat, slap) for seat, touch, slap in play.world.slaps if slap < play.world.now_ns - 100 * MS]
        presses = {(press.seat, press.t_ns) for press in play.presses}
        assert {*slaps} <= presses


def test_slaps_of_a_race_come_in_the_order_of_its_cards(played: list[Screenplay]) -> None:
    for play in played:
        slapped = sorted((touch, slap) for _, touch, slap in play.world.slaps)
        for (touch, slap), (next_touch, next_slap) in pairwise(slapped):
            assert next_touch - touch > 900 * MS or slap < next_slap


def test_most_evidence_is_plain_to_see(played: list[Screenplay]) -> None:
    """Somebody who lays two cards or forgets to slap mostly does so while no other hand is near."""
    hidden = total = 0
    for play in played:
        sight = Sight(play.world, None)  # type: ignore[arg-type]
        sight.finish()
        hidden += sum(hides_seat(lay, play.world.lays) for lay in play.world.lays)
        total += len(play.world.lays)
    assert hidden <= 0.02 * total
