"""What follows by itself in Ochko: a duel begins, somebody has 21 or is over, a duel, a round or the game is over."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.ochko import settling
from engine.games.ochko.hands import BUST, DEALT, GOAL, GOLD
from engine.games.ochko.state import NO_CARDS, Phase, State, new_duel, new_round, shuffled
from engine.rulings import Detail, Ruling
from engine.seats import Seat, in_turn
from engine.stepping import Next, Step


def due(state: State) -> Next[State] | None:
    """What follows by itself in that state, if anything does."""
    if state.verdict is not None:
        return _settle
    found = _DUE.get(state.phase)
    return None if found is None else found(state)


def _say(code: str, seat: Seat | None, number: int, paragraph: str = "§4", **detail: Detail) -> tuple[Ruling, ...]:
    return (Ruling(code, seat, 0, (number,), tuple(detail.items()), paragraph),)


# Stakes, and who keeps the bank (§3, §6)


def _after_stakes(state: State) -> Next[State] | None:
    if state.is_ending or len(state.active) < 2:
        return _end
    if state.is_banker_done or state.banker not in state.active:
        return _change_banker
    is_laid = state.pot.holds > 0
    is_staked = all(state.stakes[state.house.places[seat]] is not None for seat in state.punters())
    return _stakes_in if is_laid and is_staked else None


def _stakes_in(state: State, number: int) -> Step[State]:
    """§3; with a common pot the stakes go into the bank before the deal (§8 row 11)."""
    if state.left < _needed(state):
        state = shuffled(state)
    if state.house.is_common_pot:
        for seat in state.punters():
            state = state._replace(pot=state.pot.paid_by(state.house.places[seat], state.stake(seat)))
    told = _say("stakes-in", state.banker, number, "§3", bank=state.pot.holds)
    return state._replace(phase=Phase.DEAL), told


def _needed(state: State) -> int:
    """§6: cards for another round."""
    return 2 * len(state.active)


def _change_banker(state: State, number: int) -> Step[State]:
    """§3, §6: the banker takes his bank; the pack is shuffled for the next one."""
    before = state.banker
    assert before is not None
    state, told = _bank_taken(state, number)
    banker = in_turn(state.house.seats, before, state.active)[0]
    state = shuffled(state)._replace(first_bank=0, is_last_round=False)
    return new_round(state, banker), (*told, *_say("next-banker", banker, number, "§3"))


def _bank_taken(state: State, number: int) -> Step[State]:
    amount = state.pot.holds
    if not amount or state.banker is None:
        return state, ()
    pot = state.pot.taken_by(state.house.places[state.banker])
    return state._replace(pot=pot), _say("bank-taken", state.banker, number, "§3", amount=amount)


def _end(state: State, number: int) -> Step[State]:
    state, told = _bank_taken(state, number)
    state = state._replace(phase=Phase.GAME_OVER, punter=None)
    return state, (*told, *_say("game-over", None, number, "§6"))


# A duel begins (§4)


def _after_deal(state: State) -> Next[State] | None:
    counts = (len(state.hand(seat).cards) for seat in state.active)
    return _first_duel if all(count == state.house.first_cards for count in counts) else None


def _first_duel(state: State, number: int) -> Step[State]:
    state = state._replace(waiting=state.punters())
    return _begin(state, number, Phase.BANKER_CHECK if state.house.first_cards == DEALT else Phase.NEW_HAND)


def _begin(state: State, number: int, phase: Phase) -> Step[State]:
    state = new_duel(state, phase)
    assert state.punter is not None
    stake = settling.stake_that_counts(state, state.punter)
    return state, _say("duel", state.punter, number, banker=state.banker, amount=stake)


def _after_new_hand(state: State) -> Next[State] | None:
    return _hand_there if all(len(state.hand(seat).cards) >= DEALT for seat in (state.punter, state.banker)) else None


def _hand_there(state: State, number: int) -> Step[State]:
    return state._replace(phase=Phase.BANKER_CHECK), _say("banker-looks", state.banker, number)


# Cards are open before the showdown (§4, §5)


def _after_check(state: State) -> Next[State] | None:
    assert state.banker is not None
    if not state.hand(state.banker).is_open:
        return None
    if settling.is_natural(state):
        return _natural
    return None if _is_noted(state, state.banker) else _stays_open(state.banker)


def _natural(state: State, number: int) -> Step[State]:
    return state._replace(phase=Phase.SHOWDOWN, is_natural=True), _say("natural", state.banker, number, "§5")


def _is_noted(state: State, seat: Seat) -> bool:
    return (seat, len(state.hand(seat).cards)) in state.noted


def _stays_open(seat: Seat) -> Next[State]:
    """§4: other cards that are shown stay open, the duel goes on."""

    def note(state: State, number: int) -> Step[State]:
        noted = state.noted | {(seat, len(state.hand(seat).cards))}
        showing = None if state.showing == seat else state.showing
        return state._replace(noted=noted, showing=showing), _say("stays-open", seat, number)

    return note


def _after_hit(state: State) -> Next[State] | None:
    """§5 lines 2 and 3: 21, gold or over 21 ends it; an illegal hit that is seen makes him stand."""
    punter = state.punter
    assert punter is not None
    if state.pending or not state.hand(punter).is_open:
        return None
    worth, found = settling.strength_of(state, punter), settling.audit_of(state, punter)
    if worth <= BUST or worth == GOLD or (worth == GOAL and state.house.is_21_at_once):
        return _punter_done
    if found.stop is not None:
        return _caught
    return None if _is_noted(state, punter) else _stays_open(punter)


def _punter_done(state: State, number: int) -> Step[State]:
    assert state.punter is not None
    worth = settling.strength_of(state, state.punter)
    told = () if worth < BUST else _say("twenty-one" if worth else "over", state.punter, number, "§5")
    return state._replace(phase=Phase.SHOWDOWN, showing=None), told


def _caught(state: State, number: int) -> Step[State]:
    assert state.punter is not None
    told = tuple(settling.illegal_draw(state, state.punter, number))
    state = state._replace(phase=Phase.BANKER, is_audited=True, has_come_to_banker=True, showing=None)
    return state, told


def _after_draw(state: State) -> Next[State] | None:
    """§4 BANKER: over 21 he shows at once; whoever has turned up all his cards has shown."""
    banker = state.banker
    assert banker is not None
    hand = state.hand(banker)
    if hand.is_open and state.house.banker.total(hand.ranks) > GOAL:
        return _banker_over
    return _banker_shows if state.showing == banker or (hand.is_open and state.has_turned) else None


def _banker_over(state: State, number: int) -> Step[State]:
    return state._replace(phase=Phase.SHOWDOWN), _say("over", state.banker, number, "§5")


def _banker_shows(state: State, number: int) -> Step[State]:
    return state._replace(phase=Phase.SHOWDOWN, showing=None), _say("banker-shows", state.banker, number)


# Showdown (§5), and what comes after it (§6)


def _after_showdown(state: State) -> Next[State] | None:
    if state.punter in state.has_refused:
        return _settle
    is_there = state.hand(state.punter).is_open
    return _settle if is_there and (state.hand(state.banker).is_open or state.banker in state.has_refused) else None


def _settle(state: State, number: int) -> Step[State]:
    """§5: a person may have decided it; otherwise the rules do."""
    assert state.punter is not None
    told: tuple[Ruling, ...] = ()
    if state.verdict is None:
        told = (*settling.findings(state, number), *settling.counted(state, number))
    verdict = settling.decide(state) if state.verdict is None else settling.verdict_of(state.verdict)
    state, ruling = settling.settle(state, state.punter, verdict, number)
    told = (*told, ruling)
    is_for_all = verdict.reason == "natural" and state.house.is_natural_for_all
    state = _put_away(state, (state.punter, state.banker))
    for seat in state.waiting if is_for_all else ():
        state, more = settling.settle(state, seat, verdict, number)
        told = (*told, more)
    if is_for_all:
        state = _put_away(state, state.waiting)._replace(waiting=())
    state, more_told = _go_on(state, number)
    return state, (*told, *more_told)


def _put_away(state: State, seats: tuple[Seat | None, ...]) -> State:
    """Hands that were played go to the discard."""
    spent, discarded, hands = state.spent, state.discarded, list(state.hands)
    for seat in seats:
        cards = state.hand(seat).cards
        spent += tuple(card for card in cards if card.is_known)
        discarded += len(cards)
        if seat is not None:
            hands[state.house.places[seat]] = NO_CARDS
    return state._replace(spent=spent, discarded=discarded, hands=tuple(hands), verdict=None)


def _go_on(state: State, number: int) -> Step[State]:
    """§3, §6: the next duel, unless the bank is empty or the pack too small for it."""
    if not state.waiting:
        return _close_round(state, number)
    is_bank_empty = not state.pot.holds and (state.house.is_bank_limit or state.house.is_common_pot)
    if is_bank_empty:
        return _give_back(state, number, "bank-empty")
    told: tuple[Ruling, ...] = ()
    if state.left < _cards_for_duel(state) and state.house.is_discard_reshuffled:
        told = _say("reshuffled", None, number, "§8", count=state.discarded)
        state = with_discard_shuffled(state)
    if state.left < _cards_for_duel(state):
        return _give_back(state, number, "pack-short")
    state, more = _begin(state, number, Phase.NEW_HAND)
    return state, (*told, *more)


def _cards_for_duel(state: State) -> int:
    return DEALT + max(0, DEALT - len(state.hand(state.waiting[0]).cards))


def with_discard_shuffled(state: State) -> State:
    """§8 row 17: the discard becomes the pack."""
    return state._replace(left=state.left + state.discarded, discarded=0, spent=())


def _give_back(state: State, number: int, reason: str) -> Step[State]:
    """§3, §6: the stakes of those who wait go back, as far as the bank reaches where they lie in it."""
    if state.house.is_common_pot:
        for seat in state.waiting:
            pot = state.pot.paid_to(state.house.places[seat], state.stake(seat))
            state = state._replace(pot=pot)
    told = _say("stakes-back", None, number, "§6", seats=" ".join(state.waiting), reason=reason)
    state = _put_away(state, state.waiting)._replace(waiting=())
    state, more = _close_round(state, number)
    return state, (*told, *more)


def _close_round(state: State, number: int) -> Step[State]:
    """§6: another round from this pack, or the next banker."""
    assert state.banker is not None
    is_done = state.is_last_round or state.left < _needed(state)
    told = _say("round-over", state.banker, number, "§6", left=state.left, bank=state.pot.holds)
    return new_round(state, state.banker)._replace(is_banker_done=is_done), told


_DUE: dict[Phase, Callable[[State], Next[State] | None]] = {
    Phase.STAKES: _after_stakes,
    Phase.DEAL: _after_deal,
    Phase.NEW_HAND: _after_new_hand,
    Phase.BANKER_CHECK: _after_check,
    Phase.PUNTER: _after_hit,
    Phase.BANKER: _after_draw,
    Phase.SHOWDOWN: _after_showdown,
}
"""In each phase, what follows by itself, if anything does."""
