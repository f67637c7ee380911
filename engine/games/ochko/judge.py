"""What every event is ruled in Ochko. Paragraphs are the rules'; codes are the rules' names in lower case."""

from __future__ import annotations

from engine import taps
from engine.events import Call, CardGone, CardLaid, Event, Hold, Passed, Release, Shown
from engine.games.ochko import laying, showing
from engine.games.ochko.hands import DEALT
from engine.games.ochko.state import DUEL, Phase, State
from engine.rulings import Detail, Ruling
from engine.seats import Seat
from engine.stepping import Judge
from engine.taps import DOUBLE_NS

NOTHING: tuple[Ruling, ...] = ()


def deadline(state: State) -> int | None:
    """When a press is surely no hold any more."""
    return taps.deadline(state.taps)


# Buttons: a tap says "card", "play", "my stake is in"; a hold "enough"; a double tap "I show".


def _released(state: State, event: Release | Passed) -> tuple[Ruling, ...]:
    tap = taps.completed(state.taps, event)
    if tap is None:
        return NOTHING
    said = state.said
    if said is not None and said.seat == tap.seat and 0 < tap.t_ns - said.t_ns <= DOUBLE_NS:
        return _show(state, event, tap.seat)
    return _tap(state, event, tap.seat)


def _tap(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    if state.phase is Phase.STAKES:
        return _stake(state, event, seat, None)
    if state.phase not in DUEL or seat not in state.active:
        return NOTHING
    if seat != state.actor():
        return (_out_of_turn(state, event, seat),)
    match state.phase:
        case Phase.NEW_HAND:
            return (_foul("new-hand-required", seat, event),)
        case Phase.BANKER_CHECK:
            return _say("plays", seat, event)
        case _:
            return _hit(state, event, seat)


def _hold(state: State, event: Hold) -> tuple[Ruling, ...]:
    if event.seat not in state.house.places:
        return NOTHING
    if state.phase is Phase.STAKES:
        return _leave(state, event, event.seat)
    return _enough(state, event, event.seat)


def _enough(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    if state.phase not in (Phase.PUNTER, Phase.BANKER) or seat not in state.active:
        return NOTHING
    if seat != state.actor():
        return (_out_of_turn(state, event, seat),)
    return _say("stands" if state.phase is Phase.PUNTER else "banker-stands", seat, event)


def _hit(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """§4: one more card, unless it is known already that none may be drawn, or the pack is at its end."""
    hand, count = state.hand(seat), state.counting(seat)
    if state.house.max_extra and len(hand.cards) + state.pending >= DEALT + state.house.max_extra:
        return _say("no-card", seat, event, reason="three-extra")
    if hand.is_open and not hand.is_mixed and count.must_stop(hand.ranks):
        return _say("no-card", seat, event, reason="must-stop")
    told = _say("hit" if state.phase is Phase.PUNTER else "draws", seat, event)
    if state.left > state.pending:
        return told
    if state.house.is_discard_reshuffled and state.discarded:
        return (*_say("reshuffled", None, event, count=state.discarded), *told)
    return _say("pack-out", seat, event)


def _out_of_turn(state: State, event: Event, seat: Seat) -> Ruling:
    """§4: only the punter of this duel and the banker have a say, each in his turn."""
    is_early = state.phase is Phase.PUNTER and seat == state.banker
    return _foul("too-early" if is_early else "wrong-seat", seat, event)


def _show(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """Whoever has the word says that he shows; his first tap is taken back."""
    said = state.said
    may = said is not None and said.seat == seat
    return _say("shows", seat, event) if may or seat == state.actor() else (_out_of_turn(state, event, seat),)


def _say(code: str, seat: Seat | None, event: Event, **detail: Detail) -> tuple[Ruling, ...]:
    return (Ruling(code, seat, 0, (event.number,), tuple(detail.items()), "§4"),)


def _foul(code: str, seat: Seat, event: Event) -> Ruling:
    return Ruling(code, seat, 0, (event.number,), (("then", "not-counted"),), "§4", is_foul=True)


# Stakes, bank, who plays (§3, §6)


def _stake(state: State, event: Event, seat: Seat, amount: int | None) -> tuple[Ruling, ...]:
    if state.phase is not Phase.STAKES or seat not in state.house.places:
        return NOTHING
    if seat == state.banker:
        return _bank(state, event, seat, state.house.bank if amount is None else amount)
    joins = () if seat in state.active else (Ruling("joins", seat, 0, (event.number,), (), "§6"),)
    if amount is None and state.stakes[state.house.places[seat]] is not None:
        return NOTHING
    stake = state.house.stake if amount is None else amount
    return (*joins, Ruling("staked", seat, 0, (event.number,), (("amount", max(0, stake)),), "§3"))


def _bank(state: State, event: Event, seat: Seat, amount: int) -> tuple[Ruling, ...]:
    """§3: the banker's stake is the bank; while there is one, nothing is added to it."""
    if state.pot.holds or amount < 1:
        return NOTHING
    return (Ruling("bank-laid", seat, 0, (event.number,), (("amount", amount),), "§3"),)


def _leave(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """§6: players stop between rounds; whoever has cards finishes."""
    if seat not in state.active:
        return NOTHING
    code = "leaves" if state.phase is Phase.STAKES else "must-finish"
    return (Ruling(code, seat, 0, (event.number,), (), "§6"),)


# What people say


def _call_staked(state: State, event: Call) -> tuple[Ruling, ...]:
    """One stake is in, or, where no seat is named, all that were missing, and the bank."""
    if event.seat is not None:
        return _stake(state, event, event.seat, event.count)
    return tuple(ruling for seat in state.active for ruling in _stake(state, event, seat, None))


def _call_dealt(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is Phase.STAKES:
        return (laying.stakes_missing(state, event),)
    if state.phase is Phase.NEW_HAND:
        return _say("new-hand", state.banker, event)
    if state.phase is not Phase.DEAL:
        return NOTHING
    missing = laying.lacking(state)
    if state.is_counted and missing and not state.is_called_dealt:
        return _say("cards-missing", None, event, seats=" ".join(missing))
    return _say("dealt", state.banker, event)


def _call_misdeal(state: State, event: Call) -> tuple[Ruling, ...]:
    is_fresh = state.phase is Phase.BANKER_CHECK and state.duels == 1
    return (laying.misdeal(state, event),) if state.phase is Phase.DEAL or is_fresh else NOTHING


def _call_card(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or state.actor()
    is_said = seat is not None and state.phase in (Phase.PUNTER, Phase.BANKER)
    return _tap(state, event, seat) if is_said and seat is not None else NOTHING


def _call_play(state: State, event: Call) -> tuple[Ruling, ...]:
    """The banker plays; before he has his new cards they are asked for (§4)."""
    seat = event.seat or state.banker
    is_due = state.phase in (Phase.NEW_HAND, Phase.BANKER_CHECK)
    return _tap(state, event, seat) if is_due and seat is not None else NOTHING


def _call_enough(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or state.actor()
    return NOTHING if seat is None else _enough(state, event, seat)


def _call_show(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or state.actor()
    if seat is None or (state.phase not in DUEL and state.phase is not Phase.SHOWDOWN):
        return NOTHING
    if event.cards:
        return showing.shown(state, event, seat, event.cards)
    return _show(state, event, seat) if state.phase in DUEL else NOTHING


def _shown(state: State, event: Shown) -> tuple[Ruling, ...]:
    """§4: cards shown before everybody has his are exposed."""
    if state.phase is Phase.DEAL and state.hand(event.seat).cards:
        return (laying.misdeal(state, event),)
    return showing.shown(state, event, event.seat, event.cards)


def _call_not_shown(state: State, event: Call) -> tuple[Ruling, ...]:
    """§4 SHOWDOWN: whoever refuses to show loses."""
    if state.phase is not Phase.SHOWDOWN or event.seat not in (state.punter, state.banker) or event.seat is None:
        return NOTHING
    return (Ruling("not-shown", event.seat, 0, (event.number,), (), "§4", is_foul=True),)


def _call_mixed(state: State, event: Call) -> tuple[Ruling, ...]:
    """§7: the order of receipt is lost."""
    if event.seat is None or len(state.hand(event.seat).cards) <= DEALT:
        return NOTHING
    return (Ruling("mixed", event.seat, 0, (event.number,), (), "§7"),)


def _call_seen(state: State, event: Call) -> tuple[Ruling, ...]:
    """§4: a card that nobody asked for counts once it has been looked at."""
    if state.unasked is None:
        return NOTHING
    return (Ruling("counts", state.unasked[0], 0, (event.number,), (), "§4"),)


def _call_next_banker(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.STAKES:
        return NOTHING
    return (Ruling("steps-down", state.banker, 0, (event.number,), (), "§3"),)


def _call_knock(state: State, event: Call) -> tuple[Ruling, ...]:
    """§8 row 16: once the bank has grown enough the banker announces the last round."""
    may = state.phase is Phase.STAKES and state.house.knock_multiple and not state.is_last_round
    if not may or not state.pot.holds:
        return NOTHING
    least = state.house.knock_multiple * state.first_bank
    code = "knocked" if state.pot.holds >= least else "no-knock"
    detail = (("bank", state.pot.holds), ("least", least))
    return (Ruling(code, state.banker, 0, (event.number,), detail, "§8"),)


def _call_end(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.STAKES:
        return NOTHING
    return (Ruling("stops", None, 0, (event.number,), (), "§6"),)


def _call_out(state: State, event: Call) -> tuple[Ruling, ...]:
    return NOTHING if event.seat is None or state.phase is Phase.GAME_OVER else _leave(state, event, event.seat)


def _call_in(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.STAKES or event.seat is None or event.seat in state.active:
        return NOTHING
    return (Ruling("joins", event.seat, 0, (event.number,), (), "§6"),)


JUDGES: dict[type[Event], Judge[State]] = {
    CardLaid: laying.judge_lay,
    CardGone: laying.gone,
    Release: _released,
    Passed: _released,
    Hold: _hold,
    Shown: _shown,
}
CALLS: dict[str, Judge[State]] = {
    "staked": _call_staked,
    "dealt": _call_dealt,
    "misdeal": _call_misdeal,
    "new-hand": lambda state, event: _call_dealt(state, event) if state.phase is Phase.NEW_HAND else NOTHING,
    "card": _call_card,
    "play": _call_play,
    "enough": _call_enough,
    "show": _call_show,
    "not-shown": _call_not_shown,
    "mixed": _call_mixed,
    "seen": _call_seen,
    "next-banker": _call_next_banker,
    "knock": _call_knock,
    "end": _call_end,
    "out": _call_out,
    "in": _call_in,
}
