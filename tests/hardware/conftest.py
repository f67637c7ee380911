"""Settings for the hardware tests."""

from __future__ import annotations

from hypothesis import settings

# The machine that runs the tests may be busy with anything: time is measured in benchmarks, never here.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
