"""Previews: pages of a PDF as small pictures, for the site and the README.

In: the bytes of a PDF. Out: PNGs of the first pages, LONGEST pixels wide or high and in few colours, which keeps the
files small and the text sharp. The same PDF gives the same bytes. PDFium is loaded only when a picture is made: a build
in which nothing has changed reads only the sizes of pictures.
"""

from __future__ import annotations

import io
from contextlib import closing
from typing import Any

LONGEST = 800
COLOURS = 32

_SIZE = slice(16, 24)
"""The place of width and height in a PNG, four bytes each (W3C PNG, 11.2.1)."""


def previews(pdf: bytes, count: int) -> list[bytes]:
    """The first ``count`` pages (or all, if there are fewer) as PNGs."""
    import pypdfium2

    with closing(pypdfium2.PdfDocument(pdf)) as document:
        return [_png(document[number]) for number in range(min(count, len(document)))]


def _png(page: Any) -> bytes:
    from PIL import Image

    picture = page.render(scale=LONGEST / max(page.get_size())).to_pil().convert("RGB")
    data = io.BytesIO()
    # An octree is found eight times faster than a median cut, and text on tints compresses better with it.
    picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(data, "PNG")
    return data.getvalue()


def png_size(data: bytes) -> tuple[int, int]:
    """The width and height of a PNG in pixels."""
    size = data[_SIZE]
    return int.from_bytes(size[:4], "big"), int.from_bytes(size[4:], "big")
