"""Everything a host needs to judge one ruling: what it says, why, and what could be decided instead."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cardtable.page.words import say
from cardtable.session import Session
from engine import words
from engine.cards import DECK_52, Card
from engine.events import Call, CardGone, CardLaid, Drawn, Event, Hold, Press
from engine.log import Edit
from engine.referee import Told
from engine.rulings import Ruling
from engine.seats import Seat

LOOK_BACK_NS, LOOK_ON_NS = 1_500_000_000, 300_000_000
"""Slaps this long before and after a card's touch are told with it."""

_EVENTS = {
    Press: "event-press",
    Hold: "event-hold",
    Drawn: "event-drawn",
    CardLaid: "event-laid",
    CardGone: "event-gone",
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Rulings that a person may decide on instead, told in a sentence."""

    rulings: tuple[Ruling, ...]
    text: str
    is_foul: bool


@dataclass(frozen=True, slots=True)
class Details:
    """One event of the log, opened up."""

    number: int
    event: Event
    text: str
    paragraphs: tuple[tuple[str, str], ...]
    """The paragraphs of the rules that its rulings name, each with the address of the place that says why."""
    because: tuple[str, ...]
    """What it rests on, a phrase an event, slaps with their distance from the card."""
    choices: tuple[Choice, ...]
    cards: tuple[Card, ...]
    """What else the card may be, likeliest first; empty where the event is about no card."""
    seats: tuple[tuple[Seat, str], ...]
    """Who else may have laid it, with names."""
    is_filmed: bool = False
    """Whether the last minutes are kept, so that it can be watched again."""


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A later ruling that a correction would change, in sentences."""

    number: int
    """Log number of its event."""
    before: str
    after: str
    """Empty when the event would no longer count."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would do."""

    changes: tuple[ShownChange, ...]
    """To later rulings, if the record was wrong."""
    goes_back: tuple[str, ...]
    """Which card goes back to whom, top card first, if play is wound back."""


def details_of(session: Session, number: int, language: str) -> Details:
    """The event of that number opened up; called in the session's thread. Raises `BadLog` when it no longer counts."""
    told, setup = session.referee.event(number), session.plan.setup
    event, is_lay = told.event, isinstance(told.event, CardLaid)
    return Details(
        number=number,
        event=event,
        text=told.sentence(language),
        paragraphs=_paragraphs(session.plan.game, told.rulings),
        because=because_of(session, told, language),
        choices=_choices(session, told, language),
        cards=likely_cards(event) if isinstance(event, CardLaid) else (),
        seats=tuple(zip(setup.seats, setup.players, strict=True)) if is_lay else (),
        is_filmed=session.proof is not None,
    )


def _paragraphs(game: str, rulings: tuple[Ruling, ...]) -> tuple[tuple[str, str], ...]:
    """Each paragraph once, leading to the weightiest ruling that names it: a foul, else the first."""
    found: dict[str, str] = {}
    for ruling in sorted(rulings, key=lambda one: not one.is_foul):
        if ruling.paragraph:
            found.setdefault(ruling.paragraph, f"/rules/{game}#{ruling.code}")
    return tuple(found.items())


def likely_cards(event: CardLaid) -> tuple[Card, ...]:
    """What a laid card may be instead: what the reader thought of first, then its neighbours in rank and suit."""
    near = tuple(card for card in DECK_52 if event.card.is_known and card.rank == event.card.rank)
    return tuple(card for card in dict.fromkeys((*event.likely, *near)) if card is not event.card)[:4]


def _choices(session: Session, told: Told, language: str) -> tuple[Choice, ...]:
    ruled = {(ruling.code, ruling.seat) for ruling in told.rulings}
    return tuple(
        Choice((ruling,), words.tell(told.game, (ruling,), told.setup, language), ruling.is_foul)
        for ruling in session.referee.options(told.number)
        if (ruling.code, ruling.seat) not in ruled
    )


def because_of(session: Session, told: Told, language: str) -> tuple[str, ...]:
    """The events that a ruling rests on, as phrases in order of time; for a card also the slaps around it."""
    numbers = {number for ruling in told.rulings for number in ruling.because} | {told.number}
    events = (other.event for other in session.referee.history())
    grounds = (event for event in events if event.number in numbers or _is_near(event, told.event))
    ordered = sorted(grounds, key=lambda event: event.t_ns)
    return tuple(phrase(session, event, told.event, language) for event in ordered)


def _is_near(event: Event, about: Event) -> bool:
    gap_ns = event.t_ns - about.t_ns
    return isinstance(event, Press) and isinstance(about, CardLaid) and -LOOK_BACK_NS <= gap_ns <= LOOK_ON_NS


def phrase(session: Session, event: Event, about: Event, language: str) -> str:
    """One event in a few words, with its distance from the event that the ruling is `about`."""
    words = _bare_phrase(session, event, language)
    gap_ms = round((event.t_ns - about.t_ns) / 1e6)
    if event.number == about.number or not isinstance(event, Press):
        return words
    word = "before-touch" if gap_ms < 0 else "after-touch"
    return f"{words}, {say(language, word, ms=abs(gap_ms))}"


def _bare_phrase(session: Session, event: Event, language: str) -> str:
    match event:
        case Press(seat=seat) | Hold(seat=seat) | Drawn(seat=seat):
            text = say(language, _EVENTS[type(event)], player=player_of(session, seat))
        case CardLaid(card=card) | CardGone(card=card):
            text = say(language, _EVENTS[type(event)], card=card.pretty())
        case Call(who=who, word=word):
            text = say(language, "event-call", who=who, word=word)
        case _:
            text = say(language, "event-other", number=event.number)
    return text


def player_of(session: Session, seat: Seat) -> str:
    """Who sits at `seat`."""
    setup = session.plan.setup
    return next((name for place, name in zip(setup.seats, setup.players, strict=True) if place == seat), str(seat))


def preview_of(session: Session, edit: Edit, language: str) -> Preview:
    """What `edit` would change beyond its own target; called in the session's thread."""
    referee = session.referee
    target = getattr(edit, "target", 0)
    setup, game = session.plan.setup, session.plan.game
    changes = tuple(
        ShownChange(
            change.number,
            words.tell(game, change.before, setup, language),
            words.tell(game, change.after, setup, language),
        )
        for change in referee.preview(edit)
        if change.number != target and change.before != change.after
    )
    back = referee.goes_back(replace(edit, rewind=True)) if changes else ()
    return Preview(changes, tuple(_goes_back(session, lay, language) for lay in back))


def _goes_back(session: Session, lay: CardLaid, language: str) -> str:
    players = [player_of(session, seat) for seat in sorted(lay.seats)]
    return say(language, "card-to", card=lay.card.pretty(), player=" / ".join(players) or "?")
