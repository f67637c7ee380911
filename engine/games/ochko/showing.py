"""Cards that are turned up in Ochko, and readings that nobody may be judged on yet (§4, §7)."""

from __future__ import annotations

from engine.cards import BACK, Card
from engine.events import CardLaid, Event
from engine.games.ochko.state import State
from engine.readings import is_sure
from engine.rulings import Ruling
from engine.seats import Seat

NOTHING: tuple[Ruling, ...] = ()


def shown(state: State, event: Event, seat: Seat, cards: tuple[Card, ...]) -> tuple[Ruling, ...]:
    """A seat's whole row at once, in the order in which its cards came."""
    hand = state.hand(seat)
    if not hand.cards or seat not in state.active:
        return NOTHING
    detail = (("cards", " ".join(map(str, cards))), ("count", len(hand.cards)))
    is_short = len(cards) != len(hand.cards) if state.is_counted else len(cards) < len(hand.cards)
    if is_short or _has_wrong(state, seat, cards):
        return (Ruling("show-row", seat, 0, (event.number,), detail, "§4"),)
    return (Ruling("row-shown", seat, 0, (event.number,), detail, "§4"),)


def _has_wrong(state: State, seat: Seat, cards: tuple[Card, ...]) -> bool:
    if any(not card.is_known for card in cards):
        return True
    mine = state.hand(seat).cards
    pack = state.house.pack
    return any(seen(state, card) - mine.count(card) + cards.count(card) > pack.get(card, 0) for card in cards)


def turned(state: State, event: CardLaid, seat: Seat, place: int | None) -> tuple[Ruling, ...]:
    """One card of the row turned up."""
    if _is_seen_again(state, event, seat, place):
        return NOTHING
    told = Ruling("turns", seat, 0, (event.number,), (("card", str(event.card)),), "§4")
    return (told, *doubts(state, event, event.card, seat))


def _is_seen_again(state: State, event: CardLaid, seat: Seat, place: int | None) -> bool:
    """Whether it is a card that lies open already, where it lay."""
    cards = state.hand(seat).cards
    if event.card not in cards or not is_sure(event) or state.house.pack.get(event.card) != 1:
        return False
    return place is None or place >= len(cards) or cards[place] is event.card


def whose(state: State, event: CardLaid) -> Seat | None:
    """Whose card was turned up, where its place was not seen: by the hand, or whoever alone has cards to turn."""
    if len(event.hand) == 1:
        return next(iter(event.hand))
    able = [seat for seat in (state.punter, state.banker) if BACK in state.hand(seat).cards]
    return able[0] if len(able) == 1 else None


def doubts(state: State, event: Event, card: Card, seat: Seat | None) -> tuple[Ruling, ...]:
    """A reading that nothing may rest on before a person has confirmed it."""
    if not card.is_known:
        return () if card is BACK else (_doubt("unread", seat, event, card),)
    if seen(state, card) >= state.house.pack.get(card, 0):
        return (_doubt("deck-fault", None, event, card),)
    return () if is_sure(event) else (_doubt("unsure", None, event, card),)


def _doubt(code: str, seat: Seat | None, event: Event, card: Card) -> Ruling:
    return Ruling(code, seat, 0, (event.number,), (("card", str(card)),), "§7")


def seen(state: State, card: Card) -> int:
    """How often that card has been seen since the shuffle."""
    return state.spent.count(card) + sum(hand.cards.count(card) for hand in state.hands)
