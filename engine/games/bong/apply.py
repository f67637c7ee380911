"""How every ruling of Bong changes the state. What was ruled decides: a person may have overruled the rules."""

from __future__ import annotations

from collections.abc import Callable

from engine.cards import Card, Rank
from engine.events import Call, CardGone, CardLaid, Drawn, Event, Passed, Press
from engine.games.bong import laying, proofs
from engine.games.bong.state import DECK, NEXT, NOBODY, Laid, Owed, Phase, Slap, State, Touch, shares
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat


def apply(state: State, event: Event, rulings: tuple[Ruling, ...]) -> State:
    """The state after `event` was ruled so."""
    kind = type(event)
    if kind is CardLaid:
        state = _lay(state, event, rulings)  # type: ignore[arg-type]
    elif kind is CardGone:
        return _gone(state, event.lay)  # type: ignore[attr-defined]
    elif kind is Passed and state.slaps:
        state = _forget_slaps(state, event.t_ns)
    for ruling in rulings:
        effect = _EFFECTS.get(ruling.code)
        if effect is not None:
            state = effect(state, event, ruling)
    return state


# Cards


def _lay(state: State, event: CardLaid, rulings: tuple[Ruling, ...]) -> State:
    seats = laying.whose(state, event)
    could_be = proofs.could_be(event)
    laid = Laid(event.card, could_be, seats, event.lay, event.number)
    code = rulings[0].code if rulings else ""
    is_foul = code in laying.BACK
    tie = laying.tie(state, event)
    touch = Touch(event.t_ns, event.seats, event.slap_ns, event.lay, is_foul, event.rival)
    state = state._replace(
        touches=(*state.touches[-3:], touch),
        slaps=_unserved(state.slaps, event) if state.slaps else state.slaps,
        tie=tie if tie is not None and tie[0] not in state.drawn else state.tie,
        asks=_ask(state, event),
    )
    if state.owed:
        state = _lay_on_owed(state, laid)
    if code in ("ok", "unread"):
        return _push(state, event, laid)
    return state._replace(owed=(*state.owed, Owed(laid, False))) if is_foul else state


def _ask(state: State, event: CardLaid) -> tuple[Question, ...]:
    asks = state.asks
    if state.phase not in laying.LAYING:
        return asks
    seats = laying.asked_seats(state, event)
    if len(event.seats) != 1 and len(seats) != 1:
        asks = (*asks, Question(event.number, "who", tuple(sorted(seats)), detail=(("card", str(event.card)),)))
    if not proofs.is_sure(event) or proofs.is_seen_twice(state, event):
        asks = (*asks, Question(event.number, "what", cards=_likely(state, event)))
    return asks


def _likely(state: State, event: CardLaid) -> tuple[Card, ...]:
    could_be = proofs.could_be(event)
    if not could_be or proofs.is_seen_twice(state, event):
        wanted = proofs.missing_cards(state) | proofs.not_in_pile(state, event.card)
        return tuple(sorted(wanted, key=str))
    return could_be


def _unserved(slaps: tuple[Slap, ...], event: CardLaid) -> tuple[Slap, ...]:
    if event.slap_ns is None:
        return slaps
    return tuple(slap for slap in slaps if slap.t_ns != event.slap_ns or slap.seat not in event.seats)


def _lay_on_owed(state: State, laid: Laid) -> State:
    """A card that is laid again had been taken back; the others now lie buried."""
    still = (owed for owed in state.owed if owed.laid.card is not laid.card)
    return state._replace(owed=tuple(Owed(owed.laid, True) for owed in still))


def _push(state: State, event: CardLaid, laid: Laid) -> State:
    rank: Rank = event.card.rank if event.card.is_known else state.needed
    if laid.could_be:
        rank = laid.could_be[0].rank
    state = state._replace(
        phase=Phase.RACE,
        pile=(*state.pile, laid),
        last=laid.seats,
        needed=NEXT[rank],
        nocard=(),
        is_stall=False,
        answering=None,
        must_show=False,
        claimant=None,
        valid_ns=event.t_ns,
        is_counted=state.is_counted and (rank == state.needed),
        records=proofs.without_card(state.records, frozenset(laid.could_be)) if state.records else state.records,
    )
    if len(laid.seats) != 1:
        return state
    seat = laying.only(laid.seats)
    assert seat is not None
    left = state.hand(seat) - 1
    state = _with_hand(state, seat, max(0, left))
    return _go_out(state, seat) if left <= 0 and seat in state.active else state


def _with_hand(state: State, seat: Seat, count: int) -> State:
    place = state.house.places[seat]
    return state._replace(hands=(*state.hands[:place], count, *state.hands[place + 1 :]))


def _gone(state: State, lay: int) -> State:
    if not any(owed.laid.lay == lay for owed in state.owed):
        return state
    return state._replace(owed=tuple(owed for owed in state.owed if owed.laid.lay != lay))


def _taken_back(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, Call)
    lay = next(owed.laid.lay for owed in state.owed if owed.laid.card is event.card)
    return _gone(state, lay)


# Out, lost


def _go_out(state: State, seat: Seat) -> State:
    if seat not in state.active:
        return state
    active = state.active - {seat}
    state = state._replace(active=active, finished=(*state.finished, seat))
    return _end(state, next(iter(active))) if len(active) == 1 else state


def _end(state: State, loser: Seat) -> State:
    return state._replace(
        phase=Phase.GAME_OVER, loser=loser, slaps=(), nocard=(), is_stall=False, must_show=False, answering=None
    )


def _went_out(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    if isinstance(event, Call) and event.word == "out":
        state = _with_hand(state, ruling.seat, 0)
    return _go_out(state, ruling.seat)


def _recount(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, Call)
    assert event.seat is not None
    assert event.count is not None
    state = _with_hand(state, event.seat, event.count)
    if event.count and event.seat not in state.active and state.phase is not Phase.GAME_OVER:
        back = tuple(seat for seat in state.finished if seat != event.seat)
        state = state._replace(active=state.active | {event.seat}, finished=back)
    return state._replace(is_counted=proofs.is_conserved(state))


def _distrust(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(is_counted=False)


# Slaps and claims


def _slap(state: State, event: Event, ruling: Ruling) -> State:
    if not isinstance(event, Press) or state.phase not in (Phase.RACE, Phase.STALL_CHECK):
        return state
    if laying.has_served(state, event):
        return state
    return state._replace(slaps=(*state.slaps, Slap(event.seat, event.t_ns, event.number)))


def _forget_slaps(state: State, t_ns: int) -> State:
    latest = t_ns - state.house.attribution_ns
    return state._replace(slaps=tuple(slap for slap in state.slaps if slap.t_ns > latest))


def _bare_slap(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(bare=_one_more(state, state.bare, ruling.seat))


def _mark(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(marks=_one_more(state, state.marks, ruling.seat))


def _one_more(state: State, counts: tuple[int, ...], seat: Seat | None) -> tuple[int, ...]:
    return tuple(count + (other == seat) for count, other in zip(counts, state.house.seats, strict=True))


def _claim(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    closes_ns = state.closes_ns if state.closes_ns is not None else event.t_ns + state.house.claim_ns
    return state._replace(
        claims=(*state.claims, (ruling.seat, event.number)),
        claimed=state.claimed | {ruling.seat},
        closes_ns=closes_ns,
    )


def _claims_closed(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(phase=Phase.START_LAY, claimant=ruling.seat, closes_ns=None)


def _false_claim(state: State, event: Event, ruling: Ruling) -> State:
    claims = tuple(claim for claim in state.claims if claim[0] != ruling.seat)
    if not claims:
        return state._replace(phase=Phase.START_CLAIM, claims=(), claimant=None, closes_ns=None)
    return state._replace(claims=claims, claimant=claims[0][0] if len(claims) == 1 else None)


def _lot_start(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(claimant=ruling.seat)


def _lot_first(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, Drawn)
    return state._replace(tie=None, drawn=state.drawn | {event.lot})


# Stalls


def _no_card(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return state._replace(phase=Phase.STALL_CHECK, nocard=(*state.nocard, (ruling.seat, event.number)))


def _stall(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(is_stall=True)


def _stall_answer(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, Press)
    return state._replace(answering=(event.seat, event.t_ns, event.number))


def _no_stall(state: State, event: Event, ruling: Ruling) -> State:
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


def _must_show(state: State, event: Event, ruling: Ruling) -> State:
    return state._replace(must_show=True)


def _flong(state: State, event: Event, ruling: Ruling) -> State:
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


def _dealt(state: State, event: Event, ruling: Ruling) -> State:
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
    owners = [laying.only(owed.laid.seats) for owed in state.owed]
    return tuple(max(0, hand - owners.count(seat)) for hand, seat in zip(state.hands, state.house.seats, strict=True))


def _take_pile(state: State, event: Event, ruling: Ruling) -> State:
    """§8: the offender takes the pile, the card just laid included, and a new round begins."""
    assert ruling.seat is not None
    taken = len(state.pile) + len(state.owed)
    cards = frozenset(card for owed in state.owed for card in owed.laid.could_be)
    state = state._replace(
        hands=_without_owed(state), records=proofs.without_card(state.records, cards), dealer=state.dealer
    )
    state = _with_hand(state, ruling.seat, state.hand(ruling.seat) + taken)
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


def _proven(state: State, event: Event, ruling: Ruling) -> State:
    """A promise is broken once, however many cards of its record follow."""
    records = tuple(
        record._replace(pressers=tuple(said for said in record.pressers if said[1] not in ruling.because))
        for record in state.records
    )
    return state._replace(records=records)


def _unclaimed(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    return state._replace(noted=state.noted | {ruling.seat})


def _lot_dealer(state: State, event: Event, ruling: Ruling) -> State:
    assert ruling.seat is not None
    hands = shares(state.house, state.house.seats, after=ruling.seat, cards=DECK)
    return state._replace(phase=Phase.DEAL, dealer=ruling.seat, hands=hands)


_EFFECTS: dict[str, Callable[[State, Event, Ruling], State]] = {
    "slap": _slap,
    "claim": _claim,
    "claims-closed": _claims_closed,
    "false-claim": _false_claim,
    "lot-dealer": _lot_dealer,
    "lot-start": _lot_start,
    "lot-first": _lot_first,
    "dealt": _dealt,
    "no-card": _no_card,
    "stall": _stall,
    "stall-answer": _stall_answer,
    "stall-refused": _no_stall,
    "false-stall": _no_stall,
    "must-show": _must_show,
    "flong": _flong,
    "went-out": _went_out,
    "recount": _recount,
    "miscount": _distrust,
    "taken-back": _taken_back,
    "bare-slap": _bare_slap,
    "mark": _mark,
    "take-pile": _take_pile,
    "false-nocard-proven": _proven,
    "unclaimed-two": _unclaimed,
}
