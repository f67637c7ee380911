"""The photographed party with its cards read rightly: presses and pictures' times alone give every seat and verdict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.table import Table

PARTY = Path(__file__).parents[3] / "shared" / "real" / "party"
pytestmark = pytest.mark.skipif(not PARTY.is_dir(), reason="the photographed party (../shared/real/party) is not here")


def lines(name: str) -> list[dict[str, Any]]:
    """One object a line."""
    return [json.loads(line) for line in (PARTY / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def test_every_lay_of_the_photographed_party() -> None:
    expected = lines("expected.jsonl")
    moments: list[tuple[float, str, str]] = [(press["t_ms"], press["seat"], "") for press in lines("presses.jsonl")]
    moments += [(lay["seen_ms"], "", lay["card"]) for lay in expected]
    table = Table()
    table.call("dealt")
    for t_ms, seat, card in sorted(moments, key=lambda moment: moment[0]):
        table.at = int(t_ms)
        if seat:
            table.press(seat)
        else:
            table.lay(card, within_ms=20)
    assert [
        (str(card), seat, code) for card, seat, code in zip(_cards(table), table.whose(), table.codes(), strict=True)
    ] == [(lay["card"], lay["seat"], lay["code"]) for lay in expected]


def _cards(table: Table) -> list[str]:
    return [str(getattr(told.event, "card", "")) for told in table.laid()]
