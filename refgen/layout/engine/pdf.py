"""Pages become a PDF, by WeasyPrint and pydyf.

In: pages of one or several documents that share their fonts. Out: the bytes of a PDF: tagged, untagged, or made ready
to be joined with others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import pydyf
from weasyprint.pdf.fonts import Font

from refgen.layout.engine import BOOKMARK_LEVEL, LaidOutPage
from refgen.layout.engine.tags import mend

UA = "pdf/ua-1"

OWN_FONTS = "Refgen-"
"""What the names of refgen's own fonts begin with, behind the six letters of a subset."""

_OPENTYPE = b"OTTO"
"""How an OpenType font with outlines of PostScript begins, as all of refgen's own do."""


def tagged(pages: Sequence[LaidOutPage], prefix: str = "") -> bytes:
    """The pages as PDF/UA-1. The ids of tags begin with ``prefix``."""
    return bytes(_document(pages).write_pdf(pdf_variant=UA, finisher=partial(mend, prefix=prefix)))


def untagged(pages: Sequence[LaidOutPage]) -> bytes:
    """The pages without tags."""
    return bytes(_document(pages).write_pdf())


def to_join(pages: Sequence[LaidOutPage], prefix: str, cut: float) -> bytes:
    """The pages as PDF/UA-1, for ``refgen.render.join``; see ``write_to_join`` of this package."""
    document = _document(pages)
    for page in document.pages:
        page.height -= cut
    with _without_own_fonts():
        return bytes(document.write_pdf(pdf_variant=UA, finisher=partial(_finish, prefix=prefix)))


def _document(pages: Sequence[LaidOutPage]) -> Any:
    """A document of WeasyPrint's with these pages, which may be of several documents."""
    _, document = pages[0].layout
    return document.copy([page for page, _ in (each.layout for each in pages)])


def _finish(document: Any, pdf: Any, prefix: str) -> None:
    """Mend the tags of a PDF, whose ids begin with the prefix, and let each bookmark say its level."""
    mend(document, pdf, prefix)
    levels = (level for page in document.pages for level, *_ in page.bookmarks)
    bookmarks = (one for one in pdf.objects if isinstance(one, pydyf.Dictionary) and "Title" in one and "Dest" in one)
    for bookmark, level in zip(bookmarks, levels, strict=True):
        bookmark[BOOKMARK_LEVEL[1:]] = level


@contextmanager
def _without_own_fonts() -> Iterator[None]:
    """While pages are written: none of refgen's own fonts is embedded, which takes a fifth of the time to write."""
    embed = Font.clean

    def clean(font: Any, to_unicode: Any, hinting: bool) -> None:
        if font.name.decode().partition("+")[2].startswith(OWN_FONTS):
            font.file_content = _OPENTYPE
        else:
            embed(font, to_unicode, hinting)

    Font.clean = clean
    try:
        yield
    finally:
        Font.clean = embed
