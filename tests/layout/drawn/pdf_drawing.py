"""What is drawn on a page of a PDF, by PDFium: its fills with their colours, and its charts.

In: the bytes of a PDF. Out: for each page the runs of its text, its fills, and each figure of its structure tree with
its shapes. Lengths of shapes are those of the chart, hundredths of an em: WeasyPrint keeps them, and one matrix places
them all on the page.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from refgen.layout.readback.pdf_pages import figure_elements, page_objects, read_pdf
from refgen.layout.readback.places import PageBox, TextRun
from tests.layout.drawn.drawing import Shape, Spot

Colour = tuple[int, int, int]
"""Red, green and blue from 0 to 255."""


class Frame(NamedTuple):
    """How a drawing is scaled and moved to its place on the page."""

    across: float
    up: float
    left: float
    bottom: float

    def on_page(self, spot: Spot) -> Spot:
        """A spot of the drawing on the page."""
        return Spot(self.across * spot.x + self.left, self.up * spot.y + self.bottom)

    def in_drawing(self, spot: Spot) -> Spot:
        """A spot of the page in the drawing."""
        return Spot((spot.x - self.left) / self.across, (spot.y - self.bottom) / self.up)


@dataclass(frozen=True, slots=True)
class PdfDrawing:
    """A chart in a PDF: its shapes, and where it is on the page (None when nothing is drawn)."""

    shapes: tuple[Shape, ...]
    frame: Frame | None

    def spot(self, box: PageBox, kind: str) -> Spot:
        """Where a text of a chart stands that has this box on the page; see ``Drawing``."""
        x = {"up": box.right, "name": box.left}.get(kind, (box.left + box.right) / 2)
        spot = Spot(x, (box.bottom + box.top) / 2)
        return self.frame.in_drawing(spot) if self.frame else spot


class ColouredFill(NamedTuple):
    """An area of a page that is filled after its first text was painted; ``order`` counts what is painted."""

    box: PageBox
    order: int
    colour: Colour


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page: its text, its charts, and its fills outside of charts."""

    runs: Sequence[TextRun]
    drawings: Sequence[PdfDrawing]
    fills: Sequence[ColouredFill]


def drawn_pages(data: bytes) -> Iterator[DrawnPage]:
    """The pages of a PDF."""
    with closing(pypdfium2.PdfDocument(data)) as document:
        for page, drawn in zip(read_pdf(data, "x"), document, strict=True):
            objects = [found.raw for found in page_objects(drawn.raw)]
            ornaments = [fill for fill in page.fills if _marked(objects[fill.order]) < 0]
            fills = [ColouredFill(fill.box, fill.order, _colour(objects[fill.order])) for fill in ornaments]
            paths = [found for found in objects if pdfium.FPDFPageObj_GetType(found) == pdfium.FPDF_PAGEOBJ_PATH]
            drawings = [
                _drawing([path for path in paths if _marked(path) in marks])
                for marks in map(_marks, figure_elements(drawn.raw))
            ]
            yield DrawnPage(page.runs, drawings, fills)


def _marked(found: Any) -> int:
    """The number of the marked content that an object is painted in; -1 for an ornament."""
    return int(pdfium.FPDFPageObj_GetMarkedContentID(found))


def _marks(figure: Any) -> set[int]:
    """The numbers of the marked content of a figure."""
    count = pdfium.FPDF_StructElement_GetMarkedContentIdCount(figure)
    return {pdfium.FPDF_StructElement_GetMarkedContentIdAtIndex(figure, at) for at in range(count)}


def _drawing(paths: Sequence[Any]) -> PdfDrawing:
    """A chart in the units of its first path, which are those of all paths that stand where they should."""
    if not paths:
        return PdfDrawing((), None)
    first = _frame(paths[0])
    return PdfDrawing(tuple(_shape(path, first) for path in paths), first)


def _frame(path: Any) -> Frame:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(path, matrix)
    return Frame(matrix.a, matrix.d, matrix.e, matrix.f)


def _shape(path: Any, first: Frame) -> Shape:
    fill, stroked, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroked)
    pdfium.FPDFPageObj_GetStrokeWidth(path, width)
    parts, closed = _parts(path)
    if (frame := _frame(path)) != first:
        parts = [[first.in_drawing(frame.on_page(spot)) for spot in part] for part in parts]
    return Shape(
        tuple(map(tuple, parts)),
        closed,
        width.value if stroked.value else 0.0,
        _colour(path) if fill.value != int(pdfium.FPDF_FILLMODE_NONE) else None,
    )


def _parts(path: Any) -> tuple[list[list[Spot]], bool]:
    """The points of each part of a path, and whether it ends closed."""
    parts: list[list[Spot]] = []
    x, y, closed = ctypes.c_float(), ctypes.c_float(), False
    for number in range(pdfium.FPDFPath_CountSegments(path)):
        segment = pdfium.FPDFPath_GetPathSegment(path, number)
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        if pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_MOVETO:
            parts.append([])
        parts[-1].append(Spot(x.value, y.value))
        closed = bool(pdfium.FPDFPathSegment_GetClose(segment))
    return parts, closed


def _colour(path: Any) -> Colour:
    """What a path is filled with."""
    red, green, blue, _ = channels = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(path, *channels)
    return red.value, green.value, blue.value
