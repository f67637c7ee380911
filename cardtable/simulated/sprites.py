"""Cut-out pictures and how they are put on one another: premultiplied colour and opacity, at a place of the frame."""

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

    def within(self, width: int, height: int, margin: int) -> Sprite:
        """The part of it that shows in a frame of that size with a margin around; at least a px of it."""
        own_height, own_width = self.colour.shape[:2]
        top, left = min(max(0, -margin - self.y), own_height - 1), min(max(0, -margin - self.x), own_width - 1)
        rows = slice(top, max(top + 1, height + margin - self.y))
        columns = slice(left, max(left + 1, width + margin - self.x))
        return Sprite(self.colour[rows, columns], self.clear[rows, columns], self.x + left, self.y + top)

    def blurred(self, dx: int, dy: int) -> Sprite:
        """The same as it looks when it moves by (dx, dy) px while the shutter is open."""
        pad_x, pad_y = abs(dx), abs(dy)
        padding = (pad_y, pad_y, pad_x, pad_x, cv2.BORDER_CONSTANT)
        colour = cv2.copyMakeBorder(self.colour, *padding)
        clear = cv2.copyMakeBorder(self.clear, *padding, value=(255, 255, 255))
        # Halving shifts, each averaged with what there is: n of them make 2ⁿ evenly spaced copies.
        for share in (0.5, 0.25, 0.125)[: max(1, max(pad_x, pad_y).bit_length() - 1)]:
            shift = (round(dx * share), round(dy * share))
            colour, clear = _averaged(as_picture(colour), *shift, 0), _averaged(as_picture(clear), *shift, 255)
        return Sprite(as_picture(colour), as_picture(clear), self.x - pad_x - dx // 2, self.y - pad_y - dy // 2)

    def opacity_at(self, x: float, y: float) -> float:
        """How solid the sprite is at a place of the frame, 0 to 1."""
        column, row = round(x) - self.x, round(y) - self.y
        if 0 <= row < self.clear.shape[0] and 0 <= column < self.clear.shape[1]:
            return 1 - float(self.clear[row, column, 0]) / 255
        return 0.0


def as_picture(array: object) -> Picture:
    """What OpenCV returned, as the picture that it is."""
    return np.asarray(array, dtype=np.uint8)


def _averaged(picture: Picture, dx: int, dy: int, border: int) -> Picture:
    """Mean of the picture and itself shifted, what comes in from outside being `border`."""
    height, width = picture.shape[:2]
    moved = np.full_like(picture, border)
    to = (slice(max(0, dy), height + min(0, dy)), slice(max(0, dx), width + min(0, dx)))
    of = (slice(max(0, -dy), height + min(0, -dy)), slice(max(0, -dx), width + min(0, -dx)))
    moved[to] = picture[of]
    return as_picture(cv2.addWeighted(picture, 0.5, moved, 0.5, 0))


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
    pad, shrink = round(2 * blur), max(1, round(blur / 2))
    solid = cv2.copyMakeBorder(255 - sprite.clear[:, :, 0], pad, pad, pad, pad, cv2.BORDER_CONSTANT)
    size = (solid.shape[1], solid.shape[0])
    small = cv2.resize(solid, (max(1, size[0] // shrink), max(1, size[1] // shrink)), interpolation=cv2.INTER_AREA)
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), blur / shrink), size, interpolation=cv2.INTER_LINEAR)
    clear = cv2.convertScaleAbs(soft, alpha=-depth, beta=255)
    colour = np.zeros((*clear.shape, 3), np.uint8)
    return Sprite(colour, as_picture(cv2.merge([clear, clear, clear])), sprite.x - pad + dx, sprite.y - pad + dy)
