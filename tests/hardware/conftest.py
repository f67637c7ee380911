"""Settings for the hardware tests."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The machine that runs the tests may be busy with anything: time is measured in benchmarks, never here.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the markers of the special tests in this folder."""
    config.addinivalue_line("markers", "simavr: runs the compiled Arduino program in simavr; skips without the tools")
    config.addinivalue_line("markers", "micropython: runs the Pico's program in MicroPython; skips where node lacks it")
