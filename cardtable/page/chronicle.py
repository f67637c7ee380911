"""What has been ruled so far, kept in the session's thread as it is told, and turned into snapshots."""

from __future__ import annotations

from heapq import nlargest
from typing import Any

from cardtable.lines import QUIET_CODES
from cardtable.page.questions import offers_of, questions_of
from cardtable.page.remarks import game_name, race_note, source_name
from cardtable.page.snapshot import Line, Snapshot, slaps_of
from cardtable.page.words import say
from cardtable.session import STORE, Session, Update
from engine import words
from engine.events import CardLaid
from engine.referee import Referee, Told
from engine.rules import Audience
from engine.rulings import Ruling
from engine.seats import Seat

CAMERA, TABLE = "camera", "table"
MOST_LINES = 60
"""As many rulings as a host scrolls through; older ones are in the log."""


class Chronicle:
    """The newest telling of every event of one game that counts; lives in the session's thread."""

    def __init__(self, session: Session) -> None:
        """Takes over what was ruled before anyone listened."""
        self.referee: Referee[Any] = session.referee
        self._told: dict[int, Told] = {}
        """What is worth a sentence, by event number."""
        self._settled: set[int] = set()
        self._latest = 0
        self._beside: object = (session.lost, session.buttons.shown)
        self._lines: dict[tuple[int, str], tuple[Told, Line]] = {}
        for told in session.referee.history():
            self._note(told)
            self._settled.add(told.number)

    def add(self, update: Update) -> bool:
        """Remembers what was told; whether a page may have to show something new."""
        for told in update.told:
            self._note(told)
        for told in update.settled:
            self._settle(told)
        beside = (update.lost, update.buttons)
        is_new = bool(update.told or update.settled or beside != self._beside)
        self._beside = beside
        return is_new

    def shoot(self, session: Session, language: str, address: str = "") -> Snapshot:
        """The session as it stands; phones find it at `address`."""
        referee, latest, shown = session.referee, self._told.get(self._latest), session.buttons.shown
        return Snapshot(
            language=language,
            game=game_name(session.plan.game, language),
            board=referee.view(Audience("hall", None, language)),
            lines=tuple(self._line(self._told[n], language) for n in nlargest(MOST_LINES, self._told)),
            latest=self._line(latest, language) if latest else None,
            slaps=slaps_of(shown.race),
            slaps_note=race_note(shown.race, players_of(session), language),
            buttons=shown,
            questions=questions_of(session, language),
            offers=offers_of(session, language),
            now_ns=session.now_ns,
            address=address,
            is_blind=session.tracker is None or bool({CAMERA, TABLE} & session.lost),
            lost=tuple(_lost_text(source, session, language) for source in sorted(session.lost)),
        )

    def _note(self, told: Told) -> None:
        if not loud(told):
            self._told.pop(told.number, None)
            return
        self._told[told.number] = told
        if told.before != told.rulings:
            self._latest = told.number

    def _settle(self, told: Told) -> None:
        self._settled.add(told.number)
        if told.number in self._told:
            self._told[told.number] = told

    def _line(self, told: Told, language: str) -> Line:
        kept = self._lines.get((told.number, language))
        if kept is None or kept[0] is not told:
            is_changed = told.number in self._settled and told.before not in (None, told.rulings)
            kept = self._lines[told.number, language] = (told, line_of(told, language, is_changed=is_changed))
        return kept[1]


def line_of(told: Told, language: str, *, is_changed: bool = False) -> Line:
    """The rulings on one event as one line; the verdict comes first."""
    rulings, event = loud(told), told.event
    return Line(
        number=told.number,
        text=words.tell(told.game, rulings, told.setup, language),
        card=event.card if isinstance(event, CardLaid) else None,
        is_foul=any(ruling.is_foul for ruling in rulings),
        is_provisional=isinstance(event, CardLaid) and not told.settled,
        is_changed=is_changed,
        paragraph=next((ruling.paragraph for ruling in rulings if ruling.paragraph), ""),
    )


def loud(told: Told) -> tuple[Ruling, ...]:
    """The rulings that are worth a sentence."""
    return tuple(ruling for ruling in told.rulings if ruling.code not in QUIET_CODES)


def players_of(session: Session) -> dict[Seat, str]:
    """Who sits where."""
    return dict(zip(session.plan.setup.seats, session.plan.setup.players, strict=True))


def _lost_text(source: str, session: Session, language: str) -> str:
    if source == CAMERA and session.camera_trouble is not None:
        sentence = session.camera_trouble.tell(language)
        return sentence[:1].upper() + sentence[1:]
    if source in (CAMERA, STORE, TABLE):
        return say(language, f"lost-{source}")
    return say(language, "lost-buttons", name=source_name(source, players_of(session), language))
