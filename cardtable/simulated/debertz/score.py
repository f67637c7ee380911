"""What a deal of Debertz is worth, counted by somebody who sees all cards (§6, §9); written apart from the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardtable.simulated.debertz.book import Ways
from engine.cards import Card, Rank
from engine.rules import Option


@dataclass
class Declared:
    """A sequence as it was declared."""

    seat: str
    cards: list[Card]
    is_true: bool
    is_struck: bool = False


@dataclass
class Account:
    """One deal's points."""

    options: Mapping[str, Option]
    ways: Ways
    order: tuple[Rank, ...]
    maker: str
    made_in: int
    elder: str
    points: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    tricks: dict[str, int] = field(default_factory=lambda: {"A": 0, "B": 0})
    pair_won: str = ""
    """Who took the trick with the second of king and queen of trump."""
    laid: set[Card] = field(default_factory=set)
    hanging: int = 0
    """Points that hang after the deal."""
    totals: dict[str, int] = field(default_factory=dict)

    def trick(self, winner: str, lead: Card, reply: Card, *, is_last: bool) -> None:
        """A trick is over."""
        self.points[winner] += self.ways.points(lead) + self.ways.points(reply) + 10 * is_last
        self.tricks[winner] += 1
        pair = self.pair()
        if pair & {lead, reply} and pair <= self.laid | {lead, reply}:
            self.pair_won = winner
        self.laid |= {lead, reply}

    def pair(self) -> set[Card]:
        """King and queen of trump."""
        return {Card.of(rank, self.ways.trump) for rank in (Rank.KING, Rank.QUEEN)}

    def settle(
        self, declared: list[Declared], nine: dict[str, set[Card]], called: set[str], guilty: set[str], hanging: int
    ) -> dict[str, int]:
        """What the deal writes for each seat."""
        true = [one for one in declared if one.is_true]
        for seat in "AB":
            need = self.options.get("need_trick", "sequences")
            has_trick = self.tricks[seat] > 0
            sequences = self.sequences(seat, true) if has_trick or need == "none" else 0
            bella = self.bella(seat, nine[seat], called) if has_trick or need != "all" else 0
            self.totals[seat] = self.points[seat] + sequences + bella
        if guilty and self.options.get("revoke", "transfer") == "transfer":
            return self.after_revoke(guilty, hanging)
        return self.by_result(hanging)

    def sequences(self, seat: str, true: list[Declared]) -> int:
        """What counts of that seat's sequences."""
        mine = sum(20 if len(one.cards) == 3 else 50 for one in true if one.seat == seat)
        best = {who: max((self.rank(one) for one in true if one.seat == who), default=None) for who in "AB"}
        me, they = best[seat], best["B" if seat == "A" else "A"]
        if me is None or they is None or me != they:
            return mine if me is not None and (they is None or me > they) else 0
        tie = self.options.get("meld_tie", "elder")
        if tie == "split":
            return mine // 2
        return mine if tie == "elder" and seat == self.elder else 0

    def rank(self, one: Declared) -> tuple[int, int, bool]:
        """Kind, top, trump."""
        return len(one.cards), -self.order.index(one.cards[0].rank), one.cards[0].suit is self.ways.trump

    def bella(self, seat: str, hand: set[Card], called: set[str]) -> int:
        """20 for king and queen of trump in one hand."""
        way = self.options.get("bella", "call")
        if way == "off" or not self.pair() <= hand:
            return 0
        if way != "auto" and seat not in called:
            return 0
        return 20 if way != "trick" or self.pair_won == seat else 0

    def after_revoke(self, guilty: set[str], hanging: int) -> dict[str, int]:
        """§5: the other seat takes everything."""
        if len(guilty) == 2:
            self.hanging = hanging
            return {"A": 0, "B": 0}
        honest = "B" if "A" in guilty else "A"
        return {"A": 0, "B": 0} | {honest: sum(self.totals.values()) + hanging}

    def by_result(self, hanging: int) -> dict[str, int]:
        """§6: more, less or equal."""
        maker, opponent = self.maker, "B" if self.maker == "A" else "A"
        mine, theirs = self.totals[maker], self.totals[opponent]
        if mine > theirs:
            return {maker: mine + hanging, opponent: theirs}
        tie = self.options.get("tie", "hanging")
        if mine == theirs and tie != "bait":
            self.hanging = hanging if tie == "each" else hanging + mine
            return {maker: mine if tie == "each" else 0, opponent: theirs}
        bait = self.options.get("bait", "transfer")
        is_burnt = bait == "burn" or (bait == "round2_only" and self.made_in == 1)
        return {maker: 0, opponent: theirs + hanging + (0 if is_burnt else mine)}
