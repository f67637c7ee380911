"""Pictures of a printed mat or of loose markers as a simulated camera takes them, with the truth beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from numpy.typing import NDArray

from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX, Camera
from engine.seats import seats
from vision.finding.mat import MARGIN_MM, PAPERS, Mat
from vision.finding.printing import markers_pdf, mat_pdf
from vision.finding.zones import arrange
from vision.frames import Picture
from vision.layout import Layout

Floats = NDArray[np.float64]
SIZE_PX = (WIDTH_PX, HEIGHT_PX)
TABLE_MM = (1300.0, 900.0)
FINE = 3  # px per mm of the printed paper
_FELT = (62, 96, 48)


def camera(
    *,
    turn: float = 0.0,
    tilt: tuple[float, float] = (0.0, 0.0),
    bulge: float = 0.0,
    scale: float = 1.4,
    middle: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """A camera turned by `turn` degrees, tilted, with a lens, `middle` px off the table's middle."""
    cos, sin = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))
    flat = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [*tilt, 1.0]])
    shift = np.array([[1, 0, WIDTH_PX / 2 + middle[0]], [0, 1, HEIGHT_PX / 2 + middle[1]], [0, 0, 1.0]])
    return Camera(shift @ flat, bulge)


@lru_cache(maxsize=4)
def printed_mat(mat: Mat, language: str = "en") -> Picture:
    """The sheets of a mat put together as its first page says."""
    zones = arrange(mat.zone, ("pile", "seat"), seats(4))
    pages = _pages(mat_pdf(mat, zones, language))[1:]
    rows = [np.hstack([_tile(mat, page) for page in pages[i : i + mat.columns]]) for i in _starts(mat)]
    return np.asarray(np.vstack(rows), dtype=np.uint8)


@lru_cache(maxsize=2)
def loose_markers(paper: str) -> tuple[Picture, ...]:
    """The four loose markers, cut out along their dashed lines."""
    [page] = _pages(markers_pdf(paper))
    width, height = PAPERS[paper]
    half = 37.0
    places = [(width * x, height * y) for x, y in ((0.28, 0.28), (0.72, 0.28), (0.72, 0.66), (0.28, 0.66))]
    return tuple(
        page[round((y - half) * FINE) : round((y + half) * FINE), round((x - half) * FINE) : round((x + half) * FINE)]
        for x, y in places
    )


def table_with(mat: Mat) -> Picture:
    """A table top with the mat in its middle, `FINE` px a mm."""
    top = _felt()
    _put(top, printed_mat(mat), (0.0, 0.0), 0.0)
    return top


def table_with_loose(paper: str, places: Sequence[tuple[float, float, float]]) -> Picture:
    """A table top with four loose markers, each with its middle at x, y mm and turned by degrees."""
    top = _felt()
    for marker, (x, y, turn) in zip(loose_markers(paper), places, strict=True):
        _put(top, marker, (x, y), turn)
    return top


def shoot(top: Picture, camera: Camera, *, seed: int = 1, noise: float = 2.0) -> Picture:
    """What `camera` sees of a table top: (1080, 1920, 3)."""
    rows, columns = np.indices((HEIGHT_PX, WIDTH_PX)).astype(np.float64)
    seen = np.stack([columns.ravel(), rows.ravel()], axis=1)
    mm = _through(np.asarray(np.linalg.inv(camera.homography), np.float64), _unbent(seen, camera.bulge))
    at = (mm + np.array(TABLE_MM) / 2) * FINE - 0.5
    maps = at.astype(np.float32).T.reshape(2, HEIGHT_PX, WIDTH_PX)
    soft = cv2.GaussianBlur(top, (0, 0), 1.4)  # what the lens and a px's own size blur, on the table
    picture = cv2.remap(
        soft, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(40, 44, 60)
    )
    rng = np.random.default_rng(seed)
    shade = np.linspace(0.8, 1.0, WIDTH_PX)[None, :, None]
    noisy = picture * shade + rng.normal(0, noise, picture.shape)
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def error_mm(layout: Layout, camera: Camera, *, reach_mm: float = 180.0) -> float:
    """How far the layout puts points of the middle of the table from where they are: the worst, mm."""
    grid = np.linspace(-reach_mm, reach_mm, 9)
    points = np.array([(x, y) for x in grid for y in grid])
    return float(np.linalg.norm(layout.to_mm(camera.project(points)) - points, axis=1).max())


def misfit_mm(layout: Layout, camera: Camera, *, reach_mm: float = 180.0) -> float:
    """The same where the layout's axes are its own: what is left after the best turn and shift."""
    grid = np.linspace(-reach_mm, reach_mm, 9)
    points = np.array([(x, y) for x in grid for y in grid])
    seen = layout.to_mm(camera.project(points))
    left, _, right = np.linalg.svd((points - points.mean(axis=0)).T @ (seen - seen.mean(axis=0)))
    turned = (points - points.mean(axis=0)) @ (left @ right) + seen.mean(axis=0)
    return float(np.linalg.norm(turned - seen, axis=1).max())


def _starts(mat: Mat) -> range:
    return range(0, mat.columns * mat.rows, mat.columns)


def _pages(pdf: bytes) -> list[Picture]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [_fine(page) for page in document]
    finally:
        document.close()


def _fine(page: pypdfium2.PdfPage) -> Picture:
    # PDFium lets a rectangle fill every pixel that it touches: drawn coarsely, the markers would grow by half a mm.
    drawn = page.render(scale=25.4 / 72 * FINE * 4).to_numpy()[:, :, :3]
    height, width = (side // 4 * 4 for side in drawn.shape[:2])
    return np.asarray(cv2.resize(drawn[:height, :width], None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))


def _tile(mat: Mat, page: Picture) -> Picture:
    width, height = (round(side * FINE) for side in mat.tile_mm)
    edge = round(MARGIN_MM * FINE)
    return page[edge : edge + height, edge : edge + width]


def _felt() -> Picture:
    width, height = (round(side * FINE) for side in TABLE_MM)
    rng = np.random.default_rng(4)
    coarse = cv2.resize(rng.normal(0, 14, (height // 12, width // 12)), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(np.array(_FELT) + coarse[:, :, None], 0, 255), dtype=np.uint8)


def _put(top: Picture, paper: Picture, middle_mm: tuple[float, float], turn: float) -> None:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    centre = (np.array(middle_mm) + np.array(TABLE_MM) / 2) * FINE - 0.5
    matrix = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
    half = (np.array([paper.shape[1], paper.shape[0]]) - 1) / 2
    matrix[:, 2] = centre - matrix[:, :2] @ half
    cv2.warpAffine(
        paper, matrix, (top.shape[1], top.shape[0]), dst=top, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
    )


def _unbent(points: Floats, bulge: float) -> Floats:
    middle = np.array([WIDTH_PX / 2, HEIGHT_PX / 2])
    seen = points - middle
    flat: Floats = seen.copy()
    for _ in range(8 if bulge else 0):
        radius = np.linalg.norm(flat, axis=1, keepdims=True) / (WIDTH_PX / 2)
        flat = seen / (1 + bulge * radius**2)
    return np.asarray(flat + middle, dtype=np.float64)


def _through(matrix: Floats, points: Floats) -> Floats:
    full = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(full[:, :2] / full[:, 2:], dtype=np.float64)
