"""Finds the table by four cards that lie on its corners."""

from __future__ import annotations

import math
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.edges import sharpened
from vision.finding.find import around_all, layout_of, upright
from vision.finding.fit import fit_rectangles
from vision.frames import Picture
from vision.layout import CARD_MM, BadLayout, Layout, Points
from vision.reader import Reader, Reading
from vision.reader.assembly import are_opposite

_CROOKED_MM = 3.0
_LENS = 0.03  # cards' edges say less about the lens than markers do
_INDEX_FROM_MIDDLE_MM, _INDEX_LEAN = 40.0, 38.0  # degrees to the left of up; decks differ by a few
_REACHES_MM = (7.0, 2.0)
_SURE = 0.5


def table_by_cards(picture: Picture, reader: Reader) -> Layout:
    """The table on whose corners four cards of 63 × 88 mm lie face up; seat A sits at the picture's lower edge.

    Of more cards the outermost count. Raises `BadLayout` when fewer than four are made out, or they lie on no plane.
    """
    size_px = (picture.shape[1], picture.shape[0])
    outlines = card_outlines(picture, reader)
    if len(outlines) < 4:
        raise BadLayout("few-cards", seen=len(outlines))
    fit, lying = fit_rectangles(_outermost(outlines), CARD_MM, size_px, prior=_LENS)
    if fit.worst_mm > _CROOKED_MM:
        raise BadLayout("cards-crooked", off=f"{fit.worst_mm:.1f}")
    fit, lying = upright(fit, lying)
    return layout_of(fit, size_px, around_all(lying), residual_mm=fit.residual_mm)


def card_outlines(picture: Picture, reader: Reader) -> list[Points]:
    """(4, 2) px for every card that lies alone: its corners clockwise from its own upper left."""
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = (_outline(grey, reading) for reading in reader.read(picture) if reading.sure >= _SURE)
    return [outline for outline in found if outline is not None]


def _outline(grey: NDArray[np.uint8], reading: Reading) -> Points | None:
    if len(reading.corners) < 2 or not are_opposite(reading.corners[0], reading.corners[1]):
        return None
    ends = np.array([(corner.x, corner.y) for corner in reading.corners[:2]])
    to_index = (ends[0] - ends[1]) / 2
    px_per_mm = float(np.linalg.norm(to_index)) / _INDEX_FROM_MIDDLE_MM
    lean = math.radians(_INDEX_LEAN)
    turn = np.array([[math.cos(lean), -math.sin(lean)], [math.sin(lean), math.cos(lean)]])
    up = turn @ to_index / np.linalg.norm(to_index)
    right = np.array([-up[1], up[0]])
    outline: Points = ends.mean(axis=0) + _frame(right, up) * px_per_mm
    for reach_mm in _REACHES_MM:
        sharper = sharpened(grey, outline, reach_mm * px_per_mm, is_bright=True)
        if sharper is None or np.linalg.norm(sharper - outline, axis=1).max() > 2 * reach_mm * px_per_mm:
            return None
        outline = sharper
    return outline


def _frame(right: Points, up: Points) -> Points:
    width, height = CARD_MM
    signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
    return np.array([right * across * width / 2 + up * along * height / 2 for across, along in signs])


def _outermost(outlines: list[Points]) -> list[Points]:
    """The four that span the largest area, clockwise in the picture from its upper left."""
    chosen = max(combinations(outlines, 4), key=lambda four: _spanned(_clockwise(list(four))))
    return _clockwise(list(chosen))


def _clockwise(four: list[Points]) -> list[Points]:
    middles = np.array([outline.mean(axis=0) for outline in four])
    off = middles - middles.mean(axis=0)
    around = [four[i] for i in np.argsort(np.arctan2(off[:, 1], off[:, 0]))]
    first = min(range(4), key=lambda i: float(around[i].mean(axis=0).sum()))
    return around[first:] + around[:first]


def _spanned(four: list[Points]) -> float:
    return float(cv2.contourArea(np.array([outline.mean(axis=0) for outline in four], dtype=np.float32)))
