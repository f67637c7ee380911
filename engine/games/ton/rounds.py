"""What follows by itself in Ton: nobody buys, a trick is full, a deal or the game is over (§3 to §8)."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.ton.state import ALWAYS_IN, GOAL, HAND, PENALTY_FROM, Phase, State, new_deal, next_seat
from engine.rulings import Ruling
from engine.seats import Seat, added, in_turn
from engine.stepping import Next, Step
from engine.tricks import winner as taken_by


def due(state: State) -> Next[State] | None:
    """What follows by itself in that state, if anything does."""
    if state.guilty and state.house.revoke == "replay" and state.phase in (Phase.TRICK, Phase.AUDIT):
        return _replay
    is_due, step = _DUE.get(state.phase, (_never, _void))
    return step if is_due(state) else None


def _never(state: State) -> bool:
    return False


def _stakes_in(state: State, number: int) -> Step[State]:
    told = Ruling("stakes-in", state.dealer, 0, (number,), (("pot", state.pot.holds),), "§3")
    return state._replace(phase=Phase.DEAL), (told,)


def _void(state: State, number: int) -> Step[State]:
    """§4: nobody takes: no points, no penalty."""
    is_next = state.house.all_refuse == "next_dealer"
    dealer = next_seat(state, state.dealer) if is_next else state.dealer
    told = Ruling("void-deal", None, 0, (number,), (("dealer", dealer),), "§4")
    return new_deal(state, dealer)._replace(asks=state.asks), (told,)


def _replay(state: State, number: int) -> Step[State]:
    """§9: a proven revoke voids the deal."""
    return new_deal(state, state.dealer), (Ruling("replay", None, 0, (number,), (("dealer", state.dealer),), "§9"),)


def ask_others(state: State) -> State:
    """§4: the taker and whoever has 13 or more are in; the others sit out, or are asked (§9 row 1)."""
    assert state.taker is not None
    around = in_turn(state.house.order, state.taker, state.house.seats)
    bound = tuple(seat for seat in around if state.score(seat) >= ALWAYS_IN or seat == state.taker)
    others = tuple(seat for seat in around if seat not in bound)
    asked = others if state.house.others == "optional" else ()
    return state._replace(phase=Phase.JOIN, players_in=bound, asked=asked, decider=None, turning=None)


def _begin_play(state: State, number: int) -> Step[State]:
    taker = state.taker
    assert taker is not None
    if len(state.players_in) == 1:
        return _lone_taker(state, taker, number)
    around = in_turn(state.house.order, taker, state.players_in)
    players_in = (taker, *(seat for seat in around if seat != taker))
    told = Ruling("play-begins", taker, 0, (number,), (("seats", " ".join(players_in)),), "§4")
    return state._replace(phase=Phase.TRICK, players_in=players_in, turn=taker, number=1), (told,)


def _lone_taker(state: State, taker: Seat, number: int) -> Step[State]:
    """§4, §9 row 2: nobody plays against him."""
    if state.house.lone_taker == "redeal":
        return _void(state, number)
    points = HAND if state.house.lone_taker == "award5" else 0
    state = _with_tricks(state, taker, points)
    detail = (("points", points), ("score", state.score(taker)))
    told = Ruling("lone-taker", taker, points, (number,), detail, "§4")
    # Without play there is no trick that anybody failed to take.
    winner = taker if state.score(taker) >= GOAL and points else None
    state, more = _close_deal(state, number, winner=winner, is_complete=points > 0)
    return state, (told, *more)


def _close_trick(state: State, number: int) -> Step[State]:
    upcard = state.upcard
    assert upcard is not None
    best = taken_by(state.trick, upcard.suit, state.house.duties)
    before, seat = state.score(best.seat), best.seat
    state = _with_tricks(state, seat, 1)
    score = state.score(seat)
    if before < GOAL <= score:
        state = state._replace(reached=(*state.reached, seat))
    detail = (("card", str(best.card)), ("trick", state.number), ("score", score))
    told = Ruling("trick", seat, score - before, tuple(play.number for play in state.trick), detail, "§5")
    has_won = state.house.end_check == "trick" and before < GOAL <= score
    if state.number == HAND:
        state, more = _close_deal(state, number, winner=seat if has_won else None, is_complete=True)
        return state, (told, *more)
    if has_won:
        state = state._replace(phase=Phase.AUDIT, winner=seat, turn=None, trick=())
        seats = (("seats", " ".join(state.players_in)),)
        return state, (told, Ruling("audit", seat, 0, (number,), seats, "§8"))
    return state._replace(trick=(), turn=seat, number=state.number + 1), (told,)


def _with_tricks(state: State, seat: Seat, more: int) -> State:
    return state._replace(tricks=added(state.tricks, state.house.places[seat], more))


def _settle(state: State, number: int) -> Step[State]:
    """§8: everybody has shown what was left; the pot is paid, or the winner had revoked himself."""
    winner = state.winner
    if winner not in state.guilty or state.house.revoke == "mark":
        return _close_deal(state, number, winner=winner, is_complete=False)
    told = Ruling("win-cancelled", winner, 0, (number,), (), "§8")
    state, more = _close_deal(state._replace(winner=None), number, winner=None, is_complete=False)
    return state, (told, *more)


def _close_deal(state: State, number: int, *, winner: Seat | None, is_complete: bool) -> Step[State]:
    """§6. Penalties come first, from the dealer's left, also where the fifth trick wins: it has cut nothing short."""
    told: list[Ruling] = []
    for seat in in_turn(state.house.order, state.dealer or state.house.order[-1], state.players_in):
        if is_complete and _owes_penalty(state, seat):
            state, ruling = _pay_penalty(state, seat, number)
            told.append(ruling)
    if state.house.end_check == "deal":
        winner = _best_of(state)
    scores = tuple(state.score(seat) for seat in state.house.seats)
    brought = tuple(new - old for new, old in zip(scores, state.scores, strict=True))
    row = tuple(
        points if seat in state.players_in else None for seat, points in zip(state.house.seats, brought, strict=True)
    )
    state = state._replace(scores=scores, record=(*state.record, row), tricks=(0,) * len(scores))
    if winner is not None:
        return _pay(state, winner, number, told)
    dealer = next_seat(state, state.dealer)
    told.append(Ruling("deal-over", None, 0, (number,), (("dealer", dealer),), "§3"))
    # What could not be read in this deal is still asked: the answer may change its outcome.
    return new_deal(state, dealer)._replace(asks=state.asks), tuple(told)


def _owes_penalty(state: State, seat: Seat) -> bool:
    """§6: 10 or more, no trick; a proven revoke brings no penalty on top."""
    is_spared = seat in state.guilty and state.house.revoke != "mark"
    no_trick = state.tricks[state.house.places[seat]] == 0
    return state.house.zero_penalty != "off" and no_trick and not is_spared and state.score(seat) >= PENALTY_FROM


def _pay_penalty(state: State, seat: Seat, number: int) -> tuple[State, Ruling]:
    amount = state.pot.holds if state.house.zero_penalty == "pot" else state.house.stake
    pot = state.pot.paid_by(state.house.places[seat], amount)
    detail = (("amount", amount), ("pot", pot.holds))
    return state._replace(pot=pot), Ruling("zero-trick", seat, 0, (number,), detail, "§6")


def _best_of(state: State) -> Seat | None:
    """§9 row 10: after a whole deal the most points win, equal ones by who came to fifteen earlier."""
    there = [seat for seat in state.house.seats if state.score(seat) >= GOAL]
    order = [*state.reached, *there]
    return max(there, key=lambda seat: (state.score(seat), -order.index(seat)), default=None)


def _pay(state: State, winner: Seat, number: int, told: list[Ruling]) -> Step[State]:
    amount = state.pot.holds
    detail = (("score", state.score(winner)), ("pot", amount))
    told.append(Ruling("won", winner, 0, (number,), detail, "§6"))
    pot = state.pot.taken_by(state.house.places[winner])
    return state._replace(phase=Phase.GAME_OVER, winner=winner, pot=pot, turn=None, trick=()), tuple(told)


_DUE: dict[Phase, tuple[Callable[[State], bool], Next[State]]] = {
    Phase.STAKES: (lambda state: len(state.staked) == len(state.house.seats), _stakes_in),
    Phase.NO_TRUMP_RIGHT: (lambda state: state.decider is None, _void),
    Phase.PURCHASE: (lambda state: state.decider is None, _void),
    Phase.JOIN: (lambda state: not state.asked, _begin_play),
    Phase.TRICK: (lambda state: len(state.trick) == len(state.players_in), _close_trick),
    Phase.AUDIT: (lambda state: state.shown.issuperset(state.players_in), _settle),
}
"""In each phase, when something follows by itself, and what."""
