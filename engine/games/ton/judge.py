"""What every event is ruled in Ton. Paragraphs are the rules'; codes are the rules' names in lower case."""

from __future__ import annotations

from engine import taps
from engine.events import Call, CardLaid, Event, Hold, Passed, Press, Release, Shown
from engine.games.ton import laying, showing
from engine.games.ton.state import ASKING, DECIDING, WIDOW, Phase, State
from engine.rulings import Ruling
from engine.seats import Seat
from engine.stepping import Judge

NOTHING: tuple[Ruling, ...] = ()
BEFORE_PLAY = (Phase.DEAL, *DECIDING, Phase.PICK, Phase.EXCHANGE, Phase.JOIN)
"""Phases in which a wrong deal can still be dealt again, and a claim can come too late."""


# Buttons: a tap says yes, a hold says no; in the trick a tap goes with a card.


def _press(state: State, event: Press) -> tuple[Ruling, ...]:
    if event.seat not in state.house.places:
        return NOTHING
    if state.phase in (Phase.TRICK, Phase.AUDIT):
        return (Ruling("slap", event.seat, 0, (event.number,), (), "§5"),)
    if state.phase is Phase.STAKES:
        return _stake(state, event, event.seat)
    if state.phase is Phase.EXCHANGE and event.seat == state.taker:
        return _exchanged(state, event, WIDOW)
    return NOTHING


def _answer(state: State, event: Event) -> tuple[Ruling, ...]:
    tap = taps.completed(state.taps, event)
    return NOTHING if tap is None else _yes(state, event, tap.seat)


def _hold(state: State, event: Hold) -> tuple[Ruling, ...]:
    return _no(state, event, event.seat) if event.seat in state.house.places else NOTHING


def _yes(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    if state.phase in DECIDING:
        return _take(state, event, seat)
    return _join(state, event, seat, "joined") if state.phase is Phase.JOIN else NOTHING


def _no(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    if state.phase in DECIDING:
        return _refuse(state, event, seat)
    return _join(state, event, seat, "sits-out") if state.phase is Phase.JOIN else NOTHING


# The widow (§4 PURCHASE)


def _take(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    if seat == state.dealer:
        return (_foul("dealer-may-not-buy", seat, event),)
    if seat != state.decider or seat == state.turning:
        return (_foul("wrong-seat", seat, event),)
    return (Ruling("took", seat, 0, (event.number,), (), "§4"),)


def _refuse(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    if seat == state.dealer or seat in state.decided or seat == state.turning:
        return NOTHING
    if seat != state.decider:
        return (_foul("wrong-seat", seat, event),)
    code = "turn-card" if None in state.widow else "refused"
    return (Ruling(code, seat, 0, (event.number,), (), "§4"),)


def _foul(code: str, seat: Seat, event: Event) -> Ruling:
    return Ruling(code, seat, 0, (event.number,), (("then", "not-counted"),), "§4", is_foul=True)


# The exchange, and who takes part (§4, §9)


def _exchanged(state: State, event: Event, count: int) -> tuple[Ruling, ...]:
    """§4 EXCHANGE: four cards go to the discard, whatever else is put right before the first lead."""
    code = "exchanged" if count == WIDOW else "bad-exchange"
    detail = (("count", count), ("then", "discard-four"))
    return (Ruling(code, state.taker, 0, (event.number,), detail, "§4", is_foul=code == "bad-exchange"),)


def _join(state: State, event: Event, seat: Seat, code: str) -> tuple[Ruling, ...]:
    """§9 row 1: each other seat says in or out, from the taker's left."""
    if seat not in state.asked:
        return NOTHING
    if seat != state.asked[0]:
        return (_foul("wrong-seat", seat, event),)
    return (Ruling(code, seat, 0, (event.number,), (), "§9"),)


# What people say


def _call_staked(state: State, event: Call) -> tuple[Ruling, ...]:
    """One stake is in, or, where no seat is named, all that were missing."""
    seats = state.house.seats if event.seat is None else (event.seat,)
    return tuple(ruling for seat in seats for ruling in _stake(state, event, seat))


def _stake(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    if state.phase is not Phase.STAKES or seat in state.staked:
        return NOTHING
    return (Ruling("staked", seat, 0, (event.number,), (("amount", state.house.stake),), "§3"),)


def _call_dealt(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is Phase.STAKES:
        return (laying.stakes_missing(state, event),)
    if state.phase is not Phase.DEAL:
        return NOTHING
    if event.card is None:
        return (Ruling("turn-trump", state.dealer, 0, (event.number,), (), "§3"),)
    return laying.trump(state, event, event.card)


def _call_misdeal(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase not in BEFORE_PLAY:
        return NOTHING
    return (Ruling("misdeal", state.dealer, 0, (event.number,), (), "§4", is_foul=True),)


def _call_no_trump(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or state.decider
    if seat is None or state.phase not in BEFORE_PLAY or state.phase is Phase.DEAL:
        return NOTHING
    if event.cards or state.phase is not Phase.NO_TRUMP_RIGHT or seat != state.decider:
        return showing.claim(state, event, seat, event.cards)
    return (Ruling("show-five", seat, 0, (event.number,), (), "§4"),)


def _call_no_trump_left(state: State, event: Call) -> tuple[Ruling, ...]:
    """§9 row 5: without the turned-up card the stock may hold no trump; then the right lapses."""
    if state.phase is not Phase.PICK or state.house.upcard_pickable:
        return NOTHING
    return (Ruling("right-lapsed", state.taker, 0, (event.number,), (), "§9"),)


def _call_take(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or state.decider
    return _take(state, event, seat) if state.phase in DECIDING and seat is not None else NOTHING


def _call_refuse(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or state.decider
    if state.phase not in DECIDING or seat is None:
        return NOTHING
    if event.card is not None and None in state.widow:
        return laying.turned(state, event, event.card, seat)
    return _refuse(state, event, seat)


def _call_exchanged(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.EXCHANGE or event.seat not in (None, state.taker):
        return NOTHING
    return _exchanged(state, event, WIDOW if event.count is None else event.count)


def _call_join(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.JOIN or not state.asked:
        return NOTHING
    return _join(state, event, event.seat or state.asked[0], "joined" if event.word == "in" else "sits-out")


def _call_not_shown(state: State, event: Call) -> tuple[Ruling, ...]:
    """§8: whoever does not show is treated as having revoked."""
    if state.phase is not Phase.AUDIT or event.seat not in state.players_in or event.seat in state.shown:
        return NOTHING
    return (Ruling("not-shown", event.seat, 0, (event.number,), (), "§8", is_foul=True),)


def deadline(state: State) -> int | None:
    """When a press is surely no hold any more."""
    return taps.deadline(state.taps) if state.phase in ASKING else None


JUDGES: dict[type[Event], Judge[State]] = {
    CardLaid: laying.judge_lay,
    Press: _press,
    Release: _answer,
    Hold: _hold,
    Passed: _answer,
    Shown: showing.shown,
}
CALLS: dict[str, Judge[State]] = {
    "staked": _call_staked,
    "dealt": _call_dealt,
    "misdeal": _call_misdeal,
    "no-trump": _call_no_trump,
    "no-trump-left": _call_no_trump_left,
    "picked": lambda state, event: showing.pick(state, event, event.seat, event.card),
    "take": _call_take,
    "refuse": _call_refuse,
    "exchanged": _call_exchanged,
    "in": _call_join,
    "out": _call_join,
    "not-shown": _call_not_shown,
}
