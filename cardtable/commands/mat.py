"""`cardtable mat`: a table mat to print, by which the camera finds the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def mat(
    seats: Annotated[int, typer.Option(min=2, max=8, help="How many people sit at the table.")] = 4,
    paper: Annotated[str, typer.Option(help="A4, A3 or Letter.")] = "A4",
    game: Annotated[str | None, typer.Option(help="Print this game's zones, e.g. ton; else a pile and seats.")] = None,
    markers_only: Annotated[bool, typer.Option("--markers-only", help="Only four markers for the corners.")] = False,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The PDF to write.")] = Path("mat.pdf"),
    lang: Annotated[str, typer.Option(help="Language of what is printed: en or ru.")] = "en",
) -> None:
    """Writes a PDF to print at 100 %: a mat over several sheets, or four loose markers.

    Example: `cardtable mat --seats 4 --paper A4 --game ton --out mat.pdf`
    """
    from cardtable.errors import BadSettings
    from cardtable.settings import LANGUAGES
    from vision.finding.printing import markers_pdf

    if lang not in LANGUAGES:
        raise BadSettings(f"there is no language {lang!r}; choose {' or '.join(LANGUAGES)}")
    data = markers_pdf(paper, lang) if markers_only else _mat(seats, paper, game, lang)
    try:
        out.write_bytes(data)
    except OSError as error:
        raise BadSettings(f"{out} cannot be written ({error.strerror}); name another file with --out") from None
    typer.echo(f"{out} is written; print it at 100 %, then: cardtable calibrate --camera 0")


def _mat(count: int, paper: str, game: str | None, lang: str) -> bytes:
    from cardtable.zones import kinds_of
    from engine.seats import seats
    from vision.finding.mat import Mat
    from vision.finding.printing import mat_pdf
    from vision.finding.zones import arrange, needed_mm

    kinds = kinds_of(game)
    chosen = Mat.at_least(*needed_mm(kinds, count), paper)
    zones = arrange(chosen.zone, kinds, seats(count))
    if "trick" in kinds:
        del zones["pile"]  # its places are printed instead
    return mat_pdf(chosen, zones, lang)
