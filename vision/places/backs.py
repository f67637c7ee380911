"""Cards face down: changed patches in the shape of a card, or of what of a card lies beside those it was laid upon."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.evidence import Pose
from vision.fit import Edges, Fit, fitted
from vision.frames import Picture
from vision.pile import outline_mask
from vision.window import PX_PER_MM, Mask, Window

_LESS_MM, _MORE_MM = 5.0, 8.0
"""How far the sides of a patch may differ from a card's: a shadow makes it larger."""
_LEAST_PX = 12
_LEAST_FILLED = 0.35
"""How much of the patch must have changed: backs lie on backs, and there much of the print stays as it was."""
_LEAST_STRIP_MM = 9.0
"""A card laid upon others that shows less than this beside them is not noticed."""
_LEAST_INSIDE, _LEAST_EXPLAINED = 0.85, 0.8
"""How much of the patch lies within the card, and how much of the card has changed or lies on other cards."""
_SHOWS = 0.4


@dataclass(frozen=True, slots=True, eq=False)
class Beneath:
    """What a card may have been laid upon."""

    poses: Sequence[Pose]
    cover: Mask
    """Where those cards lie."""


def card_shapes(changed: Mask, window: Window) -> list[Pose]:
    """Where patches of changed pixels are as large as one card; several that are only together so large count too."""
    patches = _patches(changed)
    found = [pose for patch in patches if (pose := _card_shape(patch, window)) is not None]
    if found or len(patches) < 2:
        return found
    whole = _card_shape(np.logical_or.reduce(patches), window)
    return [whole] if whole is not None else []


def cards_upon(changed: Mask, beneath: Beneath, picture: Picture, window: Window) -> list[Pose]:
    """Where a card lies upon others so that what has changed beside them is a strip of it."""
    found = []
    for strip in _patches(changed & ~beneath.cover):
        fits = [fit for pose in _flush(strip, beneath, window) if (fit := _seen(pose, picture, window)) is not None]
        fits = [fit for fit in fits if _explains(fit.pose, _hull(strip), beneath.cover, window)]
        best = max(fits, key=lambda fit: fit.shown, default=None)
        if best is not None and best.shown >= _SHOWS:
            found.append(best.pose)
    return found


def _patches(changed: Mask) -> list[Mask]:
    closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 5), dtype=np.uint8))
    # Specks along the rim, e.g. of the print of a neighbour, would make the patch larger than it is.
    plain = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), dtype=np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(plain)
    sizes = stats[:, cv2.CC_STAT_AREA]
    return [labels == label for label in range(1, count) if sizes[label] >= _LEAST_PX]


def _card_shape(patch: Mask, window: Window) -> Pose | None:
    """The card that fits around the pixels, if one does."""
    rows, columns = np.nonzero(patch)
    hull = cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.float32))
    (x, y), (one, other), angle = cv2.minAreaRect(hull)
    short, long = sorted((one + 1, other + 1))
    width, height = (side * PX_PER_MM for side in window.layout.card_mm)
    less, more = _LESS_MM * PX_PER_MM, _MORE_MM * PX_PER_MM
    if not (-less <= short - width <= more and -less <= long - height <= more):
        return None
    if len(rows) < _LEAST_FILLED * width * height:
        return None
    upright = angle if other >= one else angle + 90.0
    middle = window.to_mm(np.array([(x, y)], dtype=np.float64))[0]
    return Pose(float(middle[0]), float(middle[1]), math.fmod(upright, 180.0) % 180.0)


def _flush(strip: Mask, beneath: Beneath, window: Window) -> Iterator[Pose]:
    """Cards turned as those beneath that end where the strip ends, on one side or the other."""
    rows, columns = np.nonzero(strip)
    points = window.to_mm(np.stack([columns, rows], axis=1).astype(np.float64) + 0.5)
    half_width, half_height = (side / 2 for side in window.layout.card_mm)
    for pose in beneath.poses:
        own = pose.own(points)
        (left, top), (right, foot) = np.percentile(own, 1, axis=0).tolist(), np.percentile(own, 99, axis=0).tolist()
        if right - left < _LEAST_STRIP_MM or right - left > 2 * half_width + _MORE_MM:
            continue
        if abs(foot - top - 2 * half_height) > _MORE_MM:
            continue
        for x in (right - half_width, left + half_width):
            middle = pose.points(np.array([(x, (top + foot) / 2)]))[0]
            yield Pose(float(middle[0]), float(middle[1]), pose.turn)


def _seen(pose: Pose, picture: Picture, window: Window) -> Fit | None:
    card_mm = window.layout.card_mm
    ends = [pose.index(is_upper=is_upper, card_mm=card_mm) for is_upper in (True, False)]
    return fitted(Edges(picture, window.layout, pose.x, pose.y), pose, ends, card_mm)


def _hull(patch: Mask) -> Mask:
    """The patch without its holes: a back may look much like the cloth."""
    rows, columns = np.nonzero(patch)
    filled = np.zeros(patch.shape, dtype=np.uint8)
    cv2.fillConvexPoly(filled, cv2.convexHull(np.stack([columns, rows], axis=1).astype(np.int32)), 1)
    return filled.astype(np.bool_)


def _explains(pose: Pose, strip: Mask, cover: Mask, window: Window) -> bool:
    """Whether the strip is part of that card, and the rest of it lies on other cards."""
    inside = outline_mask(window, pose)
    return bool(inside[strip].mean() >= _LEAST_INSIDE and (strip | cover)[inside].mean() >= _LEAST_EXPLAINED)
