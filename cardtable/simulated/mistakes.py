"""Mistakes that simulated people make, planted at a rate: at most one with each card that is wanted."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from cardtable.simulated.book import Phase
from cardtable.simulated.players import Manner, Player, neighbours
from engine.cards import Card
from engine.seats import Seat

if TYPE_CHECKING:
    from cardtable.simulated.party import Party

RATE = 0.2
"""The share of wanted cards with which somebody makes a mistake."""
WEIGHTS = {
    "wrong-rank": 4,
    "double-play": 3,
    "two-cards": 2,
    "bare-slap": 3,
    "late-slap": 3,
    "no-slap": 2,
    "cover": 2,
    "race": 4,
    "false-no-card": 2,
}
UNSLAPPED = ("two-cards", "no-slap")
"""Mistakes after which only the hand in the picture tells whose card it was; people rarely make them in a throng."""
_FORGETS_CLAIM = 0.05


class Mistakes:
    """Chooses who errs how, and lets it happen."""

    def __init__(self, party: Party, rng: random.Random) -> None:
        self.party, self.rng = party, rng
        self.busy: set[Seat] = set()
        """Those who are about to err and do nothing else."""
        self._plans: dict[str, Callable[[], bool]] = {
            "wrong-rank": self._wrong_rank,
            "double-play": self._double_play,
            "two-cards": partial(self._special, "two-cards"),
            "bare-slap": self._bare_slap,
            "late-slap": partial(self._special, "late-slap"),
            "no-slap": partial(self._special, "no-slap"),
            "cover": partial(self._special, "cover"),
            "race": self._race,
            "false-no-card": self._false_no_card,
        }

    def plan(self) -> None:
        """A new card is wanted: perhaps somebody will err."""
        self.busy = set()
        if self.rng.random() < RATE:
            kind = self.rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            self._plans[kind]()

    def forget_claim(self, claimants: list[Player]) -> list[Player]:
        """Those who do claim their twos."""
        kept = [player for player in claimants if self.rng.random() >= _FORGETS_CLAIM]
        return kept or claimants[:1]

    def _wrong_rank(self) -> bool:
        needed = self.party.world.book.needed
        near = neighbours(needed)
        wrong = [(p, c) for p in self.party.active() for c in sorted(p.hand, key=str) if c.rank in near]
        if not wrong:
            return False
        player, card = self.rng.choice(wrong)
        return self._soon(player, player.human_ms(550), partial(self._lay, player, [card], "wrong-rank"))

    def _double_play(self) -> bool:
        book = self.party.world.book
        if book.last is None or not self.party.players[book.last].hand:
            return False
        player = self.party.players[book.last]
        cards = player.cards_to_lay() or sorted(player.hand, key=str)
        return self._soon(player, player.human_ms(900), partial(self._lay, player, cards[:1], "double-play"))

    def _special(self, kind: str) -> bool:
        holders = [player for player in self.party.active() if player.cards_to_lay()]
        if not holders:
            return False
        player = self.rng.choice(holders)
        return self._soon(player, player.human_ms(500), partial(self._lay_specially, player, kind))

    def _bare_slap(self) -> bool:
        slow = [player for player in self.party.players.values() if player.seat in self.party.world.book.active]
        player = self.rng.choice(slow)
        if player.seat == self.party.world.book.last:
            return False
        self.party.world.after(self.rng.uniform(130, 280), partial(self._slap, player))
        return True

    def _race(self) -> bool:
        holders = [player for player in self.party.active() if player.cards_to_lay()]
        if len(holders) < 2:
            return False
        at_ms = self.rng.uniform(500, 900)
        for player in self.rng.sample(holders, min(len(holders), self.rng.choice((2, 2, 3)))):
            lag = self.rng.uniform(0, 48)
            self._soon(player, at_ms + lag, partial(self._lay, player, player.cards_to_lay()[:1], "race"))
        return True

    def _false_no_card(self) -> bool:
        holders = [player for player in self.party.active() if player.cards_to_lay()]
        if len(holders) != 1:
            return False
        return self._soon(holders[0], holders[0].human_ms(2200), partial(self._deny, holders[0]))

    def _soon(self, player: Player, wait_ms: float, do: partial[None]) -> bool:
        self.busy.add(player.seat)
        player.think_of(wait_ms, do)
        return True

    def _lay(self, player: Player, cards: list[Card], kind: str) -> None:
        self.busy.discard(player.seat)
        is_on = self.party.world.book.phase is Phase.RACE and set(cards) <= player.hand
        if not (is_on and not self.party.waits(player) and player.lay(cards, Manner(planned=kind))):
            self.party.reconsider(player)

    def _lay_specially(self, player: Player, kind: str) -> None:
        self.busy.discard(player.seat)
        cards = player.cards_to_lay()[:1]
        is_on = self.party.world.book.phase is Phase.RACE and bool(cards)
        if kind in UNSLAPPED and self.party.world.is_anybody_near(player.seat) and self.rng.random() < 0.9:
            kind = "lay"
        if not (is_on and not self.party.waits(player) and self._lay_so(player, cards, kind)):
            self.party.reconsider(player)

    def _lay_so(self, player: Player, cards: list[Card], kind: str) -> bool:
        match kind:
            case "two-cards":
                others = sorted(player.hand - set(cards), key=str)
                return player.lay(cards + others[:1], Manner(planned=kind))
            case "late-slap":
                return player.lay(cards, Manner(planned=kind, slap_ms=(110, 260)))
            case "no-slap":
                return player.lay(cards, Manner(planned=kind, slap_ms=None))
            case "lay":
                return player.lay(cards)
            case _:
                return player.lay(cards, Manner(planned=kind, pose="flat", stay_ms=self.rng.uniform(500, 1300)))

    def _slap(self, player: Player) -> None:
        world = self.party.world
        is_free = world.button_free_ns(player.seat) <= world.now_ns
        if world.book.phase is Phase.RACE and is_free and not world.is_claimable(world.now_ns):
            world.bare_slaps.append((player.seat, player.tap()))

    def _deny(self, player: Player) -> None:
        self.busy.discard(player.seat)
        if self.party.world.book.phase is Phase.RACE and player.cards_to_lay():
            self.party.say_no_card(player)
