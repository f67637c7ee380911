"""Cards, decks and the letters by which people name them."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING, ClassVar, Never

from engine.errors import BadCard


class Suit(Enum):
    """One of the four French suits; the value is its English letter."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"

    @property
    def symbol(self) -> str:
        """The suit as a pip, e.g. `♥`."""
        return _SYMBOLS[self]

    @property
    def is_red(self) -> bool:
        """Whether it is hearts or diamonds."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


class Rank(IntEnum):
    """A card's rank, ace high; games with another order keep their own."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    def __str__(self) -> str:
        """The rank as printed in an English index: `2` … `10`, `J`, `Q`, `K`, `A`."""
        return _RANK_LETTERS.get(int(self), str(int(self)))


_SYMBOLS = {Suit.CLUBS: "♣", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♠"}
_RANK_LETTERS = {11: "J", 12: "Q", 13: "K", 14: "A"}
# Cyrillic Т is the ace (туз) while Latin T is the ten: the two look alike but are different letters.
_RANKS = {
    **{str(rank): rank for rank in Rank},
    "T": Rank.TEN,
    "Т": Rank.ACE,
    "К": Rank.KING,
    "Д": Rank.QUEEN,
    "В": Rank.JACK,
}
_SUITS = {
    **{suit.value: suit for suit in Suit},
    **{suit.symbol: suit for suit in Suit},
    "♡": Suit.HEARTS,
    "♢": Suit.DIAMONDS,
    "♤": Suit.SPADES,
    "♧": Suit.CLUBS,
    "Т": Suit.CLUBS,
    "К": Suit.CLUBS,
    "Б": Suit.DIAMONDS,
    "Ч": Suit.HEARTS,
    "П": Suit.SPADES,
}


class Card:
    """One playing card, or the unknown card `??`, or a back `##`; every card exists once, so `is` and `==` agree.

    >>> Card("10H"), Card("♥10") == Card("TH")
    (Card("10H"), True)
    >>> Card("ДП")
    Card("QS")
    """

    __slots__ = ("_text", "is_known", "rank", "suit")
    # Slots, not properties: judging asks for them more often than for anything else.
    rank: Rank
    """The unknown card and a back have none: asking raises `BadCard`."""
    suit: Suit
    """Like `rank`."""
    is_known: bool
    """Whether it has a rank and a suit."""
    _text: str
    _known: ClassVar[dict[str, Card]] = {}

    def __new__(cls, text: str | Card) -> Card:
        """Returns the card that `text` names; raises `BadCard` when there is none."""
        if isinstance(text, Card):
            return text
        found = cls._known.get(text)
        return found if found is not None else _parse(text)

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Card:
        """The card of that rank and suit."""
        return cls._known[f"{rank}{suit.value}"]

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"the card {self._text} stays as it is")

    if not TYPE_CHECKING:  # to a type checker every misspelt attribute would be one

        def __getattr__(self, name: str) -> Never:
            """Asked for what is not there: raises `BadCard` for rank and suit of the unknown card and of a back."""
            if name in ("rank", "suit"):
                raise BadCard(f"the card {self._text} has no {name}; ask is_known first")
            raise AttributeError(name)

    def pretty(self) -> str:
        """As printed, e.g. `10♥`."""
        return f"{self.rank}{self.suit.symbol}" if self.is_known else self._text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f'Card("{self._text}")'

    def __reduce__(self) -> tuple[type[Card], tuple[str]]:
        return Card, (self._text,)

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, memo: object) -> Card:
        return self


def _make(text: str, rank: Rank | None, suit: Suit | None) -> Card:
    card = object.__new__(Card)
    given = {"_text": text, "is_known": rank is not None, "rank": rank, "suit": suit}
    for name, value in given.items():
        if value is not None:
            object.__setattr__(card, name, value)
    Card._known[text] = card
    return card


def _parse(text: str) -> Card:
    word = text.strip().upper()
    for rank_text, suit_text in ((word[:-1], word[-1:]), (word[1:], word[:1])):
        rank, suit = _RANKS.get(rank_text), _SUITS.get(suit_text)
        if rank is not None and suit is not None:
            return Card.of(rank, suit)
    if word in Card._known:
        return Card._known[word]
    raise BadCard(f"{text!r} is no card; write rank and suit like 10H, QS or A♦")


UNKNOWN = _make("??", None, None)
"""A card that lies face up but could not be read."""
BACK = _make("##", None, None)
"""A card that lies face down."""
DECK_52: tuple[Card, ...] = tuple(_make(f"{rank}{suit.value}", rank, suit) for suit in Suit for rank in Rank)
"""The full deck, clubs to spades, two to ace."""
DECK_36: tuple[Card, ...] = tuple(card for card in DECK_52 if card.rank >= Rank.SIX)
"""Six to ace."""
DECK_32: tuple[Card, ...] = tuple(card for card in DECK_52 if card.rank >= Rank.SEVEN)
"""Seven to ace."""
OF_SUIT: dict[Suit, frozenset[Card]] = {suit: frozenset(Card.of(rank, suit) for rank in Rank) for suit in Suit}
"""The thirteen cards of each suit."""


def read_cards(text: str) -> tuple[Card, ...]:
    """The cards named in `text`, separated by spaces or commas."""
    return tuple(Card(word) for word in text.replace(",", " ").split())
