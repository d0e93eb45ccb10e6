"""Pages that are written one by one leave to ``join`` what is settled only when all are there.

In: a PDF that WeasyPrint is about to write. Out: the same, changed in place: its bookmarks say their levels, and it has
none of refgen's own fonts, which pages share then. To make a subset for each page took a fifth of the time to write it.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

WITHIN = "within:"
"""What the address of a link begins with, before the id of an element, if that may be on another page."""

LEVEL = "/RefgenLevel"
"""The entry of a bookmark, until it is joined with others, that says its level."""


def finish(document: Any, pdf: Any, prefix: str) -> None:
    """Mend the tags of a PDF, whose ids begin with the prefix, and ready it for ``join``."""
    import pydyf

    from refgen.render.tags import mend

    mend(document, pdf, prefix)
    levels = (level for page in document.pages for level, *_ in page.bookmarks)
    bookmarks = (one for one in pdf.objects if isinstance(one, pydyf.Dictionary) and "Title" in one and "Dest" in one)
    for bookmark, level in zip(bookmarks, levels, strict=True):
        bookmark[LEVEL[1:]] = level


@contextmanager
def without_fonts() -> Iterator[None]:
    """While pages are written: none of refgen's own fonts is embedded."""
    from weasyprint.pdf.fonts import Font

    from refgen.render.shared_fonts import is_ours

    embed = Font.clean

    def clean(font: Any, to_unicode: Any, hinting: bool) -> None:
        if is_ours(font.name.decode()):
            font.file_content = _OPENTYPE
        else:
            embed(font, to_unicode, hinting)

    Font.clean = clean
    try:
        yield
    finally:
        Font.clean = embed


@contextmanager
def lightly_compressed() -> Iterator[None]:
    """While pages are written: as programs usually compress. pydyf takes twice as long, for a fiftieth less."""
    import pydyf

    pydyf.zlib = SimpleNamespace(compressobj=lambda level: zlib.compressobj(min(level, _USUAL)))
    try:
        yield
    finally:
        pydyf.zlib = zlib


_USUAL = 6
"""The level at which zlib compresses when nobody says another."""

_OPENTYPE = b"OTTO"
"""How an OpenType font with outlines of PostScript begins, as all of refgen's own do."""
