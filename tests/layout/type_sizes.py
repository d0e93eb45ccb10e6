"""The texts of a PDF that are set in small type, as they are drawn."""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2
from pypdfium2 import raw


def texts_under(pdf: bytes, points: float) -> list[tuple[float, str]]:
    """The texts that are smaller than some points, each with its size."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [(size, text) for page in document for size, text in sized_texts(page) if size < points - 0.01]


def sized_texts(page: pypdfium2.PdfPage) -> Iterator[tuple[float, str]]:
    """Each text of a page with its size in points."""
    text_page = page.get_textpage()
    for text_object in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT]):
        size = raw.c_float()
        raw.FPDFTextObj_GetFontSize(text_object, size)
        length = raw.FPDFTextObj_GetText(text_object, text_page, None, 0)
        buffer = (raw.c_ushort * (length // 2 + 1))()
        raw.FPDFTextObj_GetText(text_object, text_page, buffer, length)
        yield size.value * abs(text_object.get_matrix().d), bytes(buffer).decode("utf-16-le").rstrip("\0")
