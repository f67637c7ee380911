"""What the referee knows of a game of Debertz, and how it begins."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from engine.cards import DECK_32, Card, Rank, Suit
from engine.games.debertz.house import House, house_of
from engine.melds import Run
from engine.replacing import replacing_fast
from engine.revokes import Hidden, Known
from engine.rules import Question, Setup
from engine.seats import Seat
from engine.taps import Taps
from engine.tricks import Duties, Reply, Revoke, Trick

DECK = frozenset(DECK_32)
HAND = 9
TWO_SUITS = 16
"""How many cards follow or trump at most."""
LAST_TRICK = 10
"""§2: the last trick counts this much more."""
TERZ, POLTINNIK, BELLA = 20, 50, 20
"""§2: what they count."""
BELLA_RANKS = frozenset((Rank.KING, Rank.QUEEN))
NOBODY: frozenset[Seat] = frozenset()


class Phase(Enum):
    """Where the game stands (§4); the value is the phase's stable name."""

    LOBBY = "lobby"
    DEAL = "deal"
    FIRST_ROUND = "first-round"
    SECOND_ROUND = "second-round"
    ANNULMENT = "annulment"
    DRAW = "draw"
    DECLARE = "declare"
    SHOW = "show"
    TRICK = "trick"
    AUDIT = "audit"
    GAME_OVER = "game-over"


BIDDING = (Phase.FIRST_ROUND, Phase.SECOND_ROUND)
ASKING = (*BIDDING, Phase.ANNULMENT)
"""Phases in which a tap says yes and a hold says no."""
BEFORE_LEAD = (Phase.DRAW, Phase.DECLARE, Phase.SHOW)
"""Phases between the bidding and the first lead."""


class Meld(NamedTuple):
    """A declared sequence that has not been struck."""

    seat: Seat
    run: Run
    number: int
    """Log number of the declaration."""
    is_jackpot: bool = False
    """§9 row 21: declared as the run of trumps that wins the game."""
    is_before_exchange: bool = False
    """Its owner has exchanged the seven since."""


class Called(NamedTuple):
    """A bella that was called."""

    seat: Seat
    number: int


@replacing_fast
class State(NamedTuple):
    """Everything the referee knows; immutable. What belongs to one deal is emptied by `new_deal`."""

    house: House
    phase: Phase
    dealer: Seat | None
    scores: tuple[int, ...] = (0, 0)
    """Totals, written after every deal."""
    hanging: tuple[int, ...] = (0, 0)
    """Points that hang (§6), by the seat that made them."""
    baits: tuple[int, ...] = (0, 0)
    marks: tuple[int, ...] = (0, 0)
    record: tuple[tuple[int, ...], ...] = ()
    """What each finished deal wrote for each seat."""
    winner: Seat | None = None
    asks: tuple[Question, ...] = ()
    taps: Taps = ()
    """Presses that are yet to be answered, while the game asks; otherwise the newest, for double taps."""
    upcard: Card | None = None
    """The card that lies face up: as dealt, or the seven that was exchanged for it."""
    turned: Card | None = None
    """The card that was turned up at the deal."""
    trump: Suit | None = None
    trump_number: int = 0
    """Log number of the event that made it trump, or that turned up the card of the deal."""
    turn: Seat | None = None
    """Whose word or card is due."""
    passes: int = 0
    maker: Seat | None = None
    made_in: int = 0
    """In which round of bidding trump was made."""
    bottom: Card | None = None
    """§9 row 19: the lowest card of the stock, once it is turned."""
    exchanging: Seat | None = None
    """Who has said that he exchanges, and is yet to lay the seven down."""
    exchanged: Seat | None = None
    """Who has exchanged the seven of trump."""
    is_exchanged: bool = False
    """The seven lies up, by whomever it was laid."""
    melds: tuple[Meld, ...] = ()
    declaring: tuple[Seat, ...] = ()
    """Who may still declare before the first lead, in order."""
    naming: tuple[Seat, ...] = ()
    """Whose equal best sequence needs its suit."""
    is_compared: bool = False
    shower: Seat | None = None
    """Owner of the best sequence, who shows his."""
    shown: tuple[Card, ...] = ()
    number: int = 0
    """Which trick it is, from 1."""
    trick: Trick = ()
    replies: tuple[Reply, ...] = ()
    played: tuple[Known, ...] = ()
    """Every card of the deal with who laid it."""
    known: tuple[Known, ...] = ()
    """Cards seen that are still in hands."""
    doubtful: frozenset[int] = frozenset()
    """Log numbers of lays whose card is not certain: they prove nothing."""
    revokes: tuple[Revoke, ...] = ()
    guilty: frozenset[Seat] = NOBODY
    """Who has revoked in this deal."""
    points: tuple[int, ...] = (0, 0)
    """Card points won in this deal, the last trick's ten included."""
    tricks: tuple[int, ...] = (0, 0)
    called: tuple[Called, ...] = ()
    """Bellas that were called."""
    pair_taker: Seat | None = None
    """Who took the trick in which a seat laid the second of king and queen of trump."""
    laid_ns: int = 0
    """When the newest card of the trick touched."""
    waits_ns: int | None = None
    """Until when a bella may still be called after the last card."""

    @property
    def duties(self) -> Duties:
        """How cards rank and what a reply owes."""
        return self.house.duties

    @property
    def elder(self) -> Seat | None:
        """The dealer's opponent, who bids and declares first."""
        return None if self.dealer is None else self.house.other(self.dealer)

    @property
    def leader(self) -> Seat | None:
        """Who leads to the first trick (§9 row 11)."""
        return self.maker if self.house.first_lead == "maker" else self.elder

    @property
    def is_playing(self) -> bool:
        """Whether cards are laid in tricks now."""
        return self.phase is Phase.TRICK

    @property
    def to_lay(self) -> Seat | None:
        """Whose card is due."""
        return self.turn

    def after(self, seat: Seat) -> Seat:
        """Who lays after that seat."""
        return self.house.other(seat)

    def left(self, seat: Seat) -> int:
        """How many cards that seat has still to lay in this deal."""
        return HAND - sum(one.seat == seat for one in self.played)

    def cards(self, seat: Seat) -> tuple[Card, ...]:
        """The cards that the seat has laid in this deal."""
        return tuple(one.card for one in self.played if one.seat == seat)

    def has_plenty(self) -> bool:
        """Whether so much is unseen that nothing can be proven by counting."""
        seen = len(self.played) + len(self.known) + 2
        return len(DECK) - TWO_SUITS - seen >= HAND + 1 - self.number

    def hidden(self, seat: Seat) -> Hidden:
        """What nobody has seen of that seat's hand."""
        seen = {one.card for one in (*self.played, *self.known)} | {self.upcard, self.bottom}
        return Hidden(self.left(seat) - sum(one.seat == seat for one in self.known), DECK - seen)

    def cannot_be(self, card: Card, seat: Seat | None) -> bool:
        """Whether that card is known to be elsewhere, or not in this deck at all; an unread card can be anywhere."""
        if not card.is_known:
            return False
        if card not in DECK or card is self.bottom or any(one.card is card for one in self.played):
            return True
        if card is self.upcard or (card is self.turned and self.exchanged is not None and seat != self.exchanged):
            return True
        return any(one.card is card and one.seat != seat for one in self.known)


def start(setup: Setup) -> State:
    """The state before the first event; raises `BadSetup` with a sentence."""
    phase = Phase.LOBBY if setup.dealer is None else Phase.DEAL
    return State(house_of(setup), phase, setup.dealer)


def new_deal(state: State, dealer: Seat | None) -> State:
    """Everything of the last deal is put away; `dealer` deals."""
    return State(state.house, Phase.DEAL, dealer, state.scores, state.hanging, state.baits, state.marks, state.record)
