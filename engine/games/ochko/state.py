"""What the referee knows of a game of Ochko, and how it begins."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from engine.cards import BACK, DECK_32, DECK_36, DECK_52, Card
from engine.errors import BadSetup
from engine.games.ochko.hands import DEALT, GOAL, NEVER, Count, Ranks, ranks_of
from engine.house import Offers
from engine.pots import Pot
from engine.replacing import replacing_fast
from engine.rules import Question, Setup
from engine.rulings import Ruling
from engine.seats import Seat, in_turn
from engine.taps import Taps


class Phase(Enum):
    """Where the game stands (§4); the value is the phase's stable name."""

    LOBBY = "lobby"
    STAKES = "stakes"
    DEAL = "deal"
    NEW_HAND = "new-hand"
    BANKER_CHECK = "banker-check"
    PUNTER = "punter"
    BANKER = "banker"
    SHOWDOWN = "showdown"
    GAME_OVER = "game-over"


DUEL = (Phase.NEW_HAND, Phase.BANKER_CHECK, Phase.PUNTER, Phase.BANKER)
"""Phases in which somebody has the word, by button or aloud."""

CHOICES: dict[str, tuple[str, ...]] = {
    "punter_stand": ("mandatory16", "free"),
    "punter21": ("immediate", "compare"),
    "gold_punter": ("true", "false"),
    "late_natural": ("lost", "stands"),
    "natural_scope": ("current", "all"),
    "natural_pays": ("1", "2"),
    "banker_rule": ("free", "draw_to_16", "draw_to_17"),
    "tie": ("banker", "push"),
    "max_extra": ("0", "3"),
    "ace_low": ("false", "true"),
    "pot_mode": ("versus_bank", "common_pot"),
    "bank_limit": ("true", "false"),
    "hidden_bust_double": ("false", "true"),
    "first_deal": ("two_hidden", "one"),
    "deck": ("36", "32", "52", "2x52"),
    "deck_out": ("stand_return", "reshuffle_discard"),
    "illegal_hit": ("worse", "dead", "lose"),
}
"""Options that are a choice (§8); the first is the default."""
NUMBERS: dict[str, tuple[int, int, int]] = {
    "stake": (10, 0, 1_000_000),
    "bank": (100, 1, 1_000_000),
    "knock_multiple": (0, 0, 1000),
    "players_max": (8, 2, 26),
}
"""Options that are a number: default, least, greatest."""
OFFERS = Offers("Ochko", CHOICES, NUMBERS)
PACKS: dict[str, tuple[Card, ...]] = {"36": DECK_36, "32": DECK_32, "52": DECK_52, "2x52": DECK_52 * 2}
_BANKER_LIMITS = {"free": NEVER, "draw_to_16": 16, "draw_to_17": 17}


class House(NamedTuple):
    """Who sits where and which house rules hold; the same throughout the game."""

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    places: Mapping[Seat, int]
    pack: Mapping[Card, int]
    """How many of each card there are."""
    pack_size: int
    punter: Count
    banker: Count
    first_cards: int
    """How many cards each hand has when the first duel begins."""
    stake: int
    bank: int
    knock_multiple: int
    natural_pays: int
    max_extra: int
    """Cards that may be drawn beyond the first two; 0: any number."""
    is_21_at_once: bool
    is_late_natural_fine: bool
    is_natural_for_all: bool
    is_tie_returned: bool
    is_common_pot: bool
    is_bank_limit: bool
    is_hidden_bust_double: bool
    is_discard_reshuffled: bool
    illegal_hit: str

    def player(self, seat: Seat | None) -> str:
        """Who sits there; `?` for nobody."""
        return "?" if seat is None else self.players[self.places[seat]]


class Hand(NamedTuple):
    """A seat's cards in the order in which they came."""

    cards: tuple[Card, ...] = ()
    """`##` while face down."""
    asked: tuple[bool, ...] = ()
    """Whether each was asked for, or dealt at the start."""
    is_mixed: bool = False
    """Whether the order of the cards is lost."""

    @property
    def is_open(self) -> bool:
        """Whether there are cards and all lie face up."""
        return bool(self.cards) and BACK not in self.cards

    @property
    def ranks(self) -> Ranks:
        """The ranks of an open hand."""
        return ranks_of(self.cards)

    def with_card(self, card: Card, *, is_asked: bool) -> Hand:
        """One more card at the end of the row."""
        return Hand((*self.cards, card), (*self.asked, is_asked), self.is_mixed)

    def with_face(self, card: Card, place: int | None) -> Hand:
        """A face-down card turned up: that of the row, or, if which it was is unknown, any."""
        is_mixed = self.is_mixed or (place is None and self.cards.count(BACK) > 1)
        at = self.cards.index(BACK) if place is None else place
        return Hand((*self.cards[:at], card, *self.cards[at + 1 :]), self.asked, is_mixed)


NO_CARDS = Hand()


class Said(NamedTuple):
    """What a tap has just said, while a second one may still turn both into "I show"."""

    seat: Seat
    t_ns: int
    phase: Phase
    """In which phase it was said."""
    hand: Hand
    """The seat's cards before it."""
    pending: int


@replacing_fast
class State(NamedTuple):
    """Everything the referee knows; immutable. What belongs to one duel is emptied by `new_duel`."""

    house: House
    phase: Phase
    banker: Seat | None
    pot: Pot
    """The bank, and what everybody has won or paid."""
    active: tuple[Seat, ...]
    """Who plays, clockwise."""
    left: int
    """Cards left in the pack."""
    hands: tuple[Hand, ...]
    stakes: tuple[int | None, ...]
    """What each punter has staked on this round; None: not yet."""
    first_bank: int = 0
    """What the banker laid as his bank."""
    is_last_round: bool = False
    """The banker has knocked: he takes the bank after this round."""
    spent: tuple[Card, ...] = ()
    """Cards seen since the shuffle that are out of play."""
    discarded: int = 0
    """Cards out of play since the shuffle, seen or not."""
    waiting: tuple[Seat, ...] = ()
    """Punters whose duel is yet to come, in order."""
    asks: tuple[Question, ...] = ()
    taps: Taps = ()
    said: Said | None = None
    is_banker_done: bool = False
    """The bank is to change hands before the next round."""
    is_ending: bool = False
    is_called_dealt: bool = False
    """Somebody has said that the deal is done, though cards seemed to be missing."""
    is_counted: bool = False
    """Whether cards are seen as they are dealt; otherwise words stand for them."""
    duels: int = 0
    """How many duels of this round have begun."""
    punter: Seat | None = None
    """Whose duel it is."""
    pending: int = 0
    """Cards asked for that have not come yet."""
    unasked: tuple[Seat, int] | None = None
    """A face-down card that nobody asked for: at which seat it lies, and its lay."""
    has_stood: bool = False
    """Whether the punter has said "enough" himself."""
    has_come_to_banker: bool = False
    """Whether it was the banker's turn to draw in this duel."""
    is_natural: bool = False
    """Whether the banker has shown 21 or gold in time."""
    has_turned: bool = False
    """Whether the banker has turned up cards since the punter stood."""
    showing: Seat | None = None
    """Who has said that he shows."""
    noted: frozenset[tuple[Seat, int]] = frozenset()
    """Of which hands, at how many cards, it was said that they stay open."""
    is_audited: bool = False
    """Whether the punter's illegal hit has been ruled."""
    has_refused: frozenset[Seat] = frozenset()
    """Who will not show."""
    verdict: Ruling | None = None
    """How the duel is decided, once it is."""

    def hand(self, seat: Seat | None) -> Hand:
        """That seat's cards."""
        return NO_CARDS if seat is None else self.hands[self.house.places[seat]]

    def hands_with(self, seat: Seat, hand: Hand) -> tuple[Hand, ...]:
        """All hands, that seat's being `hand`."""
        place = self.house.places[seat]
        return (*self.hands[:place], hand, *self.hands[place + 1 :])

    def stake(self, seat: Seat) -> int:
        """What that punter has staked; 0 while he has not."""
        return self.stakes[self.house.places[seat]] or 0

    def punters(self) -> tuple[Seat, ...]:
        """Everybody who plays but the banker, from his left."""
        assert self.banker is not None
        return tuple(seat for seat in in_turn(self.house.seats, self.banker, self.active) if seat != self.banker)

    def actor(self) -> Seat | None:
        """Who has the word."""
        if self.phase is Phase.PUNTER:
            return self.punter
        return self.banker if self.phase in DUEL else None

    def counting(self, seat: Seat) -> Count:
        """How that seat's hand is counted."""
        return self.house.banker if seat == self.banker else self.house.punter


def start(setup: Setup) -> State:
    """The state before the first event; raises `BadSetup` with a sentence."""
    house = _house(setup)
    phase = Phase.LOBBY if setup.dealer is None else Phase.STAKES
    places = len(house.seats)
    return State(
        house=house,
        phase=phase,
        banker=setup.dealer,
        pot=Pot.empty(places),
        active=house.seats,
        left=house.pack_size,
        hands=(NO_CARDS,) * places,
        stakes=(None,) * places,
    )


def new_round(state: State, banker: Seat) -> State:
    """The stakes of a round with `banker`; pack, bank and purses go on."""
    places = len(state.house.seats)
    return State(
        house=state.house,
        phase=Phase.STAKES,
        banker=banker,
        pot=state.pot,
        active=state.active,
        left=state.left,
        hands=(NO_CARDS,) * places,
        stakes=(None,) * places,
        first_bank=state.first_bank,
        spent=state.spent,
        discarded=state.discarded,
        is_last_round=state.is_last_round,
        # What could not be read is still asked: the answer may change the outcome.
        asks=state.asks,
    )


def new_duel(state: State, phase: Phase) -> State:
    """Everything of the last duel is put away; the next punter's begins."""
    return state._replace(
        phase=phase,
        punter=state.waiting[0],
        waiting=state.waiting[1:],
        duels=state.duels + 1,
        pending=0,
        unasked=None,
        has_stood=False,
        has_come_to_banker=False,
        is_natural=False,
        has_turned=False,
        showing=None,
        noted=frozenset(),
        is_audited=False,
        has_refused=frozenset(),
        verdict=None,
        said=None,
    )


def shuffled(state: State) -> State:
    """All cards are in the pack again."""
    cleared = (NO_CARDS,) * len(state.hands)
    return state._replace(left=state.house.pack_size, spent=(), discarded=0, hands=cleared, waiting=())


def _house(setup: Setup) -> House:
    OFFERS.check(setup.options)
    numbers, chosen = OFFERS.counted(setup.options), OFFERS.chosen(setup.options)
    OFFERS.check_seats(setup, least=2, most=numbers.pop("players_max"))
    pack = PACKS[chosen["deck"]]
    _check_pack(len(setup.seats), len(pack))
    is_low = chosen["ace_low"] == "true"
    limit = 16 if chosen["punter_stand"] == "mandatory16" else GOAL
    return House(
        seats=setup.seats,
        players=setup.players,
        places={seat: i for i, seat in enumerate(setup.seats)},
        pack={card: pack.count(card) for card in pack},
        pack_size=len(pack),
        punter=Count(limit, is_low, chosen["gold_punter"] == "true"),
        # His gold is gold only when declared, so that by itself it counts 22.
        banker=Count(_BANKER_LIMITS[chosen["banker_rule"]], is_low, has_gold=False),
        first_cards=1 if chosen["first_deal"] == "one" else DEALT,
        natural_pays=int(chosen["natural_pays"]),
        max_extra=int(chosen["max_extra"]),
        is_21_at_once=chosen["punter21"] == "immediate",
        is_late_natural_fine=chosen["late_natural"] == "stands",
        is_natural_for_all=chosen["natural_scope"] == "all",
        is_tie_returned=chosen["tie"] == "push",
        is_common_pot=chosen["pot_mode"] == "common_pot",
        is_bank_limit=chosen["bank_limit"] == "true",
        is_hidden_bust_double=chosen["hidden_bust_double"] == "true",
        is_discard_reshuffled=chosen["deck_out"] == "reshuffle_discard",
        illegal_hit=chosen["illegal_hit"],
        **numbers,
    )


def _check_pack(players: int, cards: int) -> None:
    """§2: two new cards for the banker in every duel beside two for each punter."""
    most = cards // (2 * DEALT) + 1
    if players > most:
        raise BadSetup(f"{cards} cards are enough for {most} players, not {players}; take a larger deck")
