"""Faces of cards as pictures, for web shops and virtual tabletops.

In: a PDF with each face once, one a page with its bleed. Out: a PNG of each within its trim edge, 300 dots an inch.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import closing

import pypdfium2

from refgen.render.card.faces import Style
from refgen.render.units import MILLIMETRE

DOTS = 300
"""An inch."""


def face_pictures(pdf: bytes, style: Style) -> Iterator[bytes]:
    """Every page in order. The same PDF gives the same bytes."""
    bleed = style.bleed * MILLIMETRE
    with closing(pypdfium2.PdfDocument(pdf)) as document:
        for page in document:
            picture = page.render(scale=DOTS / 72, crop=(bleed,) * 4).to_pil().convert("RGB")
            data = io.BytesIO()
            picture.save(data, "PNG", dpi=(DOTS, DOTS))
            yield data.getvalue()
