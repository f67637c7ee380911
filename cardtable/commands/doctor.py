"""`cardtable doctor`: is everything here that a table needs?"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from cardtable.settings import Settings
from engine.errors import TableError

Check = Callable[[Settings], str]


def doctor(
    camera: Annotated[str | None, typer.Option(help="Camera to try, e.g. 0 or /dev/video0.")] = None,
    buttons: Annotated[str | None, typer.Option(help="Buttons to try, e.g. box or gpio:A=5,B=6.")] = None,
    store: Annotated[Path | None, typer.Option(metavar="FILE", help="Where sessions are kept.")] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings file.")] = None,
) -> None:
    """Checks model, store, camera and buttons and says what to do. Exit status 1: something is wrong.

    Example: `cardtable doctor --camera 0 --buttons box`
    """
    from cardtable.settings import read_settings, with_flags

    settings = with_flags(read_settings(config), camera=camera, buttons=buttons, store=store)
    checks = {"model": _model, "store": _store, "camera": _camera, "buttons": _buttons}
    fine = [_report(name, check, settings) for name, check in checks.items()]
    raise typer.Exit(0 if all(fine) else 1)


def _report(name: str, check: Check, settings: Settings) -> bool:
    try:
        sentence, colour, is_fine = check(settings), typer.colors.GREEN, True
    except TableError as error:
        sentence, colour, is_fine = str(error), typer.colors.RED, False
    typer.echo(typer.style(f"{name}: ", fg=colour, bold=True) + sentence)
    return is_fine


def _model(settings: Settings) -> str:
    import time

    import numpy as np

    from vision.reader import Reader

    reader = Reader.load()
    start = time.perf_counter()
    reader.read(np.full((480, 640, 3), 90, np.uint8))
    return f"loaded, an empty 640×480 picture takes {(time.perf_counter() - start) * 1e3:.0f} ms the first time"


def _store(settings: Settings) -> str:
    from cardtable.store import Store, default_path

    store = Store(settings.store or default_path())
    sentence = f"{store.path} keeps {len(store.sessions())} sessions, {len(store.unfinished())} unfinished"
    store.close()
    return sentence


def _camera(settings: Settings) -> str:
    from vision.cameras import open_camera, what_there_is

    if not settings.camera:
        return f"none chosen, cards are tapped on the page; {what_there_is()}"
    source = open_camera(settings.camera)
    source.close()
    return f"{settings.camera} gives pictures"


def _buttons(settings: Settings) -> str:
    from engine.seats import seats
    from hardware.choose import open_buttons

    if not settings.buttons:
        return "none chosen, phones are the buttons"
    for source in open_buttons(settings.buttons, seats(len(settings.players) or 6)):
        source.close()
    return f"{settings.buttons} can be read"
