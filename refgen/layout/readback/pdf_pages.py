"""A PDF that PDFium reads back: texts, areas and fields of its pages.

In: the bytes of a PDF. Out: its pages, each with its texts in the order of painting, the areas that are painted over
texts, and the fields. Lengths are in points.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from refgen.errors import RenderError
from refgen.layout.pieces import LINE_END_HYPHEN, is_from_right, normalize_text, stretches
from refgen.layout.readback.places import FilledArea, PageBox, PdfField, PdfFont, TextRun, bounding_box, intersection

_LONGEST = 65536
"""Bytes of the longest run that is read, in UTF-16."""


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page; ``figures`` are the alternative texts of its charts in reading order."""

    box: PageBox
    runs: tuple[TextRun, ...]
    fills: tuple[FilledArea, ...]
    fields: tuple[PdfField, ...]
    figures: tuple[str, ...]


def read_pdf(data: bytes, name: str) -> list[PdfPage]:
    """The pages of a PDF, ``name`` in errors. Raises RenderError for bytes that are no PDF."""
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise RenderError(f"{name} is not a PDF that can be read: {error}") from error
    with closing(document):
        document.init_forms()  # without forms, PDFium does not know the whole names of fields
        return [_Reader(document[number], document.formenv).page() for number in range(len(document))]


@dataclass(frozen=True, slots=True)
class PageObject:
    """An object of PDFium; ``matrix`` is the matrix of the form XObject around the object, None if there is no form."""

    raw: Any
    matrix: Any

    def on_page(self, box: PageBox) -> PageBox:
        """A box of the object in the coordinates of the page; forms are moved and scaled, never turned."""
        if self.matrix is None:
            return box
        (left, right), (bottom, top) = (
            sorted((self.matrix.a * box.left + self.matrix.e, self.matrix.a * box.right + self.matrix.e)),
            sorted((self.matrix.d * box.bottom + self.matrix.f, self.matrix.d * box.top + self.matrix.f)),
        )
        return PageBox(left, bottom, right, top)


def page_objects(page: Any) -> Iterator[PageObject]:
    """The objects painted on a page, in order; a form (the centred text of a chart) is replaced by its objects."""
    for number in range(pdfium.FPDFPage_CountObjects(page)):
        found = pdfium.FPDFPage_GetObject(page, number)
        if pdfium.FPDFPageObj_GetType(found) == pdfium.FPDF_PAGEOBJ_FORM:
            matrix = pdfium.FS_MATRIX()
            pdfium.FPDFPageObj_GetMatrix(found, matrix)
            for inner in range(pdfium.FPDFFormObj_CountObjects(found)):
                yield PageObject(pdfium.FPDFFormObj_GetObject(found, inner), matrix)
        else:
            yield PageObject(found, None)


def figure_elements(page: Any) -> Iterator[Any]:
    """The figures in the structure tree of a page, in reading order."""
    tree = pdfium.FPDF_StructTree_GetForPage(page)
    for number in range(pdfium.FPDF_StructTree_CountChildren(tree)):
        yield from _figures(pdfium.FPDF_StructTree_GetChildAtIndex(tree, number))
    pdfium.FPDF_StructTree_Close(tree)


def _figures(element: Any) -> Iterator[Any]:
    if _text(pdfium.FPDF_StructElement_GetType, element) == "Figure":
        yield element
    for number in range(pdfium.FPDF_StructElement_CountChildren(element)):
        if child := pdfium.FPDF_StructElement_GetChildAtIndex(element, number):
            yield from _figures(child)


def alternative(figure: Any) -> str:
    """The alternative text of a figure."""
    return _text(pdfium.FPDF_StructElement_GetAltText, figure)


def _text(ask: Callable[..., int], element: Any) -> str:
    length = ask(element, None, 0)
    buffer = ctypes.create_string_buffer(length)
    ask(element, buffer, length)
    return buffer.raw[: max(length - 2, 0)].decode("utf-16-le", "replace")


class _Reader:
    """Reads a page; holds the memory into which PDFium writes results."""

    def __init__(self, page: Any, form: Any) -> None:
        self.pdf_page = page
        self.form = form
        self.text_page = page.get_textpage()
        self.bytes = ctypes.create_string_buffer(_LONGEST)
        self.words = ctypes.cast(self.bytes, ctypes.POINTER(ctypes.c_ushort))
        self.corners = [ctypes.c_float() for _ in range(4)]
        self.fonts: dict[int, PdfFont] = {}
        self.directed = self.directed_texts() if is_from_right(self.text_page.get_text_range()) else {}

    def directed_texts(self) -> dict[int, str]:
        """The text of each object, by its address, on a page with letters that are read from the right.

        PDFium orders the letters of such a page by lines, and numbers beside these letters backwards. The places of
        letters are right, though.
        """
        letters: dict[int, list[tuple[float, str]]] = {}
        across, up = ctypes.c_double(), ctypes.c_double()
        for number in range(pdfium.FPDFText_CountChars(self.text_page.raw)):
            found = pdfium.FPDFText_GetTextObject(self.text_page.raw, number)
            pdfium.FPDFText_GetCharOrigin(self.text_page.raw, number, across, up)
            letter = chr(pdfium.FPDFText_GetUnicode(self.text_page.raw, number))
            letters.setdefault(_address(found), []).append((across.value, letter))
        return {address: _directed_text(found) for address, found in letters.items()}

    def page(self) -> PdfPage:
        runs: list[TextRun] = []
        fills: list[FilledArea] = []
        has_figures = False
        for order, found in enumerate(page_objects(self.pdf_page.raw)):
            kind = pdfium.FPDFPageObj_GetType(found.raw)
            if kind == pdfium.FPDF_PAGEOBJ_TEXT:
                runs += self.run(found, order)
                continue
            is_path = kind == pdfium.FPDF_PAGEOBJ_PATH
            has_figures = has_figures or (is_path and pdfium.FPDFPageObj_GetMarkedContentID(found.raw) >= 0)
            if runs and (not is_path or _is_filled(found.raw)):
                fills.append(self.fill(found, order))
        figures = tuple(map(alternative, figure_elements(self.pdf_page.raw))) if has_figures else ()
        width, height = self.pdf_page.get_size()
        return PdfPage(PageBox(0, 0, width, height), tuple(runs), tuple(fills), tuple(self.fields()), figures)

    def fill(self, found: PageObject, order: int) -> FilledArea:
        clip, bounds = self.clip(found), self.bounds(found)
        return FilledArea(intersection([bounds, clip]) if clip else bounds, order)

    def run(self, found: PageObject, order: int) -> Iterator[TextRun]:
        """The text of an object; none for an object that shows only blanks."""
        length = pdfium.FPDFTextObj_GetText(found.raw, self.text_page.raw, self.words, _LONGEST // 2)
        text = normalize_text(self.directed.get(_address(found.raw)) or self.text(length))
        if text:
            shown, is_broken = text.replace(LINE_END_HYPHEN, "-"), text.endswith(LINE_END_HYPHEN)
            yield TextRun(shown, self.bounds(found), self.font(found.raw), self.clip(found), order, is_broken)

    def text(self, length: int) -> str:
        return ctypes.string_at(self.bytes, max(length - 2, 0)).decode("utf-16-le", "replace")

    def bounds(self, found: PageObject) -> PageBox:
        pdfium.FPDFPageObj_GetBounds(found.raw, *self.corners)
        return found.on_page(PageBox(*(corner.value for corner in self.corners)))

    def font(self, found: Any) -> PdfFont:
        handle = pdfium.FPDFTextObj_GetFont(found)
        address = _address(handle)
        if address not in self.fonts:
            pdfium.FPDFFont_GetBaseFontName(handle, self.bytes, _LONGEST)
            name = self.bytes.value.decode("utf-8", "replace")
            self.fonts[address] = PdfFont(name, pdfium.FPDFFont_GetIsEmbedded(handle) == 1)
        return self.fonts[address]

    def clip(self, found: PageObject) -> PageBox | None:
        """The box to which an object is clipped. PDFium drops a clip that contains the whole object."""
        path = pdfium.FPDFPageObj_GetClipPath(found.raw)
        count = pdfium.FPDFClipPath_CountPaths(path)
        if count <= 0:
            return None
        return found.on_page(intersection(bounding_box(self.corner_boxes(path, number)) for number in range(count)))

    def corner_boxes(self, path: Any, number: int) -> Iterator[PageBox]:
        """The points of a clip, each as a box of size 0."""
        across, up = self.corners[:2]
        for index in range(pdfium.FPDFClipPath_CountPathSegments(path, number)):
            segment = pdfium.FPDFClipPath_GetPathSegment(path, number, index)
            pdfium.FPDFPathSegment_GetPoint(segment, across, up)
            yield PageBox(across.value, up.value, across.value, up.value)

    def fields(self) -> Iterator[PdfField]:
        for number in range(pdfium.FPDFPage_GetAnnotCount(self.pdf_page.raw)):
            annotation = pdfium.FPDFPage_GetAnnot(self.pdf_page.raw, number)
            if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_WIDGET:
                rect = pdfium.FS_RECTF()
                pdfium.FPDFAnnot_GetRect(annotation, rect)
                box = PageBox(rect.left, min(rect.bottom, rect.top), rect.right, max(rect.bottom, rect.top))
                yield PdfField(self.field_name(annotation), self.entry(annotation, b"TU"), box)
            pdfium.FPDFPage_CloseAnnot(annotation)

    def field_name(self, annotation: Any) -> str:
        """The name of a field with the names of its groups."""
        return self.text(pdfium.FPDFAnnot_GetFormFieldName(self.form, annotation, self.words, _LONGEST))

    def entry(self, annotation: Any, key: bytes) -> str:
        return self.text(pdfium.FPDFAnnot_GetStringValue(annotation, key, self.words, _LONGEST))


def _address(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _directed_text(letters: Sequence[tuple[float, str]]) -> str:
    """Letters with their places across the page, without blanks: those that are read from the left in their order."""
    across = normalize_text("".join(letter for _, letter in sorted(letters, key=lambda each: each[0])))
    if not is_from_right(across):
        return across
    return "".join(stretch if is_from_right(stretch) else stretch[::-1] for stretch in stretches(across[::-1]))


def _is_filled(path: Any) -> bool:
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, mode, stroked)
    return mode.value != int(pdfium.FPDF_FILLMODE_NONE)
