"""Which cards can be where in Debertz (§8): only a certain card proves anything."""

from __future__ import annotations

from engine.cards import DECK_32, Card, Rank
from engine.events import CardLaid
from engine.games.debertz.state import HAND, State
from engine.revokes import by_counting, countable, is_sure, is_turn_doubtful
from engine.rulings import Ruling
from engine.seats import Seat

DECK = frozenset(DECK_32)


def is_certain(state: State, event: CardLaid, seat: Seat | None) -> bool:
    """Whether card and turn are certain and the card can be there: only then does it prove anything."""
    if not event.card.is_known or not is_sure(event) or cannot_be(state, event.card, seat):
        return False
    return not is_turn_doubtful(state)


def cannot_be(state: State, card: Card, seat: Seat | None) -> bool:
    """Whether that card is known to be elsewhere, or not in this deck at all; an unread card can be anywhere."""
    if not card.is_known:
        return False
    if card not in DECK or card is state.bottom or any(one.card is card for one in state.played):
        return True
    if card is state.upcard:
        return True
    if card is state.turned and state.exchanged is not None and seat != state.exchanged:
        return True
    return any(one.card is card and one.seat != seat for one in state.known)


def counted(state: State, number: int) -> list[Ruling]:
    """What is proven by how few cards are left that nobody has seen (§8)."""
    if not countable(state):
        return []
    in_hands = {one.card for one in state.known}
    away = {one.card for one in state.played} | in_hands | {state.upcard, state.bottom}
    hidden = {seat: state.left(seat) - sum(one.seat == seat for one in state.known) for seat in state.house.seats}
    return by_counting(state, [card for card in DECK_32 if card not in away], hidden, number)


def seven(state: State) -> Card | None:
    """The seven of trump, once there is a trump."""
    return None if state.trump is None else Card.of(Rank.SEVEN, state.trump)


def may_exchange(state: State, seat: Seat) -> str:
    """Why that seat may not exchange the seven now; empty: it may (§4, §9 row 8)."""
    house = state.house
    reasons = (
        ("exchange-off", house.exchange == "off"),
        ("trump-was-named", state.made_in == 2),
        ("seven-lies-up", state.is_exchanged or (state.turned is not None and state.turned is seven(state))),
        ("makers-right", house.exchange == "maker" and seat != state.maker),
        ("first-card-laid", state.left(seat) < HAND),
    )
    return next((reason for reason, holds in reasons if holds), "")
