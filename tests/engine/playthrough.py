"""Golden playthroughs: text files that tell a party step by step, with everything the referee says to it.

What happens begins in the first column; the indented lines below it are the referee's, and
`python -m tests.engine.playthrough` writes them anew. Names are the players';
`+2.5` before a deed first lets seconds pass:

    game bong seats=Anna,Boris,Vera dealer=Vera stall_collect=pile     the first line
    call WORD [NAME] [count=N] [card=CARD]     a person says so
    press NAME · hold NAME                     a short press, a hold of 0.8 s
    slap NAME CARD                             a press and, 90 ms later, the card
    lay CARD [hand=NAME] [sure=0.6] [likely=4S,9S] [rival=yes] [zone=widow-2]     a card, whose is to be found out
    run NAME NAME …                            each lays the next card that is needed
    deal · back NAME [COUNT]                   the first deal of Ochko; cards face down at a seat
    turn NAME CARD …                           a seat turns its row up, card by card
    gone CARD · show NAME CARD … · draw NAME   a card goes back, is shown; a lot falls
    answer NAME · answer CARD                  the table's first question is answered
    undo · void CARD · overrule CARD CODE      corrections
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.cards import Card
from engine.errors import BadCard
from engine.events import CardLaid, Event
from engine.referee import Told
from engine.rules import Question
from engine.seats import Seat
from tests.engine.debertz import DebertzTable
from tests.engine.ochko import OchkoTable
from tests.engine.table import TOUCH_MS, AnyTable, Table
from tests.engine.ton import TonTable

TABLES: dict[str, type[AnyTable[Any]]] = {"bong": Table, "ton": TonTable, "ochko": OchkoTable, "debertz": DebertzTable}
"""At which table each game is played."""
FOLDER = Path(__file__).parents[1] / "playthroughs"


class Playthrough:
    """Plays one text and notes what is ruled."""

    def __init__(self, text: str) -> None:
        self.lines = [line for line in text.splitlines() if line and not line.startswith((" ", "\t"))]
        head = next(line for line in self.lines if not line.startswith("#")).split()
        given = dict(word.split("=", 1) for word in head[2:])
        self.names = given.pop("seats").split(",")
        dealer = given.pop("dealer", None)
        self.seats = {name: chr(ord("A") + i) for i, name in enumerate(self.names)}
        table = TABLES[head[1]]
        self.table = table(len(self.names), dealer=None if dealer is None else self.seats[dealer], options=given)
        self.codes: set[str] = set()
        self.board = ""

    def play(self) -> str:
        """The text with the referee's lines as they are now."""
        return "\n".join(self._told_line_by_line()) + "\n"

    def _told_line_by_line(self) -> Iterator[str]:
        for line in self.lines:
            if line.startswith(("+", "call")):
                yield ""
            yield line
            if line.startswith("#"):
                continue
            if not line.startswith("game"):
                self._happen(line.split())
            yield from self._answers()

    def _happen(self, words: list[str]) -> None:
        self.table.news.clear()
        if words[0].startswith("+"):
            self.table.wait(int(float(words.pop(0)) * 1000))
        if words:
            plain = [word for word in words[1:] if "=" not in word]
            self._deed(words[0])(plain, dict(word.split("=", 1) for word in words[1:] if "=" in word))

    def _deed(self, word: str) -> Callable[[list[str], dict[str, str]], object]:
        found: Callable[[list[str], dict[str, str]], object] = getattr(self, f"_do_{word}")
        return found

    def _answers(self) -> Iterator[str]:
        last = {told.number: told for told in self.table.news}
        for told in last.values():
            self.codes |= {ruling.code for ruling in told.rulings}
            yield from self._told(told)
        board = self.table.board()
        if board != self.board:
            yield f"    = {board}"
        self.board = board
        yield from (f"    ? {self._asked(question)}" for question in self.table.referee.questions())

    def _told(self, told: Told) -> Iterator[str]:
        was = "" if told.before is None else f" (was {', '.join(ruling.code for ruling in told.before) or 'nothing'})"
        if told.rulings or told.before:
            names = ", ".join(ruling.code for ruling in told.rulings) or "nothing"
            yield f"    {names}{was}: {told.sentence('en')}"
            if told.rulings:
                yield f"    {' ' * len(names + was)}  {told.sentence('ru')}"

    def _asked(self, question: Question) -> str:
        likely = [self.names[ord(seat) - ord("A")] for seat in question.seats] + [str(card) for card in question.cards]
        return f"{question.kind}: {', '.join(likely)}"

    # What can happen

    def _do_call(self, words: list[str], more: dict[str, str]) -> None:
        seat = self.seats[words[1]] if len(words) > 1 else None
        count = int(more["count"]) if "count" in more else None
        self.table.call(words[0], seat, count=count, card=more.get("card"))

    def _do_press(self, words: list[str], more: dict[str, str]) -> None:
        self.table.press(self.seats[words[0]])

    def _do_hold(self, words: list[str], more: dict[str, str]) -> None:
        self.table.hold(self.seats[words[0]])

    def _do_slap(self, words: list[str], more: dict[str, str]) -> None:
        self.table.press(self.seats[words[0]])
        self.table.at += TOUCH_MS
        self._do_lay(words[1:], more)

    def _do_lay(self, words: list[str], more: dict[str, str]) -> None:
        extra: dict[str, Any] = {}
        if "sure" in more:
            extra["sure"] = float(more["sure"])
        if "likely" in more:
            extra["likely"] = tuple(Card(card) for card in more["likely"].split(","))
        if "zone" in more:
            extra["zone"] = more["zone"]
        if "rival" in more:
            extra["rival"] = self.table.lays
        self.table.lay(words[0], hand=self.seats[more["hand"]] if "hand" in more else "", **extra)

    def _do_run(self, words: list[str], more: dict[str, str]) -> None:
        assert isinstance(self.table, Table)
        self.table.run("".join(self.seats[name] for name in words))

    def _do_deal(self, words: list[str], more: dict[str, str]) -> None:
        assert isinstance(self.table, OchkoTable)
        self.table.deal()

    def _do_back(self, words: list[str], more: dict[str, str]) -> None:
        assert isinstance(self.table, OchkoTable)
        for _ in range(int(words[1]) if len(words) > 1 else 1):
            self.table.back(self.seats[words[0]])

    def _do_turn(self, words: list[str], more: dict[str, str]) -> None:
        assert isinstance(self.table, OchkoTable)
        self.table.opens(self.seats[words[0]], " ".join(words[1:]))

    def _do_gone(self, words: list[str], more: dict[str, str]) -> None:
        laid = self._laid(words[0])
        self.table.gone(laid.lay)

    def _do_show(self, words: list[str], more: dict[str, str]) -> None:
        self.table.shown(self.seats[words[0]], " ".join(words[1:]))

    def _do_draw(self, words: list[str], more: dict[str, str]) -> None:
        self.table.draw(self.seats[words[0]])

    def _do_answer(self, words: list[str], more: dict[str, str]) -> None:
        question = self.table.referee.questions()[0]
        if words[0] in self.seats:
            told = self.table.referee.answer(question, seat=self._seat(words[0]), who="host")
        else:
            told = self.table.referee.answer(question, card=Card(words[0]), who="host")
        self.table.news += told

    def _do_undo(self, words: list[str], more: dict[str, str]) -> None:
        self.table.news += self.table.referee.undo(who="host", why="mistaken")

    def _do_void(self, words: list[str], more: dict[str, str]) -> None:
        self.table.news += self.table.referee.void(self._laid(words[0]).number, who="host", why="mistaken")

    def _do_overrule(self, words: list[str], more: dict[str, str]) -> None:
        number = self._laid(words[0]).number
        chosen = next(ruling for ruling in self.table.referee.options(number) if ruling.code == words[1])
        self.table.news += self.table.referee.overrule(number, (chosen,), who="host", why="house rule")

    def _seat(self, name: str) -> Seat:
        return self.table.setup.seats[ord(self.seats[name]) - ord("A")]

    def _laid(self, card: str) -> CardLaid:
        events: list[Event] = [told.event for told in self.table.laid()]
        found = [event for event in events if isinstance(event, CardLaid) and event.card is Card(card)]
        if not found:
            raise BadCard(f"no {card} has been laid")
        return replace(found[-1])


def texts(game: str) -> list[Path]:
    """The playthroughs of that game."""
    return sorted((FOLDER / game).glob("*.txt"))


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*/*.txt")):
        path.write_text(Playthrough(path.read_text(encoding="utf-8")).play(), encoding="utf-8")
