"""What there is to see around one ruling: its two seconds, and in them every slap and card with its margin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.events import CardLaid, Event, Hold, Press
from engine.ties import window_ns

if TYPE_CHECKING:
    from cardtable.session import Session

BEFORE_NS, AFTER_NS = 1_500_000_000, 500_000_000
"""A lay belongs to a slap at most this long before or, nearly, after it; so does what a person wants to see."""

_WORDS = {
    "en": {"first": "first", "after": "+{ms} ms ± {within}", "tie": "tie, +{ms} ms ± {within}", "hold": "held"},
    "ru": {"first": "первый", "after": "+{ms} мс ± {within}", "tie": "ничья, +{ms} мс ± {within}", "hold": "удержание"},
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One moment that is drawn in."""

    t_ns: int
    within_ns: int
    """The true moment lies at most this far from `t_ns`."""
    text: str
    seat: int | None = None
    """Whose it is, counted clockwise from 0: its colour; None: a card's."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is shown beside the pictures of one ruling."""

    title: str
    """The ruling in a sentence."""
    from_ns: int
    to_ns: int
    about_ns: int
    """The moment that was ruled on."""
    marks: tuple[Mark, ...]
    """In order of time."""


def evidence_of(session: Session, number: int, language: str = "en") -> Evidence:
    """What is to be seen of the event of that number; raises `BadLog` when it does not count."""
    told = session.referee.event(number)
    about_ns = told.event.t_ns
    from_ns, to_ns = about_ns - BEFORE_NS, about_ns + AFTER_NS
    near = [other.event for other in session.referee.history() if from_ns <= other.event.t_ns <= to_ns]
    return Evidence(told.sentence(language), from_ns, to_ns, about_ns, tuple(_marks(near, session, language)))


def _marks(events: Iterable[Event], session: Session, language: str) -> Iterable[Mark]:
    names = {seat: (i, session.plan.setup.players[i]) for i, seat in enumerate(session.plan.setup.seats)}
    words, first = _WORDS.get(language, _WORDS["en"]), None
    for event in sorted(events, key=lambda event: event.t_ns):
        match event:
            case Press(seat=seat):
                first = first or event
                place, name = names[seat]
                yield Mark(event.t_ns, event.within_ns, f"{name}: {_margin(event, first, words)}", place)
            case Hold(seat=seat):
                yield Mark(event.t_ns, event.within_ns, f"{names[seat][1]}: {words['hold']}", names[seat][0])
            case CardLaid(card=card):
                yield Mark(event.t_ns, event.within_ns, card.pretty())
            case _:
                pass


def _margin(press: Press, first: Press, words: dict[str, str]) -> str:
    if press is first:
        return words["first"]
    window, gap_ns = window_ns(press, first), press.t_ns - first.t_ns
    word = "tie" if gap_ns <= window else "after"
    return words[word].format(ms=_ms(gap_ns), within=_ms(window))


def _ms(t_ns: int) -> str:
    """Milliseconds with as many decimals as they are worth."""
    return f"{t_ns / 1e6:.1f}" if t_ns < 100_000_000 else f"{t_ns / 1e6:.0f}"
