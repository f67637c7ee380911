"""What every event is ruled in Bong. Paragraphs are the rules'; codes are the rules' names in lower case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.cards import Rank
from engine.events import Call, CardLaid, Drawn, Event, Hold, Passed, Press, Release, Shown
from engine.games.bong import laying, proofs
from engine.games.bong.laying import LAYING
from engine.games.bong.state import DECK, Phase, State
from engine.race import HOLD_NS
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat

NOTHING: tuple[Ruling, ...] = ()
PLAYING = (Phase.RACE, Phase.STALL_CHECK)
SLAPPING = (*LAYING, Phase.GAME_OVER)
"""A late slap can still say whose the card was that seems to have ended the game."""


def judge(state: State, event: Event) -> tuple[Ruling, ...]:
    """What the event proves or decides."""
    judged_by = _JUDGES.get(type(event))
    return judged_by(state, event) if judged_by is not None else NOTHING


def _press(state: State, event: Press) -> tuple[Ruling, ...]:
    phase, seat = state.phase, event.seat
    if laying.has_served(state, event):
        # Whatever its card has led to since, e.g. a new round: it was that card's slap.
        return (Ruling("slap", seat, 0, (event.number,), (), "§4"),)
    if phase is Phase.START_CLAIM:
        if seat not in state.active:
            return NOTHING
        # Who has claimed and presses again can only mean a card: it is early, but it is his.
        return (Ruling("slap" if seat in state.claimed else "claim", seat, 0, (event.number,), (), "§4"),)
    if phase not in SLAPPING or seat not in state.house.places:
        return NOTHING
    if state.is_stall and state.last == {seat}:
        return (Ruling("stall-answer", seat, 0, (event.number,), (), "§4"),)
    return (Ruling("slap", seat, 0, (event.number,), (), "§4"),)


def _release(state: State, event: Release) -> tuple[Ruling, ...]:
    if state.answering is not None and state.answering[:2] == (event.seat, event.pressed_ns):
        return _refuse(state, event)
    return NOTHING


def _refuse(state: State, event: Event) -> tuple[Ruling, ...]:
    assert state.answering is not None
    seat, _, number = state.answering
    return (Ruling("stall-refused", seat, 0, (number, event.number), (), "§4"),)


def _hold(state: State, event: Hold) -> tuple[Ruling, ...]:
    return _no(state, event, event.seat)


def _no(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """A hold, or the same in words: "no card", "no two", or `last`'s "yes"."""
    if state.phase is Phase.START_LAY and seat == state.claimant:
        return _false_claim(state, event, seat)
    if state.phase not in PLAYING or seat not in state.active or state.house.stall_proof == "operator":
        return NOTHING
    if state.last == {seat}:
        return _flong(state, event, seat) if state.is_stall and not state.must_show else NOTHING
    if any(seat == said for said, _ in state.nocard):
        return NOTHING
    ruling = Ruling("no-card", seat, 0, (event.number,), (("needed", str(state.needed)),), "§4")
    return (ruling, *_stall(state._replace(nocard=(*state.nocard, (seat, event.number)))))


def _false_claim(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    claim = tuple(number for claimant, number in state.claims if claimant == seat)
    needed = (("needed", str(state.needed)),)
    return (Ruling("false-claim", seat, 0, (*claim, event.number), needed, "§4", is_foul=True),)


def _stall(state: State) -> tuple[Ruling, ...]:
    """§4: established when everybody but `last` has said "no card", unless the count forbids it (§6 point 3)."""
    last = proofs.only_last(state)
    if last is None or not state.active - {last} <= {seat for seat, _ in state.nocard}:
        return NOTHING
    because = tuple(number for _, number in state.nocard)
    if proofs.is_stall_impossible(state):
        return (_false_stall(state, because),)
    stall = Ruling("stall", last, 0, because, (("needed", str(state.needed)),), "§4")
    return (stall, _must_show(state, last)) if state.house.stall_proof == "show" else (stall,)


def _false_stall(state: State, because: tuple[int, ...]) -> Ruling:
    last = proofs.only_last(state)
    detail = (
        ("needed", str(state.needed)),
        ("missing", proofs.missing_count(state)),
        ("hand", state.hand(last) if last is not None else None),
        ("last", last),
    )
    return Ruling("false-stall", None, 0, because, detail, "§6")


def _must_show(state: State, last: Seat) -> Ruling:
    cards = " ".join(sorted(map(str, proofs.missing_cards(state))))
    return Ruling("must-show", last, 0, (), (("cards", cards), ("needed", str(state.needed))), "§6")


def _flong(state: State, event: Event, last: Seat) -> tuple[Ruling, ...]:
    """§4: the stall stands: `last` deals again, or with two seats left the game is over."""
    because = (*(number for _, number in state.nocard), event.number)
    if len(state.active) == 2:
        return (
            Ruling("two-left", last, 0, because, (), "§4"),
            Ruling("went-out", last, 0, because, (("place", len(state.finished) + 1),), "§4"),
            *(Ruling("loser", seat, 0, because, (("hand", state.hand(seat)),), "§5") for seat in state.active - {last}),
        )
    rulings = [Ruling("flong", last, 0, because, (("collect", state.house.stall_collect),), "§4")]
    if state.house.stall_last == "out":
        rulings.append(Ruling("went-out", last, 0, because, (("place", len(state.finished) + 1),), "§4"))
    else:
        record = proofs.stall_record(state, is_confirmed=True)
        clash = proofs.clashes(state, record) if record is not None else None
        rulings += [clash] if clash is not None else []
    return tuple(rulings)


def _shown(state: State, event: Shown) -> tuple[Ruling, ...]:
    """§6 point 4: `last` shows exactly the missing cards, or the stall is false."""
    if state.phase not in PLAYING or state.last != {event.seat} or not (state.must_show or state.is_stall):
        return NOTHING
    shown = frozenset(card for card in event.cards if card.is_known and card.rank == state.needed)
    missing = proofs.missing_cards(state)
    if len(shown) < proofs.missing_count(state) or not missing <= shown:
        return (_false_stall(state, (*(number for _, number in state.nocard), event.number)),)
    return _proven(state, event, event.seat)


def _proven(state: State, event: Event, last: Seat) -> tuple[Ruling, ...]:
    return (Ruling("stall-shown", last, 0, (event.number,), (), "§6"), *_flong(state, event, last))


def _passed(state: State, event: Passed) -> tuple[Ruling, ...]:
    t_ns = event.t_ns
    rulings: list[Ruling] = []
    if state.closes_ns is not None and t_ns >= state.closes_ns and state.phase is Phase.START_CLAIM:
        rulings.append(_close_claims(state))
    if state.answering is not None and t_ns > state.answering[1] + HOLD_NS:
        rulings.extend(_refuse(state, event))
    if _shot_clock(state) is not None and t_ns >= (_shot_clock(state) or 0):
        rulings.append(_must_show(state, next(iter(state.last))))
    for slap in state.slaps:
        if slap.t_ns + state.house.attribution_ns <= t_ns and not laying.may_have_served(state, slap):
            is_mark = state.house.bare_slap == "mark"
            rulings.append(Ruling("bare-slap", slap.seat, 0, (slap.number,), (), "§4", is_foul=is_mark))
            rulings += [Ruling("mark", slap.seat, 0, (slap.number,), (("for", "bare-slap"),), "§8")] if is_mark else []
    return tuple(rulings)


def _close_claims(state: State) -> Ruling:
    seats = tuple(seat for seat, _ in state.claims)
    because = tuple(number for _, number in state.claims)
    detail = (("seats", " ".join(sorted(seats))), ("needed", str(state.needed)))
    return Ruling("claims-closed", seats[0] if len(seats) == 1 else None, 0, because, detail, "§4")


def _drawn(state: State, event: Drawn) -> tuple[Ruling, ...]:
    asked = lot(state)
    if asked is None or asked[0] != event.lot or event.seat not in asked[1]:
        return NOTHING
    code = "lot-first" if event.lot not in ("dealer", "start") else f"lot-{event.lot}"
    detail = (("lot", event.lot), ("needed", str(state.needed)))
    return (Ruling(code, event.seat, 0, (event.number,), detail, "§4"),)


def _call(state: State, event: Call) -> tuple[Ruling, ...]:
    judged_by = _CALLS.get(event.word)
    return judged_by(state, event) if judged_by is not None else NOTHING


def _call_dealt(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase not in (Phase.DEAL, Phase.FLONG):
        return NOTHING
    opening = state.needed if state.house.restart == "continue" else Rank.TWO
    return (Ruling("dealt", state.dealer, 0, (event.number,), (("needed", str(opening)),), "§3"),)


def _call_misdeal(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase not in (Phase.DEAL, Phase.FLONG):
        return NOTHING
    return (Ruling("misdeal", state.dealer, 0, (event.number,), (), "§4", is_foul=True),)


def _call_early_look(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase not in (Phase.DEAL, Phase.FLONG) or state.house.early_look == "ignore" or event.seat is None:
        return NOTHING
    return (Ruling("early-look", event.seat, 0, (event.number,), (), "§4", is_foul=True),)


def _call_claim(state: State, event: Call) -> tuple[Ruling, ...]:
    if state.phase is not Phase.START_CLAIM or event.seat not in state.active - state.claimed:
        return NOTHING
    return (Ruling("claim", event.seat, 0, (event.number,), (), "§4"),)


def _call_no(state: State, event: Call) -> tuple[Ruling, ...]:
    return _no(state, event, event.seat) if event.seat is not None else NOTHING


def _call_no_two(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat or state.claimant
    if state.phase is not Phase.START_LAY or seat is None or seat != state.claimant:
        return NOTHING
    return _false_claim(state, event, seat)


def _call_yes(state: State, event: Call) -> tuple[Ruling, ...]:
    last = proofs.only_last(state)
    if not state.is_stall or state.must_show or last is None or event.seat not in (None, last):
        return NOTHING
    return _flong(state, event, last)


def _call_refuse(state: State, event: Call) -> tuple[Ruling, ...]:
    last = proofs.only_last(state)
    if not state.is_stall or last is None or event.seat not in (None, last):
        return NOTHING
    return (Ruling("stall-refused", last, 0, (event.number,), (), "§4"),)


def _call_show(state: State, event: Call) -> tuple[Ruling, ...]:
    last = proofs.only_last(state)
    if state.phase not in PLAYING or last is None or state.must_show:
        return NOTHING
    if proofs.is_stall_impossible(state):
        return (_false_stall(state, (event.number,)),)
    return (_must_show(state, last),)


def _call_shown(state: State, event: Call) -> tuple[Ruling, ...]:
    """The host has seen the missing cards where no camera has."""
    last = proofs.only_last(state)
    return _proven(state, event, last) if state.must_show and last is not None else NOTHING


def _call_cannot_show(state: State, event: Call) -> tuple[Ruling, ...]:
    if not state.must_show:
        return NOTHING
    return (_false_stall(state, (*(number for _, number in state.nocard), event.number)),)


def _call_stall(state: State, event: Call) -> tuple[Ruling, ...]:
    """With `stall_proof=operator` the operator's word is all it takes, but the count still stands against it."""
    last = proofs.only_last(state)
    if state.phase not in PLAYING or last is None or state.house.stall_proof != "operator":
        return NOTHING
    if proofs.is_stall_impossible(state):
        return (_false_stall(state, (event.number,)),)
    return _flong(state, event, last)


def _call_out(state: State, event: Call) -> tuple[Ruling, ...]:
    seat = event.seat
    if seat is None or seat not in state.active or state.phase not in (*LAYING, Phase.START_CLAIM):
        return NOTHING
    place = (("place", len(state.finished) + 1),)
    rulings = [Ruling("went-out", seat, 0, (event.number,), place, "§7")]
    return (*rulings, *laying.ending(state, seat, event), *_miscount(state, event, seat, 0))


def _call_recount(state: State, event: Call) -> tuple[Ruling, ...]:
    seat, count = event.seat, event.count
    if seat not in state.house.places or seat is None or count is None or not 0 <= count <= DECK:
        return NOTHING
    rulings = [Ruling("recount", seat, 0, (event.number,), (("hand", count), ("before", state.hand(seat))), "§7")]
    if count == 0 and seat in state.active and state.phase in (*LAYING, Phase.START_CLAIM):
        rulings.append(Ruling("went-out", seat, 0, (event.number,), (("place", len(state.finished) + 1),), "§7"))
        rulings.extend(laying.ending(state, seat, event))
    return (*rulings, *_miscount(state, event, seat, count))


def _miscount(state: State, event: Call, seat: Seat, count: int) -> tuple[Ruling, ...]:
    """§7: hands and pile no longer make 52: a card was missed or misread. It accuses nobody."""
    place = state.house.places[seat]
    counted = state._replace(hands=(*state.hands[:place], count, *state.hands[place + 1 :]))
    if proofs.is_conserved(counted):
        return NOTHING
    return (Ruling("miscount", None, 0, (event.number,), (("total", proofs.total_range(counted)[1]),), "§7"),)


def _call_taken(state: State, event: Call) -> tuple[Ruling, ...]:
    taken = next((owed for owed in state.owed if owed.laid.card is event.card), None)
    if taken is None:
        return NOTHING
    seat = next(iter(taken.laid.seats)) if len(taken.laid.seats) == 1 else None
    return (Ruling("taken-back", seat, 0, (taken.laid.number, event.number), (("card", str(event.card)),), "§4"),)


def lot(state: State) -> tuple[str, tuple[Seat, ...]] | None:
    """The lot to be drawn now."""
    if state.phase is Phase.LOBBY:
        return "dealer", state.house.seats
    if state.phase is Phase.START_LAY and state.claimant is None and len(state.claims) > 1:
        return "start", tuple(sorted(seat for seat, _ in state.claims))
    return state.tie


def deadline(state: State) -> int | None:
    """The next moment at which the passing of time alone decides something."""
    moments = [slap.t_ns + state.house.attribution_ns for slap in state.slaps]
    if state.phase is Phase.START_CLAIM and state.closes_ns is not None:
        moments.append(state.closes_ns)
    if state.answering is not None:
        moments.append(state.answering[1] + HOLD_NS + 1)
    clock = _shot_clock(state)
    if clock is not None:
        moments.append(clock)
    return min(moments, default=None)


def _shot_clock(state: State) -> int | None:
    """§8 row 10: when `last` must show, if the house plays with a shot clock."""
    if not state.house.shot_clock_ns or state.must_show or len(state.last) != 1 or state.phase not in PLAYING:
        return None
    return state.valid_ns + state.house.shot_clock_ns


def questions(state: State) -> tuple[Question, ...]:
    """What the table should ask a person now."""
    if not state.must_show:
        return state.asks
    seats = tuple(state.last)
    cards = tuple(sorted(proofs.missing_cards(state), key=str))
    return (*state.asks, Question(0, "prompt-show", seats, cards))


def options(state: State, event: Event) -> tuple[Ruling, ...]:
    """What a person may decide instead of what the event was ruled; whatever else is amiss, he voids or corrects."""
    if isinstance(event, CardLaid):
        return laying.options(state, event)
    return judge(state, event)


_JUDGES: dict[type[Event], Callable[[State, Any], tuple[Ruling, ...]]] = {
    CardLaid: laying.judge_lay,
    Press: _press,
    Release: _release,
    Hold: _hold,
    Shown: _shown,
    Passed: _passed,
    Drawn: _drawn,
    Call: _call,
}
_CALLS: dict[str, Callable[[State, Call], tuple[Ruling, ...]]] = {
    "dealt": _call_dealt,
    "misdeal": _call_misdeal,
    "early-look": _call_early_look,
    "claim": _call_claim,
    "no-card": _call_no,
    "no-two": _call_no_two,
    "flong": _call_yes,
    "no-flong": _call_refuse,
    "show": _call_show,
    "shown": _call_shown,
    "cannot-show": _call_cannot_show,
    "stall": _call_stall,
    "out": _call_out,
    "recount": _call_recount,
    "taken": _call_taken,
}
