"""`cardtable doctor`: is everything here that a table needs?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardtable.commands.play import LampsOption
from cardtable.settings import Settings
from engine.errors import TableError
from hardware.errors import ButtonError

if TYPE_CHECKING:
    from engine.seats import Seat
    from hardware.lamps import Lamps
    from hardware.sources import EdgeSource

LEVELS_S = 0.2
"""Time for every button to say whether it is down."""

Check = Callable[[Settings], str]


def doctor(
    camera: Annotated[str | None, typer.Option(help="Camera to try, e.g. 0 or /dev/video0.")] = None,
    buttons: Annotated[str | None, typer.Option(help="Buttons to try, e.g. box or gpio:A=5,B=6.")] = None,
    lamps: LampsOption = None,
    listen: Annotated[float, typer.Option(metavar="SECONDS", min=0, help="Press every button meanwhile.")] = 0,
    fair: Annotated[int, typer.Option(metavar="TIMES", min=0, help="Slap on so many cues: are all alike?")] = 0,
    store: Annotated[Path | None, typer.Option(metavar="FILE", help="Where sessions are kept.")] = None,
    config: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings file.")] = None,
) -> None:
    """Checks model, store, camera and buttons and says what to do. Exit status 1: something is wrong.

    Example: `cardtable doctor --camera 0 --buttons box`

    Example: `cardtable doctor --buttons box --listen 20 --fair 10`
    """
    from cardtable.settings import read_settings, with_flags

    settings = with_flags(read_settings(config), camera=camera, buttons=buttons, lamps=lamps, store=store)
    look_at_buttons = partial(_buttons, listen_s=listen, fair=fair)
    checks: dict[str, Check] = {"model": _model, "store": _store, "camera": _camera, "buttons": look_at_buttons}
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
    from contextlib import closing

    from cardtable.steadiness import check_steadiness

    with closing(open_camera(settings.camera)) as source:
        return f"{settings.camera} gives pictures; {check_steadiness(settings, source)}"


def _buttons(settings: Settings, *, listen_s: float, fair: int) -> str:
    from contextlib import ExitStack

    from engine.seats import seats
    from hardware.choose import open_buttons
    from hardware.lighting import open_lights, read_pins

    if not settings.buttons:
        return "none chosen, phones are the buttons"
    around = seats(len(settings.players) or 6)
    reserved = tuple(read_pins(settings.lamps, around).values())
    with ExitStack() as opened:
        sources = open_buttons(settings.buttons, around, reserved=reserved)
        for source in sources:
            opened.callback(source.close)
        lights = open_lights(settings.lamps, around, sources)
        if lights is not None:
            opened.callback(lights.close)
            lights.start()
        found = _inspect(sources, listen_s)
        if fair:
            _try_fairness(sources, around, lights, fair)
    return f"{settings.buttons} can be read; {found}"


def _inspect(sources: Sequence[EdgeSource], listen_s: float) -> str:
    from cardtable.checking import listen, report_line
    from hardware.arming import Condition

    if listen_s:
        typer.echo(f"Press every button a few times; {listen_s:.0f} s …")
    reports, now_ns = listen(sources, max(listen_s, LEVELS_S))
    for report in reports if listen_s else ():
        typer.echo(report_line(report, now_ns))
    stuck = [f"{report.seat} ({report.source})" for report in reports if report.condition is Condition.STUCK]
    if stuck:
        raise ButtonError(f"stuck down: {', '.join(stuck)}; let go of it, or look for a short circuit in its cable")
    return f"{sum(report.is_down for report in reports)} of {len(reports)} are down"


def _try_fairness(sources: Sequence[EdgeSource], around: Sequence[Seat], lights: Lamps | None, times: int) -> None:
    from cardtable.checking import fairness_line, run_fairness

    typer.echo("Hands on the buttons. At each cue everybody slaps as fast as possible.")

    def cue(number: int, of: int) -> None:
        typer.echo(f"\a{number} of {of}: NOW")

    for each in run_fairness(sources, around, lamps=lights, cue=cue, times=times):
        typer.echo(fairness_line(each, times))
    typer.echo("Whose hand is slow and whose button goes hard cannot be told apart: nothing is corrected.")
