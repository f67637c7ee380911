"""Finds the table in a picture: by a mat's markers, by four loose markers, by four corners that somebody tapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from vision.finding.fit import Fit, fit_points, fit_rectangles
from vision.finding.markers import find_markers
from vision.finding.mat import Mat, kit_of, loose_side
from vision.frames import Picture
from vision.layout import BadLayout, Layout, Points, Quad, Zone, as_homography, as_quad, is_before
from vision.lens import Lens

CROOKED_MM = 1.5
"""Markers seen further off than this are no flat, well-joined mat: four places fit any view, sizes and angles don't."""
_LEAST_MARKERS = 3  # by two the far side of the table would come out more than a millimetre off
_LEAST_GAP_PX = 40.0
_FITS = 0.12  # how far a rectangle may look from one, as a share of its sides
_FOCAL = tuple(float(f) for f in np.geomspace(0.4, 20.0, 40))  # of half the picture's width; the last is parallel


def find_table(picture: Picture) -> Layout:
    """The table in a (h, w, 3) picture by its markers; the middle of the mat is the origin of its axes.

    Raises `BadLayout` when markers are missing, mixed or do not fit a flat mat.
    """
    size_px = (picture.shape[1], picture.shape[0])
    seen = find_markers(picture)
    if not seen:
        raise BadLayout("no-markers")
    if len(kit_of(tuple(seen))) > 1:
        raise BadLayout("markers-mixed")
    mat = Mat.marked(next(iter(seen)))
    if mat is None:
        return _by_loose(seen, size_px)
    return _by_known(seen, mat.marks(), size_px, mat.zone)


def find_again(picture: Picture, layout: Layout) -> Layout:
    """The same table through a camera that was moved, by the markers whose places `layout` knows; lens and zones stay.

    Three markers are enough. Raises `BadLayout` when fewer are seen or they do not lie as they did.
    """
    seen = {number: corners for number, corners in find_markers(picture).items() if number in dict(layout.marks)}
    if len(seen) < _LEAST_MARKERS:
        raise BadLayout("few-markers", seen=len(seen))
    fit = _checked(_fit_known(seen, layout.marks, layout.size_px, layout.lens))
    return replace(layout, px_from_mm=fit.px_from_mm, residual_mm=fit.residual_mm)


def table_by_corners(
    points_px: Sequence[tuple[float, float]], size_px: tuple[int, int], table_mm: tuple[float, float]
) -> Layout:
    """The table whose four corners were marked in a picture; `table_mm` is its width along seat A's edge, and depth.

    First the corner at seat A's left hand, the others in any order. Raises `BadLayout` for corners that cannot be.
    """
    corners = _ordered(np.array(points_px, dtype=np.float64), size_px)
    table = Zone(-table_mm[0] / 2, -table_mm[1] / 2, *table_mm)
    upper_left, upper_right, lower_right, lower_left = table.corners()
    # Clockwise from the corner at the left hand of whoever sits at the lower edge.
    places = np.array([lower_left, upper_left, upper_right, lower_right])
    fit = fit_points(places, corners, size_px)
    _refuse_impossible(fit, table, size_px)
    return layout_of(fit, size_px, table, residual_mm=None)


def turned(layout: Layout, quarters: int) -> Layout:
    """The same table with seat A so many edges further clockwise; zones but the pile are left out: they lie anew."""
    cos, sin = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarters % 4]
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    matrix = as_homography(np.array(layout.px_from_mm) @ turn)

    def moved(corners: Points) -> Points:
        return np.asarray(corners @ turn[:2, :2])

    marks = tuple((number, as_quad(moved(np.array(corners)).tolist())) for number, corners in layout.marks)
    table = around_all([moved(layout.table.corners())]) if layout.table else None
    pile = around_all([moved(layout.pile.corners())])
    return replace(layout, px_from_mm=matrix, pile=pile, table=table, marks=marks, zones=())


def _by_known(
    seen: Mapping[int, Points], marks: tuple[tuple[int, Quad], ...], size_px: tuple[int, int], table: Zone
) -> Layout:
    if len(seen) < len(marks):
        raise BadLayout("few-markers", seen=len(seen))
    fit = _checked(_fit_known(seen, marks, size_px, None))
    return replace(layout_of(fit, size_px, table, residual_mm=fit.residual_mm), marks=marks)


def _fit_known(
    seen: Mapping[int, Points], marks: tuple[tuple[int, Quad], ...], size_px: tuple[int, int], lens: Lens | None
) -> Fit:
    known = [(np.array(corners), seen[number]) for number, corners in marks if number in seen]
    return fit_points(
        np.concatenate([mm for mm, _ in known]), np.concatenate([px for _, px in known]), size_px, lens=lens
    )


def _by_loose(seen: Mapping[int, Points], size_px: tuple[int, int]) -> Layout:
    if len(seen) < 4:
        raise BadLayout("few-markers", seen=len(seen))
    numbers = sorted(seen)
    side = loose_side(numbers[0]) or 0.0
    fit, lying = fit_rectangles([seen[number] for number in numbers], (side, side), size_px)
    fit, lying = upright(_checked(fit), lying)
    marks = tuple((number, as_quad(corners.tolist())) for number, corners in zip(numbers, lying, strict=True))
    return replace(layout_of(fit, size_px, around_all(lying), residual_mm=fit.residual_mm), marks=marks)


def _checked(fit: Fit) -> Fit:
    if fit.worst_mm > CROOKED_MM:
        raise BadLayout("markers-crooked", off=f"{fit.worst_mm:.1f}")
    return fit


def upright(fit: Fit, lying: tuple[Points, ...]) -> tuple[Fit, tuple[Points, ...]]:
    """The same with the origin amid four things that lie on the corners, and x along the edge of the last two.

    The things come clockwise from the upper left as seat A sees them: seat A sits at the edge of the last two.
    """
    middles = np.array([corners.mean(axis=0) for corners in lying])
    along = (middles[2] - middles[3]) + (middles[1] - middles[0])
    cos, sin = along / np.linalg.norm(along)
    turn, middle = np.array([[cos, sin], [-sin, cos]]), middles.mean(axis=0)
    back = np.eye(3)
    back[:2, :2], back[:2, 2] = turn.T, middle
    matrix = np.array(fit.px_from_mm) @ back
    return replace(fit, px_from_mm=as_homography(matrix / matrix[2, 2])), tuple((c - middle) @ turn.T for c in lying)


def around_all(lying: Sequence[Points]) -> Zone:
    """The smallest upright zone around all these corners, (4, 2) mm each."""
    (left, top), (right, bottom) = (np.concatenate(lying).min(axis=0), np.concatenate(lying).max(axis=0))
    return Zone(float(left), float(top), float(right - left), float(bottom - top))


def layout_of(fit: Fit, size_px: tuple[int, int], table: Zone, *, residual_mm: float | None) -> Layout:
    """The layout of a table found by `fit`, with a pile in its middle."""
    side = min(360.0, 0.9 * table.width, 0.9 * table.height)
    x, y = table.centre
    pile = Zone(x - side / 2, y - side / 2, side, side)
    return Layout(size_px, fit.px_from_mm, pile, lens=fit.lens, table=table, residual_mm=residual_mm)


def _ordered(points: Points, size_px: tuple[int, int]) -> Points:
    """Four marked corners clockwise from the first; raises `BadLayout` when they are no corners of anything."""
    if len(points) != 4:
        raise BadLayout("too-few-points")
    if (points < 0).any() or (points > np.array(size_px)).any():
        raise BadLayout("point-outside")
    gap = min(float(np.linalg.norm(one - other)) for one, other in combinations(points, 2))
    if gap < _LEAST_GAP_PX * size_px[0] / 1920:
        raise BadLayout("points-too-near", gap=round(gap))
    if any(_flat(*three) < 0.03 for three in combinations(points, 3)):
        raise BadLayout("on-one-line")
    off = points - points.mean(axis=0)
    angles = np.arctan2(off[:, 1], off[:, 0])
    # Picture y points down: rising angles go clockwise.
    corners = points[np.argsort((angles - angles[0]) % (2 * np.pi))]
    if not _is_convex(corners):
        raise BadLayout("not-a-corner")
    return corners


def _flat(one: Points, two: Points, three: Points) -> float:
    """Height of a triangle as a share of its longest side."""
    longest = max(float(np.linalg.norm(a - b)) for a, b in combinations((one, two, three), 2))
    return abs(_cross(two - one, three - one)) / longest**2


def _is_convex(corners: Points) -> bool:
    edges = np.roll(corners, -1, axis=0) - corners
    turns = [_cross(edge, following) for edge, following in zip(edges, np.roll(edges, -1, axis=0), strict=True)]
    return all(turn > 0 for turn in turns)


def _cross(one: Points, other: Points) -> float:
    return float(one[0] * other[1] - one[1] * other[0])


def _refuse_impossible(fit: Fit, table: Zone, size_px: tuple[int, int]) -> None:
    if not is_before(fit.px_from_mm, table.corners()):
        raise BadLayout("behind-camera")
    if _unlike_any_camera(np.array(fit.px_from_mm), size_px) > _FITS:
        raise BadLayout("no-such-table", width=round(table.width), height=round(table.height))


def _unlike_any_camera(matrix: Points, size_px: tuple[int, int]) -> float:
    """How far the table's two axes are from equally long and square, for the camera that makes the best of it.

    Zhang 2000: two columns of the homography, seen through a camera of some focal length, are axes of a plane.
    """
    half = size_px[0] / 2
    unit = np.array([[1 / half, 0.0, -size_px[0] / 2 / half], [0.0, 1 / half, -size_px[1] / 2 / half], [0.0, 0.0, 1.0]])
    axes = (unit @ matrix)[:, :2]
    return min(_skew(axes / np.array([[focal], [focal], [1.0]])) for focal in _FOCAL)


def _skew(axes: Points) -> float:
    lengths = np.linalg.norm(axes, axis=0)
    lean = abs(float(axes[:, 0] @ axes[:, 1])) / float(lengths[0] * lengths[1])
    return max(lean, float(lengths.max() / lengths.min()) - 1.0)
