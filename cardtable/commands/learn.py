"""`cardtable learn`: learns how a deck's indices look."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from cardtable.learning import Teaching
    from vision.reader import LearntDeck


def learn(
    name: Annotated[str, typer.Argument(help="What to call the deck, e.g. black-foil.")],
    photos: Annotated[Path | None, typer.Option(metavar="DIR", help="Photographs of its cards.")] = None,
    camera: Annotated[str | None, typer.Option(help="Or show the cards to a camera: 0, /dev/video0, …")] = None,
    cards: Annotated[int, typer.Option(help="How many cards it has: 52, 36 or 32.")] = 52,
    json: Annotated[bool, typer.Option("--json", help="One JSON object about what was learnt.")] = False,
) -> None:
    """Learns a deck that reads badly, from each of its cards shown once or a few times, in any order.

    Photographs named after their cards (`9H.jpg`, `9H 10D.jpg`) need no questions. Then: `cardtable look --deck NAME`,
    `cardtable play … --deck NAME`.

    Example: `cardtable learn black-foil --photos foil/`
    """
    from cardtable.decks import deck_path
    from cardtable.errors import BadSettings
    from cardtable.learning import Teaching
    from engine.cards import DECK_32, DECK_36, DECK_52
    from vision.reader import Reader, write_deck
    from vision.reader.lessons import Lessons

    decks = {52: DECK_52, 36: DECK_36, 32: DECK_32}
    path = deck_path(name)
    if cards not in decks:
        raise BadSettings(f"there is no deck of {cards} cards; --cards takes 52, 36 or 32")
    if (photos is None) == (camera is None):
        raise BadSettings("say where its cards are shown: --photos DIR or --camera 0, one of them")
    teaching = Teaching(Lessons(Reader.load(), decks[cards]), say=_say, ask=_ask)
    _show(teaching, photos, camera)
    deck = teaching.lessons.deck()
    write_deck(deck, path)
    typer.echo(_json(name, path, deck, teaching) if json else "\n".join(_sentences(name, path, deck, teaching)))


def _show(teaching: Teaching, photos: Path | None, camera: str | None) -> None:
    """Shows the cards; Ctrl+C ends it, and what was shown until then counts."""
    try:
        if photos is not None:
            teaching.show_folder(photos)
        elif camera is not None:
            from vision.cameras import open_camera

            source = open_camera(camera)
            try:
                teaching.watch(source)
            finally:
                source.close()
    except KeyboardInterrupt:
        _say("")


def _say(sentence: str) -> None:
    typer.echo(sentence, err=True)


def _ask(question: str) -> str | None:
    import sys

    if not sys.stdin.isatty():
        return None
    typer.echo(question, nl=False, err=True)
    answer = sys.stdin.readline()
    return answer if answer else None


def _sentences(name: str, path: Path, deck: LearntDeck, teaching: Teaching) -> list[str]:
    from cardtable.learning import pretty

    lessons = teaching.lessons
    said = [
        f"{name}: {len(deck.labels)} views of {len(deck.cards)} cards from {lessons.pictures} pictures are in {path}",
        "they make it read better; use it with --deck " + name
        if deck.changes_reading
        else "it reads as well without them, so that --deck " + name + " will change nothing",
    ]
    if lessons.missing:
        said.append(f"never seen: {pretty(lessons.missing)}")
    if teaching.skipped:
        said.append(
            f"{teaching.skipped} pictures were unsure and nobody was there to ask; run it in a terminal, or name the "
            "files after their cards, e.g. 9H.jpg or '9H 10D.jpg'"
        )
    return said


def _json(name: str, path: Path, deck: LearntDeck, teaching: Teaching) -> str:
    import json

    about: dict[str, Any] = {
        "deck": name,
        "file": str(path),
        "pictures": teaching.lessons.pictures,
        "skipped": teaching.skipped,
        "views": len(deck.labels),
        "cards": sorted(map(str, deck.cards)),
        "missing": [str(card) for card in teaching.lessons.missing],
        "gain": {"rank": round(deck.rank.gain, 4), "suit": round(deck.suit.gain, 4)},
    }
    return json.dumps(about)
