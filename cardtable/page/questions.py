"""What the table asks a person, in words: open questions of the game, and broken-off sessions to go on with."""

from __future__ import annotations

from cardtable.page.remarks import game_name
from cardtable.page.snapshot import Asked, Offered
from cardtable.page.words import say
from cardtable.session import Session
from engine.cards import UNKNOWN
from engine.events import CardLaid
from engine.rules import Question


def questions_of(session: Session, language: str) -> tuple[Asked, ...]:
    """Open questions about an event; what a game asks beyond that is in its headline, the answers among its calls."""
    return tuple(_asked(session, question, language) for question in session.referee.questions() if question.about)


def _asked(session: Session, question: Question, language: str) -> Asked:
    event, setup = session.referee.event(question.about).event, session.plan.setup
    read = event.card if isinstance(event, CardLaid) else UNKNOWN
    kind = question.kind if question.kind in ("who", "what") else "question"
    text = say(language, kind if read.is_known else "unread", card=read.pretty())
    cards = tuple(dict.fromkeys((read, *question.cards) if read.is_known and question.cards else question.cards))
    names = dict(zip(setup.seats, setup.players, strict=True))
    seats = tuple(names.get(seat, str(seat)) for seat in question.seats)
    return Asked(question, text, cards, (*seats, *(card.pretty() for card in cards)))


def offers_of(session: Session, language: str) -> tuple[Offered, ...]:
    """Broken-off sessions, as questions with yes and no."""
    return tuple(
        Offered(
            offer.number,
            say(
                language,
                "go-on-text",
                game=game_name(offer.plan.game, language),
                players=", ".join(offer.plan.setup.players),
            ),
        )
        for offer in session.offers
    )


def settle_offer(session: Session, number: int, *, go_on: bool) -> None:
    """Goes on with the offered session in place of this one, or declines it; called in the session's thread."""
    offer = next((offer for offer in session.offers if offer.number == number), None)
    if offer is None:
        return
    if go_on:
        session.go_on(*offer.restore())
        return
    offer.decline()
    session.offers = tuple(other for other in session.offers if other.number != number)
