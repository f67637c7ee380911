"""The scoreboard of Ton, in words."""

from __future__ import annotations

from engine.games.ton.state import DECIDING, Phase, State
from engine.games.ton.words import BUTTONS, CALLS, HEADLINES, NOTES
from engine.rules import Audience, Scoreboard, SeatView
from engine.seats import Seat


def view(state: State, audience: Audience) -> Scoreboard:
    """The scoreboard for that audience, in its language; the pile is the trick, or the widow's open cards before it."""
    language = audience.language if audience.language in HEADLINES else "en"
    open_cards = tuple(one.card for one in state.widow if one is not None)
    laid = open_cards if state.phase in DECIDING else tuple(play.card for play in state.trick)
    return Scoreboard(
        phase=state.phase.value,
        headline=_headline(state, language),
        needed="",
        top=laid[-1] if laid else state.upcard,
        pile=laid,
        seats=tuple(_seat(state, seat, language) for seat in state.house.seats),
        calls=tuple((word, CALLS[language][word]) for word in _calls(state)),
        over=state.phase is Phase.GAME_OVER,
        by=() if state.phase in DECIDING else tuple(play.seat for play in state.trick),
        trump=state.trump,
        pot=state.pot.holds,
    )


def _headline(state: State, language: str) -> str:
    key = "turn-card" if state.turning is not None else state.phase.value
    return HEADLINES[language][key].format(
        player=state.house.player(_who(state)),
        dealer=state.house.player(state.dealer),
        stake=state.house.stake,
        trick=state.number,
        seats=", ".join(state.house.player(seat) for seat in state.players_in if seat not in state.shown),
    )


def _who(state: State) -> Seat | None:
    """Whose move it is, or who has won."""
    match state.phase:
        case Phase.NO_TRUMP_RIGHT | Phase.PURCHASE:
            return state.decider
        case Phase.PICK | Phase.EXCHANGE:
            return state.taker
        case Phase.JOIN:
            return state.asked[0] if state.asked else None
        case Phase.GAME_OVER:
            return state.winner
        case _:
            return state.turn


def _seat(state: State, seat: Seat, language: str) -> SeatView:
    place = state.house.places[seat]
    is_dealt = state.phase not in (Phase.LOBBY, Phase.STAKES, Phase.DEAL, Phase.GAME_OVER)
    return SeatView(
        seat=seat,
        player=state.house.players[place],
        hand=state.left(seat) if is_dealt else None,
        is_active=not state.number or seat in state.players_in,
        is_last=bool(state.trick) and state.trick[-1].seat == seat,
        marks=state.marks[place],
        place=1 if state.phase is Phase.GAME_OVER and seat == state.winner else None,
        can=BUTTONS[language][_button(state, seat)],
        is_turn=is_dealt and seat == _who(state),
        note=_note(state, seat, language),
        score=state.score(seat),
        says=tuple(word for word in _calls(state) if word in OWN_WORDS and seat == _who(state)),
    )


def _button(state: State, seat: Seat) -> str:
    match state.phase:
        case Phase.STAKES:
            return "nothing" if seat in state.staked else "stake"
        case Phase.NO_TRUMP_RIGHT | Phase.PURCHASE:
            return "buy" if seat == state.decider and seat != state.turning else "nothing"
        case Phase.EXCHANGE:
            return "done" if seat == state.taker else "nothing"
        case Phase.JOIN:
            return "join" if state.asked[:1] == (seat,) else "nothing"
        case Phase.TRICK:
            return "lay" if seat in state.players_in else "nothing"
        case _:
            return "nothing"


def _note(state: State, seat: Seat, language: str) -> str:
    notes = NOTES[language]
    said = []
    if seat == state.taker:
        said.append(notes["taker"])
    elif state.number and seat not in state.players_in:
        said.append(notes["out"])
    if seat in state.guilty:
        said.append(notes["revoked"])
    return " · ".join(said)


def _calls(state: State) -> tuple[str, ...]:
    """The words that a person may call now."""
    calls = _CALLS.get(state.phase, ())
    return calls if state.house.upcard_pickable or state.phase is not Phase.PICK else ("no-trump-left", *calls)


OWN_WORDS = ("take", "refuse", "no-trump", "exchanged", "in", "out")
"""Words that a player says for himself."""
_CALLS: dict[Phase, tuple[str, ...]] = {
    Phase.STAKES: ("staked",),
    Phase.DEAL: ("dealt", "misdeal"),
    Phase.NO_TRUMP_RIGHT: ("take", "refuse", "no-trump", "misdeal"),
    Phase.PURCHASE: ("take", "refuse", "misdeal"),
    Phase.PICK: ("picked", "misdeal"),
    Phase.EXCHANGE: ("exchanged", "misdeal"),
    Phase.JOIN: ("in", "out", "misdeal"),
    Phase.AUDIT: ("not-shown",),
}
