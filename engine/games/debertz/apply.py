"""How every ruling of Debertz changes the state. What was ruled decides: a person may have overruled the rules."""

from __future__ import annotations

from collections.abc import Callable

from engine import taps
from engine.cards import UNKNOWN, Card, Suit, read_cards
from engine.events import CardLaid, Event, Hold, Passed, Press, Release
from engine.games.debertz import melding, proofs, rounds
from engine.games.debertz.state import (
    ASKING,
    BEFORE_LEAD,
    Called,
    Meld,
    Phase,
    State,
    at,
    new_deal,
)
from engine.revokes import Known, question, what_it_answers
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat
from engine.tricks import Play, Reply, Revoke

_REMEMBERING = (*BEFORE_LEAD, Phase.TRICK, Phase.AUDIT)
"""Phases in which double taps mean something."""

_TELLING = frozenset(("ok", "wrong-seat", "one-card-only", "shows", "shows-card", "exchanged"))
"""Rulings by which a card becomes known."""


def judge(state: State, event: Event, decided: tuple[Ruling, ...]) -> tuple[State, tuple[Ruling, ...]]:
    """What was decided and what follows from it by itself, and the state after it."""
    state = _heard(state, event)
    if not decided:
        return state, decided
    state = _carry_out(state, event, decided)
    counted = tuple(proofs.counted(state, event.number)) if decided[0].code in _TELLING else ()
    state, told = rounds.progress(_carry_out(state, event, counted), event.number)
    return state, decided + counted + told


def apply(state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
    """The state after `event` was ruled so."""
    state = _heard(state, event)
    return rounds.progress(_carry_out(state, event, rulings), event.number)[0] if rulings else state


def _heard(state: State, event: Event) -> State:
    kind = type(event)
    return _button(state, event) if kind is Press or kind is Release or kind is Passed or kind is Hold else state


def _carry_out(state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
    for ruling in rulings:
        effect = _EFFECTS.get(ruling.code)
        if effect is not None:
            state = effect(state, event, ruling)
    return state


def _button(state: State, event: Event) -> State:
    if not isinstance(event, Press):
        is_asked = state.phase in ASKING and state.taps
        return state._replace(taps=taps.still_open(state.taps, event)) if is_asked else state
    if state.phase in ASKING:
        return state._replace(taps=taps.with_press(state.taps, event))
    return state._replace(taps=taps.remember(state.taps, event)) if state.phase in _REMEMBERING else state


# Deal and bidding


def _lot_dealer(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.DEAL, dealer=ruling.seat)


def _turned_up(state: State, event: Event, ruling: Ruling) -> State:
    card = _card(ruling)
    state = _ask_what(state, event, card, None)
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
    card = _card(ruling)
    state = _ask_what(state, event, card, None)
    return _drawn(state._replace(bottom=card), event, ruling)


# The seven of trump


def _lay_seven(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(exchanging=ruling.seat, taps=())


def _exchanged(state: State, event: Event, ruling: Ruling) -> State:
    """The card turned up is in that hand now; whose it is is asked where nobody saw."""
    seat, seven, turned = ruling.seat, _card(ruling), state.turned
    if isinstance(event, CardLaid):
        state = _ask_what(state, event, seven, seat)
    state = state._replace(upcard=seven, is_exchanged=True, exchanging=None, exchanged=seat)
    if seat is None:
        asked = Question(event.number, "who", seats=state.house.seats)
        return state._replace(asks=(*state.asks, asked))
    melds = tuple(m._replace(is_before_exchange=True) if m.seat == seat else m for m in state.melds)
    state = state._replace(melds=melds, known=tuple(one for one in state.known if one.card is not seven))
    if turned is None or state.trump_number in state.doubtful:
        return state
    return _with_known(state, seat, (turned,), event.number)


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
    state = _with_known(state, ruling.seat, cards, event.number)
    return state._replace(shown=(*state.shown, *cards))


def _shows_card(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, CardLaid)
    is_certain = proofs.is_certain(state, event, ruling.seat)
    state = _ask_what(state, event, event.card, ruling.seat)
    if not is_certain or ruling.seat is None:
        return state
    state = _with_known(state, ruling.seat, (event.card,), event.number)
    return state._replace(shown=(*state.shown, event.card))


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
    scores = at(state.scores, state.house.places[ruling.seat], ruling.points)
    return new_deal(state._replace(scores=scores), state.dealer)


# The trick


def _ok(state: State, event: Event, ruling: Ruling) -> State:
    """The card lies in the trick; the other seat has the turn."""
    if not isinstance(event, CardLaid):
        return state
    if ruling.seat is None or state.phase is not Phase.TRICK:
        return _ask_what(state, event, event.card, None)
    seat, play = ruling.seat, Play(ruling.seat, event.card, event.number)
    is_certain = proofs.is_certain(state, event, seat)
    asked = what_it_answers(state) if is_certain else None
    state = _ask_what(state, event, event.card, seat)
    return state._replace(
        trick=(*state.trick, play),
        turn=state.house.other(seat),
        replies=state.replies if asked is None else (*state.replies, Reply(play, state.number, asked)),
        played=(*state.played, Known(seat, event.card, event.number)),
        known=tuple(one for one in state.known if one.card is not event.card) if state.known else (),
        laid_ns=event.t_ns,
    )


def _goes_back(state: State, event: Event, ruling: Ruling) -> State:
    """A card that goes back has been seen: it is in that hand until it is played."""
    if state.phase is not Phase.TRICK or not isinstance(event, CardLaid) or ruling.seat is None:
        return state
    is_certain = proofs.is_certain(state, event, ruling.seat)
    state = _ask_what(state, event, event.card, ruling.seat)
    return _with_known(state, ruling.seat, (event.card,), event.number) if is_certain else state


def _revoke(state: State, event: Event, ruling: Ruling) -> State:
    """§5: proven once and for all; only its kind may change."""
    assert ruling.seat is not None
    reply = next((one for one in state.replies if _is_about(one, ruling)), None)
    if reply is not None:
        held = ruling.get("held")
        revoke = Revoke(reply, str(ruling.get("kind")), None if held is None else Card(str(held)), event.number)
        others = tuple(one for one in state.revokes if one.reply.play.number != reply.play.number)
        state = state._replace(revokes=(*others, revoke))
    is_marked = ruling.is_foul and state.house.revoke == "mark"
    marks = at(state.marks, state.house.places[ruling.seat], 1) if is_marked else state.marks
    return state._replace(guilty=state.guilty | {ruling.seat}, marks=marks)


def _is_about(reply: Reply, ruling: Ruling) -> bool:
    return reply.play.seat == ruling.seat and reply.trick == ruling.get("trick")


def _with_known(state: State, seat: Seat, cards: tuple[Card, ...], number: int) -> State:
    have = {one.card for one in state.known} | {one.card for one in state.played}
    more = tuple(Known(seat, card, number) for card in cards if card.is_known and card not in have)
    return state._replace(known=(*state.known, *more)) if more else state


def _ask_what(state: State, event: Event, card: Card, seat: Seat | None) -> State:
    """A reading that is not certain is put to the table, and proves nothing until it is answered."""
    asked = question(event, card, is_amiss=proofs.cannot_be(state, card, seat))
    if asked is None:
        return state
    return state._replace(asks=(*state.asks, asked), doubtful=state.doubtful | {event.number})


def _card(ruling: Ruling) -> Card:
    text = ruling.get("card")
    return Card(str(text)) if text else UNKNOWN


def _suit(ruling: Ruling) -> Suit:
    return Suit[str(ruling.get("suit")).upper()]


_EFFECTS: dict[str, Callable[[State, Event, Ruling], State]] = {
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
    "wrong-seat": _goes_back,
    "one-card-only": _goes_back,
    "revoke": _revoke,
    "revoke-kind": _revoke,
    "revoke-counted": _revoke,
}
