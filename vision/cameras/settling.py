"""Lets a camera find its exposure and focus, then locks them: a hand over the table must not change the light."""

from __future__ import annotations

from typing import Protocol

import cv2
import numpy as np

from vision.frames import Picture

LOOK_NS = 100_000_000
"""Pictures are looked at this often: the camera's own control loops are no faster."""
STEADY_NS = 1_000_000_000
"""Brightness and sharpness must not have moved for this long."""
PATIENCE_NS = 8_000_000_000
"""A camera that never comes to rest (someone moves in the picture) is locked anyway."""
LIGHT_NS = 3_000_000_000
"""A change of light that lasts this long is a lamp, no hand."""
_DARK, _BRIGHT = 40.0, 215.0
_LIGHT_STEP = 1.5
_STEP = 8


class Controls(Protocol):
    """What can be set on a camera."""

    def start(self) -> None:
        """Everything automatic."""

    def lock(self) -> None:
        """Everything kept as it is."""

    def close(self) -> None:
        """Lets go of the camera."""


class Settling:
    """Watches the pictures of one camera and locks its controls once they are good."""

    def __init__(self, controls: Controls | None) -> None:
        """Begins with everything automatic; without controls it does nothing."""
        self._controls = controls
        self.is_locked = False
        self._looked_ns = self._begun_ns = self._steady_ns = self._same_light_ns = -1
        self._light = self._sharpness = 0.0
        if controls is not None:
            controls.start()

    def see(self, picture: Picture, t_ns: int) -> None:
        """One picture; called with each."""
        if self._controls is None or t_ns - self._looked_ns < LOOK_NS:
            return
        self._looked_ns = t_ns
        small = np.ascontiguousarray(picture[::_STEP, ::_STEP])
        light = float(small.mean())
        if self.is_locked:
            self._watch_light(light, t_ns)
        else:
            self._settle(light, float(cv2.Laplacian(small, cv2.CV_32F).std()), t_ns)

    def close(self) -> None:
        """Lets go of the controls; the camera stays as it is."""
        if self._controls is not None:
            self._controls.close()

    def _settle(self, light: float, sharpness: float, t_ns: int) -> None:
        if self._begun_ns < 0:
            self._begun_ns = t_ns
        if not _is_near(light, self._light, 0.03) or not _is_near(sharpness, self._sharpness, 0.1):
            self._light, self._sharpness, self._steady_ns = light, sharpness, t_ns
        is_steady = t_ns - self._steady_ns >= STEADY_NS and _DARK <= light <= _BRIGHT
        if is_steady or t_ns - self._begun_ns >= PATIENCE_NS:
            self._lock(light, t_ns)

    def _lock(self, light: float, t_ns: int) -> None:
        assert self._controls is not None
        self._controls.lock()
        self.is_locked, self._light, self._same_light_ns = True, light, t_ns

    def _watch_light(self, light: float, t_ns: int) -> None:
        """A lamp that was switched on or off: the camera must find its exposure again."""
        if 1 / _LIGHT_STEP <= (light + 1) / (self._light + 1) <= _LIGHT_STEP:
            self._same_light_ns = t_ns
        elif t_ns - self._same_light_ns >= LIGHT_NS:
            assert self._controls is not None
            self._controls.start()
            self.is_locked, self._begun_ns, self._steady_ns = False, t_ns, t_ns


def _is_near(value: float, before: float, share: float) -> bool:
    return abs(value - before) <= share * before
