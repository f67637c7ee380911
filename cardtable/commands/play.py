"""`cardtable play`: the referee at a real table, or over a recording."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardtable.errors import BadSettings
from cardtable.settings import Output, Settings, read_option, read_settings, split_players, with_flags

if TYPE_CHECKING:
    from cardtable.plan import Plan
    from cardtable.store import Store, StoredSession

_CAMERAS = "0, a part of a USB camera's name, pi, http://…, rtsp://…, phone, photos, a video, a folder of pictures."
CameraOption = Annotated[str | None, typer.Option(metavar="CAMERA", help=_CAMERAS)]
ButtonsOption = Annotated[
    str | None, typer.Option(help="keyboard, gpio, gpio:A=5,B=6, box, box:/dev/ttyACM0; join with +.")
]
LampsOption = Annotated[str | None, typer.Option(help="Pins of LEDs and a buzzer: A=17,B=27,buzzer=18.")]
SeatingOption = Annotated[bool | None, typer.Option("--seating/--no-seating", help="Take seats by slapping.")]
RecordOption = Annotated[Path | None, typer.Option(metavar="DIR", help="Keep everything in this new folder.")]
HeadlessOption = Annotated[bool, typer.Option("--headless", help="No page: rulings on standard output.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Rulings as JSON lines, one for each settled lay.")]
LangOption = Annotated[str | None, typer.Option(help="Language of the sentences: en or ru.")]
HostOption = Annotated[str | None, typer.Option(help="Address to serve the page at.")]
PortOption = Annotated[int | None, typer.Option(help="Port of the page.")]
StoreOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Where sessions are kept.")]
ConfigOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Settings file (TOML).")]


def play(
    game: Annotated[str | None, typer.Argument(help="Which game, e.g. bong; a recording says it itself.")] = None,
    players: Annotated[str | None, typer.Option(metavar="A,B,C", help="Names, clockwise from seat A.")] = None,
    dealer: Annotated[str | None, typer.Option(metavar="SEAT", help="Who deals first; else drawn by lot.")] = None,
    camera: CameraOption = None,
    mains_hz: Annotated[int | None, typer.Option(help="Of the lamps: 50, or 60 as in America.")] = None,
    buttons: ButtonsOption = None,
    lamps: LampsOption = None,
    seating: SeatingOption = None,
    record: RecordOption = None,
    recording: Annotated[Path | None, typer.Option(metavar="DIR", help="Play this recording again.")] = None,
    headless: HeadlessOption = False,
    json: JsonOption = False,
    lang: LangOption = None,
    option: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="A house rule; repeatable.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the lots; else by chance.")] = None,
    table_mm: Annotated[float | None, typer.Option(min=100, help="Width of the table in view, mm.")] = None,
    deck: Annotated[str | None, typer.Option(metavar="NAME", help="A deck learnt with `cardtable learn`.")] = None,
    calibration: Annotated[Path | None, typer.Option(metavar="FILE", help="From cardtable calibrate --out.")] = None,
    dealt: Annotated[bool, typer.Option("--dealt", help="The cards are dealt already: begin at once.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Don't offer to go on with a broken-off session.")] = False,
    host: HostOption = None,
    port: PortOption = None,
    certificate: Annotated[Path | None, typer.Option(metavar="PEM", help="Serve the page over https.")] = None,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> None:
    """Referees a game at a real table, or plays a recording in place of camera and buttons.

    Example: `cardtable play bong --players Anna,Boris,Vera --camera 0 --buttons box`

    Example: `cardtable play --recording evening/ --headless --json`
    """
    settings = with_flags(
        read_settings(config),
        **{"players": split_players(players) if players else None, "camera": camera, "buttons": buttons, "lang": lang},
        **{"lamps": lamps, "seating": seating, "mains_hz": mains_hz},
        certificate=certificate,
        **{"host": host, "port": port, "store": store, "calibration": calibration, "table_mm": table_mm, "deck": deck},
        options=dict(map(read_option, option)) if option else None,
    )
    if recording is not None:
        _play_recording(recording, game, settings, Output(headless, json, record))
    else:
        plan = _plan(game, settings, dealer=dealer, seed=seed)
        _play_live(plan, settings, Output(headless, json, record), fresh=fresh, is_dealt=dealt)


def _play_recording(folder: Path, game: str | None, settings: Settings, output: Output) -> None:
    from cardtable.player import run_recording
    from cardtable.recording import read_recording

    recording = read_recording(folder)
    if game is not None and game != recording.plan.game:
        raise BadSettings(f"{folder} is a recording of {recording.plan.game}, not of {game}; leave the game out")
    run_recording(recording, settings, output)


def _play_live(plan: Plan, settings: Settings, output: Output, *, fresh: bool, is_dealt: bool) -> None:
    from cardtable.store import Store, default_path
    from cardtable.table import new_session, old_session, run_table

    with Store(settings.store or default_path()) as store:
        stored = None if fresh else _ask_to_go_on(store, is_silent=output.is_json)
        session = old_session(stored, store) if stored else new_session(plan, store, is_offering=not fresh)
        run_table(session, settings, output, is_dealt=is_dealt and stored is None)


def _plan(game: str | None, settings: Settings, *, dealer: str | None, seed: int | None) -> Plan:
    from secrets import randbelow

    from cardtable.calibration import calibration_for
    from cardtable.plan import Plan, seat_players
    from engine.games import find_game
    from engine.rules import Setup
    from engine.seats import Seat

    if game is None:
        raise BadSettings("say which game, e.g. cardtable play bong --players Anna,Boris,Vera")
    rules = find_game(game)
    around = seat_players(settings.players)
    setup = Setup(around, settings.players, Seat(dealer) if dealer else None, settings.options)
    rules.start(setup)  # a bad setup is told before camera and buttons are opened
    chosen = randbelow(2**31) if seed is None else seed
    kept = calibration_for(settings)
    layout = kept[0].layout_for(rules.name, around).to_json() if kept else None
    return Plan(
        game=rules.name,
        setup=setup,
        seed=chosen,
        layout=layout,
        table_mm=settings.table_mm,
        deck=settings.deck,
        stills=settings.camera == "photos",
    )


def _ask_to_go_on(store: Store, *, is_silent: bool) -> StoredSession | None:
    """The broken-off session that the person at the terminal wants to go on with."""
    import sys

    stored = next(iter(store.unfinished()), None)
    if stored is None:
        return None
    about = f"Session {stored.id} ({describe(stored)}) was broken off."
    if is_silent or not sys.stdin.isatty():
        typer.echo(f"{about} To go on with it: cardtable resume {stored.id}", err=True)
        return None
    if typer.confirm(f"{about} Go on with it?", default=True, err=True):
        return stored
    store.finish(stored.id)
    return None


def describe(stored: Any) -> str:
    """A stored session in a few words."""
    return f"{stored.plan.game}, {', '.join(stored.plan.setup.players)}, {stored.started}, {stored.entries} entries"
