"""The house rules of Debertz (§9), and the ranks and values that follow from them (§2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.cards import Card, Rank, Suit
from engine.house import Offers
from engine.melds import Order
from engine.rules import Setup
from engine.seats import Seat
from engine.tricks import Duties

OFFERS = Offers(
    "Debertz",
    {
        "trump_order": ("jass", "plain"),
        "sequence_order": ("seed", "natural"),
        "meld_rank": ("kind_top", "length_top"),
        "long_run": ("split", "fifty", "hundred"),
        "meld_tie": ("elder", "none", "split"),
        "need_trick": ("sequences", "all", "none"),
        "bella": ("call", "auto", "trick", "off"),
        "exchange": ("any", "maker", "off"),
        "beat_trump_lead": ("true", "false"),
        "first_lead": ("elder", "maker"),
        "bait": ("transfer", "burn", "round2_only"),
        "tie": ("hanging", "bait", "each"),
        "hang_to": ("next_winner", "same_maker"),
        "dealer": ("alternate", "winner"),
        "forced_bid": ("false", "true"),
        "show_bottom": ("false", "true"),
        "four_sevens": ("off", "redeal", "bonus"),
        "jackpot": ("off", "run7", "run8"),
        "schmeiss": ("false", "true"),
        "declare": ("before_lead", "before_own_card"),
        "revoke": ("transfer", "mark", "replay"),
    },
    {"target": (501, 1, 1_000_000), "bait_penalty_every": (0, 0, 1000), "no_trick_penalty": (0, 0, 1000)},
)

_DOWN = tuple(Rank(rank) for rank in (14, 10, 13, 12, 11, 9, 8, 7))
"""§2: A 10 K Q J 9 8 7."""
_JASS = tuple(Rank(rank) for rank in (11, 9, 14, 10, 13, 12, 8, 7))
"""§2: J 9 A 10 K Q 8 7."""
_NATURAL = tuple(Rank(rank) for rank in range(14, 6, -1))
_POINTS = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2}
_JASS_POINTS = {**_POINTS, Rank.JACK: 20, Rank.NINE: 14}


class House(NamedTuple):
    """Who sits where and which house rules hold; the same throughout the game."""

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    places: Mapping[Seat, int]
    duties: Duties
    points: Mapping[Rank, int]
    """What the ranks count in plain suits."""
    trump_points: Mapping[Rank, int]
    order: Order
    """Ranks as sequences run, highest first."""
    is_forced: bool
    """§9 row 18: the last bidder may not pass."""
    shows_bottom: bool
    offers_annulment: bool
    """§9 row 22: schmeiss."""
    declares_late: bool
    """§9 row 23: each before his own first card."""
    meld_rank: str
    long_run: str
    meld_tie: str
    need_trick: str
    bella: str
    exchange: str
    first_lead: str
    bait: str
    tie: str
    hang_to: str
    dealer: str
    four_sevens: str
    jackpot: str
    revoke: str
    target: int
    bait_penalty_every: int
    no_trick_penalty: int

    def other(self, seat: Seat) -> Seat:
        """The seat across."""
        return self.seats[1 - self.places[seat]]

    def player(self, seat: Seat | None) -> str:
        """Who sits there; `?` for nobody."""
        return "?" if seat is None else self.players[self.places[seat]]

    def worth(self, card: Card, trump: Suit) -> int:
        """§2: what the card counts in a trick; a card that could not be read counts nothing until it is known."""
        if not card.is_known:
            return 0
        return (self.trump_points if card.suit is trump else self.points).get(card.rank, 0)


def house_of(setup: Setup) -> House:
    """The house rules of that setup; raises `BadSetup`."""
    OFFERS.check(setup.options)
    OFFERS.check_seats(setup, least=2, most=2)
    chosen = OFFERS.chosen(setup.options)
    is_jass = chosen.pop("trump_order") == "jass"
    order = _DOWN if chosen.pop("sequence_order") == "seed" else _NATURAL
    flags = {name: chosen.pop(name) == "true" for name in ("beat_trump_lead", "forced_bid", "show_bottom", "schmeiss")}
    counted = OFFERS.counted(setup.options)
    return House(
        seats=setup.seats,
        players=setup.players,
        places={seat: i for i, seat in enumerate(setup.seats)},
        duties=Duties(
            plain=_strengths(_DOWN),
            trump=_strengths(_JASS if is_jass else _DOWN),
            beat_plain=False,
            beat_trump=flags["beat_trump_lead"],
        ),
        points=_POINTS,
        trump_points=_JASS_POINTS if is_jass else _POINTS,
        order=order,
        is_forced=flags["forced_bid"],
        shows_bottom=flags["show_bottom"],
        offers_annulment=flags["schmeiss"],
        declares_late=chosen.pop("declare") == "before_own_card",
        target=counted["target"],
        bait_penalty_every=counted["bait_penalty_every"],
        no_trick_penalty=counted["no_trick_penalty"],
        **chosen,
    )


def _strengths(order: Order) -> dict[Rank, int]:
    """A misread card of another deck must rank somewhere too, until it is known: below all others."""
    return dict.fromkeys(Rank, 0) | {rank: place for place, rank in enumerate(reversed(order), start=1)}
