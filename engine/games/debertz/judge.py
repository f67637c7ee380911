"""What every event is ruled in Debertz. Paragraphs are the rules'; codes are the rules' names in lower case."""

from __future__ import annotations

from collections.abc import Callable

from engine import taps
from engine.cards import Suit
from engine.events import Call, CardLaid, Event, Hold, Passed, Press, Release, Shown
from engine.games.debertz import bidding, exchange, laying, melding
from engine.games.debertz.state import ASKING, BEFORE_LEAD, Phase, State
from engine.rulings import Ruling
from engine.seats import Seat
from engine.stepping import Judge

NOTHING: tuple[Ruling, ...] = ()
MISDEALS = (Phase.DEAL, *ASKING, *BEFORE_LEAD, Phase.TRICK)
"""Phases in which a wrong deal can still be dealt again, as long as nobody has led."""


def deadline(state: State) -> int | None:
    """When a press is surely no hold any more, or no bella can be called any more."""
    if state.phase is Phase.AUDIT:
        return state.waits_ns
    return taps.deadline(state.taps) if state.phase in ASKING else None


# Buttons


def _press(state: State, event: Press) -> tuple[Ruling, ...]:
    """A tap goes with a card; twice it calls bella, or before the lead announces the exchange of the seven."""
    seat = event.seat
    if seat not in state.house.places:
        return NOTHING
    is_double = taps.is_double(state.taps, event)
    if state.phase in (Phase.TRICK, Phase.AUDIT) and is_double and melding.has_just_laid_one(state, event, seat):
        return melding.bella(state, event, seat)
    if state.phase is Phase.TRICK:
        return (Ruling("slap", seat, 0, (event.number,), (), "§5"),)
    if state.phase in BEFORE_LEAD and is_double:
        return exchange.says_exchange(state, event, seat)
    return _dealt_three(state, event) if state.phase is Phase.DRAW and seat == state.dealer else NOTHING


def _dealt_three(state: State, event: Event) -> tuple[Ruling, ...]:
    """§3: three more cards each; where the lowest card is shown, that comes first."""
    code = "turn-bottom" if state.house.shows_bottom else "drawn"
    return (Ruling(code, state.dealer, 0, (event.number,), (), "§9" if state.house.shows_bottom else "§3"),)


def _answer(state: State, event: Event) -> tuple[Ruling, ...]:
    tap = taps.completed(state.taps, event) if state.phase in ASKING else None
    if tap is not None:
        return bidding.says_yes(state, event, tap.seat)
    is_over = state.waits_ns is not None and state.phase is Phase.AUDIT and event.t_ns >= state.waits_ns
    return (Ruling("counting", None, 0, (event.number,), (), "§6"),) if is_over else NOTHING


def _hold(state: State, event: Hold) -> tuple[Ruling, ...]:
    if event.seat not in state.house.places:
        return NOTHING
    if state.phase is Phase.DECLARE:
        return melding.ends(state, event, event.seat)
    if state.phase is Phase.SHOW:
        return _all_shown(state, event, event.seat)
    return bidding.says_no(state, event, event.seat)


def _all_shown(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """What is not shown by now is struck."""
    return melding.strike(state, event, state.shown) if seat == state.shower else NOTHING


# What people say


def _call_dealt(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.DEAL:
        return NOTHING
    if event.card is None:
        return (Ruling("turn-up", state.dealer, 0, (event.number,), (), "§3"),)
    return laying.turned(state, event, event.card)


def _call_misdeal(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase not in MISDEALS or state.played:
        return NOTHING
    return (Ruling("misdeal", state.dealer, 0, (event.number,), (), "§4", is_foul=True),)


def _call_drawn(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.DRAW:
        return NOTHING
    if event.card is not None and state.house.shows_bottom:
        return laying.bottom(state, event, event.card)
    return _dealt_three(state, event)


def _call_suit(state: State, event: Call) -> tuple[Ruling, ...]:
    suit = Suit[event.word.upper()]
    if state.naming:
        return melding.names_suit(state, event, event.seat or state.naming[0], suit)
    seat = event.seat or state.turn
    return bidding.names(state, event, seat, suit) if seat is not None else NOTHING


def _call_exchange(state: State, event: Call) -> tuple[Ruling, ...]:
    is_time = state.phase in BEFORE_LEAD or state.phase is Phase.TRICK
    return exchange.exchange(state, event, event.seat, event.card) if is_time else NOTHING


def _call_nothing_more(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or next(iter(state.declaring), None)
    return melding.ends(state, event, seat) if seat is not None else NOTHING


def _call_shown(state: State, event: Call) -> tuple[Ruling, ...]:
    """That is all he shows."""
    return _all_shown(state, event, state.shower) if state.phase is Phase.SHOW and state.shower is not None else NOTHING


def _call_not_seen(state: State, event: Call) -> tuple[Ruling, ...]:
    """§8: the showing was missed; the declarations are checked by the nine cards."""
    if state.phase is not Phase.SHOW:
        return NOTHING
    return (Ruling("not-seen", state.shower, 0, (event.number,), (), "§8"),)


def _call_bella(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or (state.played[-1].seat if state.played else None)
    return melding.bella(state, event, seat) if seat is not None else NOTHING


def _call_four_sevens(state: State, event: Call) -> tuple[Ruling, ...]:
    return melding.four_sevens(state, event, event.seat) if event.seat is not None else NOTHING


def _by_turn(judge: Callable[[State, Event, Seat], tuple[Ruling, ...]]) -> Callable[[State, Call], tuple[Ruling, ...]]:
    """A word of whoever has the turn, where the call does not say whose."""

    def judged(state: State, event: Call) -> tuple[Ruling, ...]:
        seat = event.seat or state.turn
        return judge(state, event, seat) if seat is not None else NOTHING

    return judged


JUDGES: dict[type[Event], Judge[State]] = {
    CardLaid: laying.judge_lay,
    Press: _press,
    Release: _answer,
    Passed: _answer,
    Hold: _hold,
    Shown: melding.shown,
}
CALLS: dict[str, Judge[State]] = {
    "dealt": _call_dealt,
    "misdeal": _call_misdeal,
    "play": _by_turn(bidding.plays),
    "pass": _by_turn(bidding.passes),
    **{suit.name.lower(): _call_suit for suit in Suit},
    "schmeiss": _by_turn(bidding.annuls),
    "accept": _by_turn(lambda state, event, seat: bidding.answers(state, event, seat, agrees=True)),
    "refuse": _by_turn(lambda state, event, seat: bidding.answers(state, event, seat, agrees=False)),
    "drawn": _call_drawn,
    "exchange": _call_exchange,
    "terz": melding.declares,
    "poltinnik": melding.declares,
    "jackpot": melding.declares,
    "nothing-more": _call_nothing_more,
    "four-sevens": _call_four_sevens,
    "shown": _call_shown,
    "not-seen": _call_not_seen,
    "bella": _call_bella,
}
