"""Forearms and hands as the camera above sees them, drawn from capsules and ellipses."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX
from cardtable.simulated.sprites import Picture, Sprite, as_picture

Colour = tuple[int, int, int]
Bone = tuple[tuple[float, float], tuple[float, float], float]
"""Where a capsule begins and ends and how thick it is, mm."""

_SKINS: tuple[Colour, ...] = (
    (148, 178, 224),
    (120, 150, 206),
    (98, 130, 186),
    (70, 96, 146),
    (52, 70, 104),
    (38, 50, 76),
)
_SLEEVES: tuple[Colour, ...] = (
    (60, 50, 44),
    (140, 96, 60),
    (58, 58, 150),
    (170, 170, 168),
    (70, 110, 64),
    (40, 40, 40),
)

_GAIN = 0.93
"""How much of the light falls on an arm."""
ARM_MM = 900.0
"""From the finger tips to the cut end of the sleeve, which is always out of the picture."""


@dataclass(frozen=True, slots=True)
class Arm:
    """One person's arm; the hand points up (towards smaller y) with the finger tips near (0, 0)."""

    skin: Colour
    sleeve: Colour
    sleeve_from_mm: float
    """Where the sleeve begins, behind the finger tips."""
    size: float
    """Of the hand, 1 is 190 mm from wrist to finger tip."""
    is_left: bool

    @classmethod
    def of_someone(cls, rng: random.Random) -> Arm:
        """An arm as they come."""
        return cls(
            rng.choice(_SKINS), rng.choice(_SLEEVES), rng.uniform(195, 300), rng.uniform(0.85, 1.0), rng.random() < 0.2
        )


_GRIP: tuple[Bone, ...] = (
    ((-26, 14), (-27, 80), 17),
    ((-9, 3), (-10, 80), 18),
    ((9, 2), (9, 80), 18),
    ((26, 10), (25, 80), 17),
    ((-42, 48), (-30, 98), 20),
)
_FLAT: tuple[Bone, ...] = (
    ((-45, 28), (-28, 92), 17),
    ((-18, 2), (-11, 90), 18),
    ((9, 0), (7, 90), 18),
    ((36, 14), (24, 90), 17),
    ((-70, 78), (-32, 118), 20),
)
_POSES = {"grip": _GRIP, "flat": _FLAT}


def _capsule(mask: Picture, bone: Bone, scale: float, origin: tuple[float, float]) -> None:
    (x0, y0), (x1, y1), thick = bone
    ends = [(round((x * scale + origin[0]) * 16), round((y * scale + origin[1]) * 16)) for x, y in ((x0, y0), (x1, y1))]
    cv2.line(mask, ends[0], ends[1], 255, max(1, round(thick * scale)), cv2.LINE_AA, 4)


def _rounded(mask: Picture, colour: Colour, scale: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """The colour over the mask, darker towards its edge as something round is, with a slight texture."""
    depth = cv2.distanceTransform(as_picture(mask > 127), cv2.DIST_L2, 3) / scale
    shade = 0.68 + 0.32 * np.minimum(1, depth / 7) ** 0.6
    coarse = rng.standard_normal((mask.shape[0] // 5 + 1, mask.shape[1] // 5 + 1)).astype(np.float32)
    texture = 1 + 0.025 * cv2.resize(coarse, mask.shape[::-1])
    return np.asarray((shade * texture)[:, :, None] * np.array(colour, np.float32), dtype=np.float32)


def _over(below: NDArray[np.float32], above: NDArray[np.float32], mask: Picture) -> NDArray[np.float32]:
    share = (mask.astype(np.float32) / 255)[:, :, None]
    return np.asarray(below * (1 - share) + above * share, dtype=np.float32)


@lru_cache(maxsize=24)
def _upright(arm: Arm, pose: str, scale: float) -> tuple[Picture, Picture]:
    """Colour and opacity of the arm pointing up, at `scale` px per mm; finger tips in the middle, y = 20 mm."""
    rng = np.random.default_rng(round(arm.sleeve_from_mm * 1000))
    size = (round(ARM_MM * scale), round(200 * scale))
    origin, hand = (size[1] / 2, 20 * scale), scale * arm.size
    palm, sleeve = np.zeros(size, np.uint8), np.zeros(size, np.uint8)
    middle = (round(origin[0]), round(origin[1] + 120 * hand))
    cv2.ellipse(palm, middle, (round(43 * hand), round(52 * hand)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    _capsule(palm, ((0, 130), (0, 420), 58), hand, origin)
    colour, solid = _rounded(palm, arm.skin, hand, rng), palm
    for bone in _POSES[pose]:
        finger = np.zeros(size, np.uint8)
        _capsule(finger, bone, hand, origin)
        colour = _over(colour, _rounded(finger, arm.skin, hand, rng), finger)
        solid = np.maximum(solid, finger)
    _capsule(sleeve, ((0, arm.sleeve_from_mm + 50), (0, ARM_MM + 200), 98), scale, origin)
    sleeve[: round(origin[1] + arm.sleeve_from_mm * scale)] = 0
    colour = _over(colour, _rounded(sleeve, arm.sleeve, scale, rng), sleeve)
    flip = slice(None, None, -1 if arm.is_left else 1)
    return as_picture(np.clip(colour, 0, 255)[:, flip]), np.maximum(solid, sleeve)[:, flip]


def arm_sprite(arm: Arm, pose: str, *, tip: tuple[float, float], turn: float, scale: float) -> Sprite:
    """The arm with its finger tips at `tip` (px), turned clockwise by `turn` degrees from pointing up."""
    colour, opacity = _upright(arm, pose, round(scale, 2))
    angle = math.radians(turn)
    cos, sin = math.cos(angle), math.sin(angle)
    own = np.array([colour.shape[1] / 2, 20 * scale])
    matrix = np.array([[cos, -sin], [sin, cos]])
    outline = np.array([[0, 0], [colour.shape[1], 0], [0, colour.shape[0]], [colour.shape[1], colour.shape[0]]])
    spread = (outline - own) @ matrix.T + np.array(tip)
    # Only what the picture shows at full reach is needed: a hand that pulls back moves outwards.
    left, top = np.maximum(np.floor(spread.min(axis=0)).astype(int), 0)
    right, bottom = np.minimum(np.ceil(spread.max(axis=0)).astype(int), (WIDTH_PX, HEIGHT_PX))
    width, height = max(1, int(right - left)), max(1, int(bottom - top))
    shift = np.array(tip) - matrix @ own - (left, top)
    affine = np.column_stack([matrix, shift])
    lit = as_picture(cv2.convertScaleAbs(colour, alpha=_GAIN))
    turned = as_picture(cv2.warpAffine(lit, affine, (width, height), flags=cv2.INTER_LINEAR))
    solid = as_picture(cv2.warpAffine(opacity, affine, (width, height), flags=cv2.INTER_LINEAR))
    return Sprite.cut(turned, solid, int(left), int(top))
