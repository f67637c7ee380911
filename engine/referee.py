"""The referee: logs what happens, finds out whose lay was whose, judges, and tells what is new or has changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from engine.cards import Card
from engine.errors import BadLog
from engine.events import CardGone, CardLaid, Drawn, Event, Passed, Press
from engine.fold import Fold
from engine.log import TABLE, Correct, Edit, Happened, Insert, Log, Overrule, Rejudged, Undo, Void
from engine.matching import SLAP, Matching
from engine.order import Standing, lay_of
from engine.race import Window
from engine.rules import Audience, Question, Rules, Scoreboard, Setup
from engine.rulings import Ruling
from engine.seats import Seat
from engine.words import tell

__all__ = ["SLAP", "Change", "Referee", "Told"]

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Told:
    """Something that is new, or is ruled otherwise than it was."""

    number: int
    """Log number of the event."""
    event: Event
    """As it stands now: with the seat attributed, the card corrected."""
    rulings: tuple[Ruling, ...]
    before: tuple[Ruling, ...] | None = None
    """What it had been ruled before; None: it is new."""
    settled: bool = True
    """Nothing that may still arrive in time can change whose lay it was."""
    setup: Setup | None = None
    game: str = ""

    def sentence(self, language: str = "en") -> str:
        """All its rulings in words, in `en` or `ru`."""
        return tell(self.game, self.rulings, self.setup, language)


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit would do to one event; no rulings after it: the event would no longer count."""

    number: int
    event: Event
    before: tuple[Ruling, ...]
    after: tuple[Ruling, ...]


class Referee(Generic[S]):
    """Judges one game. Feed it events as they become known; it keeps them in order of time and tells what changes."""

    def __init__(self, rules: Rules[S], setup: Setup) -> None:
        """Raises `BadSetup` when players, seats or options do not fit the game."""
        self.rules = rules
        self.setup = setup
        self.log = Log()
        self.differences: tuple[Change, ...] = ()
        """After `restore`: where the rules would now rule otherwise than is stored."""
        self._start = rules.start(setup)
        self._fold: Fold[S] = Fold(rules, self._start)
        self._told: dict[int, tuple[Event, tuple[Ruling, ...]]] = {}
        self._now_ns = -1
        self._settled: set[int] = set()
        self._is_rebuilt = False
        window = getattr(rules, "window", None)
        self._matching = Matching(self._fold, Window(*window(self._start)) if window else Window())

    @property
    def state(self) -> S:
        """The game's state after everything fed so far."""
        return self._fold.state

    def feed(self, event: Event) -> tuple[Told, ...]:
        """Logs and judges `event`; returns it and everything whose ruling or seat it changed, in order of time.

        A `CardLaid` whose `lay` is known already is a better reading of that card.
        """
        known = self._lay(event.lay) if isinstance(event, CardLaid) else None
        if known is not None and isinstance(event, CardLaid):
            return self._read_again(known, event)
        number = self.log.next_number
        self._now_ns = max(self._now_ns, event.t_ns)
        item = Standing(number, replace(event, number=number))
        self._fold.insert(item)
        self._matching.loosen(event.t_ns)
        matched = self._matching.judge([item])
        self.log.append(Happened(event=item.event, rulings=item.rulings))
        self._log_matches(matched - {number})
        return self._news()

    def undo(self, *, who: str, why: str) -> tuple[Told, ...]:
        """Takes back the last thing that mattered: a lay with its slap, a press with a meaning, a call, or an edit."""
        targets = self._last_deed()
        if not targets:
            raise BadLog("there is nothing left to undo")
        return self.edit(Undo(targets=targets, who=who, why=why))

    def void(self, number: int, *, who: str, why: str, rewind: bool = False) -> tuple[Told, ...]:
        """That event never happened."""
        return self.edit(Void(target=number, who=who, why=why, rewind=rewind))

    def correct(self, number: int, event: Event, *, who: str, why: str, rewind: bool = False) -> tuple[Told, ...]:
        """That event was in truth `event`."""
        return self.edit(Correct(target=number, event=event, who=who, why=why, rewind=rewind))

    def insert(self, event: Event, *, who: str, why: str, rewind: bool = False) -> tuple[Told, ...]:
        """`event` happened too, at its own `t_ns`."""
        return self.edit(Insert(event=event, who=who, why=why, rewind=rewind))

    def overrule(
        self, number: int, rulings: tuple[Ruling, ...], *, who: str, why: str, rewind: bool = False
    ) -> tuple[Told, ...]:
        """That event is ruled so."""
        return self.edit(Overrule(target=number, rulings=rulings, who=who, why=why, rewind=rewind))

    def edit(self, edit: Edit, *, keep: Iterable[int] = ()) -> tuple[Told, ...]:
        """Carries out an edit; the events `keep` stay ruled as played. Raises `BadLog` when it makes no sense."""
        self._check(edit)
        kept = [(number, self._told[number][1]) for number in keep if number in self._told]
        self.log.append(edit)
        for number, rulings in kept:
            self.log.append(Overrule(target=number, rulings=rulings, who=edit.who, why="as it was played"))
        self._rebuild()
        self._log_matches(self._matching.judge(self._fold.lays))
        return self._news()

    def preview(self, edit: Edit) -> tuple[Change, ...]:
        """The rulings that the edit would change, its own target's included; nothing is changed yet."""
        return tuple(
            Change(told.number, told.event, told.before or (), told.rulings) for told in self._twin().edit(edit)
        )

    def goes_back(self, edit: Edit) -> tuple[CardLaid, ...]:
        """The lays that a rewind takes back, top card first: whose card goes back to whom."""
        twin = self._twin()
        twin.edit(edit)
        away = {item.event.lay for item in self._fold.items if isinstance(item.event, CardGone)}
        taken = [item.event for item in reversed(self._fold.lays) if not twin._fold.has(item.number)]
        return tuple(event for event in taken if isinstance(event, CardLaid) and event.lay not in away)

    def options(self, number: int) -> tuple[Ruling, ...]:
        """What a person may decide instead of what that event was ruled."""
        return self.rules.options(self._fold.state_before(number), self._fold.find(number).event)

    def questions(self) -> tuple[Question, ...]:
        """What the table should ask a person now."""
        asked = self.rules.questions(self.state)
        return tuple(question for question in asked if (self._asked_ns(question) or 0) <= self._now_ns)

    def answer(
        self, question: Question, *, seat: Seat | None = None, card: Card | None = None, who: str
    ) -> tuple[Told, ...]:
        """A person says whose lay it was, or which card it is."""
        event = self._fold.find(question.about).event
        if not isinstance(event, CardLaid) or (seat is None and card is None):
            raise BadLog(f"the question about event {question.about} needs a seat or a card as its answer")
        if seat is not None:
            event = replace(event, seats=frozenset((seat,)), hand=frozenset((seat,)))
        if card is not None:
            event = replace(event, card=card, sure=1.0, likely=())
        return self.correct(question.about, event, who=who, why=f"answers {question.kind}")

    def lot(self) -> tuple[str, tuple[Seat, ...]] | None:
        """The lot to be drawn now and the seats it is drawn among; the session draws and feeds `Drawn`."""
        return self.rules.lot(self.state)

    def deadline(self) -> int | None:
        """The moment that matters next; the session feeds `Passed` once every source is complete up to it."""
        due = [self._asked_ns(question) or 0 for question in self.rules.questions(self.state)]
        moments = [t_ns for t_ns in due if t_ns > self._now_ns]
        decided = self.rules.deadline(self.state)
        return min(moments if decided is None else [*moments, decided], default=None)

    def view(self, audience: Audience) -> Scoreboard:
        """The scoreboard for that audience."""
        return self.rules.view(self.state, audience)

    def event(self, number: int) -> Told:
        """How that event stands now."""
        return self._tell(self._fold.find(number))

    def history(self) -> tuple[Told, ...]:
        """Everything that counts, in order of time."""
        return tuple(self._tell(item) for item in self._fold.items)

    def settled_lays(self, mark_ns: int) -> tuple[Told, ...]:
        """The lays that are settled once every source is complete up to `mark_ns`, each told once, in pile order."""
        self._matching.mark_ns = max(self._matching.mark_ns, mark_ns)
        self._now_ns = max(self._now_ns, mark_ns)
        settled = []
        for item in self._fold.lays:
            if self._matching.is_frozen(item):
                continue
            if not self._matching.settle(item):
                break
            if item.number not in self._settled:
                self._settled.add(item.number)
                settled.append(item)
        return tuple(self._tell(item) for item in settled)

    @classmethod
    def restore(cls, rules: Rules[S], setup: Setup, log: Log) -> Referee[S]:
        """Goes on from a stored log. Stored rulings stand; where the rules now differ, `differences` says so."""
        referee = cls(rules, setup)
        referee.log = log
        referee._rebuild()
        referee._fold.run()
        stored = log.stored_rulings()
        differing = [item for item in referee._fold.items if stored.get(item.number, item.rulings) != item.rulings]
        referee.differences = tuple(
            Change(item.number, item.event, stored[item.number], item.rulings) for item in differing
        )
        for item in differing:
            item.overruled = stored[item.number]
        if differing:
            referee._fold = Fold(rules, referee._start, referee._fold.items)
            referee._fold.run()
            referee._matching = Matching(referee._fold, referee._matching.window)
        referee._is_rebuilt = False
        referee._now_ns = max((item.event.t_ns for item in referee._fold.items), default=-1)
        referee._fold.judged_from = len(referee._fold.items)
        referee._told = {item.number: (item.event, item.rulings) for item in referee._fold.items}
        return referee

    def _check(self, edit: Edit) -> None:
        if isinstance(edit, Void | Correct | Overrule):
            self._fold.find(edit.target)
        if isinstance(edit, Correct) and type(edit.event) is not type(self._fold.find(edit.target).event):
            raise BadLog(f"event {edit.target} cannot become another kind of event; void it and insert the right one")
        if isinstance(edit, Undo) and not all(0 < target < self.log.next_number for target in edit.targets):
            raise BadLog(f"undo names entries that are not in the log: {', '.join(map(str, edit.targets))}")

    def _rebuild(self) -> None:
        self._fold = Fold(self.rules, self._start, self.log.standing())
        self._matching = self._matching.over(self._fold)
        self._is_rebuilt = True

    def _twin(self) -> Referee[S]:
        twin = Referee(self.rules, self.setup)
        twin.log = self.log.copy()
        twin._fold, twin._matching = self._fold, self._matching  # only looked at: an edit folds anew
        twin._told = dict(self._told)
        return twin

    def _last_deed(self) -> tuple[int, ...]:
        undone = {target for entry in self.log.entries if isinstance(entry, Undo) for target in entry.targets}
        for entry in reversed(self.log.entries):
            if entry.number in undone:
                continue
            if isinstance(entry, Edit) and not isinstance(entry, Undo) and entry.who != TABLE:
                return (entry.number,)
            if isinstance(entry, Happened) and self._matters(entry.number):
                return (entry.number, *self._slap_of(self._fold.find(entry.number).event))
        return ()

    def _matters(self, number: int) -> bool:
        if not self._fold.has(number):
            return False
        item = self._fold.find(number)
        # What the clock or a lot decided would only be decided again.
        return not isinstance(item.event, Passed | Drawn) and any(ruling.code != SLAP for ruling in item.rulings)

    def _slap_of(self, event: Event) -> tuple[int, ...]:
        if not isinstance(event, CardLaid) or event.slap_ns is None:
            return ()
        presses = (item.event for item in self._fold.presses)
        return tuple(
            press.number
            for press in presses
            if isinstance(press, Press) and press.t_ns == event.slap_ns and press.seat in event.seats
        )

    def _lay(self, lay: int) -> Standing | None:
        return next((item for item in reversed(self._fold.lays) if lay_of(item) == lay), None)

    def _read_again(self, known: Standing, event: CardLaid) -> tuple[Told, ...]:
        old = known.event
        assert isinstance(old, CardLaid)
        better = replace(event, number=old.number, seats=old.seats, slap_ns=old.slap_ns)
        if known.is_said:
            better = replace(better, card=old.card, sure=old.sure, likely=old.likely, hand=old.hand)
        if better == old:
            return ()
        self._fold.replace(known.number, better)
        self._matching.loosen(min(old.t_ns, event.t_ns))
        self.log.append(Correct(target=known.number, event=better, who=TABLE, why="read again"))
        self._log_matches(self._matching.judge([known]))
        return self._news()

    def _asked_ns(self, question: Question) -> int | None:
        """When a `who` question becomes due: a slap may still come."""
        if question.kind != "who" or not self._fold.has(question.about):
            return None
        return self._fold.find(question.about).event.t_ns + self._matching.window.after_ns + 1

    def _log_matches(self, numbers: set[int]) -> None:
        for number in sorted(numbers):
            self.log.append(
                Correct(target=number, event=self._fold.find(number).event, who=TABLE, why="slaps matched again")
            )

    def _news(self) -> tuple[Told, ...]:
        news = []
        for item in self._fold.items[self._fold.judged_from :]:
            known = self._told.get(item.number)
            if known is None or known[0] is not item.event or known[1] is not item.rulings:
                news.extend(self._new_or_changed(item, known))
        self._fold.judged_from = len(self._fold.items)
        for number in [number for number in self._told if not self._fold.has(number)] if self._is_rebuilt else ():
            event, before = self._told.pop(number)
            news.append(self._make_told(number, event, (), before, settled=True))
        self._is_rebuilt = False
        return tuple(news)

    def _new_or_changed(self, item: Standing, known: tuple[Event, tuple[Ruling, ...]] | None) -> list[Told]:
        self._told[item.number] = (item.event, item.rulings)
        if known is not None and known == (item.event, item.rulings):
            return []
        if known is not None and known[1] != item.rulings:
            self.log.append(Rejudged(target=item.number, rulings=item.rulings))
        return [self._tell(item, None if known is None else known[1])]

    def _tell(self, item: Standing, before: tuple[Ruling, ...] | None = None) -> Told:
        settled = not isinstance(item.event, CardLaid) or item.number in self._settled
        return self._make_told(item.number, item.event, item.rulings, before, settled=settled)

    def _make_told(
        self,
        number: int,
        event: Event,
        rulings: tuple[Ruling, ...],
        before: tuple[Ruling, ...] | None,
        *,
        settled: bool,
    ) -> Told:
        return Told(number, event, rulings, before, settled, self.setup, self.rules.name)
