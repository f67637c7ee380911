"""How the rulings of Ochko change the state. What was ruled decides: a person may have overruled the rules."""

from __future__ import annotations

from engine import taps
from engine.cards import BACK, Card, read_cards
from engine.events import CardLaid, Event, Passed, Press, Release
from engine.games.ochko import laying, rounds, showing
from engine.games.ochko.hands import DEALT
from engine.games.ochko.settling import VERDICTS
from engine.games.ochko.state import DUEL, Hand, Phase, Said, State, shuffled
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat
from engine.stepping import Effect

_LISTENING = (Phase.STAKES, *DUEL)


def hear(state: State, event: Event) -> State:
    """Presses are kept until it is known whether they were taps."""
    kind = type(event)
    if kind is Press:
        return _pressed(state, event)  # type: ignore[arg-type]
    if state.taps and (kind is Release or kind is Passed):
        return state._replace(taps=taps.still_open(state.taps, event))
    return state


def _pressed(state: State, event: Press) -> State:
    if state.phase not in _LISTENING or event.seat not in state.house.places:
        return state
    return state._replace(taps=taps.with_press(state.taps, event))


def remember(before: State, after: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
    """What was tapped can still become "I show" by a second tap."""
    tap = taps.completed(before.taps, event) if before.taps else None
    if tap is None:
        return after
    if not any(ruling.code in _SAYS for ruling in rulings):
        return after if after.said is None else after._replace(said=None)
    said = Said(tap.seat, tap.t_ns, before.phase, before.hand(tap.seat), before.pending)
    return after._replace(said=said)


_SAYS = ("hit", "draws", "plays", "no-card")


# Stakes and bank


def _lot_banker(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.STAKES, banker=ruling.seat)


def _staked(state: State, event: Event, ruling: Ruling) -> State:
    return _with_stake(state, ruling.seat, _number(ruling, "amount"))


def _with_stake(state: State, seat: Seat | None, amount: int | None) -> State:
    assert seat is not None
    place, stakes = state.house.places[seat], state.stakes
    return state._replace(stakes=(*stakes[:place], amount, *stakes[place + 1 :]))


def _bank_laid(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    amount = _number(ruling, "amount")
    return state._replace(pot=state.pot.paid_by(state.house.places[ruling.seat], amount), first_bank=amount)


def _joins(state: State, event: Event, ruling: Ruling) -> State:
    active = tuple(seat for seat in state.house.seats if seat in state.active or seat == ruling.seat)
    return state._replace(active=active)


def _leaves(state: State, event: Event, ruling: Ruling) -> State:
    active = tuple(seat for seat in state.active if seat != ruling.seat)
    return _with_stake(state, ruling.seat, None)._replace(active=active)


def _steps_down(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(is_banker_done=True)


def _knocked(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(is_last_round=True)


def _stops(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(is_ending=True)


# The deal


def _misdeal(state: State, event: Event, ruling: Ruling) -> State:
    state = shuffled(state)._replace(phase=Phase.DEAL, is_counted=False, is_called_dealt=False, duels=0)
    return state._replace(punter=None)


def _cards_missing(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(is_called_dealt=True)


def _dealt(state: State, event: Event, ruling: Ruling) -> State:
    """Somebody said that all have their cards; those not seen are taken to be there."""
    for seat in state.active:
        state = _fill(state, seat, state.house.first_cards)
    return state._replace(is_counted=False)


def _new_hand(state: State, event: Event, ruling: Ruling) -> State:
    for seat in (state.punter, state.banker):
        if seat is not None:
            state = _fill(state, seat, DEALT)
    return state


def _fill(state: State, seat: Seat, count: int) -> State:
    while len(state.hand(seat).cards) < count:
        state = _take(state, seat, BACK, is_asked=True)
    return state


def _take(state: State, seat: Seat, card: Card, *, is_asked: bool) -> State:
    """One more card of the pack goes to that seat."""
    hand = state.hand(seat).with_card(card, is_asked=is_asked)
    pending = state.pending - 1 if is_asked and state.pending else state.pending
    # Whoever has got his card and taps again wants another: that is no double tap, however quick.
    return state._replace(hands=state.hands_with(seat, hand), left=max(0, state.left - 1), pending=pending, said=None)


def _card(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, CardLaid)
    assert ruling.seat is not None
    card = BACK
    if event.card is not BACK:
        card = event.card if _is_certain(state, event, ruling.seat) else BACK
        state = _ask(state, event, ruling.seat)
    state = _take(state, ruling.seat, card, is_asked=True)
    return state if state.is_counted or state.phase is not Phase.DEAL else state._replace(is_counted=True)


# The duel


def _plays(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.PUNTER)


def _hit(state: State, event: Event, ruling: Ruling) -> State:
    """Where cards are not counted as they come, the word stands for the card."""
    assert ruling.seat is not None
    if state.left <= state.pending:
        state = rounds.with_discard_shuffled(state)
    if state.is_counted:
        return state._replace(pending=state.pending + 1)
    return _take(state, ruling.seat, BACK, is_asked=True)


def _shows(state: State, event: Event, ruling: Ruling) -> State:
    """What the first tap had said is taken back, unless its card has come."""
    said, seat = state.said, ruling.seat
    if said is not None and said.seat == seat and isinstance(event, Release | Passed):
        back = 0 if state.is_counted else len(state.hand(said.seat).cards) - len(said.hand.cards)
        if back:
            state = state._replace(hands=state.hands_with(said.seat, said.hand), left=state.left + back)
        state = state._replace(phase=said.phase, pending=min(state.pending, said.pending))
    return state._replace(showing=seat, said=None)


def _stands(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.BANKER, pending=0, has_come_to_banker=True, has_stood=ruling.code == "stands")


def _pack_out(state: State, event: Event, ruling: Ruling) -> State:
    """§6: a hit ends as a stand, both hands are compared as they are."""
    if state.phase is Phase.BANKER:
        return state._replace(phase=Phase.SHOWDOWN)
    return state._replace(phase=Phase.BANKER, pending=0, has_come_to_banker=True)


def _banker_stands(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.SHOWDOWN, pending=0)


def _too_early(state: State, event: Event, ruling: Ruling) -> State:
    """A card that the banker drew is dead: it is out of play, whoever's it was."""
    if not isinstance(event, CardLaid):
        return state
    state = state._replace(left=max(0, state.left - 1), discarded=state.discarded + 1)
    return state._replace(spent=(*state.spent, event.card)) if event.card.is_known else state


def _not_asked(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, CardLaid)
    seat = Seat(str(ruling.get("seats")))
    if event.card is BACK:
        return state._replace(unasked=(seat, event.lay))
    return _take(state, seat, event.card, is_asked=False)


def _counts(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return _take(state, ruling.seat, BACK, is_asked=False)._replace(unasked=None)


def _went_back(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(unasked=None)


# Cards turned up


def _turns(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, CardLaid)
    assert ruling.seat is not None
    if not _is_certain(state, event, ruling.seat):
        return _ask(state, event, ruling.seat)
    hand, (_, place) = state.hand(ruling.seat), laying.owner(state, event)
    is_free = place is not None and place < len(hand.cards) and hand.cards[place] is BACK
    hands = state.hands_with(ruling.seat, hand.with_face(event.card, place if is_free else None))
    return state._replace(hands=hands, has_turned=_has_turned(state, ruling.seat))


def _has_turned(state: State, seat: Seat) -> bool:
    return state.has_turned or (state.phase is Phase.BANKER and seat == state.banker)


def _row_shown(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    cards, hand = read_cards(str(ruling.get("cards"))), state.hand(ruling.seat)
    more = len(cards) - len(hand.cards)
    asked = (*hand.asked, *(True for _ in range(more)))
    hands = state.hands_with(ruling.seat, Hand(cards, asked, hand.is_mixed))
    has_turned = _has_turned(state, ruling.seat)
    return state._replace(hands=hands, left=max(0, state.left - more), has_turned=has_turned)


def _mixed(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    hand = state.hand(ruling.seat)._replace(is_mixed=True)
    return state._replace(hands=state.hands_with(ruling.seat, hand))


def _not_shown(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(has_refused=state.has_refused | {ruling.seat} if ruling.seat else state.has_refused)


def _unattributed(state: State, event: Event, ruling: Ruling) -> State:
    seats = tuple(seat for seat in (state.punter, state.banker) if seat is not None)
    return state._replace(asks=(*state.asks, Question(event.number, "who", seats=seats)))


def _verdict(state: State, event: Event, ruling: Ruling) -> State:
    is_this_duel = ruling.seat is not None and ruling.seat == state.punter and state.verdict is None
    return state._replace(verdict=ruling) if is_this_duel else state


def _is_certain(state: State, event: CardLaid, seat: Seat) -> bool:
    return not showing.doubts(state, event, event.card, seat)


def _ask(state: State, event: CardLaid, seat: Seat) -> State:
    """A reading that is not certain is put to the table."""
    if _is_certain(state, event, seat):
        return state
    likely = event.likely or ((event.card,) if event.card.is_known else ())
    return state._replace(asks=(*state.asks, Question(event.number, "what", cards=likely)))


def _number(ruling: Ruling, name: str) -> int:
    value = ruling.get(name)
    return value if isinstance(value, int) else 0


def _in_duel(effect: Effect[State]) -> Effect[State]:
    """Does nothing where no duel is on: a ruling that a person gave stands, whatever he puts right before it."""

    def carried_out(state: State, event: Event, ruling: Ruling) -> State:
        return state if state.punter is None else effect(state, event, ruling)

    return carried_out


EFFECTS: dict[str, Effect[State]] = {
    "lot-banker": _lot_banker,
    "staked": _staked,
    "bank-laid": _bank_laid,
    "joins": _joins,
    "leaves": _leaves,
    "steps-down": _steps_down,
    "knocked": _knocked,
    "stops": _stops,
    "misdeal": _misdeal,
    "cards-missing": _cards_missing,
    "dealt": _dealt,
    "new-hand": _new_hand,
    "card": _card,
    "plays": _in_duel(_plays),
    "hit": _in_duel(_hit),
    "draws": _in_duel(_hit),
    "shows": _in_duel(_shows),
    "stands": _in_duel(_stands),
    "pack-out": _in_duel(_pack_out),
    "banker-stands": _in_duel(_banker_stands),
    "too-early": _too_early,
    "no-card": _too_early,
    "not-asked": _not_asked,
    "counts": _counts,
    "went-back": _went_back,
    "turns": _turns,
    "row-shown": _row_shown,
    "mixed": _mixed,
    "not-shown": _not_shown,
    "unattributed": _unattributed,
    **dict.fromkeys(VERDICTS, _verdict),
}
