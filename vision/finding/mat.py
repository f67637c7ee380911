"""The printed mat: how large it is, how its sheets are joined, where its four markers are and what their numbers say.

Markers are AprilTags of the family 36h11 (Olson 2011), printed upright. A marker's number tells which mat it belongs to
and which corner it marks, so that a camera needs to be told nothing: number = 4 · code + corner. Corners count
clockwise from the upper left, as seen from seat A, who sits at the lower edge. Loose markers have codes of their own:
their size is known, where they lie is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from engine.errors import TableError
from vision.layout import Quad, Zone, as_quad

PAPERS: dict[str, tuple[float, float]] = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "Letter": (215.9, 279.4)}
"""Width and height of an upright sheet, mm."""
MARGIN_MM = 10.0
"""Edge of a sheet that printers leave white; what is joined is the part inside it."""
MARKER_MM = 40.0
"""Side of a mat's marker, its black frame included."""
QUIET_MM = 5.0
"""White around a marker: one of its ten cells."""
LOOSE_MM: dict[str, float] = {"A4": 60.0, "A3": 100.0, "Letter": 60.0}
"""Side of the loose markers printed on that paper."""
_MOST_SHEETS = 4  # in a row or column
_SHAPES = tuple(product(PAPERS, (False, True), range(1, _MOST_SHEETS + 1), range(1, _MOST_SHEETS + 1)))
_LOOSE_SIDES = tuple(sorted(set(LOOSE_MM.values())))


class NoMat(TableError, ValueError):
    """No mat of that kind can be printed."""


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat of `columns` × `rows` sheets."""

    paper: str
    is_wide: bool
    """The sheets lie on their sides."""
    columns: int
    rows: int

    @classmethod
    def at_least(cls, width_mm: float, height_mm: float, paper: str) -> Mat:
        """The mat of fewest sheets, then of least area, that has so much room; raises `NoMat` when none has."""
        mats = [mat for mat in map(cls._of_shape, _SHAPES) if mat.paper == paper_of(paper)]
        fitting = [mat for mat in mats if mat.size_mm[0] >= width_mm and mat.size_mm[1] >= height_mm]
        if not fitting:
            raise NoMat(
                f"a mat of {width_mm:.0f} × {height_mm:.0f} mm takes more than {_MOST_SHEETS} × {_MOST_SHEETS} sheets "
                f"of {paper_of(paper)}; take larger paper or --markers-only"
            )
        return min(fitting, key=lambda mat: (mat.columns * mat.rows, mat.size_mm[0] * mat.size_mm[1]))

    @classmethod
    def marked(cls, number: int) -> Mat | None:
        """The mat whose marker has that number; None if it is a loose one or none at all."""
        code = number // 4
        return cls._of_shape(_SHAPES[code]) if 0 <= code < len(_SHAPES) else None

    @classmethod
    def _of_shape(cls, shape: tuple[str, bool, int, int]) -> Mat:
        return cls(*shape)

    @property
    def sheet_mm(self) -> tuple[float, float]:
        """Width and height of a sheet as it lies."""
        width, height = PAPERS[self.paper]
        return (height, width) if self.is_wide else (width, height)

    @property
    def tile_mm(self) -> tuple[float, float]:
        """Width and height of the part of a sheet that is joined to the others."""
        width, height = self.sheet_mm
        return width - 2 * MARGIN_MM, height - 2 * MARGIN_MM

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the whole."""
        width, height = self.tile_mm
        return width * self.columns, height * self.rows

    @property
    def zone(self) -> Zone:
        """The whole mat; its middle is the origin of the table's axes."""
        width, height = self.size_mm
        return Zone(-width / 2, -height / 2, width, height)

    def marks(self) -> tuple[tuple[int, Quad], ...]:
        """Its four markers by number with their corners, mm."""
        code = _SHAPES.index((self.paper, self.is_wide, self.columns, self.rows))
        inner = self.zone.grown(-(QUIET_MM + MARKER_MM / 2))
        return tuple((4 * code + corner, _square(x, y)) for corner, (x, y) in enumerate(inner.corners().tolist()))


def loose_numbers(paper: str) -> tuple[int, ...]:
    """Numbers of the four loose markers printed on that paper; raises `NoMat` for an unknown paper."""
    first = 4 * (len(_SHAPES) + _LOOSE_SIDES.index(LOOSE_MM[paper_of(paper)]))
    return tuple(range(first, first + 4))


def loose_side(number: int) -> float | None:
    """Side in mm of the loose marker of that number; None if it is none."""
    place = number // 4 - len(_SHAPES)
    return _LOOSE_SIDES[place] if 0 <= place < len(_LOOSE_SIDES) else None


def is_ours(number: int) -> bool:
    """Whether a marker of that number is one that is printed here."""
    return Mat.marked(number) is not None or loose_side(number) is not None


def kit_of(numbers: Sequence[int]) -> set[int]:
    """The codes that markers of these numbers carry: one for each mat or set of loose markers."""
    return {number // 4 for number in numbers}


def paper_of(name: str) -> str:
    """The paper's name as it is written, in any case; raises `NoMat`."""
    known = {paper.lower(): paper for paper in PAPERS}
    if name.lower() not in known:
        raise NoMat(f"there is no paper {name!r} here; choose {', '.join(PAPERS)}")
    return known[name.lower()]


def _square(x: float, y: float) -> Quad:
    return as_quad(Zone(x - MARKER_MM / 2, y - MARKER_MM / 2, MARKER_MM, MARKER_MM).corners().tolist())
