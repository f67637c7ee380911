"""Cut-out pictures and how they are put on one another: premultiplied colour with its opacity, at a place of the frame."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A cut-out: `colour` is premultiplied by opacity; `clear` is what shows through, three equal channels."""

    colour: Picture
    """(h, w, 3) BGR times opacity."""
    clear: Picture
    """(h, w, 3), 255 where nothing of the sprite is."""
    x: int
    """Left edge in the frame, px."""
    y: int

    @classmethod
    def cut(cls, colour: Picture, opacity: Picture, x: int, y: int) -> Sprite:
        """A sprite from a (h, w, 3) picture and its (h, w) opacity."""
        solid = cv2.merge([opacity, opacity, opacity])
        return cls(as_picture(cv2.multiply(colour, solid, scale=1 / 255)), as_picture(cv2.bitwise_not(solid)), x, y)

    def moved(self, dx: int, dy: int) -> Sprite:
        """The same, shifted by whole px."""
        return Sprite(self.colour, self.clear, self.x + dx, self.y + dy)

    def blurred(self, dx: int, dy: int) -> Sprite:
        """The same as it looks when it moves by (dx, dy) px while the shutter is open."""
        count = int(min(6, max(abs(dx), abs(dy)) // 3 + 2))
        pad_x, pad_y = abs(dx) // 2 + 1, abs(dy) // 2 + 1
        size = (self.colour.shape[0] + 2 * pad_y, self.colour.shape[1] + 2 * pad_x, 3)
        colour, solid = np.zeros(size, np.float32), np.zeros(size, np.float32)
        for step in np.linspace(-0.5, 0.5, count):
            left, top = pad_x + round(dx * step), pad_y + round(dy * step)
            window = (slice(top, top + self.colour.shape[0]), slice(left, left + self.colour.shape[1]))
            colour[window] += self.colour
            solid[window] += 255.0 - self.clear
        clear = np.round(255 - solid / count).astype(np.uint8)
        return Sprite(np.round(colour / count).astype(np.uint8), clear, self.x - pad_x, self.y - pad_y)

    def opacity_at(self, x: float, y: float) -> float:
        """How solid the sprite is at a place of the frame, 0 to 1."""
        column, row = round(x) - self.x, round(y) - self.y
        if 0 <= row < self.clear.shape[0] and 0 <= column < self.clear.shape[1]:
            return 1 - float(self.clear[row, column, 0]) / 255
        return 0.0


def as_picture(array: object) -> Picture:
    """What OpenCV returned, as the picture that it is."""
    return np.asarray(array, dtype=np.uint8)


def _windows(frame: Picture, sprite: Sprite) -> tuple[tuple[slice, slice], tuple[slice, slice]] | None:
    """The part of the frame that the sprite meets, and that part of the sprite; None where it lies outside."""
    height, width = sprite.colour.shape[:2]
    top, left = max(0, sprite.y), max(0, sprite.x)
    bottom, right = min(frame.shape[0], sprite.y + height), min(frame.shape[1], sprite.x + width)
    if top >= bottom or left >= right:
        return None
    own = (slice(top - sprite.y, bottom - sprite.y), slice(left - sprite.x, right - sprite.x))
    return (slice(top, bottom), slice(left, right)), own


def put(frame: Picture, sprite: Sprite) -> None:
    """Lays the sprite on the frame."""
    windows = _windows(frame, sprite)
    if windows is None:
        return
    at, own = windows
    behind = cv2.multiply(frame[at], sprite.clear[own], scale=1 / 255)
    frame[at] = cv2.add(behind, sprite.colour[own])


def stacked(lower: Sprite, upper: Sprite) -> Sprite:
    """Both as one sprite."""
    left, top = min(lower.x, upper.x), min(lower.y, upper.y)
    right = max(s.x + s.colour.shape[1] for s in (lower, upper))
    bottom = max(s.y + s.colour.shape[0] for s in (lower, upper))
    colour = np.zeros((bottom - top, right - left, 3), np.uint8)
    clear = np.full_like(colour, 255)
    for sprite in (lower, upper):
        put(colour, sprite.moved(-left, -top))
        put(clear, Sprite(np.zeros_like(sprite.colour), sprite.clear, sprite.x - left, sprite.y - top))
    return Sprite(colour, clear, left, top)


def shadow(sprite: Sprite, *, dx: int, dy: int, blur: float, depth: float) -> Sprite:
    """The soft shadow that the sprite throws, `depth` of the light taken away in its core."""
    pad = round(2 * blur)
    solid = cv2.copyMakeBorder(255 - sprite.clear, pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    soft = cv2.GaussianBlur(solid, (0, 0), blur)
    clear = np.round(255 - depth * soft.astype(np.float32)).astype(np.uint8)
    return Sprite(np.zeros_like(clear), clear, sprite.x - pad + dx, sprite.y - pad + dy)
