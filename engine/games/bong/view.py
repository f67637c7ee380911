"""The scoreboard of Bong, in words."""

from __future__ import annotations

from engine.games.bong import proofs
from engine.games.bong.state import Phase, State
from engine.games.bong.words import BUTTONS, CALLS, HEADLINES, NOTES
from engine.rules import Audience, Scoreboard, SeatView
from engine.seats import Seat, only
from engine.words import with_article


def view(state: State, audience: Audience) -> Scoreboard:
    """The scoreboard for that audience, in its language."""
    language = audience.language if audience.language in HEADLINES else "en"
    laid = tuple(one.card for one in state.pile)
    is_laying = state.phase in (Phase.START_LAY, Phase.RACE, Phase.STALL_CHECK)
    return Scoreboard(
        phase=state.phase.value,
        headline=_headline(state, language),
        needed=str(state.needed) if is_laying else "",
        top=laid[-1] if laid else None,
        pile=laid,
        seats=tuple(_seat(state, seat, language) for seat in state.house.seats),
        calls=tuple((word, CALLS[language][word]) for word in _calls(state)),
        over=state.phase is Phase.GAME_OVER,
    )


def _headline(state: State, language: str) -> str:
    key: str = state.phase.value
    who: Seat | None = state.dealer
    if state.phase is Phase.START_LAY:
        who = state.claimant
        key = "start-lay" if who else "start-race" if state.house.start_mode == "race" else "start-lot"
    elif state.must_show or state.is_stall:
        who, key = proofs.only_last(state), "show" if state.must_show else "stall"
    elif state.phase is Phase.GAME_OVER:
        who = state.loser
    cards = " ".join(sorted(card.pretty() for card in proofs.missing_cards(state))) if state.must_show else ""
    return HEADLINES[language][key].format(
        player=state.house.player(who) if who else "?",
        needed=state.needed,
        a_needed=with_article(str(state.needed)),
        opening=state.opening,
        an_opening=with_article(str(state.opening)),
        cards=cards,
    )


def _seat(state: State, seat: Seat, language: str) -> SeatView:
    place = state.house.places[seat]
    return SeatView(
        seat=seat,
        player=state.house.players[place],
        hand=None if state.phase is Phase.LOBBY else state.hands[place],
        is_active=seat in state.active,
        is_last=state.last == {seat},
        marks=state.marks[place],
        owed=tuple(owed.laid.card for owed in state.owed if owed.is_covered and only(owed.laid.seats) == seat),
        place=state.finished.index(seat) + 1 if seat in state.finished else None,
        is_loser=seat == state.loser,
        can=BUTTONS[language][_button(state, seat)],
        is_turn=_is_turn(state, seat),
        note=_note(state, seat, language),
    )


def _is_turn(state: State, seat: Seat) -> bool:
    if state.phase is Phase.START_LAY:
        return seat == state.claimant
    return (state.is_stall or state.must_show) and state.last == {seat}


def _button(state: State, seat: Seat) -> str:
    if seat not in state.active:
        return "nothing"
    match state.phase:
        case Phase.START_CLAIM:
            return "claimed" if seat in state.claimed else "claim"
        case Phase.START_LAY:
            return "start" if seat == state.claimant else "lay" if state.house.start_mode == "race" else "nothing"
        case Phase.RACE | Phase.STALL_CHECK:
            if state.last == {seat}:
                return "refuse" if state.must_show else "confirm" if state.is_stall else "wait"
            return "lay" if state.house.stall_proof == "operator" else "race"
        case _:
            return "nothing"


def _note(state: State, seat: Seat, language: str) -> str:
    notes = NOTES[language]
    if any(said == seat for said, _ in state.nocard):
        return notes["no-card"]
    if state.phase is Phase.START_CLAIM and seat in state.claimed:
        return notes["claims"].format(opening=state.opening, an_opening=with_article(str(state.opening)))
    pending = sum(seat in laid.seats and len(laid.seats) > 1 for laid in state.pile)
    if pending and seat in state.active:
        return notes["fewer"].format(count=pending)
    bare = state.bare[state.house.places[seat]]
    return notes["bare"].format(count=bare) if bare else ""


def _calls(state: State) -> tuple[str, ...]:
    """The words that a person may call now."""
    match state.phase:
        case Phase.DEAL | Phase.FLONG:
            return ("dealt", "misdeal") if state.house.early_look == "ignore" else ("dealt", "early-look", "misdeal")
        case Phase.START_CLAIM:
            return ("claim", "recount", "out")
        case Phase.START_LAY:
            return ("no-two", "recount", "out") if state.claimant else ("recount", "out")
        case Phase.RACE | Phase.STALL_CHECK:
            return _calls_in_race(state)
        case _:
            return ()


def _calls_in_race(state: State) -> tuple[str, ...]:
    stall: tuple[str, ...] = ("stall",) if state.house.stall_proof == "operator" else ("no-card",)
    if state.is_stall:
        stall = ("no-flong",) if state.must_show else ("flong", "no-flong")
    show = ("shown", "cannot-show") if state.must_show else ("show",)
    return (*stall, *show, "out", "recount", *(("taken",) if state.owed else ()))
