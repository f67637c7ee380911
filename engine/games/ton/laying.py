"""How a card is judged in Ton: as the trump, as a card of the widow, or in the trick (§4, §5)."""

from __future__ import annotations

from engine import deals
from engine.cards import Card
from engine.events import Call, CardLaid, Event
from engine.games.ton import showing
from engine.games.ton.state import ALWAYS_IN, DECIDING, SHOWING, Phase, State
from engine.readings import doubts
from engine.rulings import Ruling
from engine.seats import Seat, only

AT_ONCE_NS = 250_000_000
"""A second widow card this soon after the first was turned by the same hand."""
FOULS = deals.FOULS | {"dealer-may-not-buy"}
"""Verdicts on whoever turns a card of the widow."""


def judge_lay(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The card's verdict first, then what it proves."""
    if state.phase is Phase.TRICK or _is_first_lead(state, event):
        return deals.judge_lay(state, event)
    if state.phase in SHOWING or state.is_claiming:
        return showing.shows_card(state, event)
    if state.phase in DECIDING and None in state.widow and _may_be_widows(event):
        return turned(state, event, event.card, only(event.seats))
    return _elsewhere(state, event)


def _may_be_widows(event: CardLaid) -> bool:
    """Whether it lies on the widow, or where it lies was not seen."""
    return not event.zone or event.zone.startswith("widow")


def _elsewhere(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    card = (("card", str(event.card)),)
    if state.phase is Phase.DEAL:
        return trump(state, event, event.card)
    if state.phase is Phase.STAKES:
        return (stakes_missing(state, event),)
    code = "game-over" if state.phase is Phase.GAME_OVER else "too-early"
    return (Ruling(code, only(event.seats), 0, (event.number,), card, "§4"),)


def stakes_missing(state: State, event: Event) -> Ruling:
    """§4: no deal before every stake is in the pot."""
    seats = " ".join(seat for seat in state.house.seats if seat not in state.staked)
    return Ruling("stakes-missing", None, 0, (event.number,), (("seats", seats),), "§4")


def trump(state: State, event: Event, card: Card) -> tuple[Ruling, ...]:
    """§3: the top card of the stock is turned up; its suit is trump and the deal is done."""
    return deals.judge_turned_up(state, event, card, code="trump", seat=None)


def _is_first_lead(state: State, event: CardLaid) -> bool:
    """Whoever leads has done with his exchange, said or not."""
    if state.phase is not Phase.EXCHANGE or state.is_exchange_wrong or state.house.others == "optional":
        return False
    if event.seats - {state.taker}:
        return False
    return any(state.score(seat) >= ALWAYS_IN for seat in state.house.seats if seat != state.taker)


# The widow


def turned(state: State, event: CardLaid | Call, card: Card, seat: Seat | None) -> tuple[Ruling, ...]:
    """A closed card of the widow is turned: a refusal by whoever decides (§4)."""
    seat = seat or _turner(state, event)
    code = _verdict_on_turning(state, seat)
    detail = (("card", str(card)), ("slot", slot(state, event)), ("then", "stays-open"))
    told = Ruling(code, seat, 0, (event.number,), detail, "§4", is_foul=code in FOULS)
    more = list(doubts(event, card, is_amiss=state.cannot_be(card, None)))
    if state.house.refuse_card == "next" and code == "refused" and slot(state, event) != state.widow.index(None):
        more.append(Ruling("not-next", seat, 0, (event.number,), detail, "§9"))
    return (told, *more)


def _turner(state: State, event: Event) -> Seat | None:
    """Nothing seen of the hand: whoever decides, or, in one motion with the card before, whoever turned that."""
    is_one_motion = state.turned_ns is not None and 0 <= event.t_ns - state.turned_ns <= AT_ONCE_NS
    return state.decided[-1] if is_one_motion and state.decided else state.decider


def _verdict_on_turning(state: State, seat: Seat | None) -> str:
    if seat == state.decider:
        return "refused"
    if seat == state.dealer:
        return "dealer-may-not-buy"
    return "one-card-only" if seat in state.decided else "wrong-seat"


def slot(state: State, event: Event) -> int:
    """Which card of the widow it is, from 0 on the left; where that was not seen, the first closed one."""
    zone = event.zone if isinstance(event, CardLaid) else ""
    name, _, place = zone.partition("-")
    if name == "widow" and place in ("1", "2", "3", "4") and state.widow[int(place) - 1] is None:
        return int(place) - 1
    return state.widow.index(None)
