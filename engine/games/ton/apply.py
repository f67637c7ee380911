"""How the rulings of Ton change the state. What was ruled decides: a person may have overruled the rules."""

from __future__ import annotations

from engine import deals, taps
from engine.cards import UNKNOWN, Card, read_cards
from engine.deals import ask_what, card_of, with_known
from engine.events import Call, CardLaid, Event, Passed, Press, Release
from engine.games.ton import laying, rounds
from engine.games.ton.state import ASKING, DECIDING, Open, Phase, State, new_deal, next_seat
from engine.revokes import Known
from engine.rulings import Ruling
from engine.seats import Seat, in_turn
from engine.stepping import Effect, progress


def hear(state: State, event: Event) -> State:
    """A press is kept until it is known whether it was a tap."""
    kind = type(event)
    if kind is Press and state.phase in ASKING:
        return state._replace(taps=taps.with_press(state.taps, event))  # type: ignore[arg-type]
    if state.taps and (kind is Release or kind is Passed):
        return state._replace(taps=taps.still_open(state.taps, event))
    return state


# Stakes, deal, trump


def _lot_dealer(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.STAKES, dealer=ruling.seat)


def _staked(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    pot = state.pot.paid_by(state.house.places[ruling.seat], state.house.stake)
    return state._replace(pot=pot, staked=state.staked | {ruling.seat})


def _trump(state: State, event: Event, ruling: Ruling) -> State:
    state = ask_what(state, event, card_of(ruling), None)
    left = next_seat(state, state.dealer)
    return state._replace(phase=Phase.NO_TRUMP_RIGHT, upcard=card_of(ruling), trump_number=event.number, decider=left)


def _misdeal(state: State, event: Event, ruling: Ruling) -> State:
    return new_deal(state, state.dealer)


# The right of the player without trump


def _show_five(state: State, event: Event, ruling: Ruling) -> State:
    """Claimed in words: the next cards laid are the five."""
    return state._replace(is_claiming=isinstance(event, Call))


def _shows_card(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, CardLaid)
    if ruling.seat is None:
        return ask_what(state, event, event.card, None)
    is_certain = deals.is_certain(state, event, ruling.seat)
    state = deals.seen_in_hand(state, event, ruling.seat)
    shown = Known(ruling.seat, event.card, event.number)
    return state._replace(showing=(*state.showing, shown)) if is_certain else state


def _no_trump(state: State, event: Event, ruling: Ruling) -> State:
    cards = read_cards(str(ruling.get("cards")))
    known = tuple(one for one in state.known if one.card not in cards)
    state = _end_claim(state)
    return state._replace(phase=Phase.PICK, taker=ruling.seat, proof=cards, decider=None, known=known)


def _end_claim(state: State) -> State:
    return state._replace(is_claiming=False, showing=())


def _false_no_trump(state: State, event: Event, ruling: Ruling) -> State:
    """His cards go back to him, seen by everybody, and the purchase starts with him."""
    assert ruling.seat is not None
    cards = [card for card in read_cards(str(ruling.get("cards"))) if not state.cannot_be(card, ruling.seat)]
    return with_known(_end_claim(state)._replace(phase=Phase.PURCHASE), ruling.seat, cards, event.number)


def _not_entitled(state: State, event: Event, ruling: Ruling) -> State:
    """Whoever has no right to claim has shown his hand all the same."""
    assert ruling.seat is not None
    return with_known(state, ruling.seat, read_cards(str(ruling.get("cards") or "")), event.number)


def _right_lapsed(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    cards = state.proof
    state = state._replace(phase=Phase.PURCHASE, taker=None, decider=ruling.seat, proof=())
    return with_known(state, ruling.seat, cards, event.number)


def _picked(state: State, event: Event, ruling: Ruling) -> State:
    """§4: his hand is the trump from the stock and the widow; the others are asked, or play begins."""
    assert ruling.seat is not None
    card = card_of(ruling)
    state = state._replace(picked=None if card is UNKNOWN else card)
    return rounds.ask_others(_taker_knows(state, ruling.seat, (card,), event.number))


def _taker_knows(state: State, seat: Seat, more: tuple[Card, ...], number: int) -> State:
    """Of the taker's hand only the widow's open cards, and what he was seen to take, are known."""
    widow = tuple(
        Known(seat, one.card, one.number) for one in state.widow if one is not None and one.number not in state.doubtful
    )
    given = frozenset(one.card for one in state.known if one.seat == seat)
    state = state._replace(known=(*(one for one in state.known if one.seat != seat), *widow), given=given)
    return with_known(state, seat, more, number)


# The widow


def _opens(state: State, event: Event, ruling: Ruling) -> State:
    """A card of the widow lies open from now on, by whomever it was turned."""
    card = card_of(ruling)
    is_turned = isinstance(event, CardLaid) or (isinstance(event, Call) and event.card is not None)
    if not is_turned or state.phase not in DECIDING or None not in state.widow:
        return state
    place = laying.slot(state, event)
    state = ask_what(state, event, card, None)
    widow = (*state.widow[:place], Open(card, event.number), *state.widow[place + 1 :])
    return state._replace(widow=widow, turned_ns=event.t_ns)


def _refused(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    state = _opens(state, event, ruling)
    after = in_turn(state.house.order, ruling.seat, state.house.seats)[0]
    return _end_claim(state)._replace(
        phase=Phase.PURCHASE,
        decided=(*state.decided, ruling.seat),
        decider=None if after == state.dealer else after,
        turning=None,
    )


def _turn_card(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(turning=ruling.seat)


def _took(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    state = _taker_knows(state, ruling.seat, (), event.number)
    return _end_claim(state)._replace(phase=Phase.EXCHANGE, taker=ruling.seat, decider=None, turning=None)


def _bad_exchange(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(is_exchange_wrong=True)


def _exchanged(state: State, event: Event, ruling: Ruling) -> State:
    return rounds.ask_others(state)


def _joined(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return _asked(state, ruling.seat)._replace(players_in=(*state.players_in, ruling.seat))


def _sits_out(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return _asked(state, ruling.seat)


def _asked(state: State, seat: Seat) -> State:
    return state._replace(asked=tuple(one for one in state.asked if one != seat))


# The trick


def _ok(state: State, event: Event, ruling: Ruling) -> State:
    """The first lead ends the exchange, said or not."""
    if state.phase is Phase.EXCHANGE and ruling.seat is not None and isinstance(event, CardLaid):
        state, _ = progress(rounds.ask_others(state), event.number, rounds.due)
    return deals.lies(state, event, ruling)


def _goes_back(state: State, event: Event, ruling: Ruling) -> State:
    """Before the tricks it is a card of the widow, which stays open."""
    if state.phase is not Phase.TRICK or not isinstance(event, CardLaid) or ruling.seat is None:
        return _opens(state, event, ruling)
    return deals.goes_back(state, event, ruling)


def _rest_shown(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    state = with_known(state, ruling.seat, read_cards(str(ruling.get("cards") or "")), event.number)
    return state._replace(shown=state.shown | {ruling.seat})


def _not_shown(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return deals.convicted(_rest_shown(state, event, ruling), ruling.seat, is_new=True)


EFFECTS: dict[str, Effect[State]] = {
    **deals.trick_effects(),
    "lot-dealer": _lot_dealer,
    "staked": _staked,
    "trump": _trump,
    "misdeal": _misdeal,
    "show-five": _show_five,
    "shows-card": _shows_card,
    "no-trump": _no_trump,
    "false-no-trump": _false_no_trump,
    "not-entitled": _not_entitled,
    "right-lapsed": _right_lapsed,
    "picked": _picked,
    "dealer-may-not-buy": _opens,
    "refused": _refused,
    "turn-card": _turn_card,
    "took": _took,
    "bad-exchange": _bad_exchange,
    "exchanged": _exchanged,
    "joined": _joined,
    "sits-out": _sits_out,
    "ok": _ok,
    "unread": _ok,
    "wrong-seat": _goes_back,
    "one-card-only": _goes_back,
    "rest-shown": _rest_shown,
    "not-shown": _not_shown,
}
