"""A PDF of characters, one after the other: flattened, with an entry of the outline for each.

In: a Stencil and Placings. Out: a PDF in a file, written from front to back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

from refgen.render.fill.append import GrowingPdf, references, text_string
from refgen.render.fill.flat import Overlays
from refgen.render.fill.placing import Placing
from refgen.render.fill.stencil import Base, Stencil
from refgen.render.fill.transplant import transplant

LEAVES = 256
"""Pages under one node of the page tree."""


class PageTree:
    """The pages of a growing PDF, under nodes under a root."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root = pdf.reserve()
        self.nodes: list[int] = []
        self.count = 0
        self._node = 0
        self._leaves: list[int] = []

    def add(self, entries: bytes, number: int | None = None) -> int:
        """Write a page: the entries of its dictionary but type and parent. Returns its number."""
        if not self._leaves:
            self._node = self.pdf.reserve()
        page = self.pdf.reserve() if number is None else number
        self.pdf.put(page, b"<</Type/Page/Parent %d 0 R%b>>" % (self._node, entries))
        self._leaves.append(page)
        if len(self._leaves) == LEAVES:
            self._close()
        return page

    def finish(self) -> int:
        """Write the root. Returns its number."""
        if self._leaves:
            self._close()
        self.pdf.put(self.root, b"<</Type/Pages/Count %d/Kids[%b]>>" % (self.count, references(self.nodes)))
        return self.root

    def _close(self) -> None:
        kids, count = references(self._leaves), len(self._leaves)
        self.pdf.put(self._node, b"<</Type/Pages/Parent %d 0 R/Count %d/Kids[%b]>>" % (self.root, count, kids))
        self.nodes.append(self._node)
        self.count += count
        self._leaves = []


class Outline:
    """The outline of a growing PDF: an entry a character."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root = pdf.reserve()
        self.count = 0
        self._first = self._number = pdf.reserve()
        self._entry = b""
        self._before = 0

    def add(self, title: str, page: int) -> None:
        """An entry that leads to a page. It is written when the next one is known."""
        if self._entry:
            following = self.pdf.reserve()
            self._write(b"/Next %d 0 R" % following)
            self._before, self._number = self._number, following
        before = b"/Prev %d 0 R" % self._before if self._before else b""
        title_ = text_string(title)
        self._entry = b"<</Title %b/Parent %d 0 R/Dest[%d 0 R/Fit]%b" % (title_, self.root, page, before)
        self.count += 1

    def finish(self) -> int:
        """Write the root. Returns its number."""
        self._write(b"")
        entries = b"/First %d 0 R/Last %d 0 R/Count %d" % (self._first, self._number, self.count)
        return self.pdf.put(self.root, b"<</Type/Outlines%b>>" % entries)

    def _write(self, entries: bytes) -> None:
        self.pdf.put(self._number, self._entry + entries + b">>")


class FlatBook:
    """Characters whose values are text on the pages."""

    def __init__(self, file: BinaryIO, stencil: Stencil) -> None:
        self.base: Base = stencil.flat
        self.overlays = Overlays(stencil.boxes, len(self.base.pages))
        self.pdf = GrowingPdf(file, self.base.data)
        self.tree = PageTree(self.pdf)
        self.outline = Outline(self.pdf)
        self.shared = [_page_entries(page.width, page.height, page.resources) for page in self.base.pages]

    def add(self, placing: Placing, others: Iterable[bytes] = ()) -> None:
        """Set a character onto the stencil. ``others`` are PDFs whose pages come after it."""
        first = 0
        for page, entries, contents in zip(self.base.pages, self.shared, self.overlays.draw(placing), strict=True):
            drawn = self.pdf.stream(contents)
            number = self.tree.add(entries + b"/Contents[%d 0 R %d 0 R]" % (page.contents, drawn))
            first = first or number
        self._others(others)
        self.outline.add(placing.filled.character.name, first)

    def add_laid_out(self, title: str, pdfs: Iterable[bytes]) -> None:
        """Pages that were laid out in full."""
        self.outline.add(title, self._others(pdfs))

    def _others(self, pdfs: Iterable[bytes]) -> int:
        first = 0
        for data in pdfs:
            for entries in transplant(data, self.pdf):
                number = self.tree.add(entries)
                first = first or number
        return first

    def finish(self, title: str) -> None:
        """Write what comes last."""
        pages, outline = self.tree.finish(), self.outline.finish()
        self.pdf.put(self.base.root, catalog(pages, outline))
        finish(self.pdf, self.base, title)


def catalog(pages: int, outline: int, more: bytes = b"") -> bytes:
    """The catalog of a PDF with an outline."""
    shown = b"/Outlines %d 0 R/PageMode/UseOutlines" % outline
    return b"<</Type/Catalog/Pages %d 0 R%b/Lang(en)/ViewerPreferences<</DisplayDocTitle true>>%b>>" % (
        pages,
        shown,
        more,
    )


def finish(pdf: GrowingPdf, base: Base, title: str) -> None:
    """Name a PDF, and write its table of objects."""
    if base.info:
        pdf.put(base.info, b"<</Title %b/Producer(refgen)>>" % text_string(title))
    pdf.finish()


def _page_entries(width: float, height: float, resources: int) -> bytes:
    return b"/MediaBox[0 0 %.3f %.3f]/Resources %d 0 R" % (width, height, resources)
