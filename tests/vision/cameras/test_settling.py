"""Exposure and focus are left to the camera until the picture is good, then kept; a lamp begins that again."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cameras.settling import Settling
from vision.cameras.usb_controls import whole_periods

MS, SECOND = 1_000_000, 1_000_000_000


class Camera:
    """Controls that note what is asked of them, and pictures as bright as the light and the camera's gain make them."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.light, self.gain, self.now_ns = 1.0, 30.0, 0
        self.settling = Settling(self)
        self._rng = np.random.default_rng(5)

    def start(self) -> None:
        self.asked.append("start")

    def lock(self) -> None:
        self.asked.append("lock")

    def close(self) -> None:
        pass

    def look(self, seconds: float, *, hand: bool = False) -> None:
        """An automatic camera brings its picture to a level of 120 within a second or so."""
        for _ in range(round(seconds * 25)):
            self.now_ns += 40 * MS
            if not self.settling.is_locked:
                self.gain += (120 / self.light - self.gain) * 0.15
            picture = self._rng.normal(min(self.light * self.gain, 255), 4, (120, 160, 3))
            if hand:
                picture[:, : int(self._rng.integers(20, 90))] *= 0.6
            self.settling.see(np.clip(picture, 0, 255).astype(np.uint8), self.now_ns)


def test_a_good_picture_is_locked_and_a_still_finding_one_is_not() -> None:
    camera = Camera()
    camera.look(0.8)
    assert camera.asked == ["start"]
    camera.look(3)
    assert camera.asked == ["start", "lock"]
    assert camera.gain == pytest.approx(120, rel=0.05)


def test_hands_over_the_table_change_nothing_once_it_is_locked() -> None:
    camera = Camera()
    camera.look(4)
    camera.look(30, hand=True)
    assert camera.asked == ["start", "lock"]


def test_hands_at_the_start_hold_the_lock_up_for_a_while_only() -> None:
    camera = Camera()
    camera.look(4, hand=True)
    assert camera.asked == ["start"]
    camera.look(6, hand=True)
    assert camera.asked == ["start", "lock"]


def test_a_lamp_switched_off_lets_the_camera_find_its_exposure_again() -> None:
    camera = Camera()
    camera.look(4)
    camera.light = 0.4
    camera.look(2)
    assert camera.asked == ["start", "lock"], "that may still be a shadow"
    camera.look(5)
    assert camera.asked == ["start", "lock", "start", "lock"]
    assert camera.light * camera.gain == pytest.approx(120, rel=0.05)


@pytest.mark.parametrize(
    ("found_us", "mains_hz", "kept_us"),
    [(15_600, 50, 20_000), (11_000, 50, 10_000), (6_000, 50, 10_000), (3_000, 50, 3_000), (15_600, 60, 16_667)],
)
def test_exposures_see_whole_pulses_of_the_lamps(found_us: int, mains_hz: int, kept_us: int) -> None:
    assert whole_periods(found_us, mains_hz) == kept_us
