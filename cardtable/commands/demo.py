"""`cardtable demo`: a whole simulated party."""

from __future__ import annotations

from typing import Annotated

import typer


def demo(
    game: Annotated[str, typer.Argument(help="Which game.")] = "bong",
    seed: Annotated[int, typer.Option(help="Another number is another party.")] = 1,
    lays: Annotated[int | None, typer.Option(min=1, help="End after so many laid cards.")] = None,
    headless: Annotated[bool, typer.Option("--headless", help="No page, as fast as it goes.")] = False,
    hard: Annotated[bool, typer.Option("--hard", help="Bong at a table where all goes wrong.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON line a lay, a summary at the end.")] = False,
    lang: Annotated[str, typer.Option(help="Language of the sentences: en or ru.")] = "en",
    host: Annotated[str, typer.Option(help="Address to serve the page at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the page.")] = 8080,
) -> None:
    """Plays a simulated party: rendered pictures, simulated slaps, the real reading, judging and page.

    Without a page every ruling is compared with the truth; the exit status is 1 if anything was missed or wrong.

    Example: `cardtable demo bong --headless --json --seed 3 --lays 40`
    """
    from engine.games import find_game

    find_game(game)
    from cardtable.simulated.demo import run_demo

    how = {"headless": headless, "json": json, "is_hard": hard}
    raise typer.Exit(run_demo(game, seed=seed, lays=lays, language=lang, host=host, port=port, **how))
