"""People who play a trick game, know their hands, err on purpose, and remember what is due."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter

from cardtable.simulated.tricks.hands import Hands
from engine.cards import Card
from engine.rulings import Ruling

FOULS = ("wrong-seat", "one-card-only")
PROVEN = ("revoke", "revoke-kind", "revoke-counted")
Proof = tuple[str, int, str, str]
"""Seat, trick, kind, and the code of the ruling, one of `PROVEN`."""


class TrickPeople(ABC):
    """Everybody at the table; a game says how a deal is played."""

    def __init__(self, hands: Hands, chance: random.Random, mischief: float) -> None:
        """`mischief`: how often somebody errs where he could."""
        self.at, self.chance, self.mischief = hands, chance, mischief
        self.options = {**hands.setup.options}
        self.due: Counter[tuple[str, str]] = Counter()
        """Code and seat of everything that ought to be ruled a foul."""
        self.verdicts: list[tuple[str, str, str]] = []
        """Card, seat and code of every card laid."""
        self.revokes: Counter[str] = Counter()
        """By which rulings revokes were proven."""
        self.differences: list[tuple[object, object]] = []
        """What was true, and what was ruled in its place."""
        self.deals = 0

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.at.state.phase.value == "game-over")

    def play(self, *, deals: int) -> None:
        """Plays until somebody has won, or that many deals."""
        for _ in range(deals):
            if self.is_over:
                return
            self.deals += 1
            self.deal()

    @abstractmethod
    def deal(self) -> None:
        """One deal, from the shuffle to its score."""

    def errs(self) -> bool:
        """Whether somebody errs now."""
        return self.chance.random() < self.mischief

    def same(self, true: object, ruled: object) -> None:
        """What was ruled is what is true, or it is a difference."""
        if true != ruled:
            self.differences.append((true, ruled))

    def foul(self, code: str, seat: str, rulings: tuple[Ruling, ...]) -> None:
        """That foul is due, and was ruled."""
        self.due[code, seat] += 1
        ruled = [(ruling.code, ruling.seat) for ruling in rulings]
        self.same((code, seat), (code, seat) if (code, seat) in ruled else ruled)

    def lay(
        self, seat: str | None, card: Card, code: str, *, proofs: list[Proof] | None = None, is_seen: bool = True
    ) -> None:
        """A card comes to lie and is ruled so."""
        self.due[code, seat or ""] += code in FOULS
        rulings = self.at.lay(seat, card, is_seen=is_seen)
        named = (rulings[0].seat or "") if rulings else ""
        true = (str(card), named if seat is None else seat, code)
        self.verdicts.append(true)
        self.same(true, (str(card), named, rulings[0].code if rulings else ""))
        self.check(rulings, proofs or [])

    def check(self, rulings: tuple[Ruling, ...], proofs: list[Proof]) -> None:
        """Exactly what is provable at this moment is ruled, no more and no less."""
        proven = [ruling for ruling in rulings if ruling.code in PROVEN]
        found = [(ruling.seat, ruling.get("trick"), ruling.get("kind"), ruling.code) for ruling in proven]
        self.same(proofs, found)
        self.due.update((ruling.code, str(ruling.seat)) for ruling in proven if ruling.is_foul)
        self.revokes.update(code for _, _, _, code in proofs)
