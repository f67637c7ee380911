"""Tests under a kernel that has a table's hardware: see README.md."""

from __future__ import annotations

import pytest

from tests.rig import simdevices


def pytest_configure(config: pytest.Config) -> None:
    """Registers this folder's marker."""
    config.addinivalue_line("markers", "rig: needs the simulated hardware of tests/rig/table-kernel; skips without it")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips before any fixture of the test is made."""
    if item.get_closest_marker("rig") and not simdevices.inside():
        pytest.skip("runs under tests/rig/table-kernel only")


@pytest.fixture(autouse=True)
def clean_slate() -> None:
    """Whatever became of the test before."""
    simdevices.clean_slate()
