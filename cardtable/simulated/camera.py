"""The simulated camera: where a point of the table falls in its 1920×1080 picture.

Places on the table are in mm from the middle of the pile, x to the right and y down as the camera sees it.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

WIDTH_PX, HEIGHT_PX = 1920, 1080
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card lies: its middle in mm, and how far it is turned clockwise in the picture, in degrees."""

    x_mm: float
    y_mm: float
    turn: float

    def corners(self, width_mm: float, height_mm: float) -> Floats:
        """(4, 2) corners in mm of a rectangle lying so: its own upper left first, then clockwise."""
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([width_mm / 2, height_mm / 2])
        return self.points(half)

    def points(self, own: Floats) -> Floats:
        """Points given from the card's middle (mm, card upright) as points of the table in mm."""
        cos, sin = math.cos(math.radians(self.turn)), math.sin(math.radians(self.turn))
        turned: Floats = own @ np.array([[cos, sin], [-sin, cos]]) + np.array([self.x_mm, self.y_mm])
        return turned


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera above the table, nearly straight down, with a mild lens."""

    homography: Floats
    """(3, 3), from mm to px, before the lens."""
    bulge: float
    """Radial distortion at the picture's left and right edge, as a share of the distance from the middle."""
    view: Floats = field(default_factory=lambda: np.eye(3))
    """(3, 3), from px before the camera was bumped to px now; it turns so little that the lens may turn with it."""

    @classmethod
    def mounted(cls, rng: random.Random) -> Camera:
        """A camera as people mount one: a little turned, tilted and off the middle."""
        scale, turn = rng.uniform(1.52, 1.6), math.radians(rng.uniform(-2, 2))
        cos, sin = scale * math.cos(turn), scale * math.sin(turn)
        tilt_x, tilt_y = rng.uniform(-4e-5, 4e-5), rng.uniform(-4e-5, 4e-5)
        middle_x, middle_y = WIDTH_PX / 2 + rng.uniform(-40, 40), HEIGHT_PX / 2 + rng.uniform(-30, 30)
        flat = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [tilt_x, tilt_y, 1.0]])
        shift = np.array([[1, 0, middle_x], [0, 1, middle_y], [0, 0, 1.0]])
        return cls(shift @ flat, rng.uniform(-0.012, 0.012))

    def project(self, points: Floats) -> Floats:
        """(n, 2) points in mm as (n, 2) px."""
        seen = np.column_stack([points, np.ones(len(points))]) @ self.homography.T
        flat = seen[:, :2] / seen[:, 2:]
        from_middle = flat - np.array([WIDTH_PX / 2, HEIGHT_PX / 2])
        radius = np.linalg.norm(from_middle, axis=1, keepdims=True) / (WIDTH_PX / 2)
        bent = flat + from_middle * self.bulge * radius**2
        now = np.column_stack([bent, np.ones(len(points))]) @ self.view.T
        moved: Floats = now[:, :2] / now[:, 2:]
        return moved

    def bumped(self, view: Floats) -> Camera:
        """The same camera after a bump; `view` as above, all bumps together."""
        return replace(self, view=view)

    def scale(self) -> float:
        """Px per mm at the middle of the pile."""
        ends = self.project(np.array([[-20.0, 0.0], [20.0, 0.0]]))
        return float(np.linalg.norm(ends[1] - ends[0])) / 40

    def calibration(self, reach_mm: float = 250) -> Floats:
        """(3, 3) mm to px as a calibration with a flat mat finds it: the best fit over the pile's surroundings."""
        grid = np.linspace(-reach_mm, reach_mm, 11)
        points = np.array([(x, y) for x in grid for y in grid])
        found, _ = cv2.findHomography(points, self.project(points))
        return np.asarray(found, dtype=np.float64)
