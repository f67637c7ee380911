"""How every ruling of Ton changes the state. What was ruled decides: a person may have overruled the rules."""

from __future__ import annotations

from collections.abc import Callable

from engine import taps
from engine.cards import UNKNOWN, Card, read_cards
from engine.events import Call, CardLaid, Event, Passed, Press, Release
from engine.games.ton import laying, proofs, rounds
from engine.games.ton.state import ASKING, DECIDING, Open, Phase, State, new_deal, next_seat
from engine.revokes import Known, question, what_it_answers
from engine.rulings import Ruling
from engine.seats import Seat, in_turn
from engine.tricks import Play, Reply, Revoke


def judge(state: State, event: Event, decided: tuple[Ruling, ...]) -> tuple[State, tuple[Ruling, ...]]:
    """What was decided and what follows from it by itself, and the state after it."""
    state = _heard(state, event)
    if not decided:
        return state, decided
    state, told = rounds.progress(_carry_out(state, event, decided), event.number)
    return state, decided + told


def apply(state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
    """The state after `event` was ruled so."""
    state = _heard(state, event)
    return rounds.progress(_carry_out(state, event, rulings), event.number)[0] if rulings else state


def _heard(state: State, event: Event) -> State:
    kind = type(event)
    return _button(state, event) if kind is Press or kind is Release or kind is Passed else state


def _carry_out(state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
    for ruling in rulings:
        effect = _EFFECTS.get(ruling.code)
        if effect is not None:
            state = effect(state, event, ruling)
    return state


def _button(state: State, event: Event) -> State:
    if not isinstance(event, Press):
        return state._replace(taps=taps.still_open(state.taps, event)) if state.taps else state
    return state._replace(taps=taps.with_press(state.taps, event)) if state.phase in ASKING else state


# Stakes, deal, trump


def _lot_dealer(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.STAKES, dealer=ruling.seat)


def _staked(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    pot = state.pot.paid_by(state.house.places[ruling.seat], state.house.stake)
    return state._replace(pot=pot, staked=state.staked | {ruling.seat})


def _trump(state: State, event: Event, ruling: Ruling) -> State:
    state = _ask_what(state, event, _card(ruling), None)
    left = next_seat(state, state.dealer)
    return state._replace(phase=Phase.NO_TRUMP_RIGHT, upcard=_card(ruling), trump_number=event.number, decider=left)


def _misdeal(state: State, event: Event, ruling: Ruling) -> State:
    return new_deal(state, state.dealer)


# The right of the player without trump


def _show_five(state: State, event: Event, ruling: Ruling) -> State:
    """Claimed in words: the next cards laid are the five."""
    return state._replace(is_claiming=isinstance(event, Call))


def _shows_card(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, CardLaid)
    is_certain = ruling.seat is not None and proofs.is_certain(state, event, ruling.seat)
    state = _ask_what(state, event, event.card, ruling.seat)
    if not is_certain or ruling.seat is None:
        return state
    state = _with_known(state, ruling.seat, (event.card,), event.number)
    return state._replace(showing=(*state.showing, Known(ruling.seat, event.card, event.number)))


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
    cards = read_cards(str(ruling.get("cards")))
    return _with_known(_end_claim(state)._replace(phase=Phase.PURCHASE), ruling.seat, cards, event.number)


def _right_lapsed(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    cards = state.proof
    state = state._replace(phase=Phase.PURCHASE, taker=None, decider=ruling.seat, proof=())
    return _with_known(state, ruling.seat, cards, event.number)


def _picked(state: State, event: Event, ruling: Ruling) -> State:
    """§4: his hand is the trump from the stock and the widow; the others are asked, or play begins."""
    assert ruling.seat is not None
    card = _card(ruling)
    state = state._replace(picked=None if card is UNKNOWN else card)
    return rounds.ask_others(_taker_knows(state, ruling.seat, (card,), event.number))


def _taker_knows(state: State, seat: Seat, more: tuple[Card, ...], number: int) -> State:
    """Of the taker's hand only the widow's open cards, and what he was seen to take, are known."""
    widow = tuple(
        Known(seat, one.card, one.number) for one in state.widow if one is not None and one.number not in state.doubtful
    )
    state = state._replace(known=(*(one for one in state.known if one.seat != seat), *widow))
    return _with_known(state, seat, more, number)


def _with_known(state: State, seat: Seat, cards: tuple[Card, ...], number: int) -> State:
    have = {one.card for one in state.known}
    more = tuple(Known(seat, card, number) for card in cards if card.is_known and card not in have)
    return state._replace(known=(*state.known, *more))


# The widow


def _opens(state: State, event: Event, ruling: Ruling) -> State:
    """A card of the widow lies open from now on, by whomever it was turned."""
    card = _card(ruling)
    is_turned = isinstance(event, CardLaid) or (isinstance(event, Call) and event.card is not None)
    if not is_turned or state.phase not in DECIDING or None not in state.widow:
        return state
    place = laying.slot(state, event)
    state = _ask_what(state, event, card, None)
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
    """The card lies in the trick; the next participant has the turn."""
    if not isinstance(event, CardLaid):
        return state
    if ruling.seat is None:
        return _ask_what(state, event, event.card, None)
    if state.phase is Phase.EXCHANGE:
        state, _ = rounds.progress(rounds.ask_others(state), event.number)
    if state.phase is not Phase.TRICK:
        return state
    seat, play = ruling.seat, Play(ruling.seat, event.card, event.number)
    is_certain = proofs.is_certain(state, event, seat)
    asked = what_it_answers(state) if is_certain else None
    state = _ask_what(state, event, event.card, seat)
    return state._replace(
        trick=(*state.trick, play),
        turn=in_turn(state.house.order, seat, state.players_in)[0],
        replies=state.replies if asked is None else (*state.replies, Reply(play, state.number, asked)),
        played=(*state.played, Known(seat, event.card, event.number)),
        known=tuple(one for one in state.known if one.card is not event.card) if state.known else (),
    )


def _goes_back(state: State, event: Event, ruling: Ruling) -> State:
    """A card that goes back has been seen: it is in that hand until it is played."""
    if state.phase is not Phase.TRICK or not isinstance(event, CardLaid) or ruling.seat is None:
        return _opens(state, event, ruling)
    if ruling.seat not in state.players_in:
        return state
    is_certain = proofs.is_certain(state, event, ruling.seat)
    state = _ask_what(state, event, event.card, ruling.seat)
    return _with_known(state, ruling.seat, (event.card,), event.number) if is_certain else state


def _revoke(state: State, event: Event, ruling: Ruling) -> State:
    """§5: proven once and for all; only its kind may change."""
    assert ruling.seat is not None
    reply = next((one for one in state.replies if _is_about(one, ruling)), None)
    if reply is None:
        return _guilty(state, ruling.seat, is_new=ruling.code == "revoke")
    revoke = Revoke(reply, str(ruling.get("kind")), Card(str(ruling.get("held"))), event.number)
    others = tuple(one for one in state.revokes if one.reply.play.number != reply.play.number)
    state = state._replace(revokes=(*others, revoke))
    return _guilty(state, ruling.seat, is_new=ruling.code == "revoke")


def _is_about(reply: Reply, ruling: Ruling) -> bool:
    return reply.play.seat == ruling.seat and reply.trick == ruling.get("trick")


def _guilty(state: State, seat: Seat, *, is_new: bool) -> State:
    marks = state.marks
    if is_new and state.house.revoke == "mark":
        place = state.house.places[seat]
        marks = (*marks[:place], marks[place] + 1, *marks[place + 1 :])
    return state._replace(guilty=state.guilty | {seat}, marks=marks)


def _rest_shown(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    state = _with_known(state, ruling.seat, read_cards(str(ruling.get("cards") or "")), event.number)
    return state._replace(shown=state.shown | {ruling.seat})


def _not_shown(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return _guilty(_rest_shown(state, event, ruling), ruling.seat, is_new=True)


def _ask_what(state: State, event: Event, card: Card, seat: Seat | None) -> State:
    """A reading that is not certain is put to the table, and proves nothing until it is answered."""
    asked = question(event, card, is_amiss=proofs.cannot_be(state, card, seat))
    if asked is None:
        return state
    return state._replace(asks=(*state.asks, asked), doubtful=state.doubtful | {event.number})


def _card(ruling: Ruling) -> Card:
    text = ruling.get("card")
    return Card(str(text)) if text else UNKNOWN


_EFFECTS: dict[str, Callable[[State, Event, Ruling], State]] = {
    "lot-dealer": _lot_dealer,
    "staked": _staked,
    "trump": _trump,
    "misdeal": _misdeal,
    "show-five": _show_five,
    "shows-card": _shows_card,
    "no-trump": _no_trump,
    "false-no-trump": _false_no_trump,
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
    "revoke": _revoke,
    "revoke-kind": _revoke,
    "rest-shown": _rest_shown,
    "not-shown": _not_shown,
}
