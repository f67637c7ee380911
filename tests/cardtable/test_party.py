"""A party in photographs of real cards, from pictures and presses to rulings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cardtable.helpers import cardtable

PARTY = Path(__file__).parents[3] / "shared" / "real" / "party"


@pytest.mark.skipif(not PARTY.is_dir(), reason=f"the photographed party is not at {PARTY}")
def test_photographed_party_is_judged_as_it_was_played() -> None:
    result = cardtable("play", "--recording", str(PARTY), "--headless", "--json")
    assert result.returncode == 0, result.stderr
    lines = [json.loads(text) for text in result.stdout.splitlines()]
    ruled = [(line["card"], line["seat"], line["code"]) for line in lines if "card" in line]
    expected = [json.loads(text) for text in (PARTY / "expected.jsonl").read_text().splitlines()]
    assert ruled == [(line["card"], line["seat"], line["code"]) for line in expected]
    assert len(ruled) == 35
