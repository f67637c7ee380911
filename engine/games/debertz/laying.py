"""How a card is judged in Debertz: as turned up, exchanged, shown, or in the trick (§4, §5)."""

from __future__ import annotations

from engine import deals
from engine.cards import Card
from engine.events import CardLaid, Event
from engine.games.debertz import exchange, melding
from engine.games.debertz.state import Phase, State
from engine.readings import doubts
from engine.rulings import Ruling
from engine.seats import only


def judge_lay(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The card's verdict first, then what it proves."""
    if state.phase is Phase.DEAL:
        return turned(state, event, event.card)
    if _is_bottom(state, event):
        return bottom(state, event, event.card)
    if exchange.is_exchange(state, event):
        return exchange.exchange(state, event, only(event.seats) or state.exchanging, event.card)
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


# The trick


def _in_trick(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """A bella that goes with the card comes right after its verdict."""
    verdict, *proven = deals.judge_lay(state, event)
    return (verdict, *melding.tapped_bella(state, event, verdict), *proven)
