"""The pile and its surroundings as seen from straight above, small and grey, for following what moves and changes."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.layout import Layout, Points

Grey = NDArray[np.uint8]
"""(h, w) brightness at `PX_PER_MM`."""
Mask = NDArray[np.bool_]
"""(h, w) of the same pixels."""

Part = tuple[slice, slice]
"""Rows and columns of a piece of the small picture."""

PX_PER_MM = 0.8
"""Scale of the small picture: strokes of an index still show, noise doesn't."""
MARGIN_MM = 90.0
"""How far around the pile zone hands are seen coming."""
_INDEX_PX = 36.0  # height at which an index is read best: well above where reading fades, still cheap
_INDEX_MM = 21.0
_PATCH_PX = 7


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of small-picture pixels, `right` and `bottom` exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def joined(self, other: Box) -> Box:
        """The smallest box around both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def grown(self, by: int, shape: tuple[int, int]) -> Box:
        """The box with a margin, kept inside a picture of (height, width)."""
        return Box(
            max(0, self.left - by),
            max(0, self.top - by),
            min(shape[1], self.right + by),
            min(shape[0], self.bottom + by),
        )

    @property
    def area(self) -> int:
        """Number of pixels in it."""
        return max(0, self.right - self.left) * max(0, self.bottom - self.top)

    @property
    def slices(self) -> Part:
        """Index of its pixels in a small picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


def joined(boxes: list[Box]) -> list[Box]:
    """The boxes, those that overlap made one."""
    apart: list[Box] = []
    for box in boxes:
        whole = box
        while (other := next((one for one in apart if one.meets(whole)), None)) is not None:
            apart.remove(other)
            whole = whole.joined(other)
        apart.append(whole)
    return apart


class Window:
    """Maps between the camera's picture, table millimetres and the small picture of the pile's surroundings."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.zone = layout.pile.grown(MARGIN_MM)
        self.shape = (round(self.zone.height * PX_PER_MM), round(self.zone.width * PX_PER_MM))
        """Height and width of the small picture."""
        self._cut, self._shrink, self._maps = self._plan()

    def small(self, picture: Picture) -> Picture:
        """The (h, w, 3) small picture of a camera picture."""
        piece = picture[self._cut]
        if self._shrink > 1:
            # Whole multiples, of which OpenCV takes the means in a tenth of the time.
            width, height = piece.shape[1] // self._shrink, piece.shape[0] // self._shrink
            piece = piece[: height * self._shrink, : width * self._shrink]
            piece = np.asarray(cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        small = cv2.remap(piece, *self._maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(small, dtype=np.uint8)

    def detail(self, picture: Picture, box: Box) -> tuple[Picture, Points, float]:
        """The piece of `picture` that shows `box`, its (x, y) offset in px, and the factor to read it at."""
        points = np.array([(box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom)])
        cut = self._bounds(self.layout.to_px(self.to_mm(points.astype(np.float64))))
        offset = np.array([cut[1].start, cut[0].start], dtype=np.float64)
        factor = float(np.clip(_INDEX_PX / (_INDEX_MM * self.layout.px_per_mm), 0.4, 2.0))
        return picture[cut], offset, factor if abs(factor - 1.0) > 0.2 else 1.0

    def to_mm(self, points: Points) -> Points:
        """(n, 2) small-picture px to table mm."""
        return np.asarray(points / PX_PER_MM + (self.zone.x, self.zone.y), dtype=np.float64)

    def to_small(self, points_mm: Points) -> Points:
        """(n, 2) table mm to small-picture px."""
        return np.asarray((points_mm - (self.zone.x, self.zone.y)) * PX_PER_MM, dtype=np.float64)

    def patch(self, x_mm: float, y_mm: float) -> Part:
        """The pixels of an index around a point given in mm."""
        x, y = self.to_small(np.array([(x_mm, y_mm)]))[0]
        return Box(round(x), round(y), round(x) + 1, round(y) + 1).grown(_PATCH_PX, self.shape).slices

    def polygon(self, points_mm: Points) -> Mask:
        """The pixels inside a convex polygon given in mm."""
        mask = np.zeros(self.shape, dtype=np.uint8)
        cv2.fillConvexPoly(mask, np.round(self.to_small(points_mm) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        return mask.astype(np.bool_)

    def box_of(self, points_mm: Points) -> Box:
        """The smallest box around points given in mm."""
        points = self.to_small(points_mm)
        (left, top), (right, bottom) = np.floor(points.min(axis=0)), np.ceil(points.max(axis=0))
        return Box(int(left), int(top), int(right), int(bottom)).grown(0, self.shape)

    def _plan(self) -> tuple[tuple[slice, slice], int, tuple[cv2.typing.MatLike, cv2.typing.MatLike]]:
        cut = self._bounds(self.layout.to_px(self.zone.corners()))
        shrink = max(1, round(self.layout.px_per_mm / PX_PER_MM))
        rows, columns = np.indices(self.shape)
        points_px = self.layout.to_px(self.to_mm(np.stack([columns.ravel(), rows.ravel()], axis=1).astype(np.float64)))
        # The middle of the first shrunk pixel lies (shrink - 1) / 2 px into the piece.
        shrunk = (points_px - (cut[1].start, cut[0].start) - (shrink - 1) / 2) / shrink
        columns_from, rows_from = shrunk.astype(np.float32).T.reshape(2, *self.shape)
        return cut, shrink, cv2.convertMaps(columns_from, rows_from, cv2.CV_16SC2)

    def _bounds(self, points_px: Points) -> tuple[slice, slice]:
        width, height = self.layout.size_px
        low = np.clip(np.floor(points_px.min(axis=0)).astype(int), 0, (width - 1, height - 1))
        high = np.clip(np.ceil(points_px.max(axis=0)).astype(int), low + 1, (width, height))
        return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
