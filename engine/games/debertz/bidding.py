"""The two rounds of bidding (§4)."""

from __future__ import annotations

from engine.cards import Suit
from engine.events import Event
from engine.games.debertz.state import ASKING, BIDDING, Phase, State
from engine.rulings import Detail, Ruling
from engine.seats import Seat

NOTHING: tuple[Ruling, ...] = ()


def plays(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """Says "Играю": the suit turned up is trump; in the second round a suit must be named instead."""
    if state.phase not in BIDDING:
        return NOTHING
    if seat != state.turn:
        return (_foul("wrong-seat", seat, event),)
    if state.phase is Phase.SECOND_ROUND:
        return (_told("name-suit", seat, event),)
    assert state.turned is not None
    return (_told("plays", seat, event, suit=state.turned.suit),)


def passes(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """Says "Пас"; with `forced_bid` the last bidder may not."""
    if state.phase not in BIDDING:
        return NOTHING
    if seat != state.turn:
        return (_foul("wrong-seat", seat, event),)
    if state.house.is_forced and state.phase is Phase.SECOND_ROUND and seat == state.dealer:
        return (_foul("must-bid", seat, event),)
    return (_told("passed", seat, event),)


def names(state: State, event: Event, seat: Seat, suit: Suit) -> tuple[Ruling, ...]:
    """A suit is named: only in the second round, and not the one turned up."""
    if state.phase not in BIDDING:
        return NOTHING
    if seat != state.turn:
        return (_foul("wrong-seat", seat, event),)
    if state.phase is Phase.FIRST_ROUND:
        return (_foul("not-now", seat, event),)
    assert state.turned is not None
    if suit is not state.turned.suit:
        return (_told("names", seat, event, suit=suit),)
    return (_foul("suit-refused", seat, event, suit=suit, is_foul=state.trump_number not in state.doubtful),)


def annuls(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """§9 row 22: instead of "play" a bidder offers to throw the cards in."""
    if state.phase not in BIDDING or not state.house.offers_annulment:
        return NOTHING
    if seat != state.turn:
        return (_foul("wrong-seat", seat, event),)
    if state.phase is Phase.SECOND_ROUND:
        return (_foul("not-now", seat, event),)
    return (_told("schmeiss", seat, event),)


def answers(state: State, event: Event, seat: Seat, *, agrees: bool) -> tuple[Ruling, ...]:
    """The answer to that offer: the cards are thrown in, or whoever offered must play."""
    if state.phase is not Phase.ANNULMENT:
        return NOTHING
    if seat != state.turn:
        return (_foul("wrong-seat", seat, event),)
    if agrees:
        return (_told("schmeiss-accepted", seat, event),)
    assert state.turned is not None
    told = _told("schmeiss-refused", seat, event)
    return (told, _told("plays", state.house.other(seat), event, suit=state.turned.suit))


def says_yes(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """A tap, in whichever phase asks."""
    if state.phase is Phase.ANNULMENT:
        return answers(state, event, seat, agrees=True)
    return plays(state, event, seat) if state.phase in ASKING else NOTHING


def says_no(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """A hold, in whichever phase asks."""
    if state.phase is Phase.ANNULMENT:
        return answers(state, event, seat, agrees=False)
    return passes(state, event, seat) if state.phase in ASKING else NOTHING


_OPTIONAL = frozenset(("must-bid", "schmeiss", "schmeiss-accepted", "schmeiss-refused"))
"""Rulings that only a house rule of §9 makes possible."""


def _told(code: str, seat: Seat, event: Event, *, suit: Suit | None = None) -> Ruling:
    detail: tuple[tuple[str, Detail], ...] = () if suit is None else (("suit", suit.name.lower()),)
    return Ruling(code, seat, 0, (event.number,), detail, "§9" if code in _OPTIONAL else "§4")


def _foul(code: str, seat: Seat, event: Event, *, suit: Suit | None = None, is_foul: bool = True) -> Ruling:
    told = _told(code, seat, event, suit=suit)
    return told._replace(detail=(*told.detail, ("then", "not-counted")), is_foul=is_foul)
