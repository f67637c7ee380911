"""What was found, in a sentence, in English and Russian."""

from __future__ import annotations

import numpy as np

from vision.layout import Layout

_SLIP_PX = 3.0
_WORDS = {
    "found": (
        "The table is found: {width:.0f} × {height:.0f} mm, {scale:.2f} px for a mm",
        "Стол найден: {width:.0f} × {height:.0f} мм, {scale:.2f} пикс. на мм",
    ),
    "residual": (
        "; the points it was found by agree to {residual:.2f} mm.",
        "; опорные точки сходятся до {residual:.2f} мм.",
    ),
    "no-residual": (
        ". Four points fit any table exactly: if each is off by {slip:.0f} px, the pile is off by up to {off:.1f} mm.",
        ". Четыре точки подойдут к любому столу: ошибка в {slip:.0f} пикс. сдвинет место стопки до {off:.1f} мм.",
    ),
}


def describe(layout: Layout, language: str) -> str:
    """Size, scale and residual; of a table found by four points, what a slip of the finger would do."""
    table = layout.table or layout.pile
    values = {"width": table.width, "height": table.height, "scale": layout.px_per_mm, "slip": _SLIP_PX}
    if layout.residual_mm is None:
        return _say(language, "found", **values) + _say(language, "no-residual", off=slip_mm(layout), **values)
    return _say(language, "found", **values) + _say(language, "residual", residual=layout.residual_mm, **values)


def slip_mm(layout: Layout, slip_px: float = _SLIP_PX) -> float:
    """How far the pile's corners move on the table if all points are seen `slip_px` further along, mm at the worst."""
    seen = layout.to_px(layout.pile.corners())
    slips = [np.array(way) * slip_px for way in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return max(float(np.linalg.norm(layout.to_mm(seen + s) - layout.pile.corners(), axis=1).max()) for s in slips)


def _say(language: str, key: str, **values: float) -> str:
    return _WORDS[key][language == "ru"].format(**values)
