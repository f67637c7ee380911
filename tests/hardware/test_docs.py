"""docs/hardware.md names a test for every known trouble: each of them exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROWS = [line for line in (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8").splitlines() if "`test_" in line]


def named_tests(folder: Path) -> list[str]:
    return [
        name
        for path in folder.rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split("|")[1].strip().split(":")[0])
def test_every_trouble_in_the_table_has_the_test_that_it_names(row: str) -> None:
    rig = named_tests(ROOT / "tests" / "rig")
    everywhere = named_tests(ROOT / "tests")
    for place, name in re.findall(r"(rig )?`(test_\w+)…`", row):
        assert [test for test in (rig if place else everywhere) if test.startswith(name)], name
    if "rig too" in row:
        (first, *_) = re.findall(r"`(test_\w+)…`", row)
        numbers = re.findall(r"\d+", first)
        assert [test for test in rig if any(number in test.split("_") for number in numbers)], f"{first} in the rig"
