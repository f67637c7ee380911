"""What the referee knows of a game of Bong, and how it begins."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from engine.cards import Card, Rank
from engine.errors import BadSetup
from engine.house import Offers
from engine.replacing import replacing_fast
from engine.rules import Question, Setup
from engine.seats import Seat, clockwise

MS = 1_000_000
SECOND = 1_000_000_000
DECK = 52

NOBODY: frozenset[Seat] = frozenset()
NEXT: dict[Rank, Rank] = {rank: Rank(rank + 1) if rank < Rank.ACE else Rank.TWO for rank in Rank}
"""§2: 2 3 … K A, then 2 again."""


class Phase(Enum):
    """Where the game stands (§4); the value is the phase's stable name."""

    LOBBY = "lobby"
    DEAL = "deal"
    START_CLAIM = "start-claim"
    START_LAY = "start-lay"
    RACE = "race"
    STALL_CHECK = "stall-check"
    FLONG = "flong"
    GAME_OVER = "game-over"


CHOICES: dict[str, tuple[str, ...]] = {
    "start_mode": ("lot", "race"),
    "stall_proof": ("declare", "show", "operator"),
    "stall_collect": ("all", "pile"),
    "stall_last": ("stays", "out"),
    "flong_first": ("left", "right"),
    "restart": ("two", "continue"),
    "early_look": ("warn", "ignore"),
    "foul_penalty": ("none", "mark", "take_pile"),
    "false_nocard": ("mark", "none", "take_pile"),
    "tie_rule": ("pile_order", "lot"),
    "bare_slap": ("count", "mark"),
}
"""Options that are a choice (§8); the first is the default."""
NUMBERS: dict[str, tuple[int, int, int]] = {
    "shot_clock_s": (0, 0, 3600),
    "players_max": (6, 3, 26),
    "attribution_ms": (1500, 100, 10_000),
    "late_slap_ms": (300, 0, 5000),
    "claim_s": (3, 0, 600),
}
"""Options that are a number (§8): default, least, greatest."""
OFFERS = Offers("Bong", CHOICES, NUMBERS)


class House(NamedTuple):
    """Who sits where and which house rules hold; the same throughout the game."""

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    places: Mapping[Seat, int]
    start_mode: str
    stall_proof: str
    stall_collect: str
    stall_last: str
    flong_first: str
    restart: str
    early_look: str
    foul_penalty: str
    false_nocard: str
    tie_rule: str
    bare_slap: str
    shot_clock_ns: int
    claim_ns: int
    attribution_ns: int
    late_slap_ns: int

    def player(self, seat: Seat) -> str:
        """Who sits there."""
        return self.players[self.places[seat]]


class Laid(NamedTuple):
    """A card in the pile."""

    card: Card
    could_be: tuple[Card, ...]
    """Every card that it may be, as far as it was read; one, where that is certain."""
    seats: frozenset[Seat]
    """Who may have laid it; one, where that is certain."""
    lay: int
    number: int


class Owed(NamedTuple):
    """A foul card that has not been seen to go back: still its owner's."""

    laid: Laid
    is_covered: bool
    """Whether a later card lies on it."""


class Record(NamedTuple):
    """What a stall claims (§7): `last` holds all of `cards`, the pressers hold none."""

    cards: frozenset[Card]
    last: Seat
    pressers: tuple[tuple[Seat, int], ...]
    """Who said "no card", and by which event."""
    is_confirmed: bool


class Slap(NamedTuple):
    """A slap that no card has claimed yet."""

    seat: Seat
    t_ns: int
    number: int


class Touch(NamedTuple):
    """When a lay touched, and what is known of whose it was."""

    t_ns: int
    seats: frozenset[Seat]
    slap_ns: int | None
    lay: int
    is_foul: bool
    rival: int | None = None


@replacing_fast
class State(NamedTuple):
    """Everything the referee knows; immutable."""

    house: House
    phase: Phase
    dealer: Seat | None
    active: frozenset[Seat]
    hands: tuple[int, ...]
    """Cards in each hand, owed ones included; lays that may be any of several seats' are not taken off."""
    pile: tuple[Laid, ...] = ()
    """The valid pile, bottom first."""
    owed: tuple[Owed, ...] = ()
    last: frozenset[Seat] = NOBODY
    """Who may have laid the top card; one, where that is certain."""
    needed: Rank = Rank.TWO
    opening: Rank = Rank.TWO
    """With what this round begins."""
    round: int = 1
    claims: tuple[tuple[Seat, int], ...] = ()
    """Who claims a two, and by which event."""
    claimed: frozenset[Seat] = NOBODY
    """Who has claimed in this round, struck claims included."""
    closes_ns: int | None = None
    claimant: Seat | None = None
    nocard: tuple[tuple[Seat, int], ...] = ()
    """Who has said "no card", and by which event."""
    is_stall: bool = False
    """All others have said "no card"; `last` is asked."""
    answering: tuple[Seat, int, int] | None = None
    """`last` has pressed (seat, when, event): "no", unless it becomes a hold."""
    must_show: bool = False
    records: tuple[Record, ...] = ()
    slaps: tuple[Slap, ...] = ()
    touches: tuple[Touch, ...] = ()
    """The lays of the last few seconds."""
    tie: tuple[str, tuple[Seat, ...]] | None = None
    drawn: frozenset[str] = frozenset()
    """Lots between two lays that have been drawn."""
    marks: tuple[int, ...] = ()
    bare: tuple[int, ...] = ()
    """Bare slaps counted against each seat."""
    finished: tuple[Seat, ...] = ()
    """In order of going out."""
    loser: Seat | None = None
    valid_ns: int = 0
    """When the last valid card touched or the round began: the shot clock's start."""
    asks: tuple[Question, ...] = ()
    is_counted: bool = True
    """Whether hands and pile can be trusted to add up."""
    noted: frozenset[Seat] = NOBODY
    """Seats whose unclaimed two was noted in this round."""

    def hand(self, seat: Seat) -> int:
        """Cards in that hand, at most."""
        return self.hands[self.house.places[seat]]


def start(setup: Setup) -> State:
    """The state before the first event; raises `BadSetup` with a sentence."""
    house = _house(setup)
    count = len(house.seats)
    zeros = (0,) * count
    if setup.dealer is None:
        return State(house, Phase.LOBBY, None, frozenset(house.seats), zeros, marks=zeros, bare=zeros)
    hands = shares(house, house.seats, after=setup.dealer, cards=DECK)
    return State(house, Phase.DEAL, setup.dealer, frozenset(house.seats), hands, marks=zeros, bare=zeros)


def shares(
    house: House, takers: tuple[Seat, ...], *, after: Seat, cards: int, leftwards: bool = True
) -> tuple[int, ...]:
    """How many of `cards` each seat gets when they are dealt one by one, the first to `after`'s left (or right), §3."""
    around = list(clockwise(takers, after))
    if not leftwards:
        around = [seat for seat in reversed(around) if seat != after] + [seat for seat in around if seat == after]
    each, more = divmod(cards, len(around))
    gets = {seat: each + (place < more) for place, seat in enumerate(around)}
    return tuple(gets.get(seat, 0) for seat in house.seats)


def _house(setup: Setup) -> House:
    OFFERS.check(setup.options)
    numbers = OFFERS.counted(setup.options)
    OFFERS.check_seats(setup, least=3, most=numbers["players_max"])
    chosen = OFFERS.chosen(setup.options)
    if chosen["stall_collect"] == "all":
        if setup.options.get("stall_last") == "stays":
            raise BadSetup("stall_last=stays needs stall_collect=pile: who gathers all cards holds none; drop one")
        chosen["stall_last"] = "out"
    return House(
        seats=setup.seats,
        players=setup.players,
        places={seat: i for i, seat in enumerate(setup.seats)},
        shot_clock_ns=numbers["shot_clock_s"] * SECOND,
        claim_ns=numbers["claim_s"] * SECOND,
        attribution_ns=numbers["attribution_ms"] * MS,
        late_slap_ns=numbers["late_slap_ms"] * MS,
        **chosen,
    )
