"""Whose hand it was: from which side of the table the arm reaches in."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.seats import Seat
from vision.frames import Picture
from vision.motion import Look
from vision.window import Mask, Window

_DIFFERS = 18
_NOTHING = (0, 0, 0)
_CERTAIN_WITHIN, _CLEARER_BY = 28.0, 18.0  # degrees to the nearest seat, and by which the next one must be farther
_LEAST_BORDER_PX = 12
_LOOKS_WANTED = 2


def seats_reaching(looks: Sequence[Look], *, before: Picture, inside: Mask, window: Window) -> frozenset[Seat]:
    """Seats from whose side an arm reached the card in those looks; empty unless it is certain.

    `before` is the table without the arm, `inside` the card's pixels. Two seats: two arms that met there.
    """
    found = [seats for look in looks if (seats := _reaching(look.colour, before, inside, window))]
    everyone = frozenset[Seat]().union(*found)
    return everyone if len(found) >= _LOOKS_WANTED and len(everyone) <= 2 else frozenset()


def arms(colour: Picture, before: Picture) -> Mask:
    """What differs from `before` and reaches in from outside, with everything that hangs together with it."""
    labels = _parts(colour, before)
    outside = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    return np.asarray(np.isin(labels, outside[outside > 0]), dtype=np.bool_)


def _reaching(colour: Picture, before: Picture, inside: Mask, window: Window) -> frozenset[Seat]:
    angles = [_angle(points, window) for points in _border_runs(_blob(colour, before, inside))]
    seats = [_seat_at(angle, window.layout.seats) for angle in angles]
    return frozenset(seat for seat in seats if seat is not None) if None not in seats else frozenset()


def _blob(colour: Picture, before: Picture, where: Mask) -> Mask:
    """What differs from `before` and hangs together with `where`."""
    labels = _parts(colour, before)
    touching = np.zeros(int(labels.max()) + 1, dtype=np.bool_)
    touching[labels[where]] = True
    touching[0] = False
    return np.asarray(touching[labels], dtype=np.bool_)


def _parts(colour: Picture, before: Picture) -> NDArray[np.int32]:
    other = cv2.bitwise_not(cv2.inRange(cv2.absdiff(colour, before), _NOTHING, (_DIFFERS, _DIFFERS, _DIFFERS)))
    _, labels = cv2.connectedComponents(cv2.morphologyEx(other, cv2.MORPH_CLOSE, np.ones((5, 5), dtype=np.uint8)))
    return np.asarray(labels, dtype=np.int32)


def _border_runs(blob: Mask) -> list[NDArray[np.float64]]:
    """Runs of the picture's border that the blob crosses, each as (n, 2) px going around."""
    height, width = blob.shape
    around = np.concatenate(
        [
            np.stack([np.arange(width), np.zeros(width)], axis=1),
            np.stack([np.full(height, width - 1), np.arange(height)], axis=1),
            np.stack([np.arange(width)[::-1], np.full(width, height - 1)], axis=1),
            np.stack([np.zeros(height), np.arange(height)[::-1]], axis=1),
        ]
    ).astype(np.intp)
    on = blob[around[:, 1], around[:, 0]]
    if on.all() or not on.any():
        return []
    start = int(np.argmin(on))
    on, around = np.roll(on, -start), np.roll(around, -start, axis=0)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(np.int8)))
    runs = zip(edges[::2], edges[1::2], strict=True)
    return [around[a:b].astype(np.float64) for a, b in runs if b - a >= _LEAST_BORDER_PX]


def _angle(points: NDArray[np.float64], window: Window) -> float:
    x, y = window.to_mm(points.mean(axis=0, keepdims=True))[0]
    centre = window.layout.pile.centre
    return float(np.degrees(np.arctan2(y - centre[1], x - centre[0])) % 360.0)


def _seat_at(angle: float, seats: Sequence[tuple[Seat, float]]) -> Seat | None:
    off = sorted((abs((angle - direction + 180.0) % 360.0 - 180.0), seat) for seat, direction in seats)
    if not off or off[0][0] > _CERTAIN_WITHIN:
        return None
    return off[0][1] if len(off) == 1 or off[1][0] - off[0][0] >= _CLEARER_BY else None
