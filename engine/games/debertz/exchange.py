"""The exchange of the seven of trump for the card turned up in Debertz (§4)."""

from __future__ import annotations

from engine.cards import Card, Rank
from engine.events import Call, CardLaid, Event
from engine.games.debertz.state import BEFORE_LEAD, HAND, Phase, State
from engine.readings import doubts
from engine.rulings import Detail, Ruling
from engine.seats import Seat


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


def is_exchange(state: State, event: CardLaid) -> bool:
    """A card beside the one turned up, or the seven of trump before the first lead."""
    if event.zone.startswith("trump"):
        return state.phase in BEFORE_LEAD or state.phase is Phase.TRICK
    if event.card is not seven(state):
        return False
    is_said = state.exchanging is not None and state.exchanging in (event.seats or {state.exchanging})
    return is_said or state.phase in (Phase.DRAW, Phase.DECLARE)


def exchange(state: State, event: CardLaid | Call, seat: Seat | None, card: Card | None) -> tuple[Ruling, ...]:
    """The seven of trump for the card turned up, from DRAW3 until its owner's own first card (§4)."""
    seat = seat or _only_who_may(state)
    due = seven(state)
    reason = "" if seat is None and _who_may(state) else may_exchange(state, seat or state.house.seats[0])
    if not reason and card is not None and card.is_known and card is not due:
        reason = "not-the-seven"
    detail = (("card", str(card or due)), ("turned", str(state.turned)), ("why", reason))
    if reason:
        is_foul = seat is not None and state.trump_number not in state.doubtful
        return (Ruling("no-exchange", seat, 0, (event.number,), detail, "§4", is_foul=is_foul),)
    told = Ruling("exchanged", seat, 0, (event.number,), detail[:2], "§4")
    amiss = card is not None and _is_elsewhere(state, card, seat)
    return (told, *(doubts(event, card, is_amiss=amiss) if card is not None else ()))


def says_exchange(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """By button: the seven is to be laid down next."""
    reason = may_exchange(state, seat)
    detail: tuple[tuple[str, Detail], ...] = (("card", str(seven(state))), ("turned", str(state.turned)))
    if reason:
        detail = (*detail, ("why", reason))
        return (Ruling("no-exchange", seat, 0, (event.number,), detail, "§4", is_foul=True),)
    return (Ruling("lay-seven", seat, 0, (event.number,), detail, "§4"),)


def _who_may(state: State) -> list[Seat]:
    return [seat for seat in state.house.seats if not may_exchange(state, seat)]


def _only_who_may(state: State) -> Seat | None:
    may = _who_may(state)
    return may[0] if len(may) == 1 else None


def _is_elsewhere(state: State, card: Card, seat: Seat | None) -> bool:
    return seat is not None and state.cannot_be(card, seat)
