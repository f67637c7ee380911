"""`cardtable doctor` says whether a bump of camera or table would be noticed; the camera is a folder of pictures."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from cardtable.simulated.scene import Scene
from cardtable.simulated.tops import HARD_TOPS
from tests.cardtable.helpers import cardtable


@pytest.mark.parametrize(("top", "says"), [("white-cloth", "will be noticed"), (None, "too bare")])
def test_doctor_says_of_a_bare_table_that_bumps_go_unnoticed(tmp_path: Path, top: str | None, says: str) -> None:
    scene = Scene(2, top=HARD_TOPS[top]) if top else None
    for number in range(9):
        nothing = np.full((1080, 1920, 3), 120, np.uint8)
        picture = scene.frame((), (), number * 33_333_333) if scene else nothing
        cv2.imwrite(str(tmp_path / f"{number * 40:07}.png"), picture)
    config = tmp_path / "settings.toml"
    config.touch()
    store = ("--store", str(tmp_path / "store.sqlite"))
    result = cardtable("doctor", "--camera", str(tmp_path), "--config", str(config), *store)
    assert says in result.stdout
    assert result.returncode == (0 if top else 1), result.stdout + result.stderr
