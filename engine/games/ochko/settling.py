"""Who has won a duel, what was found in the hands, and who pays what (§3, §5)."""

from __future__ import annotations

from typing import NamedTuple

from engine.cards import Card, Rank
from engine.games.ochko.hands import BUST, DEALT, FINE, GOAL, GOLD, Audit, audit, audit_mixed
from engine.games.ochko.state import Phase, State
from engine.pots import Pot
from engine.rulings import Detail, Ruling
from engine.seats import Seat

LOST = -1
"""The strength of a hand that loses whatever it counts (§8 row 18)."""
_NAMED: dict[int, Detail] = {LOST: "lost", BUST: "over", GOLD: "gold"}
VERDICTS = ("punter-wins", "banker-wins", "push")


class Verdict(NamedTuple):
    """How a duel is decided."""

    code: str
    reason: str
    times: int = 1
    """How many stakes it is about."""


def audit_of(state: State, seat: Seat) -> Audit:
    """What the prefix rule says of that seat's open hand."""
    hand = state.hand(seat)
    if not hand.is_open:
        return FINE
    if not hand.is_mixed:
        return audit(hand.cards, hand.asked, state.counting(seat))
    found = audit_mixed(hand.cards, state.counting(seat))
    # One of the cards was no hit at all, and which one is unknown: nothing can be proven.
    return found if all(hand.asked) or found.stop is None else Audit(is_open=True)


def strength_of(state: State, seat: Seat) -> int:
    """What an open hand is worth once an illegal draw is settled (§5, §8 row 18)."""
    whole, found = state.counting(seat).strength(state.hand(seat).ranks), audit_of(state, seat)
    if found.stop is None:
        return whole
    match state.house.illegal_hit:
        case "lose":
            return LOST
        case "dead":
            return found.stop
        case _:
            return min(found.stop, whole)


def is_natural(state: State) -> bool:
    """Whether the banker's first two cards, face up, make 21 or gold (§5 line 1)."""
    assert state.banker is not None
    hand = state.hand(state.banker)
    if len(hand.cards) < DEALT or (hand.is_mixed and len(hand.cards) > DEALT):
        return False
    first = hand._replace(cards=hand.cards[:DEALT])
    if not first.is_open:
        return False
    return first.ranks == (Rank.ACE, Rank.ACE) or state.house.banker.total(first.ranks) == GOAL


def decide(state: State) -> Verdict:
    """§5: the first line that applies."""
    assert state.punter is not None
    assert state.banker is not None
    if state.punter in state.has_refused:
        return Verdict("banker-wins", "not-shown")
    if state.is_natural or (state.house.is_late_natural_fine and is_natural(state)):
        return Verdict("banker-wins", "natural")
    if state.banker in state.has_refused:
        return Verdict("punter-wins", "not-shown")
    return _compared(state, strength_of(state, state.punter), strength_of(state, state.banker))


def _compared(state: State, mine: int, his: int) -> Verdict:
    house = state.house
    if mine == GOLD:
        return Verdict("punter-wins", "gold")
    if mine == GOAL and house.is_21_at_once:
        return Verdict("punter-wins", "twenty-one", _pays(state))
    if mine <= BUST:
        doubled = mine == BUST and house.is_hidden_bust_double and is_hidden_bust(state)
        return Verdict("banker-wins", "over" if mine == BUST else "illegal-hit", 1 + doubled)
    if his <= BUST or has_not_drawn(state):
        return Verdict("punter-wins", "banker-breach" if his == LOST or his > BUST else "banker-over", _pays(state))
    if mine == his:
        return Verdict("push", "tie") if house.is_tie_returned else Verdict("banker-wins", "tie")
    return Verdict("punter-wins", "higher", _pays(state)) if mine > his else Verdict("banker-wins", "higher")


def _pays(state: State) -> int:
    """§8 row 6: a punter's 21 in two cards may be paid double."""
    hand = state.hand(state.punter)
    is_two_card = len(hand.cards) == DEALT and state.house.punter.total(hand.ranks) == GOAL
    return state.house.natural_pays if is_two_card else 1


def is_hidden_bust(state: State) -> bool:
    """§7: the punter stood, himself, on more than 21."""
    hand = state.hand(state.punter)
    return state.has_stood and hand.is_open and state.house.punter.strength(hand.ranks) == BUST


def has_not_drawn(state: State) -> bool:
    """§8 row 7: the banker had to draw, could, and did not."""
    hand = state.hand(state.banker)
    most = state.house.max_extra
    can_draw = state.left > 0 and (not most or len(hand.cards) < DEALT + most)
    if not can_draw or not state.has_come_to_banker or state.house.banker.limit > GOAL or not hand.is_open:
        return False
    return not state.house.banker.must_stop(hand.ranks)


def findings(state: State, number: int) -> list[Ruling]:
    """What both hands show beside who has won: illegal draws, what was hidden, what cannot be established."""
    assert state.punter is not None
    assert state.banker is not None
    rulings = [] if state.is_audited else illegal_draw(state, state.punter, number)
    if is_hidden_bust(state):
        rulings.append(_ruling("hidden-bust", state.punter, number, "§7", total=_total(state, state.punter)))
    if not state.is_natural and not state.house.is_late_natural_fine and is_natural(state):
        rulings.append(_ruling("late-natural", state.banker, number, "§8", is_foul=False))
    if not state.is_natural:
        rulings += illegal_draw(state, state.banker, number)
        is_compared = state.hand(state.punter).is_open and has_not_drawn(state)
        if is_compared and strength_of(state, state.punter) > BUST:
            limit = state.house.banker.limit
            rulings.append(_ruling("must-draw", state.banker, number, "§8", limit=limit))
    return rulings


def illegal_draw(state: State, seat: Seat, number: int) -> list[Ruling]:
    """§5, §7: a card drawn where nothing might be drawn; or one that may have been, in a row that was mixed."""
    found = audit_of(state, seat)
    if found.stop is None and not found.is_open:
        return []
    if found.stop is None:
        return [_ruling("not-established", seat, number, "§7", is_foul=False, total=_total(state, seat))]
    counts = strength_of(state, seat)
    return [
        _ruling(
            "must-stand",
            seat,
            number,
            "§5",
            card="" if found.drawn is None else str(found.drawn),
            stop=found.at,
            total=_total(state, seat),
            counts=_NAMED.get(counts, counts),
        )
    ]


def counted(state: State, number: int) -> list[Ruling]:
    """Both hands, once they lie open."""
    punter, banker = state.punter, state.banker
    mine, his = state.hand(punter), state.hand(banker)
    if punter is None or banker is None or not (mine.is_open and his.is_open):
        return []
    detail: tuple[tuple[str, Detail], ...] = (
        ("cards", _row(mine.cards)),
        ("total", _total(state, punter)),
        ("banker", banker),
        ("held", _row(his.cards)),
        ("against", _total(state, banker)),
    )
    return [Ruling("counted", punter, 0, (number,), detail, "§5")]


def stake_that_counts(state: State, seat: Seat) -> int:
    """§3: a stake counts only up to what the bank holds."""
    stake = state.stake(seat)
    is_limited = state.house.is_bank_limit and not state.house.is_common_pot
    return min(stake, state.pot.holds) if is_limited else stake


def settle(state: State, seat: Seat, verdict: Verdict, number: int) -> tuple[State, Ruling]:
    """Pays what is due between that punter and the bank."""
    place = state.house.places[seat]
    pot = _paid(state, seat, verdict)
    stake = state.stake(seat) if state.house.is_common_pot else 0
    points = pot.purses[place] - state.pot.purses[place] - stake
    detail = (("reason", verdict.reason), ("amount", abs(points)), ("bank", pot.holds), ("banker", state.banker))
    told = Ruling(verdict.code, seat, points, (number,), (*detail, ("times", verdict.times)), "§5")
    return state._replace(pot=pot), told


def _paid(state: State, seat: Seat, verdict: Verdict) -> Pot:
    place, counts = state.house.places[seat], stake_that_counts(state, seat)
    due = counts * verdict.times
    if state.house.is_common_pot:
        return _paid_in_common(state.pot, place, counts, verdict)
    if verdict.code == "banker-wins":
        return state.pot.paid_by(place, due)
    if verdict.code == "push":
        return state.pot
    return _covered(state, due).paid_to(place, due)


def _covered(state: State, due: int) -> Pot:
    """§8 row 12: without the limit the banker pays himself what the bank lacks."""
    assert state.banker is not None
    lacks = max(0, due - state.pot.holds)
    return state.pot if state.house.is_bank_limit else state.pot.paid_by(state.house.places[state.banker], lacks)


def _paid_in_common(pot: Pot, place: int, stake: int, verdict: Verdict) -> Pot:
    """§8 row 11: the stake lies in the bank already."""
    if verdict.code == "banker-wins":
        return pot.paid_by(place, stake * (verdict.times - 1))
    return pot.paid_to(place, stake if verdict.code == "push" else stake * (1 + verdict.times))


def verdict_of(ruling: Ruling) -> Verdict:
    """What a ruling says, also one that a person decided."""
    times = ruling.get("times")
    return Verdict(ruling.code, str(ruling.get("reason") or "agreed"), times if isinstance(times, int) else 1)


def choices(state: State, number: int) -> tuple[Ruling, ...]:
    """The verdicts that a person may give instead."""
    if state.punter is None or state.phase in (Phase.STAKES, Phase.DEAL):
        return ()
    return tuple(settle(state, state.punter, Verdict(code, "agreed"), number)[1] for code in VERDICTS)


def _ruling(code: str, seat: Seat, number: int, paragraph: str, *, is_foul: bool = True, **detail: Detail) -> Ruling:
    return Ruling(code, seat, 0, (number,), tuple(detail.items()), paragraph, is_foul=is_foul)


def _total(state: State, seat: Seat) -> int:
    return state.counting(seat).total(state.hand(seat).ranks)


def _row(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))
