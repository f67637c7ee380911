"""Learns a deck with the help of a person: goes through photographs or camera pictures, asks where it is unsure."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cardtable.errors import BadSettings
from engine.cards import Card
from engine.errors import BadCard
from vision.frames import PICTURE_SUFFIXES, read_picture

if TYPE_CHECKING:
    from vision.frames import FrameSource
    from vision.reader.lessons import Lessons, Shown

Say = Callable[[str], None]
Ask = Callable[[str], str | None]
"""Puts a question to a person; None: nobody is there to answer."""

_STEADY_LOOKS = 2
_ASK_AFTER_LOOKS = 5
_WAIT_S = 0.03
LEAVE = "q"


class Teaching:
    """A person and a program over one deck's lessons."""

    def __init__(self, lessons: Lessons, *, say: Say, ask: Ask) -> None:
        self.lessons = lessons
        self.skipped = 0
        """Pictures of which nobody said what they show."""
        self._say, self._ask = say, ask
        self._has_left = False

    def show_folder(self, folder: Path) -> None:
        """Goes through the photographs in `folder`, and through those added while cards are still missing.

        Raises `BadSettings` when there are none, `UnreadablePicture` for a damaged one.
        """
        done: set[Path] = set()
        while fresh := [path for path in photographs(folder) if path not in done]:
            for path in fresh:
                self._show_photo(path)
            done.update(fresh)
            if self._has_left or not self.lessons.missing or not self._is_going_on(folder):
                return

    def watch(self, source: FrameSource) -> None:
        """Takes cards in as they are held under the camera, until all were seen or the source is over."""
        seen: tuple[Card, ...] = ()
        looks, asked = 0, set[tuple[Card, ...]]()
        while self.lessons.missing and not source.is_over and not self._has_left:
            frame = source.newest()
            if frame is None:
                time.sleep(_WAIT_S)
                continue
            shown = self.lessons.look(frame.picture)
            cards = tuple(sorted(shown.cards, key=str))
            looks = looks + 1 if cards == seen else 1
            seen = cards
            if looks >= _STEADY_LOOKS and shown.is_sure and set(cards) & set(self.lessons.missing):
                self._take(shown, cards, are_all=False)
            elif looks >= _ASK_AFTER_LOOKS and not shown.is_sure and shown.corners and cards not in asked:
                asked.add(cards)
                self._question(shown, "the camera's picture")

    def _show_photo(self, path: Path) -> None:
        if self._has_left:
            return
        shown = self.lessons.look(read_picture(path))
        named = cards_in_name(path.stem)
        if named:
            self._take(shown, named, are_all=True)
        elif shown.is_sure:
            self._take(shown, shown.cards, are_all=False)
        else:
            self._question(shown, str(path))

    def _question(self, shown: Shown, what: str) -> None:
        """Asks until the answer makes sense."""
        guess = " ".join(map(str, shown.cards)) or "no card that I can read"
        answer = self._ask(f"{what} shows {guess}? Enter: yes; or name its cards, e.g. 9H 10D; - skips it; q ends: ")
        while answer is not None:
            answer = answer.strip()
            if answer == LEAVE:
                self._has_left = True
            if answer in ("-", LEAVE) or not (answer or shown.cards):
                return
            try:
                self._take(shown, [Card(word) for word in answer.split()] or shown.cards, are_all=True)
            except BadCard as error:
                answer = self._ask(f"{error}. Which cards are they? ")
            else:
                return
        self.skipped += 1
        self._take(shown, [reading.card for reading in shown.readings if reading.sure >= 0.9], are_all=False)

    def _take(self, shown: Shown, cards: Sequence[Card], *, are_all: bool) -> None:
        before = set(self.lessons.missing)
        found = self.lessons.take(shown, cards, are_all=are_all)
        new = sorted(before - set(self.lessons.missing), key=str)
        if new:
            self._say(f"{pretty(new)} learnt; {len(self.lessons.missing)} still missing")
        unseen = [card for card in cards if card not in found]
        if are_all and unseen:
            self._say(f"no index of {pretty(unseen)} was found there; show it closer or in better light")

    def _is_going_on(self, folder: Path) -> bool:
        missing = pretty(self.lessons.missing)
        answer = self._ask(f"Not seen yet: {missing}. Put photographs of them into {folder} and press Enter; q ends: ")
        return answer is not None and answer.strip() != LEAVE


def pretty(cards: Iterable[Card]) -> str:
    """The cards as printed, `9♥ 10♦`."""
    return " ".join(card.pretty() for card in cards)


def photographs(folder: Path) -> list[Path]:
    """The pictures in `folder` in the order of their names; raises `BadSettings` when there are none."""
    if not folder.is_dir():
        raise BadSettings(f"there is no folder {folder}; give one with photographs of the deck")
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURE_SUFFIXES)
    if not found:
        raise BadSettings(f"there are no pictures in {folder}; put photographs of the deck there (JPEG or PNG)")
    return found


def cards_in_name(stem: str) -> tuple[Card, ...]:
    """The cards that a file is named after, as in `9H`, `9H 10D` or `9H-2`; none if it has any other name."""
    words = [word for word in re.split(r"[\s,_+-]+", stem) if word]
    cards = [word for word in words if not word.isdigit()]
    try:
        return tuple(Card(word) for word in cards)
    except BadCard:
        return ()
