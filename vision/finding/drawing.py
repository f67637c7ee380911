"""Draws into a camera's picture where the table and its zones are taken to be, for a person to check."""

from __future__ import annotations

import cv2
import numpy as np

from vision.finding.printing_words import zone_name
from vision.frames import Picture
from vision.layout import Layout, Points, Zone

_TABLE, _PILE, _OTHER, _GRID = (80, 220, 255), (90, 196, 242), (200, 200, 200), (150, 150, 150)
_GRID_MM = 100.0


def drawn(picture: Picture, layout: Layout) -> Picture:
    """A copy of the (h, w, 3) picture with the table's edge, a grid of 100 mm and every zone."""
    copy = picture.copy()
    table = layout.table or layout.pile
    for start, end in _grid(table):
        _line(copy, layout, np.array([start, end]), _GRID, 1)
    _outline(copy, layout, table, _TABLE)
    for name, zone in (("pile", layout.pile), *layout.zones):
        _outline(copy, layout, zone, _PILE if name == "pile" else _OTHER)
        x, y = layout.to_px(np.array([zone.centre]))[0]
        cv2.putText(copy, zone_name("en", name), (round(x) - 30, round(y)), cv2.FONT_HERSHEY_SIMPLEX, 0.7, _OTHER, 2)
    return copy


def _grid(table: Zone) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    right, foot = table.x + table.width, table.y + table.height
    columns = np.arange(np.ceil(table.x / _GRID_MM), right / _GRID_MM) * _GRID_MM
    rows = np.arange(np.ceil(table.y / _GRID_MM), foot / _GRID_MM) * _GRID_MM
    upright = [((float(x), table.y), (float(x), foot)) for x in columns]
    return upright + [((table.x, float(y)), (right, float(y))) for y in rows]


def _outline(picture: Picture, layout: Layout, zone: Zone, colour: tuple[int, int, int]) -> None:
    corners = zone.corners()
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        _line(picture, layout, np.array([start, end]), colour, 2)


def _line(picture: Picture, layout: Layout, ends: Points, colour: tuple[int, int, int], width: int) -> None:
    """A straight line on the table, bent as the lens bends it."""
    along = np.linspace(0.0, 1.0, 17)[:, None]
    points = layout.to_px(ends[0] + along * (ends[1] - ends[0]))
    if np.isfinite(points).all() and np.abs(points).max() < 20_000:
        cv2.polylines(picture, [np.round(points * 8).astype(np.int32)], False, colour, width, cv2.LINE_AA, 3)
