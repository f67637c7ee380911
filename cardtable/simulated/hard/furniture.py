"""Camera and lamps that do not stay as they were."""

from __future__ import annotations

import math
import random
from functools import partial

import numpy as np

from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX, Floats
from cardtable.simulated.scene import Scene
from cardtable.simulated.tops import Floats as Light
from cardtable.simulated.world import World

_STEPS, _STEP_MS = 8, 33.0
_SHAKE = (0.7, 1.5, 0.6, 1.25, 0.8, 1.1, 0.95, 1.0)
"""How far the camera has come, step by step: it swings past where it comes to rest."""
_SHIFT_PX, _TURN_DEGREES = (6.0, 45.0), 1.6
_FURTHEST_PX = 60.0
"""The pile stays well in the picture, however often somebody bumps the camera."""


class Furniture:
    """The camera's mount and the lamps of the room."""

    def __init__(self, world: World, scene: Scene, rng: random.Random) -> None:
        self._world, self._scene, self._rng = world, scene, rng
        self._at = (0.0, 0.0, 0.0)
        self._is_dark = False
        self._light: Light | None = None

    def bump(self) -> bool:
        """Somebody knocks against the camera; it shakes and stays a little elsewhere."""
        before, after = self._at, self._elsewhere()
        for step, share in enumerate(_SHAKE):
            between = tuple(b + (a - b) * share for b, a in zip(before, after, strict=True))
            self._world.after(step * _STEP_MS, partial(self._scene.look_from, _view(*between)))
        self._at = after
        return True

    def switch_lamp(self) -> bool:
        """A lamp is switched off, one that lights everything or one that lights a side; or it is switched on again."""
        self._is_dark = not self._is_dark
        light = self._dimmed() if self._is_dark else None
        for step, share in enumerate((0.4, 0.8, 1.0)):
            self._world.after(step * _STEP_MS, partial(self._scene.light_up, self._faded(light, share)))
        self._light = light
        return True

    def _faded(self, light: Light | None, share: float) -> Light | None:
        if share == 1.0:
            return light
        before, after = (np.ones(3) if one is None else one for one in (self._light, light))
        return np.asarray(before + (after - before) * share, dtype=np.float32)

    def _dimmed(self) -> Light:
        """(h, w, 3) what is left of the light, and its colour, without one of the lamps."""
        colour = np.array([self._rng.uniform(0.92, 1.0), 1.0, 1.0])
        if self._rng.random() < 0.5:
            return np.asarray(np.ones((HEIGHT_PX, WIDTH_PX, 1)) * self._rng.uniform(0.55, 0.75) * colour, np.float32)
        angle, low = self._rng.uniform(0, 2 * math.pi), self._rng.uniform(0.45, 0.6)
        rows, columns = np.mgrid[0:HEIGHT_PX, 0:WIDTH_PX]
        across = (columns / WIDTH_PX - 0.5) * math.cos(angle) + (rows / HEIGHT_PX - 0.5) * math.sin(angle)
        share = low + (1 - low) * np.clip(across + 0.5, 0, 1)
        return np.asarray(share[:, :, None] * colour, dtype=np.float32)

    def _elsewhere(self) -> tuple[float, float, float]:
        angle, far = self._rng.uniform(0, 2 * math.pi), self._rng.uniform(*_SHIFT_PX)
        x, y = self._at[0] + far * math.cos(angle), self._at[1] + far * math.sin(angle)
        if math.hypot(x, y) > _FURTHEST_PX:
            x, y = x / 4, y / 4
        return x, y, self._rng.uniform(-_TURN_DEGREES, _TURN_DEGREES)


def _view(dx_px: float, dy_px: float, degrees: float) -> Floats:
    """(3, 3) px to px: turned about the picture's middle, then shifted."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = WIDTH_PX / 2, HEIGHT_PX / 2
    return np.array([[cos, -sin, x - cos * x + sin * y + dx_px], [sin, cos, y - sin * x - cos * y + dy_px], [0, 0, 1]])
