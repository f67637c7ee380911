"""What the referee knows of a game of Ton, and how it begins."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from engine.cards import DECK_36, OF_SUIT, Card, Suit
from engine.house import Offers
from engine.pots import Pot
from engine.replacing import replacing_fast
from engine.revokes import Hidden, Known
from engine.rules import Question, Setup
from engine.seats import Seat, in_turn
from engine.taps import Taps
from engine.tricks import Duties, Reply, Revoke, Trick

DECK = frozenset(DECK_36)
HAND = 5
WIDOW = 4
TWO_SUITS = 18
"""How many cards follow or trump at most."""
GOAL = 15
"""§6: the first to reach it wins."""
ALWAYS_IN = 13
"""§4: from this score on a seat takes part in every deal."""
PENALTY_FROM = 10
"""§6: from this score on a deal without a trick costs."""
NOBODY: frozenset[Seat] = frozenset()
NO_CARDS: frozenset[Card] = frozenset()


class Phase(Enum):
    """Where the game stands (§4); the value is the phase's stable name."""

    LOBBY = "lobby"
    STAKES = "stakes"
    DEAL = "deal"
    NO_TRUMP_RIGHT = "no-trump-right"
    PICK = "pick"
    PURCHASE = "purchase"
    EXCHANGE = "exchange"
    JOIN = "join"
    TRICK = "trick"
    AUDIT = "audit"
    GAME_OVER = "game-over"


DECIDING = (Phase.NO_TRUMP_RIGHT, Phase.PURCHASE)
ASKING = (*DECIDING, Phase.JOIN)
"""Phases in which a tap says yes and a hold says no."""
SHOWING = (Phase.PICK, Phase.AUDIT)
"""Phases in which a card laid is shown, not played."""

CHOICES: dict[str, tuple[str, ...]] = {
    "others": ("sit_out", "optional"),
    "lone_taker": ("award5", "award0", "redeal"),
    "all_refuse": ("next_dealer", "same_dealer"),
    "upcard_pickable": ("true", "false"),
    "stock_search": ("player", "operator"),
    "beat_after_trump": ("false", "true"),
    "overtrump": ("false", "true"),
    "end_check": ("trick", "deal"),
    "zero_penalty": ("pot", "own_stake", "off"),
    "revoke": ("zero_deal", "mark", "replay"),
    "refuse_card": ("choice", "next"),
    "direction": ("clockwise", "counterclockwise"),
}
"""Options that are a choice (§9); the first is the default."""
NUMBERS: dict[str, tuple[int, int, int]] = {"stake": (10, 0, 1_000_000)}
"""Options that are a number: default, least, greatest."""
OFFERS = Offers("Ton", CHOICES, NUMBERS)


class House(NamedTuple):
    """Who sits where and which house rules hold; the same throughout the game."""

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    order: tuple[Seat, ...]
    """The seats in the direction of play."""
    places: Mapping[Seat, int]
    duties: Duties
    stake: int
    others: str
    lone_taker: str
    all_refuse: str
    upcard_pickable: bool
    stock_search: str
    end_check: str
    zero_penalty: str
    revoke: str
    refuse_card: str

    def player(self, seat: Seat | None) -> str:
        """Who sits there; `?` for nobody."""
        return "?" if seat is None else self.players[self.places[seat]]


class Open(NamedTuple):
    """A card of the widow that lies face up."""

    card: Card
    number: int
    """Log number of the event that showed it."""


CLOSED: tuple[Open | None, ...] = (None,) * WIDOW


@replacing_fast
class State(NamedTuple):
    """Everything the referee knows; immutable. What belongs to one deal is emptied by `new_deal`."""

    house: House
    phase: Phase
    dealer: Seat | None
    pot: Pot
    scores: tuple[int, ...]
    """Totals before this deal; `score` adds what the deal has brought."""
    marks: tuple[int, ...]
    staked: frozenset[Seat] = NOBODY
    record: tuple[tuple[int | None, ...], ...] = ()
    """What each finished deal brought each seat; None: a blank, the seat took no part."""
    winner: Seat | None = None
    """Who has won; in AUDIT: who will have, if nothing speaks against it."""
    asks: tuple[Question, ...] = ()
    taps: Taps = ()
    """Presses that are yet to come up, or to become holds."""
    upcard: Card | None = None
    """The card that makes its suit trump."""
    trump_number: int = 0
    """Log number of the event that showed it."""
    decider: Seat | None = None
    """Whose decision on the widow is due."""
    decided: tuple[Seat, ...] = ()
    """Who has refused the widow, in order."""
    turning: Seat | None = None
    """Who has refused and is yet to turn a card."""
    widow: tuple[Open | None, ...] = CLOSED
    """Its four cards from the left; None: closed."""
    turned_ns: int | None = None
    """When the last of them was turned."""
    showing: tuple[Known, ...] = ()
    """Cards shown one by one so far: for the right of the player without trump, or in the audit."""
    is_claiming: bool = False
    """Whoever has that right has claimed it in words: the next cards laid are his five."""
    proof: tuple[Card, ...] = ()
    """The five cards given up for the right of the player without trump."""
    taker: Seat | None = None
    given: frozenset[Card] = NO_CARDS
    """Cards seen in his hand before he took the widow: he has kept one at most."""
    picked: Card | None = None
    """The trump that he took from the stock, if it was seen."""
    is_exchange_wrong: bool = False
    """The discard was not right and has not been put right yet."""
    asked: tuple[Seat, ...] = ()
    """Who is still to say whether to take part."""
    players_in: tuple[Seat, ...] = ()
    """Who takes part, in the direction of play from the taker."""
    turn: Seat | None = None
    trick: Trick = ()
    number: int = 0
    """Which trick it is, from 1."""
    replies: tuple[Reply, ...] = ()
    played: tuple[Known, ...] = ()
    """Every card of the deal with who laid it."""
    doubtful: frozenset[int] = frozenset()
    """Log numbers of lays whose card is not certain: they prove nothing."""
    known: tuple[Known, ...] = ()
    """Cards seen earlier that are still in hands."""
    tricks: tuple[int, ...] = ()
    """Tricks won in this deal."""
    reached: tuple[Seat, ...] = ()
    """Who has come to 15 in this deal, in order."""
    revokes: tuple[Revoke, ...] = ()
    guilty: frozenset[Seat] = NOBODY
    """Who has revoked in this deal, or would not show his cards."""
    shown: frozenset[Seat] = NOBODY
    """Who has shown his cards in the audit, or refused."""

    @property
    def duties(self) -> Duties:
        """How cards rank and what a reply owes."""
        return self.house.duties

    @property
    def trump(self) -> Suit | None:
        """The suit of the card turned up."""
        return None if self.upcard is None else self.upcard.suit

    @property
    def is_playing(self) -> bool:
        """Whether cards are laid in tricks now."""
        return self.phase is Phase.TRICK

    @property
    def to_lay(self) -> Seat | None:
        """Whose card is due: whoever leads has done with his exchange, said or not."""
        return self.taker if self.phase is Phase.EXCHANGE else self.turn

    def after(self, seat: Seat) -> Seat:
        """Who lays after that seat."""
        return in_turn(self.house.order, seat, self.players_in)[0]

    def score(self, seat: Seat) -> int:
        """The total as it stands now, tricks of this deal included where they count."""
        place = self.house.places[seat]
        counts = self.tricks and (seat not in self.guilty or self.house.revoke == "mark")
        return self.scores[place] + (self.tricks[place] if counts else 0)

    def left(self, seat: Seat) -> int:
        """How many cards that seat has still to lay in this deal."""
        return HAND - sum(one.seat == seat for one in self.played)

    def has_plenty(self) -> bool:
        """Whether so much is unseen that nothing can be proven by counting."""
        if self.given or (self.proof and self.picked is None):
            return False
        seen = len(self.played) + len(self.known) + len(self.proof) + 1
        return len(DECK) - TWO_SUITS - seen >= HAND + 1 - self.number

    def hidden(self, seat: Seat) -> Hidden:
        """What nobody has seen of that seat's hand.

        §4: the taker's five are the widow and one card more, of which something may be known: that it is one of those
        that he had shown before, or a trump from the stock.
        """
        seen = {one.card for one in (*self.played, *self.known)} | {self.upcard, *self.proof}
        count = self.left(seat) - sum(one.seat == seat for one in self.known)
        if seat == self.taker:
            return self._takers(count, DECK - seen)
        cards = DECK - seen - self.given
        is_upcard_his = self.house.upcard_pickable or not self._owes_pick()
        # Somebody else cannot have all the trumps that are left where the taker has one of them.
        trumps = NO_CARDS if is_upcard_his else self._trumps(cards)
        return Hidden(count, cards, trumps, most=max(0, len(trumps) - 1))

    def _takers(self, count: int, cards: frozenset[Card]) -> Hidden:
        if self.proof:
            upcard = self.upcard
            if upcard is not None and upcard not in self._takers_seen() and self._may_have_upcard(self.taker):
                cards |= {upcard}
            trumps = self._trumps(cards)
            return Hidden(count, cards, trumps, least=int(self._owes_pick()), most=len(trumps))
        given = self.given - self._takers_seen()
        if len(given) < len(self.given):
            return Hidden(count, cards - given)
        return Hidden(count, cards, given, least=int(len(given) == HAND), most=1)

    def _takers_seen(self) -> set[Card]:
        return {one.card for one in (*self.played, *self.known) if one.seat == self.taker}

    def _owes_pick(self) -> bool:
        """Whether the trump that the taker took from the stock is surely still in his hand, unseen."""
        if not self.proof:
            return False
        widow = {one.card for one in self.widow if one is not None}
        return not any(card.suit is self.trump for card in self._takers_seen() - widow)

    def _trumps(self, cards: frozenset[Card]) -> frozenset[Card]:
        assert self.upcard is not None
        return cards & OF_SUIT[self.upcard.suit]

    def cannot_be(self, card: Card, seat: Seat | None) -> bool:
        """Whether that card is known to be elsewhere, or not in this deck at all; an unread card can be anywhere."""
        if not card.is_known:
            return False
        if card not in DECK or card in self.proof or any(one.card is card for one in self.played):
            return True
        if card is self.upcard and not self._may_have_upcard(seat):
            return True
        is_takers = self.taker is not None and seat == self.taker
        if not is_takers and any(one is not None and one.card is card for one in self.widow):
            return True
        return any(one.card is card and one.seat != seat for one in self.known)

    def _may_have_upcard(self, seat: Seat | None) -> bool:
        """§9 row 5: whoever had the right may have taken the turned-up card."""
        had_right = bool(self.proof) and seat == self.taker
        return had_right and self.house.upcard_pickable and self.picked in (None, self.upcard)


def start(setup: Setup) -> State:
    """The state before the first event; raises `BadSetup` with a sentence."""
    house = _house(setup)
    zeros = (0,) * len(house.seats)
    phase = Phase.LOBBY if setup.dealer is None else Phase.STAKES
    return State(house, phase, setup.dealer, Pot.empty(len(house.seats)), zeros, zeros, tricks=zeros)


def new_deal(state: State, dealer: Seat | None) -> State:
    """Everything of the last deal is put away; `dealer` deals."""
    return State(
        state.house,
        Phase.DEAL,
        dealer,
        state.pot,
        state.scores,
        state.marks,
        state.staked,
        state.record,
        tricks=(0,) * len(state.scores),
    )


def next_seat(state: State, after: Seat | None) -> Seat:
    """The seat whose turn is next, of all at the table."""
    assert after is not None
    return in_turn(state.house.order, after, state.house.seats)[0]


def _house(setup: Setup) -> House:
    OFFERS.check(setup.options)
    OFFERS.check_seats(setup, least=2, most=6)
    chosen = OFFERS.chosen(setup.options)
    is_clockwise = chosen.pop("direction") == "clockwise"
    flags = {name: chosen.pop(name) == "true" for name in ("beat_after_trump", "overtrump", "upcard_pickable")}
    return House(
        seats=setup.seats,
        players=setup.players,
        order=setup.seats if is_clockwise else setup.seats[::-1],
        places={seat: i for i, seat in enumerate(setup.seats)},
        duties=Duties(beat_after_trump=flags["beat_after_trump"], overtrump=flags["overtrump"]),
        upcard_pickable=flags["upcard_pickable"],
        stake=OFFERS.counted(setup.options)["stake"],
        **chosen,
    )
