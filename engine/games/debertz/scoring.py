"""What a deal brought: the audit of declarations by the nine cards (§8), and the score (§6)."""

from __future__ import annotations

from typing import NamedTuple

from engine.cards import Card
from engine.games.debertz import exchange, melding
from engine.games.debertz.state import BELLA, Called, Meld, State
from engine.rulings import Ruling
from engine.seats import Seat, added

Written = tuple[State, tuple[Ruling, ...]]
PENALTY = 100


class Tally(NamedTuple):
    """What one seat made in the deal."""

    seat: Seat
    tricks: int
    """Card points, the last trick's ten included."""
    sequences: int
    bella: int

    @property
    def total(self) -> int:
        """T of §6."""
        return self.tricks + self.sequences + self.bella


# The audit


def audit(state: State, number: int) -> tuple[State, tuple[Ruling, ...]]:
    """§8: declarations and bellas that the nine cards do not bear out are struck."""
    false = [meld for seat in state.house.seats for meld in _false_melds(state, seat)]
    told = [melding.struck(meld, number, code="not-held") for meld in false]
    wrong = [one for one in state.called if not _is_open(state, one.seat) and not melding.has_pair(state, one.seat)]
    told += [_bella_struck(one, number) for one in wrong]
    state = state._replace(
        melds=tuple(meld for meld in state.melds if meld not in false),
        called=tuple(one for one in state.called if one not in wrong),
    )
    return state, tuple(told)


def _bella_struck(one: Called, number: int) -> Ruling:
    return Ruling("bella-struck", one.seat, 0, tuple(sorted({one.number, number})), (), "§5", is_foul=True)


def _false_melds(state: State, seat: Seat) -> list[Meld]:
    if _is_open(state, seat):
        return []
    melds, cards = [meld for meld in state.melds if meld.seat == seat], state.cards(seat)
    true = melding.true_melds(state, melds, cards, hand_before_exchange(state, seat))
    return [meld for meld, holds in zip(melds, true, strict=True) if not holds]


def hand_before_exchange(state: State, seat: Seat) -> tuple[Card, ...]:
    """§8: the nine cards, with the seven in place of the card turned up if that seat exchanged it."""
    cards, seven = state.cards(seat), exchange.seven(state)
    if state.exchanged != seat or seven is None:
        return cards
    return (*(card for card in cards if card is not state.turned), seven)


def _is_open(state: State, seat: Seat) -> bool:
    """Whether one of the seat's cards is not certain, or it is not certain whose they were: then it is believed."""
    numbers = {one.number for one in state.played if one.seat == seat}
    return bool(numbers & state.doubtful) or (state.is_exchanged and state.exchanged is None)


# The score


def tallies(state: State) -> tuple[Tally, Tally]:
    """Points, counted sequences and bella of E and X, after the audit."""
    assert state.elder is not None
    assert state.dealer is not None
    return _tally(state, state.elder), _tally(state, state.dealer)


def _tally(state: State, seat: Seat) -> Tally:
    place = state.house.places[seat]
    has_trick = state.tricks[place] > 0
    sequences = _sequences(state, seat) if has_trick or state.house.need_trick == "none" else 0
    bella = _bella(state, seat) if has_trick or state.house.need_trick != "all" else 0
    return Tally(seat, state.points[place], sequences, bella)


def _sequences(state: State, seat: Seat) -> int:
    equal = melding.best(state, [_with_suit(state, meld) for meld in state.melds])
    mine = sum(melding.value(state, meld) for meld in state.melds if meld.seat == seat)
    holder = melding.owner(state, equal)
    if holder is None:
        return mine // 2 if len(equal) > 1 and state.house.meld_tie == "split" else 0
    return mine if holder == seat else 0


def _with_suit(state: State, meld: Meld) -> Meld:
    """A suit that was never said is seen from the cards: only trump matters, against an equal one."""
    if meld.run.suit is not None:
        return meld
    in_trump = meld._replace(run=meld.run._replace(suit=state.trump))
    cards, old = state.cards(meld.seat), hand_before_exchange(state, meld.seat)
    return in_trump if melding.true_melds(state, [in_trump], cards, old)[0] else meld


def _bella(state: State, seat: Seat) -> int:
    is_called = any(one.seat == seat for one in state.called)
    match state.house.bella:
        case "auto":
            counts = melding.has_pair(state, seat)
        case "trick":
            counts = is_called and state.pair_taker == seat
        case "call":
            counts = is_called
        case _:
            counts = False
    return BELLA if counts else 0


def write(state: State, pair: tuple[Tally, Tally], number: int) -> Written:
    """§6: what the deal writes for both; the newest row of `record`."""
    told = tuple(_counted(state, tally, number) for tally in pair)
    if state.guilty and state.house.revoke == "transfer":
        state, more = _after_revoke(state, pair, number)
    else:
        state, more = _by_result(state, pair, number)
    state, fines = _fine_for_no_trick(state, number)
    return state, (*told, *more, *fines)


def _counted(state: State, tally: Tally, number: int) -> Ruling:
    detail = (
        ("tricks", tally.tricks),
        ("sequences", tally.sequences),
        ("bella", tally.bella),
        ("total", tally.total),
    )
    return Ruling("counted", tally.seat, 0, (number,), detail, "§6")


def _after_revoke(state: State, pair: tuple[Tally, Tally], number: int) -> Written:
    """§5: everything goes to the other seat, hanging points too; both revoked: nobody scores."""
    state = _with_row(state)
    if len(state.guilty) > 1:
        return state, (Ruling("both-revoked", None, 0, (number,), (), "§5"),)
    (guilty,) = state.guilty
    seat, points = state.house.other(guilty), sum(tally.total for tally in pair)
    state = _writes(state, seat, points)
    told = Ruling("revoke-transfer", seat, points, (number,), (("points", points),), "§5")
    state, more = _take_hanging(state, seat, sum(state.hanging), number)
    return state, (told, *more)


def _by_result(state: State, pair: tuple[Tally, Tally], number: int) -> Written:
    maker, opponent = pair if pair[0].seat == state.maker else pair[::-1]
    state = _with_row(state)
    if maker.total > opponent.total:
        return _made(state, maker, opponent, number)
    if maker.total == opponent.total and state.house.tie != "bait":
        return _tied(state, maker, opponent, number)
    return _bait(state, maker, opponent, number)


def _made(state: State, maker: Tally, opponent: Tally, number: int) -> Written:
    state = _writes(_writes(state, maker.seat, maker.total), opponent.seat, opponent.total)
    detail = (("points", maker.total), ("theirs", opponent.total))
    told = Ruling("made", maker.seat, maker.total, (number,), detail, "§6")
    is_own = state.house.hang_to == "same_maker"
    hanging = state.hanging[state.house.places[maker.seat]] if is_own else sum(state.hanging)
    state, more = _take_hanging(state, maker.seat, hanging, number)
    return state, (told, *more)


def _bait(state: State, maker: Tally, opponent: Tally, number: int) -> Written:
    """The maker loses his points: to the opponent, or to nobody (§9 row 12)."""
    is_burnt = state.house.bait == "burn" or (state.house.bait == "round2_only" and state.made_in == 1)
    points = opponent.total + (0 if is_burnt else maker.total)
    state = _writes(state, opponent.seat, points)
    told = [Ruling("bait", maker.seat, 0, (number,), (("points", points), ("lost", maker.total)), "§6")]
    if state.house.hang_to == "next_winner":
        state, more = _take_hanging(state, opponent.seat, sum(state.hanging), number)
        told += more
    state = state._replace(baits=added(state.baits, state.house.places[maker.seat], 1))
    count, every = state.baits[state.house.places[maker.seat]], state.house.bait_penalty_every
    if every and count % every == 0:
        state = _writes(state, maker.seat, -PENALTY)
        detail = (("count", count), ("amount", PENALTY))
        told.append(Ruling("bait-penalty", maker.seat, -PENALTY, (number,), detail, "§9"))
    return state, tuple(told)


def _tied(state: State, maker: Tally, opponent: Tally, number: int) -> Written:
    """The maker's points hang (§6), or each writes his own (§9 row 13)."""
    state = _writes(state, opponent.seat, opponent.total)
    detail = (("points", maker.total),)
    if state.house.tie == "each":
        told = Ruling("tied", maker.seat, maker.total, (number,), detail, "§9")
        return _writes(state, maker.seat, maker.total), (told,)
    hanging = added(state.hanging, state.house.places[maker.seat], maker.total)
    told = Ruling("hangs", maker.seat, 0, (number,), (*detail, ("hanging", sum(hanging))), "§6")
    return state._replace(hanging=hanging), (told,)


def _take_hanging(state: State, seat: Seat, points: int, number: int) -> Written:
    if not points:
        return state, ()
    is_all = points == sum(state.hanging)
    own = added((0, 0), state.house.places[seat], state.hanging[state.house.places[seat]])
    left = (0, 0) if is_all else (state.hanging[0] - own[0], state.hanging[1] - own[1])
    told = Ruling("hanging-taken", seat, points, (number,), (("points", points),), "§6")
    return _writes(state, seat, points)._replace(hanging=left), (told,)


def _fine_for_no_trick(state: State, number: int) -> Written:
    """§9 row 16. A proven revoke, paid for with the whole deal, brings no fine on top."""
    fine, told = state.house.no_trick_penalty, []
    for place, seat in enumerate(state.house.seats):
        is_spared = seat in state.guilty and state.house.revoke == "transfer"
        if fine and not state.tricks[place] and not is_spared:
            state = _writes(state, seat, -fine)
            told.append(Ruling("no-trick", seat, -fine, (number,), (("amount", fine),), "§9"))
    return state, tuple(told)


def _with_row(state: State) -> State:
    return state._replace(record=(*state.record, (0, 0)))


def _writes(state: State, seat: Seat, points: int) -> State:
    """That many points more in the newest row, and in the totals."""
    place = state.house.places[seat]
    record = (*state.record[:-1], added(state.record[-1], place, points))
    return state._replace(record=record, scores=added(state.scores, place, points))
