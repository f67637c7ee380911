"""How a laid card is judged in Bong (§4)."""

from __future__ import annotations

from engine.cards import Card
from engine.events import CardLaid, Event, Press
from engine.games.bong import proofs
from engine.games.bong.state import Owed, Phase, Slap, State, Touch
from engine.rulings import Detail, Ruling
from engine.seats import Seat, only

AT_ONCE_NS = 250_000_000
"""A second card of the same hand this soon after, without a slap of its own, was laid in one motion with the first."""
FOULS = frozenset(("wrong-rank", "wrong-seat", "double-play", "not-active"))
LAYING = (Phase.START_LAY, Phase.RACE, Phase.STALL_CHECK)
"""Phases in which a card may be laid."""
BACK = FOULS | {"too-early", "game-over"}
"""Verdicts after which the card goes back."""


def judge_lay(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The card's verdict first, then whatever else it decides or proves."""
    could_be = proofs.could_be(event)
    code = _verdict(state, event, could_be)
    seat = only(whose(state, event))
    is_firm = seat is not None and _is_firm(state, event, code, could_be)
    verdict = Ruling(
        code,
        seat if is_firm or code not in FOULS else None,
        0,
        (*_slaps_of(state, event), event.number),
        (("card", str(event.card)), ("needed", str(state.needed)), ("last", only(state.last))),
        "§4",
        is_foul=is_firm and code in FOULS,
    )
    more = _more(state, event, code, seat if is_firm or code not in FOULS else None)
    return (verdict, *more) if more else (verdict,)


def _slaps_of(state: State, event: CardLaid) -> tuple[int, ...]:
    if event.slap_ns is None or not state.slaps:
        return ()
    return tuple(slap.number for slap in state.slaps if slap.t_ns == event.slap_ns and slap.seat in event.seats)


def whose(state: State, event: CardLaid) -> frozenset[Seat]:
    """Who may have laid it. Nothing known: whoever was called to, or anybody but `last` (§4)."""
    if len(event.seats) == 1:
        return event.seats
    if state.phase is Phase.START_LAY and state.claimant is not None:
        entitled = frozenset((state.claimant,))
    else:
        entitled = state.active - state.last if len(state.last) == 1 else state.active
    if not event.seats:
        return entitled
    # Nobody is accused while an honest explanation remains.
    return event.seats & entitled or event.seats


def _verdict(state: State, event: CardLaid, could_be: tuple[Card, ...]) -> str:
    if state.phase is Phase.START_CLAIM:
        return "wrong-seat"
    if state.phase not in LAYING:
        return "game-over" if state.phase is Phase.GAME_OVER else "too-early"
    return _foul(state, event) or _verdict_on_rank(state, could_be)


def _foul(state: State, event: CardLaid) -> str | None:
    """§4, in this order: not active, wrong seat, laid twice."""
    seats = whose(state, event)
    if not seats & state.active:
        return "not-active"
    if state.phase is Phase.START_LAY:
        if state.house.start_mode == "lot" and state.claimant not in seats:
            return "wrong-seat"
    elif (len(state.last) == 1 and seats == state.last) or _is_second_of_one_motion(state, event, seats):
        return "double-play"
    return None


def _verdict_on_rank(state: State, could_be: tuple[Card, ...]) -> str:
    if not could_be:
        return "unread"
    return "ok" if could_be[0].rank == state.needed else "wrong-rank"


def _is_second_of_one_motion(state: State, event: CardLaid, seats: frozenset[Seat]) -> bool:
    """§4: of several cards laid at once by one seat only the first is judged on its own."""
    if not state.touches or event.slap_ns is not None or len(seats) != 1:
        return False
    before = state.touches[-1]
    return before.is_foul and before.seats == seats and 0 <= event.t_ns - before.t_ns <= AT_ONCE_NS


def _is_firm(state: State, event: CardLaid, code: str, could_be: tuple[Card, ...]) -> bool:
    """Whether the verdict stands whichever of its likely cards it is; a card seen twice was misread once."""
    if proofs.is_seen_twice(state, event):
        return False
    if code not in ("ok", "wrong-rank") or proofs.is_sure(event):
        return True
    return len(could_be) > 1 and len({card.rank == state.needed for card in could_be}) == 1


def _more(state: State, event: CardLaid, code: str, seat: Seat | None) -> list[Ruling]:
    """Everything a card decides besides its verdict."""
    rulings: list[Ruling] = []
    is_valid = code in ("ok", "unread")
    if seat is not None:
        if state.records:
            rulings += _with_penalty(state, event, seat, proofs.broken_promises(state, event, seat))
        if code in FOULS and state.house.foul_penalty != "none":
            rulings += _penalty(state, event, seat, code, state.house.foul_penalty)
        if _is_unclaimed(state, event, seat):
            rulings.append(Ruling("unclaimed-two", seat, 0, (event.number,), _card(event), "§7"))
        if is_valid and state.hand(seat) <= 1 and all(ruling.code != "take-pile" for ruling in rulings):
            place = (("place", len(state.finished) + 1),)
            rulings.append(Ruling("went-out", seat, 0, (event.number,), place, "§4"))
            rulings += ending(state, seat, event)
    rulings += _doubts(state, event, code)
    if is_valid and state.owed:
        buried = (owed for owed in state.owed if not owed.is_covered and owed.laid.card is not event.card)
        rulings += map(_owed, buried)
    return rulings


def _doubts(state: State, event: CardLaid, code: str) -> list[Ruling]:
    rulings: list[Ruling] = []
    if len(event.seats) != 1 and state.phase in LAYING:
        seats = asked_seats(state, event)
        if len(seats) != 1:
            names = " ".join(sorted(seats))
            rulings.append(Ruling("unattributed", None, 0, (event.number,), (*_card(event), ("seats", names)), "§4"))
    if not proofs.is_sure(event) and code != "unread":
        rulings.append(Ruling("unsure", None, 0, (event.number,), _card(event), "§7"))
    is_overfull = code == "ok" and len(state.pile) == 51 and sum(state.hands) > 1 and state.is_counted
    if proofs.is_seen_twice(state, event) or is_overfull:
        rulings.append(Ruling("deck-fault", None, 0, (event.number,), _card(event), "§6"))
    if tie(state, event) is not None:
        rulings.append(Ruling("tie", None, 0, (event.number,), _card(event), "§4"))
    return rulings


def asked_seats(state: State, event: CardLaid) -> frozenset[Seat]:
    """The seats among which the table is asked who laid the card."""
    if not event.seats and state.phase is Phase.START_LAY:
        return state.active
    return whose(state, event)


def _with_penalty(state: State, event: CardLaid, seat: Seat, proven: list[Ruling]) -> list[Ruling]:
    if not proven or state.house.false_nocard == "none":
        return proven
    return proven + _penalty(state, event, seat, "false-nocard-proven", state.house.false_nocard)


def _penalty(state: State, event: CardLaid, seat: Seat, code: str, penalty: str) -> list[Ruling]:
    """§8 rows 8 and 9. A pile that has not begun cannot be taken, nor can a seat that is out take it."""
    if penalty == "mark":
        return [Ruling("mark", seat, 0, (event.number,), (("for", code),), "§8")]
    if state.phase in (Phase.START_CLAIM, Phase.START_LAY) or seat not in state.active or not state.pile:
        return []
    return [Ruling("take-pile", seat, 0, (event.number,), (("for", code),), "§8")]


def _is_unclaimed(state: State, event: CardLaid, seat: Seat) -> bool:
    """§7: cards do not move within a round, so whoever lays a two and did not claim held it at the start."""
    return (
        event.card.is_known
        and event.card.rank == state.opening
        and state.house.start_mode == "lot"
        and state.phase in LAYING
        and seat in state.active
        and seat not in state.claimed
        and seat not in state.noted
        and proofs.is_sure(event)
    )


def ending(state: State, out: Seat, event: Event) -> list[Ruling]:
    """§5: `out` has no card left; if then only one active seat holds cards, that seat has lost."""
    left = state.active - {out}
    if len(left) != 1:
        return []
    loser = next(iter(left))
    return [Ruling("loser", loser, 0, (event.number,), (("hand", state.hand(loser)),), "§5")]


def _owed(owed: Owed) -> Ruling:
    seat = only(owed.laid.seats)
    return Ruling("owed", seat, 0, (owed.laid.number,), (("card", str(owed.laid.card)),), "§4")


def tie(state: State, event: CardLaid) -> tuple[str, tuple[Seat, ...]] | None:
    """The lot that decides which of two cards is judged first, if the house or the camera wants one."""
    if not state.touches or len(event.seats) != 1:
        return None
    before = state.touches[-1]
    if len(before.seats) != 1 or before.seats == event.seats or not _is_tie(state, event, before):
        return None
    return f"first-{min(before.lay, event.lay)}-{max(before.lay, event.lay)}", tuple(sorted(before.seats | event.seats))


def _is_tie(state: State, event: CardLaid, before: Touch) -> bool:
    if event.rival == before.lay or before.rival == event.lay:
        return True
    return state.house.tie_rule == "lot" and abs(event.t_ns - before.t_ns) <= state.house.attribution_ns


def has_served(state: State, press: Press) -> bool:
    """Whether a lay before it is matched to this very press: a late slap."""
    t_ns = press.t_ns
    for touch in state.touches:  # noqa: SIM110 -- asked of every press, and the loop is twice as fast
        if touch.slap_ns == t_ns and press.seat in touch.seats:
            return True
    return False


def may_have_served(state: State, slap: Slap) -> bool:
    """Whether a lay of uncertain seat may have been this slap's."""
    house = state.house
    return any(
        touch.slap_ns is None
        and (not touch.seats or slap.seat in touch.seats)
        and -house.attribution_ns <= slap.t_ns - touch.t_ns <= house.late_slap_ns
        for touch in state.touches
    )


def options(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The verdicts that a person may give a card; each in place of the judged one."""
    seat = only(whose(state, event))
    detail: tuple[tuple[str, Detail], ...] = (*_card(event), ("needed", str(state.needed)))
    choices = [
        Ruling(code, seat, 0, (event.number,), detail, "§4", is_foul=code in FOULS and seat is not None)
        for code in ("ok", "wrong-rank", "double-play", "wrong-seat", "not-active", "too-early")
    ]
    return tuple(choices)


def _card(event: CardLaid) -> tuple[tuple[str, Detail], ...]:
    return (("card", str(event.card)),)
