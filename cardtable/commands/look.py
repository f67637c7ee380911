"""`cardtable look`: reads the cards in pictures."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer


def look(
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTO...", help="Pictures of cards.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON line a picture.")] = False,
    draw: Annotated[Path | None, typer.Option(metavar="DIR", help="Write annotated pictures there.")] = None,
    models: Annotated[Path | None, typer.Option(metavar="DIR", help="Weights other than the released ones.")] = None,
    detector: Annotated[
        Path | None, typer.Option(metavar="FILE", help="An ultralytics pose model (.pt, .onnx) in place of the finder.")
    ] = None,
    deck: Annotated[str, typer.Option(metavar="NAME", help="A deck learnt with `cardtable learn`.")] = "",
) -> None:
    """Reads the cards in pictures.

    Example: `cardtable look table.jpg --json --draw /tmp/read`
    """
    from cardtable.decks import find_deck
    from vision.reader import Reader
    from vision.reader.photos import draw_photo, load_picture, read_photo

    load_picture(photos[0])  # a wrong path is told before the model is loaded
    reader = Reader.load(models, detector=detector, learnt=find_deck(deck))
    for photo in photos:
        found = read_photo(reader, photo) if draw is None else draw_photo(reader, photo, draw)
        typer.echo(_json(found) if json else _sentence(found))


def _json(found: Mapping[str, Any]) -> str:
    import json

    return json.dumps(found, ensure_ascii=False)


def _sentence(found: Mapping[str, Any]) -> str:
    cards = ", ".join(f"{card['card']} ({card['sure']:.2f})" for card in found["cards"]) or "no card"
    return f"{found['photo']}: {cards}"
