"""The charts on a page of a PDF, by PDFium.

In: a page and the paths that are painted in marked content. Out: each figure of the structure tree, in reading order,
with its alternative text and its shapes. Lengths are those of the chart, hundredths of an em: WeasyPrint keeps them,
and one matrix places them all on the page.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from refgen.render.readback.box import Box
from refgen.render.readback.drawing import Shape, Spot
from refgen.render.readback.palette import Colour


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
class PdfFigure:
    """A chart in a PDF: its alternative text, its shapes, and where it is on the page (None when nothing is drawn)."""

    alternative: str
    shapes: tuple[Shape, ...]
    frame: Frame | None

    def spot(self, box: Box, kind: str) -> Spot:
        """Where a text of a chart stands that has this box on the page; see ``Drawing``."""
        x = {"up": box.right, "name": box.left}.get(kind, (box.left + box.right) / 2)
        spot = Spot(x, (box.bottom + box.top) / 2)
        return self.frame.in_drawing(spot) if self.frame else spot


def read_figures(page: Any, paths: Sequence[tuple[int, Any]]) -> tuple[PdfFigure, ...]:
    """The figures of a page; ``paths`` has the paths of its marked content by the numbers of that, in order."""
    with closing(_Tree(page)) as tree:
        return tuple(
            _figure(
                _text(pdfium.FPDF_StructElement_GetAltText, element), [path for mark, path in paths if mark in marks]
            )
            for element, marks in tree.figures()
        )


class _Tree:
    """The structure tree of a page."""

    def __init__(self, page: Any) -> None:
        self.tree = pdfium.FPDF_StructTree_GetForPage(page)

    def close(self) -> None:
        pdfium.FPDF_StructTree_Close(self.tree)

    def figures(self) -> Iterator[tuple[Any, set[int]]]:
        """The figures, each with the numbers of its marked content."""
        for number in range(pdfium.FPDF_StructTree_CountChildren(self.tree)):
            yield from _figures(pdfium.FPDF_StructTree_GetChildAtIndex(self.tree, number))


def _figures(element: Any) -> Iterator[tuple[Any, set[int]]]:
    if _text(pdfium.FPDF_StructElement_GetType, element) == "Figure":
        count = pdfium.FPDF_StructElement_GetMarkedContentIdCount(element)
        yield element, {pdfium.FPDF_StructElement_GetMarkedContentIdAtIndex(element, at) for at in range(count)}
    for number in range(pdfium.FPDF_StructElement_CountChildren(element)):
        if child := pdfium.FPDF_StructElement_GetChildAtIndex(element, number):
            yield from _figures(child)


def _text(ask: Callable[..., int], element: Any) -> str:
    length = ask(element, None, 0)
    buffer = ctypes.create_string_buffer(length)
    ask(element, buffer, length)
    return buffer.raw[: max(length - 2, 0)].decode("utf-16-le", "replace")


def _figure(alternative: str, paths: Sequence[Any]) -> PdfFigure:
    """A figure in the units of its first path, which are those of all paths that stand where they should."""
    if not paths:
        return PdfFigure(alternative, (), None)
    first = _frame(paths[0])
    return PdfFigure(alternative, tuple(_shape(path, first) for path in paths), first)


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
        fill_colour(path) if fill.value != int(pdfium.FPDF_FILLMODE_NONE) else None,
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


def fill_colour(path: Any) -> Colour:
    """What a path is filled with."""
    red, green, blue, _ = channels = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetFillColor(path, *channels)
    return red.value, green.value, blue.value
