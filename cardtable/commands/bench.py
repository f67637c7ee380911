"""`cardtable bench`: how fast things are on this machine."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer


class Part(StrEnum):
    """What can be measured."""

    ENGINE = "engine"
    VISION = "vision"
    TABLE = "table"
    BUTTONS = "buttons"


def bench(
    part: Annotated[Part, typer.Argument(help="What to measure.")],
    json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Measures a part: medians, with the quartiles beside them.

    Example: `cardtable bench engine --json`
    """
    result = _measure(part)
    typer.echo(_json(result) if json else "\n".join(_table(result)))


def _measure(part: Part) -> dict[str, Any]:
    match part:
        case Part.ENGINE:
            from cardtable.bench.engine import bench_engine

            return bench_engine()
        case Part.VISION:
            from cardtable.bench.vision import bench_vision

            return bench_vision()
        case Part.TABLE:
            from cardtable.bench.table import bench_table

            return bench_table()
        case Part.BUTTONS:
            from cardtable.bench.buttons import bench_buttons

            return bench_buttons()


def _json(result: dict[str, Any]) -> str:
    import json

    return json.dumps(result)


def _table(values: dict[str, Any], indent: str = "") -> list[str]:
    lines = []
    for name, value in values.items():
        if isinstance(value, dict):
            lines += [f"{indent}{name}:", *_table(value, indent + "  ")]
        else:
            lines.append(f"{indent}{name}: {value}")
    return lines
