"""How the rulings of Debertz change the state. What was ruled decides: a person may have overruled the rules."""

from __future__ import annotations

from engine import deals, taps
from engine.cards import Suit, read_cards
from engine.deals import ask_what, card_of, with_known
from engine.events import CardLaid, Event, Hold, Passed, Press, Release
from engine.games.debertz import melding, rounds
from engine.games.debertz.state import (
    ASKING,
    BEFORE_LEAD,
    Called,
    Meld,
    Phase,
    State,
    new_deal,
)
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat, added
from engine.stepping import Effect

_REMEMBERING = (*BEFORE_LEAD, Phase.TRICK, Phase.AUDIT)
"""Phases in which double taps mean something."""


def hear(state: State, event: Event) -> State:
    """Presses are kept: to tell taps from holds while the game asks, and double taps later."""
    kind = type(event)
    if kind is Press:
        return _pressed(state, event)  # type: ignore[arg-type]
    if state.taps and state.phase in ASKING and (kind is Release or kind is Passed or kind is Hold):
        return state._replace(taps=taps.still_open(state.taps, event))
    return state


def _pressed(state: State, press: Press) -> State:
    if state.phase in ASKING:
        return state._replace(taps=taps.with_press(state.taps, press))
    return state._replace(taps=taps.remember(state.taps, press)) if state.phase in _REMEMBERING else state


# Deal and bidding


def _lot_dealer(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.DEAL, dealer=ruling.seat)


def _turned_up(state: State, event: Event, ruling: Ruling) -> State:
    card = card_of(ruling)
    state = ask_what(state, event, card, None)
    number = event.number
    return state._replace(
        phase=Phase.FIRST_ROUND, turned=card, upcard=card, trump_number=number, turn=state.elder, taps=()
    )


def _misdeal(state: State, event: Event, ruling: Ruling) -> State:
    return new_deal(state, state.dealer)


def _passed(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    passes = state.passes + 1
    phase = Phase.FIRST_ROUND if passes < 2 else Phase.SECOND_ROUND
    return state._replace(passes=passes, phase=phase, turn=state.house.other(ruling.seat))


def _plays(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.DRAW, maker=ruling.seat, made_in=1, trump=_suit(ruling), turn=None, taps=())


def _names(state: State, event: Event, ruling: Ruling) -> State:
    """A trump that was named is certain, whatever the card turned up was read as."""
    state = _plays(state, event, ruling)
    return state._replace(made_in=2, trump_number=event.number)


def _schmeiss(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return state._replace(phase=Phase.ANNULMENT, turn=state.house.other(ruling.seat))


def _schmeiss_accepted(state: State, event: Event, ruling: Ruling) -> State:
    """§9: thrown in as after four passes."""
    return state._replace(phase=Phase.SECOND_ROUND, passes=4)


def _drawn(state: State, event: Event, ruling: Ruling) -> State:
    if state.house.declares_late:
        return rounds.begin_play(state, event.number)[0]
    assert state.elder is not None
    assert state.dealer is not None
    return state._replace(phase=Phase.DECLARE, declaring=(state.elder, state.dealer))


def _bottom(state: State, event: Event, ruling: Ruling) -> State:
    card = card_of(ruling)
    state = ask_what(state, event, card, None)
    return _drawn(state._replace(bottom=card), event, ruling)


# The seven of trump


def _lay_seven(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(exchanging=ruling.seat, taps=())


def _exchanged(state: State, event: Event, ruling: Ruling) -> State:
    """The card turned up is in that hand now; whose it is is asked where nobody saw."""
    seat, seven, turned = ruling.seat, card_of(ruling), state.turned
    if isinstance(event, CardLaid):
        state = ask_what(state, event, seven, seat)
    state = state._replace(upcard=seven, is_exchanged=True, exchanging=None, exchanged=seat)
    if seat is None:
        asked = Question(event.number, "who", seats=state.house.seats)
        return state._replace(asks=(*state.asks, asked))
    melds = tuple(m._replace(is_before_exchange=True) if m.seat == seat else m for m in state.melds)
    state = state._replace(melds=melds, known=tuple(one for one in state.known if one.card is not seven))
    if turned is None or state.trump_number in state.doubtful:
        return state
    return with_known(state, seat, (turned,), event.number)


# Sequences and bella


def _declares(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    run = melding.run_of(ruling)
    is_jackpot = ruling.get("kind") == "jackpot"
    return state._replace(melds=(*state.melds, Meld(ruling.seat, run, event.number, is_jackpot)))


def _declared(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(declaring=tuple(seat for seat in state.declaring if seat != ruling.seat))


def _suit_named(state: State, event: Event, ruling: Ruling) -> State:
    """The first of that seat's equal best sequences without a suit has one now."""
    equal = melding.best(state, state.melds).get(ruling.seat or Seat(""), [])
    open_ones = [meld for meld in equal if meld.run.suit is None]
    named = open_ones[0]._replace(run=open_ones[0].run._replace(suit=_suit(ruling)))
    melds = tuple(named if meld is open_ones[0] else meld for meld in state.melds)
    naming = state.naming if len(open_ones) > 1 else tuple(seat for seat in state.naming if seat != ruling.seat)
    return state._replace(melds=melds, naming=naming)


def _struck(state: State, event: Event, ruling: Ruling) -> State:
    """Compared again without it."""
    number = ruling.get("meld")
    melds = tuple(meld for meld in state.melds if meld.number != number)
    return state._replace(melds=melds, is_compared=False)


def _shows(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    cards = read_cards(str(ruling.get("cards") or ""))
    state = with_known(state, ruling.seat, cards, event.number)
    return state._replace(shown=(*state.shown, *cards))


def _shows_card(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, CardLaid)
    if ruling.seat is None:
        return ask_what(state, event, event.card, None)
    is_certain = deals.is_certain(state, event, ruling.seat)
    state = deals.seen_in_hand(state, event, ruling.seat)
    return state._replace(shown=(*state.shown, event.card)) if is_certain else state


def _not_seen(state: State, event: Event, ruling: Ruling) -> State:
    return rounds.begin_play(state, event.number)[0]


def _bella(state: State, event: Event, ruling: Ruling) -> State:
    """Nothing is left to wait for."""
    assert ruling.seat is not None
    return state._replace(called=(*state.called, Called(ruling.seat, event.number)), waits_ns=None)


def _counting(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(waits_ns=None)


def _four_sevens(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    scores = added(state.scores, state.house.places[ruling.seat], ruling.points)
    return new_deal(state._replace(scores=scores), state.dealer)


# The trick


def _ok(state: State, event: Event, ruling: Ruling) -> State:
    return deals.lies(state, event, ruling, laid_ns=event.t_ns)


def _suit(ruling: Ruling) -> Suit:
    return Suit[str(ruling.get("suit")).upper()]


EFFECTS: dict[str, Effect[State]] = {
    **deals.trick_effects(),
    "lot-dealer": _lot_dealer,
    "turned-up": _turned_up,
    "misdeal": _misdeal,
    "passed": _passed,
    "plays": _plays,
    "names": _names,
    "schmeiss": _schmeiss,
    "schmeiss-accepted": _schmeiss_accepted,
    "drawn": _drawn,
    "bottom": _bottom,
    "lay-seven": _lay_seven,
    "exchanged": _exchanged,
    "declares": _declares,
    "declared": _declared,
    "declares-nothing": _declared,
    "suit-named": _suit_named,
    "struck": _struck,
    "shows": _shows,
    "shows-card": _shows_card,
    "not-seen": _not_seen,
    "bella": _bella,
    "counting": _counting,
    "four-sevens": _four_sevens,
    "ok": _ok,
    "unread": _ok,
}
