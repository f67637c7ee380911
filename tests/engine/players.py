"""Players who know their hands: they play Bong at a `Table`, make mistakes on purpose, and remember what is due.

What they remember comes from the cards themselves (every hand is known here), never from the referee. Times vary as at
a real table: a slap 40 to 200 ms before its card or up to 200 ms after it, races decided by a few dozen milliseconds.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from engine.cards import DECK_52, Card, Rank
from engine.events import CardLaid
from engine.games.bong import Phase
from engine.games.bong.state import NEXT
from engine.seats import Seat, clockwise
from tests.engine.table import MS, Table

FOULS = (
    "wrong-rank",
    "double-play",
    "not-active",
    "false-claim",
    "unclaimed-two",
    "false-stall",
    "stall-refused",
    "bare-slap",
    "unattributed",
    "false-nocard-proven",
    "owed",
)
"""Every ruling that is due only for something planted."""


@dataclass
class Party:
    """One game: the true cards, and what the referee ought to find."""

    table: Table
    seed: int
    mischief: float = 0.0
    """How often, of all moves, somebody errs."""
    due: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Code and seat of everything that ought to be ruled."""
    verdicts: list[tuple[str, str, str]] = field(default_factory=list)
    """Card, seat and code of every lay in pile order."""

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.seats = list(self.table.setup.seats)
        self.collect = self.table.setup.options.get("stall_collect", "all")
        assert self.table.setup.dealer is not None
        self.dealer: Seat = self.table.setup.dealer
        self.hands: dict[Seat, list[Card]] = {seat: [] for seat in self.seats}
        self.active = list(self.seats)
        self.pile: list[Card] = []
        self.last: Seat | None = None
        self.needed = Rank.TWO
        self.claimed: set[Seat] = set()
        self.promises: list[tuple[Seat, set[Card]]] = []
        self.owed: list[tuple[Seat, Card, int]] = []

    @property
    def is_over(self) -> bool:
        """Whether only one seat still holds cards, or the referee says that the game is over."""
        return self.table.state.phase is Phase.GAME_OVER

    def play(self, *, moves: int) -> None:
        """Plays until the game is over, or that many moves."""
        self.deal(list(DECK_52), list(self.active))
        for _ in range(moves):
            if self.is_over:
                return
            if self.last is None:
                self.open_round()
            else:
                self.move()

    # The moves

    def deal(self, cards: list[Card], takers: list[Seat]) -> None:
        """Deals `cards` one by one, the first to the dealer's left, and says that it is done."""
        self.chance.shuffle(cards)
        around = list(clockwise(tuple(sorted(takers)), self.dealer))
        for place, card in enumerate(cards):
            self.hands[around[place % len(around)]].append(card)
        self.pile, self.last, self.needed = [], None, Rank.TWO
        self.claimed, self.owed = set(), []
        self.table.call("dealt")
        self.table.at += 1000

    def open_round(self) -> None:
        """Everybody with a two claims it, except who forgets; who has none may claim as well."""
        holders = [seat for seat in self.active if self.has(seat, Rank.TWO)]
        forgetful = self.chance.choice(holders) if len(holders) > 1 and self.errs() else None
        liar = self.pick([seat for seat in self.active if seat not in holders]) if self.errs() else None
        claimants = [seat for seat in self.active if (seat in holders and seat != forgetful) or seat == liar]
        self.chance.shuffle(claimants)
        for seat in claimants:
            self.table.press(seat)
            self.table.at += self.chance.randint(80, 600)
        self.claimed |= set(claimants)
        self.table.wait(1000 * int(self.table.setup.options.get("claim_s", 3)) + 1000)
        self.first_lay(claimants, holders)

    def first_lay(self, claimants: list[Seat], holders: list[Seat]) -> None:
        """The claimant, or whom the lot names, lays a two; who has none must admit it."""
        seat = claimants[0]
        if len(claimants) > 1:
            seat = self.chance.choice(claimants)
            self.table.draw(seat)
            self.table.at += 500
        if seat in holders:
            self.lay(seat, self.take(seat, Rank.TWO))
            return
        self.table.hold(seat)
        self.due["false-claim", seat] += 1
        self.table.at += 500
        self.first_lay([other for other in claimants if other != seat], holders)

    def move(self) -> None:
        """Somebody lays, errs, or there is a stall."""
        able = [seat for seat in self.others() if self.has(seat, self.needed)]
        if self.errs() and self.mistake(able):
            return
        if not able:
            self.stall([])
        elif len(able) > 1 and self.chance.random() < 0.3:
            self.race(*self.chance.sample(able, 2))
        else:
            seat = self.chance.choice(able)
            self.lay(seat, self.take(seat, self.needed))

    def mistake(self, able: list[Seat]) -> bool:
        """One of the mistakes; False where it cannot be made now."""
        if self.last not in self.active:
            return self.false_stall(able)  # the rare moment in which the count alone refutes it
        kind = self.chance.choice((self.wrong, self.double, self.bare, self.nameless, self.buried, self.false_stall))
        return kind(able)

    def wrong(self, able: list[Seat]) -> bool:
        """A card of the wrong rank, taken back at once."""
        return self.foul(self.pick(self.others()), "wrong-rank")

    def double(self, able: list[Seat]) -> bool:
        """Whoever laid last lays again."""
        return self.foul(self.last if self.last in self.active else None, "double-play")

    def buried(self, able: list[Seat]) -> bool:
        """A wrong card that the next one covers: it stays its owner's."""
        sinner = self.pick(self.others())
        if not able or sinner is None or not self.foul(sinner, "wrong-rank", is_left=True):
            return False
        seat = self.pick([seat for seat in able if seat != sinner] or able)
        assert seat is not None
        self.due["owed", sinner] += 1
        self.lay(seat, self.take(seat, self.needed))
        self.table.gone(self.owed.pop()[2])
        return True

    def bare(self, able: list[Seat]) -> bool:
        """A slap without a card, with no lay near it."""
        seat = self.pick(self.others())
        if seat is None:
            return False
        self.table.at += 2000
        self.table.press(seat)
        self.table.wait(2000)
        self.due["bare-slap", seat] += 1
        return True

    def nameless(self, able: list[Seat]) -> bool:
        """A card without a slap, nobody's hand seen; the host says later whose it was."""
        seat = self.pick(able)
        if seat is None or len(self.others()) < 2:
            return False
        self.table.at += 2000
        self.lay(seat, self.take(seat, self.needed), has_slap=False)
        self.table.wait(1700)
        (question,) = [question for question in self.table.referee.questions() if question.kind == "who"]
        assert seat in question.seats
        self.table.referee.answer(question, seat=seat, who="host")
        return True

    def false_stall(self, able: list[Seat]) -> bool:
        """Somebody who could lay says "no card" like the rest, and the stall is refused, or (pile) believed."""
        if not able:
            return False
        self.stall(able)
        return True

    def foul(self, seat: Seat | None, code: str, *, is_left: bool = False) -> bool:
        """Lays a card that goes back; False when that seat has none that would be this foul."""
        if seat is None:
            return False
        wrong = [card for card in self.hands[seat] if code == "double-play" or card.rank != self.needed]
        if not wrong:
            return False
        card = self.chance.choice(wrong)
        self.show(seat, card, code)
        self.due[code, seat] += 1
        if is_left:
            self.owed.append((seat, card, self.table.lays))
        else:
            self.table.at += 600
            self.table.gone(self.table.lays)
        return True

    def race(self, first: Seat, second: Seat) -> None:
        """Two slap and lay the needed rank almost together: the lower card is fine, the other goes back."""
        gap = self.chance.randint(15, 120)
        self.table.press(first)
        self.table.at += gap
        self.table.press(second)
        self.table.at += self.chance.randint(60, 120)
        card, late = self.take(first, self.needed), self.peek(second, self.needed)
        self.put(first, card, "ok")
        self.table.at += max(34, gap)
        self.put(second, late, "double-play" if second == first else "wrong-rank")
        self.due["wrong-rank", second] += 1
        self.table.at += 700
        self.table.gone(self.table.lays)

    def stall(self, able: list[Seat]) -> None:
        """Everybody but `last` says "no card"; an honest `last` then confirms or refuses."""
        assert self.last is not None
        missing = {card for card in DECK_52 if card.rank == self.needed and card not in self.pile}
        can_deal = self.collect == "pile" and self.last in self.active and len(self.active) > 2
        believed = bool(able) and can_deal and self.chance.random() < 0.7
        impossible = len(self.hands[self.last]) < len(missing)
        for seat in self.others():
            self.table.at += 200
            self.table.hold(seat)
        self.promises += [(seat, set(missing)) for seat in self.others()]
        self.table.at += 500
        if impossible:
            self.due["false-stall", ""] += 1
        elif able and not believed:
            self.table.press(self.last)
            self.due["stall-refused", self.last] += 1
        else:
            self.table.hold(self.last)
            self.flong()
        self.table.at += 1000

    def flong(self) -> None:
        """`last` gathers and deals again; with two left he is safe and the game over."""
        assert self.last is not None
        last = self.last
        if len(self.active) == 2:
            self.active.remove(last)
            return
        takers = [seat for seat in self.active if seat != last]
        cards = list(self.pile)
        if self.collect == "all":
            cards = [card for hand in self.hands.values() for card in hand] + cards
            self.hands = {seat: [] for seat in self.seats}
            self.active.remove(last)
            self.promises = []
        self.dealer = last
        self.table.at += 500
        self.deal(cards, takers)

    # Laying

    def lay(self, seat: Seat, card: Card, *, has_slap: bool = True) -> None:
        """An honest lay."""
        self.show(seat, card, "ok", has_slap=has_slap)
        self.table.at += self.chance.randint(350, 2500)

    def show(self, seat: Seat, card: Card, code: str, *, has_slap: bool = True) -> None:
        """A slap and the card, in either order."""
        is_late = has_slap and self.chance.random() < 0.15
        if has_slap and not is_late:
            self.table.press(seat)
            self.table.at += self.chance.randint(40, 200)
        self.put(seat, card, code)
        if is_late:
            self.table.at += self.chance.randint(20, 200)
            self.table.press(seat)
        self.table.at += 300

    def put(self, seat: Seat, card: Card, code: str) -> None:
        """The card touches the pile; remembers what it ought to be ruled and what it proves."""
        self.table.lay(str(card))
        self.verdicts.append((str(card), seat, code))
        for promise in self.promises:
            if promise[0] == seat and card in promise[1]:
                self.due["false-nocard-proven", seat] += 1
                promise[1].clear()
        if card.rank == Rank.TWO and seat not in self.claimed:
            self.due["unclaimed-two", seat] += 1
            self.claimed.add(seat)
        if code == "ok":
            self.pushed(seat, card)

    def pushed(self, seat: Seat, card: Card) -> None:
        """The card lies on the pile for good."""
        self.pile.append(card)
        self.last, self.needed = seat, NEXT[card.rank]
        for _, cards in self.promises:
            cards.discard(card)
        if not self.hands[seat]:
            self.active.remove(seat)

    # Cards

    def errs(self) -> bool:
        """Whether somebody errs now."""
        return self.chance.random() < self.mischief

    def others(self) -> list[Seat]:
        """Who may lay."""
        return [seat for seat in self.active if seat != self.last]

    def pick(self, seats: list[Seat]) -> Seat | None:
        """One of them, if there is one."""
        return self.chance.choice(seats) if seats else None

    def has(self, seat: Seat, rank: Rank) -> bool:
        """Whether that hand holds that rank."""
        return any(card.rank == rank for card in self.hands[seat])

    def peek(self, seat: Seat, rank: Rank) -> Card:
        """A card of that rank in that hand."""
        return self.chance.choice([card for card in self.hands[seat] if card.rank == rank])

    def take(self, seat: Seat, rank: Rank) -> Card:
        """Takes such a card out of the hand."""
        card = self.peek(seat, rank)
        self.hands[seat].remove(card)
        return card

    # What the referee found

    def found(self) -> Counter[tuple[str, str]]:
        """Code and seat of everything that is ruled and due only for something planted."""
        return Counter(
            (ruling.code, ruling.seat or "")
            for told in self.table.referee.history()
            for ruling in told.rulings
            if ruling.code in FOULS or ruling.is_foul
        )

    def judged(self) -> list[tuple[str, str, str]]:
        """Card, seat and code of every lay as the referee rules it."""
        lays = (told for told in self.table.laid())
        return [
            (str(told.event.card), "".join(sorted(told.event.seats)), told.rulings[0].code)
            for told in lays
            if isinstance(told.event, CardLaid)
        ]


def party(seed: int, *, players: int = 4, mischief: float = 0.0, moves: int = 2000, **options: int | str) -> Party:
    """A game played to its end, or for so many moves."""
    dealer = "ABCDEF"[players - 1]
    played = Party(Table(players, dealer=dealer, options=options), seed, mischief)
    played.play(moves=moves)
    assert played.table.at * MS > 0
    return played
