"""What light, lens, sensor and file format do to a clean picture; every function returns a new picture."""

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


WEBCAM = 0.2
"""Share of pictures that a cheap webcam takes."""


def photographed(picture: Picture, rng: np.random.Generator, *, height_px: float) -> Picture:
    """Light, blur, noise and compression of a random photograph, in the order in which they happen.

    `height_px` is that of the indices: small ones bear less before nobody could read them.
    """
    picture = _lit(picture, rng)
    size = picture.shape[1::-1]
    harshness = float(np.clip(height_px / 20, 0.4, 1.0))
    if rng.random() < WEBCAM:
        return _webcam(picture, rng, height_px)
    enlarged = rng.random() < 0.2 * harshness
    if enlarged:
        picture = _shrunk(picture, rng, height_px)
    if rng.random() < 0.5 * harshness:
        picture = _blurred(picture, rng, height_px / 20 if rng.random() < 0.3 else harshness)
    if rng.random() < 0.65:
        picture = _noisy(picture, rng, harshness)
    if rng.random() < 0.2:
        picture = _sharpened(picture, rng)
    if rng.random() < 0.5:
        picture = _compressed(picture, rng)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8) if enlarged else picture


def _shrunk(picture: Picture, rng: np.random.Generator, height_px: float) -> Picture:
    """A small photograph that will be looked at enlarged, often in another shape: its noise and its pixels grow too."""
    least = float(np.clip(9 / height_px, 0.2, 0.6))
    along, across = rng.uniform(least, 0.8), 1.0
    if rng.random() < 0.5:
        across = rng.uniform(1.0, 1.8)
    factors = (along, min(along * across, 1.0))
    right, down = factors if rng.random() < 0.5 else factors[::-1]
    return np.asarray(cv2.resize(picture, None, fx=right, fy=down, interpolation=cv2.INTER_AREA), np.uint8)


def _webcam(picture: Picture, rng: np.random.Generator, height_px: float) -> Picture:
    """A webcam's picture: soft lens, coarse colour, noise smeared away, edges drawn up again, a hasty codec."""
    soft = float(rng.uniform(0.4, np.clip(height_px / 14, 0.9, 2.2)))
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), soft), np.uint8)
    picture = _noisy(picture, rng, 1.0)
    if rng.random() < 0.6:
        picture = np.asarray(cv2.bilateralFilter(picture, 5, float(rng.uniform(10, 45)), 2.0), np.uint8)
    picture = _coarse_in_colour(picture, rng)
    if rng.random() < 0.6:
        picture = _sharpened(picture, rng)
    return _compressed(picture, rng, worst=18)


def _coarse_in_colour(picture: Picture, rng: np.random.Generator) -> Picture:
    """Colour at a part of the sharpness of light, as sensors and codecs keep it, and too much or too little of it."""
    light = cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)
    colour = cv2.GaussianBlur(light[:, :, 1:], (0, 0), float(rng.uniform(0.8, 2.5)))
    strength = float(np.exp(rng.normal(-0.1, 0.35)))
    light[:, :, 1:] = np.clip((colour.astype(np.float32) - 128) * strength + 128 + rng.normal(0, 3, 2), 0, 255)
    return np.asarray(cv2.cvtColor(light, cv2.COLOR_YCrCb2BGR), np.uint8)


def _sharpened(picture: Picture, rng: np.random.Generator) -> Picture:
    """What cameras do by themselves, often too much of it."""
    much = float(rng.uniform(0.3, 1.6))
    soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.6, 1.8)))
    return np.asarray(cv2.addWeighted(picture, 1 + much, soft, -much, 0), np.uint8)


def _lit(picture: Picture, rng: np.random.Generator) -> Picture:
    """Exposure, white balance, gradient, shadow edge, glare, gamma, now and then grey."""
    height, width = picture.shape[:2]
    gain = np.exp(rng.normal(-0.12, 0.26)) * np.exp(rng.normal(0, 0.07, 3))
    light = np.ones((height, width), np.float32)
    if rng.random() < 0.5:
        light *= _gradient(height, width, rng)
    if rng.random() < 0.25:
        light *= _shadow_edge(height, width, rng)
    lit = picture.astype(np.float32) * (light[:, :, None] * gain.astype(np.float32))
    if rng.random() < 0.10:
        lit += _glare(height, width, rng)[:, :, None]
    if rng.random() < 0.3:
        lit = lit * float(rng.uniform(0.55, 1)) + float(rng.uniform(0, 60))
    lit = np.clip(lit, 0, 255)
    if rng.random() < 0.5:
        lit = 255 * (lit / 255) ** float(np.exp(rng.normal(0, 0.25)))
    result = lit.astype(np.uint8)
    if rng.random() < 0.08:
        result = cv2.cvtColor(cv2.cvtColor(result, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(result, np.uint8)


def _gradient(height: int, width: int, rng: np.random.Generator) -> NDArray[np.float32]:
    slope_x, slope_y = rng.normal(0, 0.25, 2)
    rows = np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None] * np.float32(slope_y)
    columns = np.linspace(-0.5, 0.5, width, dtype=np.float32)[None] * np.float32(slope_x)
    return np.asarray(np.clip(1 + rows + columns, 0.3, 1.5), np.float32)


def _shadow_edge(height: int, width: int, rng: np.random.Generator) -> NDArray[np.float32]:
    """A straight soft shadow over part of the picture."""
    angle, depth = rng.uniform(0, 2 * np.pi), float(rng.uniform(0.35, 0.85))
    rows, columns = np.ogrid[:height, :width]
    distance = (columns - rng.uniform(0, width)) * np.cos(angle) + (rows - rng.uniform(0, height)) * np.sin(angle)
    soft = float(rng.uniform(0.5, 0.1 * width + 1))
    return np.asarray(1 - (1 - depth) / (1 + np.exp(-np.clip(distance / soft, -30, 30))), np.float32)


def _glare(height: int, width: int, rng: np.random.Generator) -> NDArray[np.float32]:
    rows, columns = np.ogrid[:height, :width]
    across, along = rng.uniform(0.05, 0.4, 2) * width
    square = ((columns - rng.uniform(0, width)) / across) ** 2 + ((rows - rng.uniform(0, height)) / along) ** 2
    return np.asarray(np.exp(-square) * rng.uniform(40, 220), np.float32)


def _blurred(picture: Picture, rng: np.random.Generator, harshness: float) -> Picture:
    if rng.random() < 0.7:
        sigma = float(rng.uniform(0.3, 1.3 * harshness))
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)
    length = int(rng.integers(2, 4 + int(2 * harshness)))
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    middle = (length - 1) / 2
    reach = np.array([np.cos(angle), np.sin(angle)]) * middle
    start, end = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def _noisy(picture: Picture, rng: np.random.Generator, harshness: float) -> Picture:
    sigma = float(abs(rng.normal(0, 7 * harshness)))
    grain = rng.standard_normal((*picture.shape[:2], 1 if rng.random() < 0.4 else 3), np.float32) * np.float32(sigma)
    noisy = np.clip(picture + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.06:
        salt = rng.random(picture.shape[:2], np.float32)
        share = float(rng.uniform(0.002, 0.025))
        noisy[salt < share] = 255
        noisy[salt > 1 - share] = 0
    return noisy


def _compressed(picture: Picture, rng: np.random.Generator, worst: int = 35) -> Picture:
    quality = int(rng.integers(worst, 96))
    _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
