"""What the tests of the program share: running it, and a small party written by hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

PARTY = {
    "game": "bong",
    "players": ["Anna", "Boris", "Vera"],
    "seats": ["A", "B", "C"],
    "deal": {"dealer": "C"},
    "stills": True,
}


def cardtable(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Runs the command line as a person would."""
    command = [sys.executable, "-m", "cardtable.main", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, input=stdin, timeout=120, check=False, env=clean_environment()
    )


def clean_environment() -> dict[str, str]:
    """The environment without anything that would lead to this person's own settings."""
    return os.environ | {"XDG_CONFIG_HOME": "/nonexistent", "PYTHONWARNINGS": "error", "COLUMNS": "200"}


def write_party(folder: Path) -> Path:
    """A recording in the small form: one claim, one grey picture."""
    (folder / "frames").mkdir(parents=True)
    (folder / "party.json").write_text(json.dumps(PARTY))
    (folder / "presses.jsonl").write_text('{"t_ms": 1000, "seat": "A"}\n')
    cv2.imwrite(str(folder / "frames" / "0005000.jpg"), np.full((64, 64, 3), 120, np.uint8))
    return folder
