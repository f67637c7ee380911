"""Cards that come to lie on the table in Ochko: dealt face down, or turned face up (§4, §7).

A seat's own area is the zone `seat-A`; `seat-A-3` is the third card of its row, in the order in which they came.
"""

from __future__ import annotations

from functools import lru_cache

from engine.cards import BACK
from engine.events import CardGone, CardLaid, Event
from engine.games.ochko import showing
from engine.games.ochko.hands import DEALT
from engine.games.ochko.state import Phase, State
from engine.readings import is_sure
from engine.rulings import Ruling
from engine.seats import Seat

NOTHING: tuple[Ruling, ...] = ()


def judge_lay(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The card's verdict first; what lies in other zones than the seats' is no player's card."""
    if event.zone and not event.zone.startswith("seat-"):
        return NOTHING
    match state.phase:
        case Phase.LOBBY | Phase.STAKES:
            return NOTHING if event.card in state.spent else (stakes_missing(state, event),)
        case Phase.GAME_OVER:
            return (Ruling("game-over-card", None, 0, (event.number,), _card(event), "§6"),)
        case Phase.DEAL:
            return _dealt(state, event)
        case _:
            return _face(state, event) if event.card is not BACK else _back(state, event)


def stakes_missing(state: State, event: Event) -> Ruling:
    """§4: no deal before every stake and the bank are in."""
    waits = [seat for seat in state.active if seat != state.banker and state.stakes[state.house.places[seat]] is None]
    if not state.pot.holds and state.banker is not None:
        waits.append(state.banker)
    return Ruling("stakes-missing", None, 0, (event.number,), (("seats", " ".join(waits)),), "§4")


def misdeal(state: State, event: Event) -> Ruling:
    """§4: the deal is done again with a new shuffle."""
    return Ruling("misdeal", state.banker, 0, (event.number,), (), "§4", is_foul=True)


def lacking(state: State) -> tuple[Seat, ...]:
    """Who has not got all cards of the first deal."""
    return tuple(seat for seat in state.active if len(state.hand(seat).cards) < state.house.first_cards)


def owner(state: State, event: CardLaid) -> tuple[Seat | None, int | None]:
    """In whose area the card lies, and at which place of the row from 0; None where that was not seen."""
    seat, place = _area(event.zone)
    return (seat, place) if seat in state.house.places else (None, None)


@lru_cache(maxsize=256)
def _area(zone: str) -> tuple[Seat | None, int | None]:
    name, _, rest = zone.partition("-")
    seat, _, place = rest.partition("-")
    return Seat(seat) if name == "seat" else None, int(place) - 1 if place.isdecimal() and int(place) else None


def gone(state: State, event: CardGone) -> tuple[Ruling, ...]:
    """§4: a card that nobody asked for goes back unseen."""
    if state.unasked is None or state.unasked[1] != event.lay:
        return NOTHING
    return (Ruling("went-back", state.unasked[0], 0, (event.number,), (), "§4"),)


# The first deal


def _dealt(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """§4 DEAL: face down, so many to each and no more; an exposed card or a wrong count is a misdeal."""
    seat, _ = owner(state, event)
    seat = seat or _next_in_deal(state)
    is_bankers_open = state.house.first_cards == 1 and seat == state.banker
    if seat not in state.active or seat is None:
        return (misdeal(state, event),)
    if len(state.hand(seat).cards) >= state.house.first_cards:
        return (misdeal(state, event),)
    if event.card is BACK or is_bankers_open:
        return _received(state, event, seat)
    if not event.card.is_known or not is_sure(event):
        return (Ruling("card", seat, 0, (event.number,), (), "§4"), *showing.doubts(state, event, event.card, seat))
    return (misdeal(state, event),)


def _next_in_deal(state: State) -> Seat | None:
    """Where a card was not seen to land: punters from the banker's left, the banker last."""
    assert state.banker is not None
    missing = lacking(state)
    return next((seat for seat in (*state.punters(), state.banker) if seat in missing), state.banker)


# The duel


def _back(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    seat = owner(state, event)[0] or state.actor() or state.banker
    assert seat is not None
    if state.phase is Phase.NEW_HAND and _lacks(state, seat):
        return _received(state, event, seat)
    if not state.is_counted:
        return NOTHING  # words stand for cards in this round
    return _received(state, event, seat) if _may_come(state, seat) else (_uncalled(state, event, seat),)


def _lacks(state: State, seat: Seat) -> bool:
    """Whether that seat is still to get one of its first two cards."""
    return seat in (state.punter, state.banker) and len(state.hand(seat).cards) < DEALT


def _may_come(state: State, seat: Seat) -> bool:
    """Whether a card is due to that seat: a punter has to ask, the banker helps himself in his turn."""
    if state.phase is Phase.BANKER and seat == state.banker:
        most = state.house.max_extra
        return not most or len(state.hand(seat).cards) < DEALT + most
    return state.phase is Phase.PUNTER and seat == state.punter and state.pending > 0


def _received(state: State, event: CardLaid, seat: Seat) -> tuple[Ruling, ...]:
    if event.card is BACK:
        return (Ruling("card", seat, 0, (event.number,), (), "§4"),)
    told = Ruling("card", seat, 0, (event.number,), _card(event), "§4")
    return (told, *showing.doubts(state, event, event.card, seat))


def _uncalled(state: State, event: CardLaid, seat: Seat) -> Ruling:
    """§4: drawn too early the banker's card is dead; a card that nobody asked for goes back if unseen."""
    if seat == state.banker:
        code = "no-card" if state.phase is Phase.BANKER else "too-early"
        dead = (("reason", "three-extra"), ("then", "card-dead"))
        return Ruling(code, seat, 0, (event.number,), dead, "§4", is_foul=True)
    then = "card-back" if event.card is BACK else "card-counts"
    detail = (("card", str(event.card)), ("then", then), ("seats", seat))
    return Ruling("not-asked", state.banker, 0, (event.number,), detail, "§4", is_foul=True)


def _face(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """A card face up: turned up in a row, or dealt so."""
    seat, place = owner(state, event)
    seat = seat or showing.whose(state, event)
    if seat is None:
        return (Ruling("unattributed", None, 0, (event.number,), _card(event), "§7"),)
    hand = state.hand(seat)
    is_new = BACK not in hand.cards or (place is not None and place == len(hand.cards))
    if not is_new:
        return showing.turned(state, event, seat, place)
    if event.card in hand.cards or event.card in state.spent:
        return NOTHING  # seen again where it lies
    if _may_come(state, seat) or (state.phase is Phase.NEW_HAND and _lacks(state, seat)):
        return _received(state, event, seat)
    doubts = showing.doubts(state, event, event.card, seat)
    return doubts or (_uncalled(state, event, seat),)


def _card(event: CardLaid) -> tuple[tuple[str, str], ...]:
    return (("card", str(event.card)),)
