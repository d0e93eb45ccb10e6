"""The door to WeasyPrint: the one package that imports WeasyPrint, pydyf or cssselect2, or calls Pango.

In: HTML of refgen's templates, and the files that the HTML may load. Out: LaidOutPages, which have the places of all
parts and form fields; and of LaidOutPages the bytes of a PDF. The same HTML gives the same bytes. Nothing is fetched
from the network; a warning of WeasyPrint is an error, because a part of the page is lost. WeasyPrint is imported when
the first page is laid out.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from refgen.errors import RenderError
from refgen.gc_tuning import tune_gc
from refgen.layout.engine.load import MISSING_GLYPH, load_weasyprint, warnings_as_errors

TOLERANCE = 0.5
"""CSS pixels by which rounding may exceed a box."""

WITHIN = "within:"
"""The beginning of the address of a link to an element, perhaps on another page; the id of the element follows."""

BOOKMARK_LEVEL = "/RefgenLevel"
"""The entry of a bookmark that has the level of the bookmark, in a page that is to be joined with other pages."""

Rect = tuple[float, float, float, float]
"""Left, top, width and height in CSS pixels from the upper left corner of the page."""


@dataclass(frozen=True, slots=True)
class PartBoxes:
    """The boxes of a part of an aid (a panel, a card, a part of a sheet), and the space that content takes in them.

    ``overflow`` is the most by which content reaches out of a box, in CSS pixels; ``fill`` the share of its height that
    the fullest box uses. ``frame`` is the place of the whole part if the template marks it (``data-frame``), ``boxes``
    the places of the boxes that must hold their content (``data-fit``), and ``blocks`` the heights of the blocks
    (``data-block``), both in the order of the document.
    """

    overflow: float = 0.0
    fill: float = 0.0
    frame: Rect | None = None
    boxes: tuple[Rect, ...] = ()
    blocks: tuple[float, ...] = ()

    @property
    def overflows(self) -> bool:
        """Whether content reaches out of a box by more than rounding explains."""
        return self.overflow > TOLERANCE


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """The border box of a form field, and the size of the type in the field, in CSS pixels."""

    box: Rect
    type_size: float


@dataclass(frozen=True, slots=True, eq=False)
class LaidOutPage:
    """A page that was laid out, with the boxes of parts by number, form fields by name, and the height in CSS pixels.

    A released page can no longer be written as a PDF, and holds no memory of WeasyPrint.
    """

    parts: Mapping[int, PartBoxes]
    fields: Mapping[str, FieldPlace] = field(default_factory=dict)
    height: float = 0.0
    layout: Any = field(default=None, repr=False)
    """WeasyPrint's own page and document, for this package alone; None once the page is released."""

    @property
    def is_released(self) -> bool:
        """Whether the page can no longer be written."""
        return self.layout is None

    def released(self) -> LaidOutPage:
        """The page with its places, but without the objects that are needed to write a PDF."""
        return replace(self, layout=None)


@dataclass(frozen=True)
class LayoutSession:
    """Lays out documents that share their fonts, so that pages of several documents can be written as one PDF.

    ``files`` are all files that a document may load, by their paths.
    """

    files: Mapping[str, bytes]

    def lay_out(self, html: str, name: str) -> Sequence[LaidOutPage]:
        """The pages of a document; ``name`` is the name of the document in errors. Raises RenderError."""
        fonts = self._fonts
        from refgen.layout.engine import pages

        with warnings_as_errors(name):
            return pages.lay_out(html, self.files, fonts)

    @cached_property
    def _fonts(self) -> Any:
        load_weasyprint()
        from refgen.layout.engine import pages

        return pages.load_fonts()


def lay_out(html: str, name: str, files: Mapping[str, bytes]) -> Sequence[LaidOutPage]:
    """The pages of a document that shares its fonts with no other document. Raises RenderError."""
    return LayoutSession(files).lay_out(html, name)


def write(pages: Sequence[LaidOutPage], name: str) -> bytes:
    """The pages as a PDF that is tagged for screen readers (PDF/UA-1, ISO 14289-1). Raises RenderError."""
    from refgen.layout.engine import pdf

    with warnings_as_errors(name):
        return pdf.tagged(pages)


def write_with_missing(pages: Sequence[LaidOutPage], name: str, prefix: str = "") -> tuple[bytes, frozenset[str]]:
    """The pages as PDF/UA-1, and the letters of the pages for which this machine has no font. Raises RenderError.

    For sheets of characters, whose names may be in any script. The ids of tags begin with ``prefix``.
    """
    from refgen.layout.engine import pdf

    with warnings_as_errors(name, MISSING_GLYPH) as codes:
        data = pdf.tagged(pages, prefix)
    return data, frozenset(chr(int(code, 16)) for code in codes)


def write_to_join(pages: Sequence[LaidOutPage], name: str, prefix: str, cut: float = 0.0) -> bytes:
    """The pages as PDF/UA-1, made ready for ``refgen.layout.join``. Raises RenderError.

    The ids of tags begin with ``prefix``. Bookmarks have their level, and refgen's fonts are left out: each font is
    embedded once when the pages are joined. ``cut`` CSS pixels are cut off the end of each page.
    """
    from refgen.layout.engine import pdf

    with warnings_as_errors(name):
        return pdf.to_join(pages, prefix, cut)


def warm_up() -> None:
    """Make this process, and the processes that it forks, ready for many layouts.

    WeasyPrint is loaded, and garbage is collected less often. An error is raised later, when the first page is made.
    """
    with suppress(RenderError):
        lay_out("<!doctype html><html lang=en><title>warm</title><p>up", "warm-up", {})
    gc.freeze()
    tune_gc()
