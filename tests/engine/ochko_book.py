"""What a simulator that knows all hands says about Ochko: totals, legal draws, who wins a duel and what it costs.

Written from the rules' §3, §5, §7 and §8 and kept apart from the referee: rows whose order is lost are looked at in
every possible order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import permutations

from engine.cards import DECK_32, DECK_36, DECK_52, Card
from engine.rules import Option

LOST, BUST, GOLD = -1, 0, 22
PACKS = {"36": DECK_36, "32": DECK_32, "52": DECK_52, "2x52": DECK_52 * 2}
_PICTURES = {"A": 11, "K": 4, "Q": 3, "J": 2}
_DEFAULTS: dict[str, Option] = {
    "punter_stand": "mandatory16",
    "punter21": "immediate",
    "gold_punter": "true",
    "late_natural": "lost",
    "natural_scope": "current",
    "natural_pays": "1",
    "banker_rule": "free",
    "tie": "banker",
    "max_extra": "0",
    "ace_low": "false",
    "pot_mode": "versus_bank",
    "bank_limit": "true",
    "hidden_bust_double": "false",
    "first_deal": "two_hidden",
    "deck": "36",
    "deck_out": "stand_return",
    "illegal_hit": "worse",
}


@dataclass
class Side:
    """One hand of a duel, and all that its player did."""

    cards: list[Card] = field(default_factory=list)
    asked: list[bool] = field(default_factory=list)
    is_mixed: bool = False
    is_refused: bool = False
    is_open: bool = False
    """Whether all its cards lie face up."""

    def take(self, card: Card, *, asked: bool = True) -> None:
        """One more card."""
        self.cards.append(card)
        self.asked.append(asked)


@dataclass
class Duel:
    """What truly happened between a punter and the banker."""

    punter: Side
    banker: Side
    is_declared: bool = False
    has_stood: bool = False
    is_bankers_turn: bool = False
    can_draw: bool = True
    """Whether the pack has a card for the banker at the end."""


@dataclass
class Result:
    """Who wins how many stakes, and what was found."""

    code: str
    times: int
    fouls: list[tuple[str, str]]


class Ways:
    """The house rules of one game."""

    def __init__(self, options: Mapping[str, Option]) -> None:
        self.options = {**_DEFAULTS, **options}
        self.pack = PACKS[str(self.options["deck"])]
        self.first = 1 if self.has("first_deal", "one") else 2
        self.limit = 16 if self.has("punter_stand", "mandatory16") else 21
        rule = str(self.options["banker_rule"])
        self.banker_limit = None if rule == "free" else int(rule.removeprefix("draw_to_"))
        self.most = 2 + int(self.options["max_extra"]) if not self.has("max_extra", "0") else None

    def has(self, name: str, value: str) -> bool:
        """Whether that option is set so."""
        return str(self.options[name]) == value

    def points(self, cards: list[Card]) -> int:
        """What the cards count."""
        worth = [_PICTURES.get(str(card.rank), int(card.rank)) for card in cards]
        total = sum(worth)
        if self.has("ace_low", "true"):
            for _ in range(worth.count(11)):
                total -= 10 if total > 21 else 0
        return total

    def is_natural(self, side: Side) -> bool:
        """Whether the first two cards are 21 or gold."""
        first = side.cards[:2]
        return self.points(first) == 21 or all(str(card.rank) == "A" for card in first)

    def worth(self, cards: list[Card], *, has_gold: bool) -> int:
        """Gold, the total, or bust."""
        if has_gold and len(cards) == 2 and all(str(card.rank) == "A" for card in cards):
            return GOLD
        return self.points(cards) if self.points(cards) <= 21 else BUST

    def is_full(self, cards: list[Card], *, banker: bool) -> bool:
        """Whether nothing more may be drawn to these cards."""
        if banker:
            return self.banker_limit is not None and self.points(cards) >= self.banker_limit
        return self.worth(cards, has_gold=self.gold()) == GOLD or self.points(cards) >= self.limit

    def gold(self) -> bool:
        """Whether a punter's two aces are gold."""
        return self.has("gold_punter", "true")

    def stop_in(self, cards: list[Card], asked: list[bool], *, banker: bool) -> int | None:
        """What the cards before the first illegal draw are worth; None: there was none."""
        for place in range(2, len(cards)):
            if asked[place] and self.is_full(cards[:place], banker=banker):
                return self.worth(cards[:place], has_gold=not banker and self.gold())
        return None

    def stop(self, side: Side, *, banker: bool) -> int | None:
        """The same for a row that may be mixed up: the lowest of all orders, if every one contains an illegal draw."""
        if not side.is_mixed:
            return self.stop_in(side.cards, side.asked, banker=banker)
        if not all(side.asked):
            return None
        stops = [self.stop_in(list(order), side.asked, banker=banker) for order in permutations(side.cards)]
        return None if None in stops else min(stop for stop in stops if stop is not None)

    def final(self, side: Side, *, banker: bool) -> int:
        """What the hand counts in the end."""
        whole = self.worth(side.cards, has_gold=not banker and self.gold())
        stop = self.stop(side, banker=banker)
        if stop is None:
            return whole
        return {"worse": min(stop, whole), "dead": stop, "lose": LOST}[str(self.options["illegal_hit"])]

    def result(self, duel: Duel) -> Result:
        """§5, the first line that applies, with everything found."""
        fouls = self.fouls(duel)
        if duel.punter.is_refused:
            return Result("banker-wins", 1, fouls)
        if duel.is_declared or (self.has("late_natural", "stands") and self.first_two_are_natural(duel.banker)):
            return Result("banker-wins", 1, fouls)
        if duel.banker.is_refused:
            return Result("punter-wins", 1, fouls)
        return Result(*self.compared(duel), fouls)

    def first_two_are_natural(self, banker: Side) -> bool:
        """Whether it can be seen that the banker's first two were 21 or gold."""
        is_known = banker.is_open and (not banker.is_mixed or len(banker.cards) == 2)
        return is_known and self.is_natural(banker)

    def compared(self, duel: Duel) -> tuple[str, int]:
        """Lines 2 to 5."""
        mine, his = self.final(duel.punter, banker=False), self.final(duel.banker, banker=True)
        is_two_card = len(duel.punter.cards) == 2 and self.points(duel.punter.cards) == 21
        pays = int(self.options["natural_pays"]) if is_two_card else 1
        if mine == GOLD:
            return "punter-wins", 1
        if mine == 21 and self.has("punter21", "immediate"):
            return "punter-wins", pays
        if mine in (LOST, BUST):
            is_double = mine == BUST and self.is_hidden(duel) and self.has("hidden_bust_double", "true")
            return "banker-wins", 2 if is_double else 1
        if his in (LOST, BUST) or self.is_lazy(duel):
            return "punter-wins", pays
        if mine == his:
            return ("push", 1) if self.has("tie", "push") else ("banker-wins", 1)
        return ("punter-wins", pays) if mine > his else ("banker-wins", 1)

    def is_hidden(self, duel: Duel) -> bool:
        """Whether the punter stood on more than 21."""
        is_over = self.worth(duel.punter.cards, has_gold=self.gold()) == BUST
        return duel.has_stood and is_over and duel.punter.is_open

    def is_lazy(self, duel: Duel) -> bool:
        """Whether the banker had to draw, could, and did not."""
        is_full = self.most is not None and len(duel.banker.cards) >= self.most
        is_due = duel.is_bankers_turn and duel.can_draw and not is_full and self.banker_limit is not None
        return is_due and duel.banker.is_open and not self.is_full(duel.banker.cards, banker=True)

    def fouls(self, duel: Duel) -> list[tuple[str, str]]:
        """What is found in the hands once they are open."""
        found = []
        if duel.punter.is_open and self.stop(duel.punter, banker=False) is not None:
            found.append(("must-stand", "punter"))
        if self.is_hidden(duel):
            found.append(("hidden-bust", "punter"))
        if duel.is_declared or not duel.banker.is_open:
            return found
        if self.stop(duel.banker, banker=True) is not None:
            found.append(("must-stand", "banker"))
        if self.is_lazy(duel) and duel.punter.is_open and self.final(duel.punter, banker=False) > BUST:
            found.append(("must-draw", "banker"))
        return found


@dataclass
class Money:
    """Bank and purses, counted apart from the referee's."""

    ways: Ways
    bank: int = 0
    purses: dict[str, int] = field(default_factory=dict)

    def move(self, seat: str, amount: int) -> None:
        """From the bank to a purse; below zero the other way."""
        self.bank -= amount
        self.purses[seat] = self.purses.get(seat, 0) + amount

    def settle(self, seat: str, banker: str, stake: int, result: Result) -> int:
        """Pays a duel; returns what the punter has won or lost."""
        before = self.purses.get(seat, 0)
        if self.ways.has("pot_mode", "common_pot"):
            due = {"punter-wins": stake * (1 + result.times), "push": stake, "banker-wins": 0}[result.code]
            self.move(seat, min(due, self.bank) if due else -stake * (result.times - 1))
            return self.purses[seat] - before - stake
        is_limited = self.ways.has("bank_limit", "true")
        due = (min(stake, self.bank) if is_limited else stake) * result.times
        if result.code == "punter-wins":
            if not is_limited and due > self.bank:
                self.move(banker, self.bank - due)
            self.move(seat, min(due, self.bank))
        elif result.code == "banker-wins":
            self.move(seat, -due)
        return self.purses.get(seat, 0) - before
