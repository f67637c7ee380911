"""How every ruling of Bong changes the state. What was ruled decides: a person may have overruled the rules."""

from __future__ import annotations

from collections.abc import Callable

from engine.cards import Card, Rank
from engine.events import Call, CardGone, CardLaid, Drawn, Event, Passed, Press
from engine.games.bong import laying, proofs, rounds
from engine.games.bong.state import DECK, NEXT, Laid, Owed, Phase, Slap, State, Touch, shares
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat, added, only


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
    seat = only(laid.seats)
    assert seat is not None
    left = state.hand(seat) - 1
    state = rounds.with_hand(state, seat, max(0, left))
    return rounds.go_out(state, seat) if left <= 0 and seat in state.active else state


def _gone(state: State, lay: int) -> State:
    if not any(owed.laid.lay == lay for owed in state.owed):
        return state
    return state._replace(owed=tuple(owed for owed in state.owed if owed.laid.lay != lay))


def _taken_back(state: State, event: Event, ruling: Ruling) -> State:
    assert isinstance(event, Call)
    lay = next(owed.laid.lay for owed in state.owed if owed.laid.card is event.card)
    return _gone(state, lay)


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
    return counts if seat is None else added(counts, state.house.places[seat], 1)


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
    "dealt": rounds.dealt,
    "no-card": rounds.no_card,
    "stall": rounds.stall,
    "stall-answer": rounds.stall_answer,
    "stall-refused": rounds.no_stall,
    "false-stall": rounds.no_stall,
    "must-show": rounds.must_show,
    "flong": rounds.flong,
    "went-out": rounds.went_out,
    "recount": rounds.recount,
    "miscount": rounds.distrust,
    "taken-back": _taken_back,
    "bare-slap": _bare_slap,
    "mark": _mark,
    "take-pile": rounds.take_pile,
    "false-nocard-proven": _proven,
    "unclaimed-two": _unclaimed,
}
