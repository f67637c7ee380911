"""What can be proven in Bong (§6, §7), and nothing else."""

from __future__ import annotations

from engine.cards import Card, Rank, Suit
from engine.events import CardLaid
from engine.games.bong.state import DECK, Laid, Record, State
from engine.readings import SURE
from engine.rulings import Ruling
from engine.seats import Seat, only


def could_be(event: CardLaid) -> tuple[Card, ...]:
    """Every card that the laid card may be, likeliest first; one where the reading is sure, none where it is unread."""
    if event.sure >= SURE:
        return (event.card,) if event.card.is_known else ()
    others = tuple(card for card in event.likely if card is not event.card and card.is_known)
    return (event.card, *others) if event.card.is_known else others


def is_sure(event: CardLaid) -> bool:
    """Whether the table need not be asked which card it is."""
    return event.sure >= SURE and event.card.is_known


def missing_count(state: State) -> int:
    """§6 point 1: how many cards of the needed rank are in hands."""
    return 4 - len(state.pile) // 13


def missing_cards(state: State) -> frozenset[Card]:
    """The cards of the needed rank surely in hands; buried ones, which cannot be laid, are left out."""
    gone = {card for laid in _same_rank(state) for card in laid.could_be or _all_of(state.needed)}
    gone.update(card for owed in state.owed if owed.is_covered for card in owed.laid.could_be)
    return frozenset(card for card in _all_of(state.needed) if card not in gone)


def is_seen_twice(state: State, event: CardLaid) -> bool:
    """Whether that very card already lies in the valid pile."""
    card = event.card
    for laid in state.pile:
        if laid.card is card and len(laid.could_be) == 1:
            return is_sure(event)
    return False


def not_in_pile(state: State, card: Card) -> frozenset[Card]:
    """The cards of that card's rank that are not known to lie in the pile."""
    laid = {one.card for one in state.pile}
    return frozenset(other for other in _all_of(card.rank) if other not in laid) if card.is_known else frozenset()


def only_last(state: State) -> Seat | None:
    """Who laid the top card, where that is certain."""
    return only(state.last)


def is_stall_impossible(state: State) -> bool:
    """§6 point 3: `last` cannot hold all the missing cards."""
    last = only_last(state)
    return last is not None and state.is_counted and state.hand(last) < missing_count(state)


def stall_record(state: State, *, is_confirmed: bool) -> Record | None:
    """§7: what the stall claims, or None when it claims nothing of anybody."""
    last = only_last(state)
    cards = missing_cards(state)
    if last is None or not cards or not state.nocard or state.house.stall_proof == "operator":
        return None
    return Record(cards, last, state.nocard, is_confirmed)


def clashes(state: State, record: Record) -> Ruling | None:
    """§7: two confirmed stalls cannot both be true when the same card was claimed for two different seats."""
    for old in state.records:
        both = old.cards & record.cards
        if both and old.is_confirmed and record.is_confirmed and old.last != record.last:
            numbers = tuple(number for _, number in old.pressers)
            return Ruling("records-clash", None, 0, numbers, (("cards", _text(both)),), "§7")
    return None


def broken_promises(state: State, event: CardLaid, seat: Seat) -> list[Ruling]:
    """§7: false "no card" proven by the card now laid, one ruling for each stall that it belies."""
    if not is_sure(event):
        return []
    return [
        Ruling("false-nocard-proven", seat, 0, (number, event.number), (("card", str(event.card)),), "§7", is_foul=True)
        for record in state.records
        if event.card in record.cards
        for presser, number in record.pressers
        if presser == seat
    ]


def without_card(records: tuple[Record, ...], cards: frozenset[Card]) -> tuple[Record, ...]:
    """The records once `cards` were laid validly, taken up or gathered from a hand: those prove nothing any more."""
    return tuple(record._replace(cards=record.cards - cards) if record.cards & cards else record for record in records)


def total_range(state: State) -> tuple[int, int]:
    """The least and the most cards that hands and pile can hold together, given the lays of uncertain seat."""
    most = sum(state.hands) + len(state.pile)
    return most - sum(len(laid.seats) != 1 for laid in state.pile), most


def is_conserved(state: State) -> bool:
    """§7: hands (owed cards included) and valid pile make 52."""
    least, most = total_range(state)
    return least <= DECK <= most


def _same_rank(state: State) -> tuple[Laid, ...]:
    # The pile rises by one from its bottom, so the needed rank lies in every thirteenth place down from its top.
    return state.pile[len(state.pile) % 13 :: 13] if len(state.pile) >= 13 else ()


def _all_of(rank: Rank) -> tuple[Card, ...]:
    return _CARDS[rank]


_CARDS = {rank: tuple(Card.of(rank, suit) for suit in Suit) for rank in Rank}


def _text(cards: frozenset[Card]) -> str:
    return " ".join(sorted(str(card) for card in cards))
