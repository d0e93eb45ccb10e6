"""Faces of cards as pictures, for web shops and virtual tabletops.

In: a PDF with each face once, one a page with its bleed. Out: a PNG of each within its trim edge, or PNGs of many.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import pypdfium2
from PIL import Image

from refgen.aids.cards.faces import Style
from refgen.layout.units import MILLIMETRE

DOTS = 300
"""An inch."""

LARGEST = 4096
"""The longest side of a picture of many faces, in dots: what graphics cards take."""


def face_pictures(pdf: bytes, style: Style) -> Iterator[bytes]:
    """Every page in order, 300 dots an inch. The same PDF gives the same bytes."""
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            yield _png(_face(page, style, DOTS), DOTS)


def grid_picture(pdf: bytes, style: Style, numbers: Sequence[int], last: int, grid: tuple[int, int]) -> bytes:
    """The faces of these ``numbers`` row by row, in a ``grid`` so many across and down, and ``last`` in its corner."""
    across, down = grid
    inches = across * style.size.width / 25.4, down * style.size.height / 25.4
    dots = min(DOTS, *(int((LARGEST - 1) / length) for length in inches))
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        wide, high = _face(document[last], style, dots).size
        whole = Image.new("RGB", (wide * across, high * down), "white")
        for place, number in [*enumerate(numbers), (across * down - 1, last)]:
            whole.paste(_face(document[number], style, dots), (place % across * wide, place // across * high))
        return _png(whole, dots)


def _face(page: Any, style: Style, dots: int) -> Image.Image:
    bleed = style.bleed * MILLIMETRE
    picture: Image.Image = page.render(scale=dots / 72, crop=(bleed,) * 4).to_pil().convert("RGB")
    return picture


def _png(picture: Image.Image, dots: int) -> bytes:
    data = io.BytesIO()
    picture.save(data, "PNG", dpi=(dots, dots))
    return data.getvalue()
