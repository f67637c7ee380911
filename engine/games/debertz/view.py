"""The scoreboard of Debertz, in words."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards import Suit
from engine.games.debertz import exchange, melding
from engine.games.debertz.judge import MISDEALS
from engine.games.debertz.state import BEFORE_LEAD, Phase, State
from engine.games.debertz.words import BUTTONS, CALLS, HEADLINES, NOTES, TERMS
from engine.rules import Audience, Scoreboard, SeatView
from engine.seats import Seat


def view(state: State, audience: Audience) -> Scoreboard:
    """The scoreboard for that audience, in its language; the pile is the trick, or what is being shown."""
    language = audience.language if audience.language in HEADLINES else "en"
    laid = state.shown if state.phase is Phase.SHOW else tuple(play.card for play in state.trick)
    return Scoreboard(
        phase=state.phase.value,
        headline=_headline(state, language),
        needed="",
        top=laid[-1] if laid else state.upcard,
        pile=laid,
        seats=tuple(_seat(state, seat, language) for seat in state.house.seats),
        calls=tuple((word, CALLS[language][word]) for word in _calls(state)),
        over=state.phase is Phase.GAME_OVER,
        named=("terz", "poltinnik"),
        by=() if state.phase is Phase.SHOW else tuple(play.seat for play in state.trick),
        trump=state.trump,
    )


def _headline(state: State, language: str) -> str:
    key = "naming" if state.naming else state.phase.value
    return HEADLINES[language][key].format(
        dealer=state.house.player(state.dealer),
        player=state.house.player(_who(state)),
        trick=state.number,
        suit=_suit(state, language),
    )


def _suit(state: State, language: str) -> str:
    """Trump, or the suit that is turned up."""
    suit = state.trump or (state.turned.suit if state.turned is not None and state.turned.is_known else None)
    return "" if suit is None else TERMS[language][suit.name.lower()]


def _who(state: State) -> Seat | None:
    """Whose move it is, or who has won."""
    match state.phase:
        case Phase.DECLARE:
            return next(iter((*state.naming, *state.declaring)), None)
        case Phase.SHOW:
            return state.shower
        case Phase.GAME_OVER:
            return state.winner
        case _:
            return state.turn


def _seat(state: State, seat: Seat, language: str) -> SeatView:
    place = state.house.places[seat]
    return SeatView(
        seat=seat,
        player=state.house.players[place],
        hand=_hand(state, seat),
        is_active=True,
        is_last=bool(state.trick) and state.trick[-1].seat == seat,
        marks=state.marks[place],
        place=1 if state.phase is Phase.GAME_OVER and seat == state.winner else None,
        can=BUTTONS[language][_button(state, seat)],
        is_turn=seat == _who(state) and state.phase is not Phase.GAME_OVER,
        note=_note(state, seat, language),
        score=state.scores[place],
        says=_says(state, seat),
    )


def _hand(state: State, seat: Seat) -> int | None:
    if state.phase in (Phase.LOBBY, Phase.DEAL, Phase.GAME_OVER):
        return None
    return 6 if state.trump is None else state.left(seat)


def _button(state: State, seat: Seat) -> str:
    match state.phase:
        case Phase.FIRST_ROUND:
            meaning = "play" if seat == state.turn else "nothing"
        case Phase.SECOND_ROUND:
            is_bound = state.house.is_forced and seat == state.dealer
            meaning = "nothing" if seat != state.turn else "must" if is_bound else "name"
        case Phase.ANNULMENT:
            meaning = "agree" if seat == state.turn else "nothing"
        case Phase.TRICK:
            meaning = "bella" if melding.bella_is_open(state, seat) else "lay"
        case Phase.DRAW | Phase.DECLARE | Phase.SHOW:
            meaning = _before_lead(state, seat)
        case _:
            meaning = "nothing"
    return meaning


def _before_lead(state: State, seat: Seat) -> str:
    if state.phase is Phase.DRAW and seat == state.dealer:
        return "dealt"
    if state.declaring[:1] == (seat,):
        return "declare"
    if state.phase is Phase.SHOW and seat == state.shower:
        return "show"
    return "nothing" if exchange.may_exchange(state, seat) else "exchange"


def _note(state: State, seat: Seat, language: str) -> str:
    notes, place = NOTES[language], state.house.places[seat]
    said = []
    if state.hanging[place]:
        said.append(notes["hanging"].format(hanging=state.hanging[place]))
    if seat == state.maker:
        said.append(notes["maker"].format(suit=_suit(state, language)))
    if state.number:
        said.append(notes["deal"].format(points=state.points[place]))
    if any(one.seat == seat for one in state.called):
        said.append(notes["bella"])
    if seat in state.guilty:
        said.append(notes["revoked"])
    return " · ".join(said)


def _calls(state: State) -> tuple[str, ...]:
    """The words that a person may call now."""
    house = state.house
    match state.phase:
        case Phase.FIRST_ROUND:
            calls: tuple[str, ...] = ("play", "pass", *(("schmeiss",) if house.offers_annulment else ()))
        case Phase.SECOND_ROUND:
            turned = state.turned.suit if state.turned is not None and state.turned.is_known else None
            calls = (*_names(suit for suit in Suit if suit is not turned), "pass")
        case Phase.DECLARE:
            declare = ("terz", "poltinnik", *_jackpot(state), "nothing-more")
            calls = _names(melding.suits_to_name(state)) if state.naming else declare
        case Phase.TRICK:
            calls = ("terz", "poltinnik", *_jackpot(state)) if _declares_now(state) else ()
        case _:
            calls = _CALLS.get(state.phase, ())
    return (*calls, *_always(state))


def _says(state: State, seat: Seat) -> tuple[str, ...]:
    """What that player may say for himself: whoever's word it is, and what either may at any time."""
    own = {"exchange": not exchange.may_exchange(state, seat), "bella": melding.bella_is_open(state, seat)}
    may = _who(state) == seat or melding.may_declare(state, seat)
    return tuple(word for word in _calls(state) if own.get(word, may and word not in _TABLES_WORDS))


def _names(suits: Iterable[Suit]) -> tuple[str, ...]:
    return tuple(suit.name.lower() for suit in suits)


def _jackpot(state: State) -> tuple[str, ...]:
    return () if state.house.jackpot == "off" else ("jackpot",)


def _declares_now(state: State) -> bool:
    return any(melding.may_declare(state, seat) for seat in state.house.seats)


def _always(state: State) -> tuple[str, ...]:
    """Words that more than one phase has."""
    is_open = state.phase in (*BEFORE_LEAD, Phase.TRICK)
    can_exchange = is_open and any(not exchange.may_exchange(state, seat) for seat in state.house.seats)
    bella = any(melding.bella_is_open(state, seat) for seat in state.house.seats)
    sevens = state.phase in BEFORE_LEAD and state.house.four_sevens != "off"
    misdeal = state.phase in MISDEALS and not state.played
    words = {"exchange": can_exchange, "bella": bella, "four-sevens": sevens, "misdeal": misdeal}
    return tuple(word for word, holds in words.items() if holds)


_TABLES_WORDS = ("dealt", "drawn", "misdeal", "not-seen")
"""Words that the table says, not a player for himself."""
_CALLS: dict[Phase, tuple[str, ...]] = {
    Phase.DEAL: ("dealt",),
    Phase.ANNULMENT: ("accept", "refuse"),
    Phase.DRAW: ("drawn",),
    Phase.SHOW: ("shown", "not-seen"),
}
