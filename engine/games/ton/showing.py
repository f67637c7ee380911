"""Cards that are shown, not played, in Ton: the proof of the player without trump, his trump, the audit (§4, §8).

All at once, apart from the trick (`Shown`), or one by one as cards are laid.
"""

from __future__ import annotations

from engine import deals
from engine.cards import Card
from engine.events import CardLaid, Event, Shown
from engine.games.ton.state import DECIDING, HAND, Phase, State
from engine.revokes import by_cards
from engine.rulings import Detail, Ruling
from engine.seats import Seat

NOTHING: tuple[Ruling, ...] = ()


def shown(state: State, event: Shown) -> tuple[Ruling, ...]:
    """Cards shown all at once."""
    if state.phase is Phase.AUDIT:
        return _show_rest(state, event)
    if state.phase is Phase.PICK and event.seat == state.taker and len(event.cards) == 1:
        return pick(state, event, event.seat, event.cards[0])
    return claim(state, event, event.seat, event.cards) if state.phase in DECIDING else NOTHING


def claim(state: State, event: Event, seat: Seat, cards: tuple[Card, ...]) -> tuple[Ruling, ...]:
    """§4: five cards face up, no trump among them; only by the seat left of the dealer, before any decision."""
    assert state.upcard is not None
    is_readable = len(set(cards)) == HAND and not any(_is_amiss(state, card, seat) for card in cards)
    detail: tuple[tuple[str, Detail], ...]
    if state.phase is not Phase.NO_TRUMP_RIGHT or seat != state.decider:
        # Told by the page after the exchange it need not be the hand that is played.
        detail = (("cards", " ".join(map(str, cards))),) if is_readable and state.phase in DECIDING else ()
        return (Ruling("not-entitled", seat, 0, (event.number,), detail, "§4", is_foul=True),)
    detail = (("cards", " ".join(map(str, cards))), ("suit", state.upcard.suit.name.lower()))
    trumps = [card for card in cards if card.is_known and card.suit is state.upcard.suit]
    if trumps:
        detail = (*detail, ("card", str(trumps[0])))
        is_foul = state.trump_number not in state.doubtful
        return (Ruling("false-no-trump", seat, 0, (event.number,), detail, "§4", is_foul=is_foul),)
    return (Ruling("no-trump" if is_readable else "show-five", seat, 0, (event.number,), detail, "§4"),)


def _is_amiss(state: State, card: Card, seat: Seat) -> bool:
    return not card.is_known or state.cannot_be(card, seat)


def pick(state: State, event: Event, seat: Seat | None, card: Card | None) -> tuple[Ruling, ...]:
    """§4: one trump from the stock; hidden, if he looks through the stock himself."""
    if state.phase is not Phase.PICK or seat not in (None, state.taker):
        return NOTHING
    assert state.upcard is not None
    detail = (("card", "" if card is None else str(card)), ("then", "pick-trump"))
    if card is None:
        code = "name-trump" if state.house.stock_search == "operator" else "picked"
    else:
        code = "picked" if _is_in_stock(state, card) else "bad-exchange"
    return (Ruling(code, state.taker, 0, (event.number,), detail, "§4", is_foul=code == "bad-exchange"),)


def _is_in_stock(state: State, card: Card) -> bool:
    assert state.upcard is not None
    return card.is_known and card.suit is state.upcard.suit and not state.cannot_be(card, state.taker)


def _show_rest(state: State, event: Shown) -> tuple[Ruling, ...]:
    """§8: played and shown make five; every card shown is tried against every earlier reply."""
    seat, cards = event.seat, event.cards
    if seat not in state.players_in or seat in state.shown:
        return NOTHING
    detail = (("cards", " ".join(map(str, cards))), ("count", state.left(seat)))
    if len(set(cards)) != state.left(seat) or any(_is_amiss(state, card, seat) for card in cards):
        return (Ruling("show-rest", seat, 0, (event.number,), detail, "§8"),)
    told = Ruling("rest-shown", seat, 0, (event.number,), detail, "§8")
    return (told, *by_cards(state, seat, cards, event.number))


def shows_card(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """One more card shown; with the last one that is due, what all of them decide."""
    if state.phase is Phase.PICK:
        return pick(state, event, state.taker, event.card)
    seat = _shower(state, event)
    told, *more = deals.judge_shown(state, event, seat, paragraph="§8")
    if seat is None or not deals.is_certain(state, event, seat):
        return (told, *more)
    before = (one.card for one in state.showing if one.seat == seat)
    cards = tuple(dict.fromkeys((*before, event.card)))
    if state.phase is Phase.AUDIT:
        return (told, *_all_shown(state, event, seat, cards), *more)
    claimed = claim(state, event, seat, cards)
    return (told, *(ruling for ruling in claimed if ruling.code != "show-five"))


def _shower(state: State, event: CardLaid) -> Seat | None:
    """Whose card it is: as seen, or else whoever is to show next."""
    if state.phase is not Phase.AUDIT:
        return state.decider
    seats = [seat for seat in state.players_in if seat not in state.shown]
    likely = [seat for seat in seats if seat in event.seats] if event.seats else seats
    return likely[0] if likely else None


def _all_shown(state: State, event: Event, seat: Seat, cards: tuple[Card, ...]) -> tuple[Ruling, ...]:
    if len(cards) < state.left(seat):
        return NOTHING
    detail = (("cards", " ".join(map(str, cards))), ("count", len(cards)))
    return (Ruling("rest-shown", seat, 0, (event.number,), detail, "§8"),)
