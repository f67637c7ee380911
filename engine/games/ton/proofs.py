"""Which cards can be where in Ton (§8): only a certain card proves anything.

A seat's hand at a trick is what it lays from then on, what it shows in the audit, and what had been seen to be in it:
the widow's open cards, a card that went back, the five cards of a claim that failed.
"""

from __future__ import annotations

from engine.cards import DECK_36, Card
from engine.events import CardLaid
from engine.games.ton.state import State
from engine.revokes import is_sure, is_turn_doubtful
from engine.seats import Seat

DECK = frozenset(DECK_36)


def is_certain(state: State, event: CardLaid, seat: Seat | None) -> bool:
    """Whether card and turn are certain and the card can be there: only then does it prove anything."""
    if not event.card.is_known or not is_sure(event) or cannot_be(state, event.card, seat):
        return False
    # Even a hand that was seen proves nothing then: what it answered may not be the trick as it stands here.
    return not is_turn_doubtful(state)


def cannot_be(state: State, card: Card, seat: Seat | None) -> bool:
    """Whether that card is known to be elsewhere, or not in this deck at all; an unread card can be anywhere."""
    if not card.is_known:
        return False
    if card not in DECK or card in state.proof or any(one.card is card for one in state.played):
        return True
    if card is state.upcard and not _may_have_upcard(state, seat):
        return True
    is_takers = state.taker is not None and seat == state.taker
    if not is_takers and any(one is not None and one.card is card for one in state.widow):
        return True
    return any(one.card is card and one.seat != seat for one in state.known)


def _may_have_upcard(state: State, seat: Seat | None) -> bool:
    """§9 row 5: whoever had the right may have taken the turned-up card."""
    had_right = bool(state.proof) and seat == state.taker
    return had_right and state.house.upcard_pickable and state.picked in (None, state.upcard)
