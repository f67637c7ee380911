"""How a card is judged in Ton: as the trump, as a card of the widow, or in the trick (§4, §5)."""

from __future__ import annotations

from engine.cards import Card
from engine.events import Call, CardLaid, Event
from engine.games.ton import proofs, showing
from engine.games.ton.state import ALWAYS_IN, DECIDING, SHOWING, Phase, State
from engine.revokes import by_cards, by_reply, doubts, is_turn_doubtful
from engine.rulings import Detail, Ruling
from engine.seats import Seat
from engine.tricks import Play

AT_ONCE_NS = 250_000_000
"""A second widow card this soon after the first was turned by the same hand."""
FOULS = frozenset(("wrong-seat", "one-card-only", "dealer-may-not-buy"))


def judge_lay(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The card's verdict first, then what it proves."""
    if state.phase is Phase.TRICK or _is_first_lead(state, event):
        return _in_trick(state, event)
    if state.phase in SHOWING or state.is_claiming:
        return showing.shows_card(state, event)
    if state.phase in DECIDING and None in state.widow:
        return turned(state, event, event.card, _only(event.seats))
    return _elsewhere(state, event)


def _elsewhere(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    card = (("card", str(event.card)),)
    if state.phase is Phase.DEAL:
        return trump(state, event, event.card)
    if state.phase is Phase.STAKES:
        return (stakes_missing(state, event),)
    code = "game-over" if state.phase is Phase.GAME_OVER else "too-early"
    return (Ruling(code, _only(event.seats), 0, (event.number,), card, "§4"),)


def stakes_missing(state: State, event: Event) -> Ruling:
    """§4: no deal before every stake is in the pot."""
    seats = " ".join(seat for seat in state.house.seats if seat not in state.staked)
    return Ruling("stakes-missing", None, 0, (event.number,), (("seats", seats),), "§4")


def trump(state: State, event: Event, card: Card) -> tuple[Ruling, ...]:
    """§3: the top card of the stock is turned up; its suit is trump and the deal is done."""
    detail = (("card", str(card)),)
    if not card.is_known:
        return (Ruling("unread", None, 0, (event.number,), detail, "§3"),)
    told = Ruling("trump", None, 0, (event.number,), (*detail, ("suit", card.suit.name.lower())), "§3")
    return (told, *doubts(event, card, is_amiss=proofs.cannot_be(state, card, None)))


def _is_first_lead(state: State, event: CardLaid) -> bool:
    """Whoever leads has done with his exchange, said or not."""
    if state.phase is not Phase.EXCHANGE or state.is_exchange_wrong or state.house.others == "optional":
        return False
    if event.seats - {state.taker}:
        return False
    return any(state.score(seat) >= ALWAYS_IN for seat in state.house.seats if seat != state.taker)


# The widow


def turned(state: State, event: CardLaid | Call, card: Card, seat: Seat | None) -> tuple[Ruling, ...]:
    """A closed card of the widow is turned: a refusal by whoever decides (§4)."""
    seat = seat or _turner(state, event)
    code = _verdict_on_turning(state, seat)
    detail = (("card", str(card)), ("slot", slot(state, event)), ("then", "stays-open"))
    told = Ruling(code, seat, 0, (event.number,), detail, "§4", is_foul=code in FOULS)
    more = list(doubts(event, card, is_amiss=proofs.cannot_be(state, card, None)))
    if state.house.refuse_card == "next" and code == "refused" and slot(state, event) != state.widow.index(None):
        more.append(Ruling("not-next", seat, 0, (event.number,), detail, "§9"))
    return (told, *more)


def _turner(state: State, event: Event) -> Seat | None:
    """Nothing seen of the hand: whoever decides, or, in one motion with the card before, whoever turned that."""
    is_one_motion = state.turned_ns is not None and 0 <= event.t_ns - state.turned_ns <= AT_ONCE_NS
    return state.decided[-1] if is_one_motion and state.decided else state.decider


def _verdict_on_turning(state: State, seat: Seat | None) -> str:
    if seat == state.decider:
        return "refused"
    if seat == state.dealer:
        return "dealer-may-not-buy"
    return "one-card-only" if seat in state.decided else "wrong-seat"


def slot(state: State, event: Event) -> int:
    """Which card of the widow it is, from 0 on the left; where that was not seen, the first closed one."""
    zone = event.zone if isinstance(event, CardLaid) else ""
    name, _, place = zone.partition("-")
    if name == "widow" and place in ("1", "2", "3", "4") and state.widow[int(place) - 1] is None:
        return int(place) - 1
    return state.widow.index(None)


# The trick


def whose(state: State, event: CardLaid) -> Seat | None:
    """Whose card it is: §7, by turn, unless hand or button say surely that it was another seat."""
    turn = state.taker if state.phase is Phase.EXCHANGE else state.turn
    if not event.seats or turn in event.seats:
        return turn
    return _only(event.seats)


def _in_trick(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    seat = whose(state, event)
    turn = state.taker if state.phase is Phase.EXCHANGE else state.turn
    code = "ok"
    if seat != turn:
        code = "one-card-only" if any(play.seat == seat for play in state.trick) else "wrong-seat"
    elif not event.card.is_known:
        code = "unread"
    detail = (("card", str(event.card)), ("turn", turn), ("then", "card-back"))
    is_foul = code in FOULS and seat is not None and not is_turn_doubtful(state)
    verdict = Ruling(code, seat, 0, (event.number,), detail, "§5", is_foul=is_foul)
    if not proofs.is_certain(state, event, seat):
        return (verdict, *doubts(event, event.card, is_amiss=proofs.cannot_be(state, event.card, seat)))
    if seat is None:
        return (verdict,)
    return (verdict, *_proven(state, event, seat, is_laid=code == "ok"))


def _proven(state: State, event: CardLaid, seat: Seat, *, is_laid: bool) -> list[Ruling]:
    if is_laid:
        return by_reply(state, Play(seat, event.card, event.number))
    return by_cards(state, seat, (event.card,), event.number)


def options(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """The verdicts that a person may give a card in the trick; each in place of everything that was judged."""
    seat = whose(state, event)
    detail: tuple[tuple[str, Detail], ...] = (
        ("card", str(event.card)),
        ("turn", state.turn),
        ("then", "card-back"),
    )
    return tuple(
        Ruling(code, seat, 0, (event.number,), detail, "§5", is_foul=code in FOULS and seat is not None)
        for code in ("ok", "wrong-seat", "one-card-only")
    )


def _only(seats: frozenset[Seat]) -> Seat | None:
    return next(iter(seats)) if len(seats) == 1 else None
