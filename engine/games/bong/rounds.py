"""How rounds of Bong end and begin: going out, stalls, dealing again, taking the pile (§4, §5, §8)."""

from __future__ import annotations

from engine.cards import Rank
from engine.events import Call, Event, Press
from engine.games.bong import proofs
from engine.games.bong.state import DECK, NOBODY, Phase, State, shares
from engine.rulings import Ruling
from engine.seats import Seat, only


def with_hand(state: State, seat: Seat, count: int) -> State:
    """That hand holds `count` cards."""
    place = state.house.places[seat]
    return state._replace(hands=(*state.hands[:place], count, *state.hands[place + 1 :]))


def go_out(state: State, seat: Seat) -> State:
    """§4: the seat holds no card any more and is safe; the game may be over."""
    if seat not in state.active:
        return state
    active = state.active - {seat}
    state = state._replace(active=active, finished=(*state.finished, seat))
    return _end(state, next(iter(active))) if len(active) == 1 else state


def _end(state: State, loser: Seat) -> State:
    return state._replace(
        phase=Phase.GAME_OVER, loser=loser, slaps=(), nocard=(), is_stall=False, must_show=False, answering=None
    )


def went_out(state: State, event: Event, ruling: Ruling) -> State:
    """The seat is out."""
    assert ruling.seat is not None
    if isinstance(event, Call) and event.word == "out":
        state = with_hand(state, ruling.seat, 0)
    return go_out(state, ruling.seat)


def recount(state: State, event: Event, ruling: Ruling) -> State:
    """§7: the host has counted a hand."""
    assert isinstance(event, Call)
    assert event.seat is not None
    assert event.count is not None
    state = with_hand(state, event.seat, event.count)
    if event.count and event.seat not in state.active and state.phase is not Phase.GAME_OVER:
        back = tuple(seat for seat in state.finished if seat != event.seat)
        state = state._replace(active=state.active | {event.seat}, finished=back)
    return state._replace(is_counted=proofs.is_conserved(state))


def distrust(state: State, event: Event, ruling: Ruling) -> State:
    """Hands and pile do not add up: no count proves anything for now."""
    return state._replace(is_counted=False)


def no_card(state: State, event: Event, ruling: Ruling) -> State:
    """A seat says that it has no card of the needed rank."""
    assert ruling.seat is not None
    return state._replace(phase=Phase.STALL_CHECK, nocard=(*state.nocard, (ruling.seat, event.number)))


def stall(state: State, event: Event, ruling: Ruling) -> State:
    """All others have said so: `last` is asked."""
    return state._replace(is_stall=True)


def stall_answer(state: State, event: Event, ruling: Ruling) -> State:
    """`last` has pressed: "no", unless the press becomes a hold."""
    assert isinstance(event, Press)
    return state._replace(answering=(event.seat, event.t_ns, event.number))


def no_stall(state: State, event: Event, ruling: Ruling) -> State:
    """A refused stall: play goes on; what was said is kept (§7), for it may still be proven false."""
    record = proofs.stall_record(state, is_confirmed=False)
    return state._replace(
        phase=Phase.RACE,
        nocard=(),
        is_stall=False,
        must_show=False,
        answering=None,
        valid_ns=event.t_ns,
        records=state.records if record is None else (*state.records, record),
    )


def must_show(state: State, event: Event, ruling: Ruling) -> State:
    """`last` must show the missing cards."""
    return state._replace(must_show=True)


def flong(state: State, event: Event, ruling: Ruling) -> State:
    """§4: the cards are being gathered; the hands are known again when the deal is confirmed."""
    record = None
    if state.house.stall_last == "stays":
        record = proofs.stall_record(state, is_confirmed=True)
    return state._replace(
        phase=Phase.FLONG,
        dealer=ruling.seat,
        is_stall=False,
        must_show=False,
        answering=None,
        slaps=(),
        records=state.records if record is None else (*state.records, record),
    )


def dealt(state: State, event: Event, ruling: Ruling) -> State:
    """The deal is confirmed: a round begins."""
    if state.phase is Phase.FLONG:
        state = _deal_again(state)
    return _new_round(state, event.t_ns)


def _deal_again(state: State) -> State:
    """§4 FLONG: everything, or the pile with what is owed in it, goes one by one to the others."""
    house, last = state.house, state.dealer
    assert last is not None
    hands = list(_without_owed(state))
    gathered = len(state.pile) + len(state.owed)
    if house.stall_collect == "all":
        hands, gathered = [0] * len(hands), DECK
    elif house.stall_last == "out":
        gathered += hands[house.places[last]]
        hands[house.places[last]] = 0
    # What is gathered from hands may go to anybody: no older record proves anything more (§7).
    records = state.records if house.stall_last == "stays" else ()
    takers = tuple(seat for seat in house.seats if seat in state.active and seat != last)
    more = shares(house, takers, after=last, cards=gathered, leftwards=house.flong_first == "left")
    owed = frozenset(card for one in state.owed for card in one.laid.could_be)
    return state._replace(
        hands=tuple(hand + share for hand, share in zip(hands, more, strict=True)),
        records=tuple(record for record in proofs.without_card(records, owed) if record.cards),
        is_counted=True if house.stall_collect == "all" else state.is_counted,
    )


def _without_owed(state: State) -> tuple[int, ...]:
    """The hands once the owed cards in the pile are gathered with it."""
    owners = [only(owed.laid.seats) for owed in state.owed]
    return tuple(max(0, hand - owners.count(seat)) for hand, seat in zip(state.hands, state.house.seats, strict=True))


def take_pile(state: State, event: Event, ruling: Ruling) -> State:
    """§8: the offender takes the pile, the card just laid included, and a new round begins."""
    assert ruling.seat is not None
    taken = len(state.pile) + len(state.owed)
    cards = frozenset(card for owed in state.owed for card in owed.laid.could_be)
    state = state._replace(
        hands=_without_owed(state), records=proofs.without_card(state.records, cards), dealer=state.dealer
    )
    state = with_hand(state, ruling.seat, state.hand(ruling.seat) + taken)
    if ruling.seat not in state.active:
        back = tuple(seat for seat in state.finished if seat != ruling.seat)
        state = state._replace(active=state.active | {ruling.seat}, finished=back, loser=None)
    return _new_round(state, event.t_ns)


def _new_round(state: State, t_ns: int) -> State:
    opening = state.needed if state.house.restart == "continue" else Rank.TWO
    is_race = state.house.start_mode == "race"
    return state._replace(
        phase=Phase.START_LAY if is_race else Phase.START_CLAIM,
        pile=(),
        owed=(),
        last=NOBODY,
        needed=opening,
        opening=opening,
        round=state.round + 1 if state.pile else state.round,
        claims=(),
        claimed=NOBODY,
        closes_ns=None,
        claimant=None,
        nocard=(),
        slaps=(),
        tie=None,
        asks=(),
        valid_ns=t_ns,
        noted=NOBODY,
        is_stall=False,
        must_show=False,
        answering=None,
        is_counted=proofs.is_conserved(state._replace(pile=())),
    )
