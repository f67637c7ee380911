"""The scoreboard of Ochko, in words."""

from __future__ import annotations

from engine.cards import Card
from engine.games.ochko.settling import stake_that_counts
from engine.games.ochko.state import Phase, State
from engine.games.ochko.words import BUTTONS, CALLS, HEADLINES, NOTES
from engine.rules import Audience, Scoreboard, SeatView
from engine.seats import Seat


def view(state: State, audience: Audience) -> Scoreboard:
    """The scoreboard for that audience, in its language; the pile is what lies open in the duel, the punter's first."""
    language = audience.language if audience.language in HEADLINES else "en"
    mine, his = _open_cards(state, state.punter), _open_cards(state, state.banker)
    laid = mine + his
    return Scoreboard(
        phase=state.phase.value,
        headline=_headline(state, language),
        needed="",
        top=laid[-1] if laid else None,
        pile=laid,
        seats=tuple(_seat(state, seat, language) for seat in state.house.seats),
        calls=tuple((word, CALLS[language][word]) for word in _calls(state)),
        over=state.phase is Phase.GAME_OVER,
        by=tuple(seat for seat, cards in ((state.punter, mine), (state.banker, his)) if seat for _ in cards),
        pot=state.pot.holds,
    )


def _open_cards(state: State, seat: Seat | None) -> tuple[Card, ...]:
    return tuple(card for card in state.hand(seat).cards if card.is_known)


def _headline(state: State, language: str) -> str:
    return HEADLINES[language][_headline_key(state)].format(
        banker=state.house.player(state.banker),
        punter=state.house.player(state.punter),
        shower=state.house.player(state.showing),
        bank=state.pot.holds,
        amount=0 if state.punter is None else stake_that_counts(state, state.punter),
    )


def _headline_key(state: State) -> str:
    is_one = state.house.first_cards == 1
    if state.phase is Phase.DEAL and is_one:
        return "deal-one"
    if state.phase is Phase.NEW_HAND and state.duels == 1:
        return "second-cards"
    if state.phase is Phase.PUNTER and state.pending:
        return "card-due"
    is_shown = state.showing is not None and state.phase in (Phase.BANKER_CHECK, Phase.PUNTER)
    return "shows" if is_shown else state.phase.value


def _seat(state: State, seat: Seat, language: str) -> SeatView:
    place = state.house.places[seat]
    is_over = state.phase is Phase.GAME_OVER
    return SeatView(
        seat=seat,
        player=state.house.players[place],
        hand=len(state.hand(seat).cards),
        is_active=seat in state.active,
        place=1 if is_over and state.pot.purses[place] == max(state.pot.purses) else None,
        can=BUTTONS[language][_button(state, seat)],
        is_turn=seat == state.actor(),
        note=_note(state, seat, language),
        score=state.pot.purses[place],
    )


def _button(state: State, seat: Seat) -> str:
    if state.phase is Phase.STAKES:
        return _stake_button(state, seat)
    if seat != state.actor() or state.phase is Phase.NEW_HAND:
        return "nothing"
    return "play" if state.phase is Phase.BANKER_CHECK else "card"


def _stake_button(state: State, seat: Seat) -> str:
    if seat == state.banker:
        return "nothing" if state.pot.holds else "bank"
    return "stake" if state.stakes[state.house.places[seat]] is None else "nothing"


def _note(state: State, seat: Seat, language: str) -> str:
    notes, hand = NOTES[language], state.hand(seat)
    said = []
    if seat not in state.active:
        said.append(notes["out"])
    elif seat == state.banker:
        said.append(notes["banker"])
    elif state.stake(seat):
        said.append(notes["stake"].format(stake=state.stake(seat)))
    if hand.is_open:
        said.append(notes["total"].format(total=state.counting(seat).total(hand.ranks)))
    return " · ".join(said)


def _calls(state: State) -> tuple[str, ...]:
    """The words that a person may call now."""
    calls = _CALLS.get(state.phase, ())
    if state.phase is Phase.STAKES and state.house.knock_multiple:
        calls = (*calls, "knock")
    return (*calls, "seen") if state.unasked is not None else calls


_CALLS: dict[Phase, tuple[str, ...]] = {
    Phase.STAKES: ("staked", "in", "out", "next-banker", "end"),
    Phase.DEAL: ("dealt", "misdeal"),
    Phase.NEW_HAND: ("new-hand",),
    Phase.BANKER_CHECK: ("play", "show", "misdeal"),
    Phase.PUNTER: ("card", "enough", "show", "mixed"),
    Phase.BANKER: ("card", "enough", "show", "mixed"),
    Phase.SHOWDOWN: ("show", "mixed", "not-shown"),
}
