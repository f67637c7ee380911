"""`cardtable resume`: goes on with a session that was broken off."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from cardtable.commands.play import (
    ButtonsOption,
    CameraOption,
    ConfigOption,
    HeadlessOption,
    HostOption,
    JsonOption,
    LampsOption,
    LangOption,
    PortOption,
    RecordOption,
    SeatingOption,
    StoreOption,
    describe,
)


def resume(
    session: Annotated[int | None, typer.Argument(help="Number of the session; else the latest.")] = None,
    show: Annotated[bool, typer.Option("--list", help="Only list the unfinished sessions.")] = False,
    camera: CameraOption = None,
    buttons: ButtonsOption = None,
    lamps: LampsOption = None,
    seating: SeatingOption = None,
    record: RecordOption = None,
    headless: HeadlessOption = False,
    json: JsonOption = False,
    lang: LangOption = None,
    host: HostOption = None,
    port: PortOption = None,
    store: StoreOption = None,
    config: ConfigOption = None,
) -> None:
    """Goes on from the last event of a session that was broken off.

    Example: `cardtable resume --camera 0 --buttons box`
    """
    from cardtable.errors import NoSuchSession
    from cardtable.settings import Output, read_settings, with_flags
    from cardtable.store import Store, default_path
    from cardtable.table import old_session, run_table

    flags: dict[str, Any] = {"camera": camera, "buttons": buttons, "lamps": lamps, "seating": seating}
    flags |= {"lang": lang, "host": host, "port": port, "store": store}
    settings = with_flags(read_settings(config), **flags)
    with Store(settings.store or default_path()) as kept:
        unfinished = kept.unfinished()
        if show:
            typer.echo("\n".join(f"{stored.id}: {describe(stored)}" for stored in unfinished) or "none")
            return
        if session is None and not unfinished:
            raise NoSuchSession(f"{kept.path} keeps no unfinished session; begin one with cardtable play")
        stored = unfinished[0] if session is None else kept.find(session)
        run_table(old_session(stored, kept), settings, Output(headless, json, record))
