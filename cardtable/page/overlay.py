"""What is drawn over the camera's picture while it is set up: marked corners, the table, its zones."""

from __future__ import annotations

import numpy as np

from cardtable.arranging import Arrangement
from cardtable.page.text import safe
from vision.finding.printing_words import zone_name
from vision.layout import Layout, Points, Zone

_ALONG = np.linspace(0.0, 1.0, 9)[:-1, None]


def overlay_svg(work: Arrangement, language: str) -> str:
    """An SVG in the picture's own px."""
    width, height = work.size_px
    if not width:
        return ""
    unit = width / 100
    try:
        layout = work.layout.resized(work.size_px) if work.layout else None
    except ValueError:
        layout = None  # the picture has another shape now; the page tells it when it is used
    body = _table_svg(layout, work, language, unit) if layout else _points_svg(work, unit)
    return f'<svg viewBox="0 0 {width} {height}" preserveAspectRatio="none">{body}</svg>'


def _table_svg(layout: Layout, work: Arrangement, language: str, unit: float) -> str:
    table = _polygon(layout, layout.table, "table") if layout.table else ""
    return table + "".join(_zone_svg(layout, name, zone, language, unit) for name, zone in work.zones.items())


def _zone_svg(layout: Layout, name: str, zone: Zone, language: str, unit: float) -> str:
    (x, y), (corner_x, corner_y) = layout.to_px(np.array([zone.centre, (zone.x + zone.width, zone.y + zone.height)]))
    kind = name.partition("-")[0]
    text = f'<text x="{x:.1f}" y="{y:.1f}" font-size="{1.6 * unit:.1f}">{safe(zone_name(language, name))}</text>'
    handle = f'<circle cx="{corner_x:.1f}" cy="{corner_y:.1f}" r="{unit:.1f}"/>'
    return f'<g class="zone {kind}" data-zone="{name}">{_polygon(layout, zone, "area")}{text}{handle}</g>'


def _polygon(layout: Layout, zone: Zone, classes: str) -> str:
    corners = zone.corners()
    edges = [start + _ALONG * (end - start) for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    return f'<polygon class="{classes}" points="{_points(layout.to_px(np.concatenate(edges)))}"/>'


def _points(points: Points) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _points_svg(work: Arrangement, unit: float) -> str:
    line = _points(np.array(work.points).reshape(-1, 2))
    marks = "".join(
        f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="{1.4 * unit:.1f}"/>'
        f'<text x="{x:.1f}" y="{y + 0.6 * unit:.1f}" font-size="{1.6 * unit:.1f}">{number}</text>'
        for number, (x, y) in enumerate(work.points, start=1)
    )
    return f'<polygon class="table" points="{line}"/>{marks}'
