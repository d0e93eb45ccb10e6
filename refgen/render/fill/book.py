"""A PDF of characters, one after the other, with an entry of the outline for each.

In: a Stencil and Placings. Out: a PDF in a file, written from front to back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from refgen.render.fill.append import GrowingPdf, references, text_string
from refgen.render.fill.flat import INK, Overlays
from refgen.render.fill.form import Widgets
from refgen.render.fill.geometry import FieldBox
from refgen.render.fill.placing import Placing
from refgen.render.fill.stencil import BasePage, Stencil
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


class Book:
    """Characters on the pages of a stencil: flattened, or ``editable``, each with fields under a name of its own."""

    def __init__(self, file: BinaryIO, stencil: Stencil, *, editable: bool = False) -> None:
        self.base = stencil.flat
        self.boxes = stencil.boxes
        self.overlays = Overlays(stencil.boxes, len(self.base.pages))
        self.pdf = GrowingPdf(file, self.base.data)
        self.tree = PageTree(self.pdf)
        self.outline = Outline(self.pdf)
        self.shared = [_page_entries(page) for page in self.base.pages]
        boxes = {box.name: box for box in stencil.boxes}
        self.widgets = Widgets(self.pdf, self.base.pages[0].resources, stencil.unseen, boxes) if editable else None
        self.forms: list[int] = []

    def add(self, placing: Placing, others: Iterable[bytes] = ()) -> None:
        """Set a character onto the stencil. ``others`` are PDFs whose pages come after it."""
        first, *_ = self._with_fields(placing, self.widgets) if self.widgets else self._flattened(placing)
        self._others(others)
        self.outline.add(placing.filled.character.name, first)

    def add_laid_out(self, title: str, pdfs: Iterable[bytes]) -> None:
        """Pages that were laid out in full."""
        self.outline.add(title, self._others(pdfs))

    def _flattened(self, placing: Placing) -> Iterator[int]:
        for page, entries, contents in zip(self.base.pages, self.shared, self.overlays.draw(placing), strict=True):
            drawn = self.pdf.stream(contents)
            yield self.tree.add(entries + b"/Contents[%d 0 R %d 0 R]" % (page.contents, drawn))

    def _with_fields(self, placing: Placing, widgets: Widgets) -> Iterator[int]:
        """The pages of a character, whose fields are those of a group named like its file."""
        form, pages = self.pdf.reserve(), [self.pdf.reserve() for _ in self.base.pages]
        places = {box.name: _place(box, pages[box.page], form) for box in self.boxes}
        written = widgets.all(placing, places)
        fields: list[list[int]] = [[] for _ in pages]
        for box in self.boxes:
            data = written.get(box.name) or widgets.blank(box, places[box.name])
            fields[box.page].append(self.pdf.add(data))
        for number, page, entries, own in zip(pages, self.base.pages, self.shared, fields, strict=True):
            entries += b"/Contents %d 0 R/Tabs/R/Annots[%b]" % (page.contents, references(own))
            yield self.tree.add(entries, number)
        name = text_string(placing.filled.character.file_name)
        self.pdf.put(form, b"<</T%b/Kids[%b]>>" % (name, b" ".join(map(references, fields))))
        self.forms.append(form)

    def _others(self, pdfs: Iterable[bytes]) -> int:
        """Write the pages of other PDFs. Returns the number of the first."""
        pages = [self.tree.add(entries) for data in pdfs for entries in transplant(data, self.pdf)]
        return pages[0] if pages else 0

    def finish(self, title: str) -> None:
        """Write what comes last."""
        pages, outline = self.tree.finish(), self.outline.finish()
        self.pdf.put(self.base.root, _catalog(pages, outline, self._form()))
        self.pdf.put(self.base.info, b"<</Title%b/Producer(refgen)>>" % text_string(title))
        self.pdf.finish()

    def _form(self) -> bytes:
        """The entry of the catalog for the fields of all characters."""
        if not self.forms:
            return b""
        resources = b"/DR<</Font<</Fill %d 0 R>>>>/DA(%b rg /Fill 0 Tf)" % (self.base.font, INK)
        return b"/AcroForm<</Fields[%b]%b>>" % (references(self.forms), resources)


def _place(box: FieldBox, page: int, form: int) -> bytes:
    return b"/T%b/P %d 0 R/Parent %d 0 R" % (text_string(box.name), page, form)


def _catalog(pages: int, outline: int, more: bytes) -> bytes:
    """The catalog of a PDF with an outline."""
    shown = b"/Outlines %d 0 R/PageMode/UseOutlines/ViewerPreferences<</DisplayDocTitle true>>" % outline
    return b"<</Type/Catalog/Pages %d 0 R%b/Lang(en)%b>>" % (pages, shown, more)


def _page_entries(page: BasePage) -> bytes:
    return b"/MediaBox[0 0 %.3f %.3f]/Resources %d 0 R" % (page.width, page.height, page.resources)
