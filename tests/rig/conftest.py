"""Tests under a kernel that has a table's hardware: see README.md."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rig import simdevices


def pytest_configure(config: pytest.Config) -> None:
    """Registers this folder's marker."""
    config.addinivalue_line("markers", "rig: needs the simulated hardware of tests/rig/table-kernel; skips without it")


@pytest.fixture(autouse=True)
def _only_inside() -> None:
    if not simdevices.inside():
        pytest.skip("runs under tests/rig/table-kernel only")


@pytest.fixture(autouse=True)
def released() -> Iterator[None]:
    """Every switch is open and every edge interrupts at once, before a test and after it."""
    yield
    if simdevices.inside():
        simdevices.instant_edges(True)
