"""`cardtable replay`: judges what was kept again, and lists what comes out differently."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from cardtable.commands.play import StoreOption


def replay(
    log: Annotated[
        str, typer.Argument(metavar="LOG", help="A recording's folder, or a session's number in the store.")
    ],
    json: Annotated[bool, typer.Option("--json", help="One JSON line a difference.")] = False,
    store: StoreOption = None,
) -> None:
    """Judges a saved game again and lists every ruling that would now be another. Exit status 1: there are some.

    Example: `cardtable replay evening/`

    Example: `cardtable replay 12`
    """
    differences = list(_of_session(int(log), store) if log.isdecimal() else _of_recording(Path(log)))
    for difference in differences:
        typer.echo(_json(difference) if json else _sentence(difference))
    if not differences and not json:
        typer.echo("Every ruling comes out as it was.")
    raise typer.Exit(1 if differences else 0)


def _of_session(number: int, path: Path | None) -> Iterator[dict[str, Any]]:
    from cardtable.store import Store, default_path
    from engine.games import find_game
    from engine.referee import Referee

    with Store(path or default_path()) as store:
        stored = store.find(number)
        log = store.log(stored)
    referee = Referee.restore(find_game(stored.plan.game), stored.plan.setup, log)
    for change in referee.differences:
        before, after = ([ruling.code for ruling in rulings] for rulings in (change.before, change.after))
        yield {"entry": change.number, "t_ms": change.event.t_ns / 1e6, "was": before, "is": after}


def _of_recording(folder: Path) -> Iterator[dict[str, Any]]:
    from itertools import zip_longest

    from cardtable.errors import BadRecording
    from cardtable.lines import lay_lines
    from cardtable.player import play, session_for
    from cardtable.recording import RULINGS, read_lines, read_recording

    recording = read_recording(folder)
    if not (folder / RULINGS).is_file():
        raise BadRecording(f"{folder} keeps no {RULINGS} to compare with; record it with cardtable play --record")
    before = [line for _, line in read_lines(folder / RULINGS)]
    session, after = session_for(recording), list[dict[str, Any]]()
    session.subscribe(lambda update: after.extend(line for told in update.settled for line in lay_lines(told)))
    play(recording, session)
    for was, now in zip_longest(map(_verdict, before), map(_verdict, after)):
        if was != now:
            yield {"was": was, "is": now}


def _verdict(line: dict[str, Any]) -> dict[str, Any]:
    return {key: line.get(key) for key in ("card", "seat", "code")}


def _json(difference: dict[str, Any]) -> str:
    import json

    return json.dumps(difference, ensure_ascii=False)


def _sentence(difference: dict[str, Any]) -> str:
    about = f"entry {difference['entry']}: " if "entry" in difference else ""
    return f"{about}was {difference['was'] or 'not there'}, is {difference['is'] or 'not there'}"
