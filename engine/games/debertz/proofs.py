"""Which cards can be where in Debertz (§8): only a certain card proves anything."""

from __future__ import annotations

from engine.cards import DECK_32, Card, Rank
from engine.games.debertz.state import HAND, State
from engine.revokes import by_counting, countable
from engine.rulings import Ruling
from engine.seats import Seat

DECK = frozenset(DECK_32)


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
