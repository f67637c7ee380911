"""How a card is judged in Debertz: as turned up, exchanged, shown, or in the trick (§4, §5)."""

from __future__ import annotations

from engine import deals
from engine.cards import Card
from engine.events import Call, CardLaid, Event
from engine.games.debertz import melding, proofs
from engine.games.debertz.state import BEFORE_LEAD, Phase, State
from engine.readings import doubts
from engine.rulings import Detail, Ruling
from engine.seats import Seat, only


def judge_lay(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The card's verdict first, then what it proves."""
    if state.phase is Phase.DEAL:
        return turned(state, event, event.card)
    if _is_bottom(state, event):
        return bottom(state, event, event.card)
    if _is_exchange(state, event):
        return exchange(state, event, only(event.seats) or state.exchanging, event.card)
    if state.phase is Phase.TRICK:
        return _in_trick(state, event)
    if state.phase is Phase.SHOW and event.zone != "trick" and state.shower in (event.seats or {state.shower}):
        return melding.shows_card(state, event)
    code = "game-over" if state.phase is Phase.GAME_OVER else "too-early"
    return (Ruling(code, only(event.seats), 0, (event.number,), (("card", str(event.card)),), "§4"),)


def turned(state: State, event: Event, card: Card) -> tuple[Ruling, ...]:
    """§3: the card after the hands is turned up; its suit is the proposed trump."""
    return deals.judge_turned_up(state, event, card, code="turned-up", seat=state.elder)


def bottom(state: State, event: Event, card: Card) -> tuple[Ruling, ...]:
    """§9 row 19: the lowest card of the stock is shown to both."""
    told = Ruling("bottom", state.dealer, 0, (event.number,), (("card", str(card)),), "§9")
    return (told, *doubts(event, card, is_amiss=state.cannot_be(card, None)))


def _is_bottom(state: State, event: CardLaid) -> bool:
    return state.phase is Phase.DRAW and state.house.shows_bottom and not event.zone.startswith("trump")


# The seven of trump


def _is_exchange(state: State, event: CardLaid) -> bool:
    """A card beside the one turned up, or the seven of trump before the first lead."""
    if event.zone.startswith("trump"):
        return state.phase in BEFORE_LEAD or state.phase is Phase.TRICK
    if event.card is not proofs.seven(state):
        return False
    is_said = state.exchanging is not None and state.exchanging in (event.seats or {state.exchanging})
    return is_said or state.phase in (Phase.DRAW, Phase.DECLARE)


def exchange(state: State, event: CardLaid | Call, seat: Seat | None, card: Card | None) -> tuple[Ruling, ...]:
    """The seven of trump for the card turned up, from DRAW3 until its owner's own first card (§4)."""
    seat = seat or _only_who_may(state)
    seven = proofs.seven(state)
    reason = "" if seat is None and _who_may(state) else proofs.may_exchange(state, seat or state.house.seats[0])
    if not reason and card is not None and card.is_known and card is not seven:
        reason = "not-the-seven"
    detail = (("card", str(card or seven)), ("turned", str(state.turned)), ("why", reason))
    if reason:
        is_foul = seat is not None and state.trump_number not in state.doubtful
        return (Ruling("no-exchange", seat, 0, (event.number,), detail, "§4", is_foul=is_foul),)
    told = Ruling("exchanged", seat, 0, (event.number,), detail[:2], "§4")
    amiss = card is not None and _is_elsewhere(state, card, seat)
    return (told, *(doubts(event, card, is_amiss=amiss) if card is not None else ()))


def says_exchange(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """By button: the seven is to be laid down next."""
    reason = proofs.may_exchange(state, seat)
    detail: tuple[tuple[str, Detail], ...] = (("card", str(proofs.seven(state))), ("turned", str(state.turned)))
    if reason:
        detail = (*detail, ("why", reason))
        return (Ruling("no-exchange", seat, 0, (event.number,), detail, "§4", is_foul=True),)
    return (Ruling("lay-seven", seat, 0, (event.number,), detail, "§4"),)


def _who_may(state: State) -> list[Seat]:
    return [seat for seat in state.house.seats if not proofs.may_exchange(state, seat)]


def _only_who_may(state: State) -> Seat | None:
    may = _who_may(state)
    return may[0] if len(may) == 1 else None


def _is_elsewhere(state: State, card: Card, seat: Seat | None) -> bool:
    return seat is not None and state.cannot_be(card, seat)


# The trick


def _in_trick(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """A bella that goes with the card comes right after its verdict."""
    verdict, *proven = deals.judge_lay(state, event)
    return (verdict, *melding.tapped_bella(state, event, verdict), *proven)
