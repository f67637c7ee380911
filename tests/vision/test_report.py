"""The report on labelled photographs counts what was read, by deck, height and overlap, and shows the failures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.report import Photo, confusions, failure_sheet, read_photos, report


def write_lines(path: Path, *lines: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@pytest.fixture
def photos(tmp_path: Path) -> list[Photo]:
    """Two photographs of two decks: a club read as a spade with certainty, and a card missed under another."""
    for name in ("a.png", "b.png"):
        cv2.imwrite(str(tmp_path / name), np.full((400, 400, 3), 120, np.uint8))
    boxes = [
        {"label": "QC", "kind": "corner", "box": [10, 10, 20, 40]},
        {"label": "9H", "kind": "card", "box": [200, 100, 90, 130]},
    ]
    index = write_lines(
        tmp_path / "index.jsonl",
        {"photo": "a.png", "cards": ["QC", "9H"], "deck": "one", "complete": True, "boxes": boxes},
        {
            "photo": "b.png",
            "cards": ["2C", "3C"],
            "deck": "two",
            "complete": False,
            "boxes": [
                {"label": "2C", "kind": "card", "box": [0, 0, 100, 140]},
                {"label": "3C", "kind": "card", "box": [50, 0, 100, 140]},
            ],
        },
    )
    readings = write_lines(
        tmp_path / "readings.jsonl",
        {
            "photo": str(tmp_path / "a.png"),
            "cards": [
                {"card": "QS", "sure": 0.95, "box": [12, 12, 20, 40]},
                {"card": "9H", "sure": 0.99, "box": [200, 100, 90, 130]},
            ],
        },
        {"photo": str(tmp_path / "b.png"), "cards": [{"card": "3C", "sure": 0.6, "box": [50, 0, 100, 140]}]},
    )
    return read_photos(index, readings)


def test_figures_by_deck_height_and_overlap(photos: list[Photo]) -> None:
    told = report(photos)
    assert told["all"]["recall"] == 0.5
    assert told["decks"]["one"] == {
        "photographs": 1,
        "cards": 2,
        "recall": 0.5,
        "precision": 0.5,
        "exact": 0.0,
        "sure_wrong": 0.5,
        "bold": 1.0,
    }
    assert told["decks"]["two"]["precision"] is None
    assert told["by_height_px"]["36"] == {"cards": 1, "recall": 0.0}
    assert told["by_height_px"]["24"] == {"cards": 3, "recall": pytest.approx(2 / 3, abs=1e-3)}
    assert told["by_overlap"]["0.5"] == {"cards": 2, "recall": 0.5}


def test_a_confusion_names_what_was_read_in_the_cards_place(photos: list[Photo]) -> None:
    assert sorted(confusions(photos)) == ["2C>", "QC>QS"]


def test_the_sheet_has_a_tile_for_every_failure(photos: list[Photo]) -> None:
    sheet = failure_sheet(photos)
    tiles = [sheet[:100, 110 * place : 110 * (place + 1)].any() for place in range(5)]
    assert tiles == [True, True, True, False, False]


def test_files_that_are_none_are_told_in_a_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "vision.training.report", str(tmp_path / "no"), str(tmp_path / "none")]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert result.returncode == 2
    assert "cannot be read" in result.stderr
    assert "Traceback" not in result.stderr
