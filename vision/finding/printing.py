"""The mat and the loose markers as a PDF: lines and areas, exact to the printer's own error.

A sheet's margin takes no part in the mat. Where a neighbour joins at the right or below, the sheet is cut along its
tile's edge and laid on the neighbour's margin, so that the tiles touch.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import as_file, files

from fpdf import FPDF

from vision.finding.markers import cells
from vision.finding.mat import LOOSE_MM, MARGIN_MM, PAPERS, Mat, loose_numbers, paper_of
from vision.finding.printing_words import say, zone_name
from vision.layout import Zone

_LINE, _TEXT, _FAINT = 170, 120, 215
_CELLS = 8
_SEAM_MM = 0.02  # white cells reach over each other so that no renderer leaves a dark hair between them
_SCALE_MM = 100.0


def mat_pdf(mat: Mat, zones: Mapping[str, Zone], language: str = "en") -> bytes:
    """The whole mat: a page that says how to put it together, then a page a sheet."""
    pdf = _document(mat.sheet_mm)
    _draw_plan(pdf, mat, zones, language)
    for row in range(mat.rows):
        for column in range(mat.columns):
            _draw_sheet(pdf, mat, zones, (column, row), language)
    return bytes(pdf.output())


def markers_pdf(paper: str, language: str = "en") -> bytes:
    """Four loose markers on one sheet; raises `NoMat` for an unknown paper."""
    name = paper_of(paper)
    pdf, side = _document(PAPERS[name]), LOOSE_MM[name]
    width, height = PAPERS[name]
    pdf.add_page()
    frame = side * 10 / _CELLS
    for corner, number in enumerate(loose_numbers(name)):
        x, y = width * (0.28, 0.72, 0.72, 0.28)[corner], height * (0.28, 0.28, 0.66, 0.66)[corner]
        _cut_line(pdf, Zone(x - frame / 2, y - frame / 2, frame, frame))
        _draw_marker(pdf, number, Zone(x - side / 2, y - side / 2, side, side))
        _draw_corner(pdf, corner, x, y + frame / 2 + 4)
    _scale_bar(pdf, width / 2, height - 24, language)
    _centred(pdf, width / 2, height - 16, say(language, "loose"), 9)
    _centred(pdf, width / 2, height - 11, say(language, "full-size"), 9)
    return bytes(pdf.output())


def _document(size_mm: tuple[float, float]) -> FPDF:
    pdf = FPDF(unit="mm", format=size_mm)
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    with as_file(files("font_roboto") / "files" / "Roboto-Regular.ttf") as font:
        pdf.add_font("Roboto", fname=font)
    pdf.set_title("cardtable")
    return pdf


def _draw_plan(pdf: FPDF, mat: Mat, zones: Mapping[str, Zone], language: str) -> None:
    """The first page: the mat in small with its sheets numbered, and what to do."""
    pdf.add_page()
    width, height = mat.sheet_mm
    pdf.set_text_color(40)
    words = {"width": f"{mat.size_mm[0]:.0f}", "height": f"{mat.size_mm[1]:.0f}", "count": mat.columns * mat.rows}
    lines = [say(language, "title", **words), *say(language, "steps").split("\n")]
    for number, line in enumerate(lines):
        pdf.set_font("Roboto", size=16 if number == 0 else 10.5)
        pdf.text(MARGIN_MM + 5, MARGIN_MM + 10 + 6.5 * number + (3 if number else 0), line)
    top = MARGIN_MM + 18 + 6.5 * len(lines)
    scale = min((width - 40) / mat.size_mm[0], (height - top - 30) / mat.size_mm[1])
    middle = (width / 2, top + scale * mat.size_mm[1] / 2)
    with pdf.local_context():
        pdf.set_line_width(0.2)
        for name, zone in {"": mat.zone, **zones}.items():
            box = _scaled(zone, scale, middle)
            pdf.set_draw_color(60 if not name else _LINE)
            pdf.rect(box.x, box.y, box.width, box.height)
        for _, corners in mat.marks():
            (left, upper), (right, _), *_ = corners
            box = _scaled(Zone(left, upper, right - left, right - left), scale, middle)
            pdf.set_fill_color(0)
            pdf.rect(box.x, box.y, box.width, box.height, style="F")
    _draw_grid(pdf, mat, scale, middle)
    _scale_bar(pdf, width / 2, height - 14, language)


def _draw_grid(pdf: FPDF, mat: Mat, scale: float, middle: tuple[float, float]) -> None:
    pdf.set_draw_color(200, 60, 50)
    for number in range(mat.columns * mat.rows):
        box = _scaled(tile_of(mat, number % mat.columns, number // mat.columns), scale, middle)
        with pdf.local_context():
            pdf.set_dash_pattern(dash=1.5, gap=1.5)
            pdf.rect(box.x, box.y, box.width, box.height)
        pdf.set_text_color(200, 60, 50)
        _centred(pdf, *box.centre, str(number + 1), 14)
    pdf.set_text_color(40)
    _centred(pdf, middle[0], middle[1] + scale * mat.size_mm[1] / 2 + 6, "A", 14)


def tile_of(mat: Mat, column: int, row: int) -> Zone:
    """The part of the mat that the sheet in that column and row carries, mm."""
    width, height = mat.tile_mm
    return Zone(mat.zone.x + column * width, mat.zone.y + row * height, width, height)


def _draw_sheet(pdf: FPDF, mat: Mat, zones: Mapping[str, Zone], place: tuple[int, int], language: str) -> None:
    pdf.add_page()
    tile = tile_of(mat, *place)
    dx, dy = MARGIN_MM - tile.x, MARGIN_MM - tile.y
    with pdf.rect_clip(MARGIN_MM, MARGIN_MM, tile.width, tile.height):
        for name, zone in zones.items():
            _draw_zone(pdf, name, Zone(zone.x + dx, zone.y + dy, zone.width, zone.height), language)
        for number, corners in mat.marks():
            (left, top), (right, _), *_ = corners
            _draw_marker(pdf, number, Zone(left + dx, top + dy, right - left, right - left))
    _draw_joints(pdf, mat, place, language)


def _draw_zone(pdf: FPDF, name: str, zone: Zone, language: str) -> None:
    pdf.set_draw_color(_LINE)
    pdf.set_line_width(0.5)
    pdf.rect(zone.x, zone.y, zone.width, zone.height, round_corners=True, corner_radius=5)
    pdf.set_text_color(_TEXT)
    _centred(pdf, zone.centre[0], zone.y + zone.height - 5, zone_name(language, name), 13)


def _draw_marker(pdf: FPDF, number: int, box: Zone) -> None:
    cell = box.width / _CELLS
    pdf.set_fill_color(0)
    pdf.rect(box.x, box.y, box.width, box.height, style="F")
    pdf.set_fill_color(255)
    for row, column in zip(*(cells(number) > 127).nonzero(), strict=True):
        x, y = box.x + float(column) * cell, box.y + float(row) * cell
        pdf.rect(x - _SEAM_MM, y - _SEAM_MM, cell + 2 * _SEAM_MM, cell + 2 * _SEAM_MM, style="F")


def _draw_joints(pdf: FPDF, mat: Mat, place: tuple[int, int], language: str) -> None:
    """Where to cut, where to glue, and which sheet this is."""
    (column, row), (width, height) = place, mat.sheet_mm
    right, foot = width - MARGIN_MM, height - MARGIN_MM
    if column + 1 < mat.columns:
        _cut(pdf, (right, 0.0), (right, height))
    if row + 1 < mat.rows:
        _cut(pdf, (0.0, foot), (width, foot))
    if column > 0:
        _hatch(pdf, Zone(4, MARGIN_MM, MARGIN_MM - 4, foot - MARGIN_MM))
    if row > 0:
        _hatch(pdf, Zone(MARGIN_MM, 4, right - MARGIN_MM, MARGIN_MM - 4))
    number = row * mat.columns + column + 1
    pdf.set_text_color(_TEXT)
    note = say(language, "sheet", number=number, count=mat.columns * mat.rows, column=column + 1, row=row + 1)
    _centred(pdf, width / 2, height - 5, note, 7)


def _cut(pdf: FPDF, start: tuple[float, float], end: tuple[float, float]) -> None:
    with pdf.local_context():
        pdf.set_draw_color(60)
        pdf.set_line_width(0.15)
        pdf.set_dash_pattern(dash=3, gap=2)
        pdf.line(*start, *end)


def _cut_line(pdf: FPDF, box: Zone) -> None:
    corners = [(float(x), float(y)) for x, y in box.corners()]
    for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
        _cut(pdf, start, end)


def _hatch(pdf: FPDF, box: Zone) -> None:
    """The margin that is glued: the neighbour lies on it."""
    pdf.set_draw_color(_FAINT)
    pdf.set_line_width(0.3)
    with pdf.rect_clip(box.x, box.y, box.width, box.height):
        for step in range(-20, int(box.width + box.height) + 20, 5):
            pdf.line(box.x + step, box.y, box.x + step - box.height, box.y + box.height)


def _draw_corner(pdf: FPDF, corner: int, x: float, y: float) -> None:
    """A small table with seat A below and the marker's corner filled."""
    pdf.set_draw_color(60)
    pdf.set_line_width(0.3)
    pdf.rect(x - 6, y, 12, 12)
    pdf.set_fill_color(0)
    pdf.rect(x + (-6, 2, 2, -6)[corner], y + (0, 0, 8, 8)[corner], 4, 4, style="F")
    pdf.set_text_color(40)
    _centred(pdf, x, y + 16, "A", 10)


def _scale_bar(pdf: FPDF, x: float, y: float, language: str) -> None:
    pdf.set_draw_color(60)
    pdf.set_line_width(0.3)
    pdf.line(x - _SCALE_MM / 2, y, x + _SCALE_MM / 2, y)
    for end in (x - _SCALE_MM / 2, x + _SCALE_MM / 2):
        pdf.line(end, y - 2, end, y + 2)
    pdf.set_text_color(40)
    _centred(pdf, x, y - 2, say(language, "scale", length=f"{_SCALE_MM:.0f}"), 8)


def _centred(pdf: FPDF, x: float, y: float, text: str, size: float) -> None:
    pdf.set_font("Roboto", size=size)
    pdf.text(x - pdf.get_string_width(text) / 2, y, text)


def _scaled(zone: Zone, scale: float, middle: tuple[float, float]) -> Zone:
    return Zone(middle[0] + scale * zone.x, middle[1] + scale * zone.y, scale * zone.width, scale * zone.height)
