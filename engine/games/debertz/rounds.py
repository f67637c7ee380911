"""What follows by itself in Debertz: thrown in, compared, a trick is full, a deal or the game is over (§4 to §6)."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.debertz import melding, scoring
from engine.games.debertz.state import BELLA_RANKS, HAND, LAST_TRICK, Phase, State, new_deal
from engine.rulings import Ruling
from engine.seats import Seat, added
from engine.stepping import Next, Step
from engine.tricks import winner as taken_by


def due(state: State) -> Next[State] | None:
    """What follows by itself in that state, if anything does."""
    if state.guilty and state.house.revoke == "replay" and state.phase is not Phase.DEAL:
        return _replay
    is_due, step = _DUE.get(state.phase, (_never, _replay))
    return step if is_due(state) else None


def _never(state: State) -> bool:
    return False


def _replay(state: State, number: int) -> Step[State]:
    """§9 row 24: a proven revoke voids the deal."""
    told = Ruling("replay", state.dealer, 0, (number,), (), "§9")
    return new_deal(state, state.dealer), (told,)


def _throw_in(state: State, number: int) -> Step[State]:
    """§4: nobody plays; E deals."""
    told = Ruling("thrown-in", state.elder, 0, (number,), (), "§4")
    return new_deal(state, state.elder)._replace(asks=state.asks), (told,)


# Before the first lead


def _compare(state: State, number: int) -> Step[State]:
    """§4: whose is the best sequence; its suit is asked for only where it decides."""
    equal = melding.best(state, state.melds)
    naming = melding.unnamed(equal)
    if naming:
        told = Ruling("which-suit", None, 0, (number,), (("seats", " ".join(naming)),), "§4")
        return state._replace(phase=Phase.DECLARE, naming=naming), (told,)
    state = state._replace(is_compared=True)
    seat = melding.owner(state, equal)
    if seat is None:
        state, more = begin_play(state, number)
        is_tied = len(equal) > 1
        return state, (Ruling("sequences-tie", None, 0, (number,), (), "§9"), *more) if is_tied else more
    shown = state.shown if seat == state.shower else ()
    points = sum(melding.value(state, meld) for meld in state.melds if meld.seat == seat)
    told = Ruling("best-sequence", seat, 0, (number,), (("points", points),), "§4")
    return state._replace(phase=Phase.SHOW, shower=seat, shown=shown), (told,)


def _end_show(state: State, number: int) -> Step[State]:
    told = Ruling("sequences-shown", state.shower, 0, (number,), (), "§4")
    state, more = begin_play(state, number)
    return state, (told, *more)


def begin_play(state: State, number: int) -> Step[State]:
    """The first lead is due, or, where sequences were shown after the first trick, the second."""
    state = state._replace(phase=Phase.TRICK, shower=None)
    if state.number:
        return state, ()
    told = Ruling("play-begins", state.leader, 0, (number,), (), "§5")
    return state._replace(number=1, turn=state.leader), (told,)


# Tricks


def _close_trick(state: State, number: int) -> Step[State]:
    assert state.trump is not None
    plays = tuple(play.number for play in state.trick)
    best = taken_by(state.trick, state.trump, state.house.duties)
    place, is_last = state.house.places[best.seat], state.number == HAND
    points = sum(state.house.worth(play.card, state.trump) for play in state.trick) + (LAST_TRICK if is_last else 0)
    state = state._replace(
        points=added(state.points, place, points),
        tricks=added(state.tricks, place, 1),
        pair_taker=best.seat if _has_second_of_pair(state) else state.pair_taker,
        trick=(),
        turn=best.seat,
        number=state.number if is_last else state.number + 1,
        phase=Phase.AUDIT if is_last else Phase.TRICK,
    )
    detail = (("card", str(best.card)), ("trick", len(state.played) // 2), ("points", points))
    told = Ruling("trick", best.seat, points, plays, detail, "§5")
    return _wait_for_bella(state, told) if is_last else (state, (told,))


def _has_second_of_pair(state: State) -> bool:
    return any(
        play.card.is_known
        and play.card.suit is state.trump
        and play.card.rank in BELLA_RANKS
        and melding.has_pair(state, play.seat)
        for play in state.trick
    )


def _wait_for_bella(state: State, told: Ruling) -> Step[State]:
    """Whoever laid the second of the pair as the very last card may still be calling it."""
    seat = state.played[-1].seat
    is_open = melding.bella_is_open(state, seat) and melding.has_pair(state, seat)
    if is_open and melding.is_one(state, state.played[-1].card):
        state = state._replace(waits_ns=state.laid_ns + melding.AT_ONCE_NS)
    return state, (told,)


# The end of a deal


def _close_deal(state: State, number: int) -> Step[State]:
    """§8, §6. What could not be read in this deal is still asked: the answer may change its outcome."""
    state, struck = scoring.audit(state, number)
    jackpot = next((meld.seat for meld in state.melds if meld.is_jackpot), None)
    if jackpot is not None:
        state, more = win_by_jackpot(state, jackpot, number)
        return state, (*struck, *more)
    state, told = scoring.write(state, scoring.tallies(state), number)
    winner = _winner(state)
    if winner is not None:
        return _won(state, winner, number, (*struck, *told))
    dealer = _next_dealer(state)
    scores = " : ".join(str(score) for score in state.scores)
    code = "one-more-deal" if max(state.scores) >= state.house.target else "deal-over"
    over = Ruling(code, dealer, 0, (number,), (("scores", scores),), "§6" if code == "one-more-deal" else "§3")
    return new_deal(state, dealer)._replace(asks=state.asks), (*struck, *told, over)


def _winner(state: State) -> Seat | None:
    """§6: the target or more; if both are there, the higher total; if equal, one more deal."""
    one, other = state.scores
    if max(one, other) < state.house.target or one == other:
        return None
    return state.house.seats[0] if one > other else state.house.seats[1]


def _won(state: State, winner: Seat, number: int, told: tuple[Ruling, ...]) -> Step[State]:
    """Hanging points lapse with the game."""
    place = state.house.places[winner]
    detail = (("score", state.scores[place]), ("theirs", state.scores[1 - place]))
    won = Ruling("won", winner, 0, (number,), detail, "§6")
    state = state._replace(phase=Phase.GAME_OVER, winner=winner, hanging=(0, 0), turn=None, trick=())
    return state, (*told, won)


def win_by_jackpot(state: State, seat: Seat, number: int) -> Step[State]:
    """§9 row 21: seven or eight trumps in a row win the game at once."""
    told = Ruling("jackpot", seat, 0, (number,), (("kind", state.house.jackpot),), "§9")
    state = state._replace(phase=Phase.GAME_OVER, winner=seat, turn=None, trick=(), shower=None, hanging=(0, 0))
    return state, (told,)


def _next_dealer(state: State) -> Seat | None:
    """§3, §9 row 17."""
    one, other = state.record[-1]
    if state.house.dealer == "winner" and one != other:
        return state.house.seats[0] if one > other else state.house.seats[1]
    return state.elder


def _show_is_over(state: State) -> bool:
    return state.shower is None or melding.is_all_shown(state)


def _show_step(state: State, number: int) -> Step[State]:
    if state.shower is None or not state.is_compared:
        return _compare(state, number)
    jackpot = next((meld.seat for meld in state.melds if meld.is_jackpot and meld.seat == state.shower), None)
    return _end_show(state, number) if jackpot is None else win_by_jackpot(state, jackpot, number)


_DUE: dict[Phase, tuple[Callable[[State], bool], Next[State]]] = {
    Phase.SECOND_ROUND: (lambda state: state.passes == 4, _throw_in),
    Phase.DECLARE: (lambda state: not state.declaring and not state.naming, _compare),
    Phase.SHOW: (lambda state: not state.is_compared or _show_is_over(state), _show_step),
    Phase.TRICK: (
        lambda state: len(state.trick) == 2 or (state.number == 2 and not state.is_compared),
        lambda state, number: _close_trick(state, number) if state.trick else _compare(state, number),
    ),
    Phase.AUDIT: (lambda state: state.waits_ns is None, _close_deal),
}
"""In each phase, when something follows by itself, and what."""
