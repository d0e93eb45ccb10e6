"""A PDF of many characters: the trees of its pages, outline and tags, and the characters on the pages of a sheet.

In: a SheetTemplate, and the drawing of each character. Out: a CharacterBook, written from front to back: the nodes of
its trees are written as soon as they are full (ISO 32000-1, 7.7.3, 12.3.3 and 14.7), and tags have a section for each
character. In: a tagged PDF, such as continuation pages. Out: its pages, with all objects that they need, among the
pages of the book; table cells find their headers by row and column scope there, since ids of several documents would
collide.
"""

from __future__ import annotations

import io
from array import array
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any, BinaryIO

import pikepdf

from refgen.aids.sheet.drawing import ink
from refgen.aids.sheet.growing_pdf import (
    GrowingPdf,
    dictionary_entries,
    parts_of,
    references,
    remove_entries,
    renumber_references,
    text_string,
)
from refgen.aids.sheet.template import CharacterDrawing, SheetTemplate
from refgen.characters.character import Character

LEAVES = 256
"""The most pages, or tagged contents, under one node."""


class PageTree:
    """The page tree: pages under nodes under a root."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root, self._node = pdf.reserve(), 0
        self.count = 0
        self._nodes = array("Q")
        self._pages: list[int] = []

    def add(self, page: int, entries: bytes) -> None:
        """Write a reserved page with these ``entries``, a type and a parent."""
        if not self._pages:
            self._node = self.pdf.reserve()
        self.pdf.put(page, b"<</Type/Page/Parent %d 0 R/Tabs/S%b>>" % (self._node, entries))
        self._pages.append(page)
        if len(self._pages) == LEAVES:
            self._close()

    def finish(self) -> bytes:
        """Write the root. Returns an entry of the catalog."""
        if self._pages:
            self._close()
        self.pdf.put(self.root, b"<</Type/Pages/Count %d/Kids[%b]>>" % (self.count, references(self._nodes)))
        return b"/Pages %d 0 R" % self.root

    def _close(self) -> None:
        entries = self.root, len(self._pages), references(self._pages)
        self._nodes.append(self.pdf.put(self._node, b"<</Type/Pages/Parent %d 0 R/Count %d/Kids[%b]>>" % entries))
        self.count += len(self._pages)
        self._pages.clear()


class OutlineTree:
    """The outline: an entry for each character."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root = pdf.reserve()
        self.entries = array("Q")
        self._waiting = b""

    def add(self, title: str, page: int) -> None:
        """Add an entry that leads to a page. The entry is written when it is known whether another follows."""
        self.entries.append(self.pdf.reserve())
        self._write(b"/Next %d 0 R" % self.entries[-1])
        self._waiting = b"<</Title %b/Parent %d 0 R/Dest[%d 0 R/Fit]" % (text_string(title), self.root, page)
        if len(self.entries) > 1:
            self._waiting += b"/Prev %d 0 R" % self.entries[-2]

    def finish(self) -> bytes:
        """Write the root. Returns an entry of the catalog."""
        self.entries.append(0)
        self._write(b"")
        known = self.entries[0], self.entries[-2], len(self.entries) - 1
        self.pdf.put(self.root, b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % known)
        return b"/Outlines %d 0 R" % self.root

    def _write(self, following: bytes) -> None:
        """Write the waiting entry, whose number is the last but one."""
        if self._waiting:
            self.pdf.put(self.entries[-2], self._waiting + following + b">>")


class TagTree:
    """The structure tree, and the number tree by which elements are found from page contents (7.9.7)."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root, self.document, self.section = pdf.reserve(), pdf.reserve(), 0
        self._sections, self._leaves = array("Q"), array("Q")
        self._kids: list[int] = []
        self._numbered: list[bytes] = []
        self._count = 0

    def begin(self) -> None:
        """Begin the section of a character."""
        self.section = self.pdf.reserve()
        self._sections.append(self.section)

    def page(self, page: int, elements: Sequence[bytes]) -> bytes:
        """Write the elements of a page's marks, given the entries of each. Returns an entry of the page.

        The first mark is the content printed on every sheet, which is read last.
        """
        known = b"/P %d 0 R/Pg %d 0 R" % (self.section, page)
        numbers = [self.pdf.add(b"<<%b%b/K[%d]>>" % (entries, known, mark)) for mark, entries in enumerate(elements)]
        self.extend([*numbers[1:], numbers[0]])
        return b"/StructParents %d" % self.number(b"[%b]" % references(numbers))

    def extend(self, elements: Iterable[int]) -> None:
        """Add elements written elsewhere to the section."""
        self._kids += elements

    def field(self, widget: int, page: int) -> bytes:
        """Write the element of a field. Returns an entry of its widget."""
        known = self.section, page, widget
        self._kids.append(self.pdf.add(b"<</S/Form/P %d 0 R/Pg %d 0 R/K[<</Type/OBJR/Obj %d 0 R>>]>>" % known))
        return b"/StructParent %d" % self.number(b"%d 0 R" % self._kids[-1])

    def number(self, elements: bytes) -> int:
        """The key in the number tree of the element of a field, or of the elements of a page's marks."""
        self._numbered.append(b"%d %b" % (self._count, elements))
        self._count += 1
        if len(self._numbered) == LEAVES:
            self._close()
        return self._count - 1

    def end(self, title: str) -> None:
        """End a section."""
        known = self.document, text_string(title), references(self._kids)
        self.pdf.put(self.section, b"<</S/Sect/P %d 0 R/T%b/K[%b]>>" % known)
        self._kids.clear()

    def finish(self) -> bytes:
        """Write the roots. Returns entries of the catalog."""
        if self._numbered:
            self._close()
        self.pdf.put(self.document, b"<</S/Document/P %d 0 R/K[%b]>>" % (self.root, references(self._sections)))
        numbers = b"/ParentTree<</Kids[%b]>>/ParentTreeNextKey %d" % (references(self._leaves), self._count)
        self.pdf.put(self.root, b"<</Type/StructTreeRoot/K[%d 0 R]%b>>" % (self.document, numbers))
        return b"/StructTreeRoot %d 0 R/MarkInfo<</Marked true>>" % self.root

    def _close(self) -> None:
        limits = self._count - len(self._numbered), self._count - 1
        self._leaves.append(self.pdf.add(b"<</Limits[%d %d]/Nums[%b]>>" % (*limits, b" ".join(self._numbered))))
        self._numbered.clear()


_OF_PAGE = ("/MediaBox", "/Resources", "/Contents")
"""The entries of a page that are kept when it is grafted."""


def graft_pages(data: bytes, pdf: GrowingPdf, pages: PageTree, tags: TagTree) -> Sequence[int]:
    """Write the pages of a tagged PDF after those of a growing one. Returns the numbers of the pages."""
    with pikepdf.open(io.BytesIO(data)) as other:
        _forget_ids(other)
        tree = other.Root.StructTreeRoot
        document, nums = tree.K[0], list(tree.ParentTree.Nums)
        elements = {int(key): value.unparse() for key, value in zip(nums[::2], nums[1::2], strict=True)}
        kids = [kid.objgen[0] for kid in document.K]
        grafted = {page.obj.objgen[0]: dictionary_entries(page.obj, _OF_PAGE) for page in other.pages}
        marks = [elements[int(page.obj.StructParents)] for page in other.pages]
        parts = parts_of(other, [*grafted.values(), references(kids)], {document.objgen[0], *grafted})
    numbers = {number: pdf.reserve() for number in (*grafted, *parts)} | {document.objgen[0]: tags.section}
    for number, (start, end) in parts.items():
        put = pdf.put_stream if end.endswith(b"endstream") else pdf.put
        put(numbers[number], renumber_references(start, numbers) + end)
    for (number, page), found in zip(grafted.items(), marks, strict=True):
        found_by = tags.number(renumber_references(found, numbers))
        pages.add(numbers[number], b"%b/StructParents %d" % (renumber_references(page, numbers), found_by))
    tags.extend(numbers[kid] for kid in kids)
    return [numbers[number] for number in grafted]


def _forget_ids(pdf: Any) -> None:
    """Remove the ids from the tags of a PDF, and the references to these ids."""
    for one in pdf.objects:
        if isinstance(one, pikepdf.Dictionary) and "/S" in one:
            remove_entries(one, "/ID")
            remove_entries(one.get("/A", {}), "/Headers")


_PRINTED = b"/S/P"
"""The entries of the element for the content printed on every sheet, which is read as it is drawn."""


class CharacterBook:
    """A PDF of characters on the pages of a sheet: for print, or ``editable`` with a group of fields for each."""

    def __init__(self, file: BinaryIO, template: SheetTemplate, *, editable: bool = False) -> None:
        self.form = template.repeated_form if editable else None
        self.base = self.form.base if self.form else template.print_base
        self.pdf = GrowingPdf(file, self.base.data)
        self.pages, self.outline, self.tags = PageTree(self.pdf), OutlineTree(self.pdf), TagTree(self.pdf)
        self.groups: list[int] = []
        self.language = template.system.words.language.encode("ascii")

    def add(self, character: Character, drawing: CharacterDrawing | None, others: Iterable[bytes] = ()) -> None:
        """Add a character: the pages of the drawing, if any, then the pages of other PDFs."""
        self.tags.begin()
        pages = [] if drawing is None else self._stamp_pages(character, drawing)
        for other in others:
            pages += graft_pages(other, self.pdf, self.pages, self.tags)
        self.tags.end(character.name)
        self.outline.add(character.name, pages[0])

    def _stamp_pages(self, character: Character, drawing: CharacterDrawing) -> list[int]:
        """Write the pages of the sheet with a character's overlays. Returns their numbers."""
        numbers = [self.pdf.reserve() for _ in self.base.pages]
        parts = zip(numbers, drawing.overlays, strict=True)
        tags = [self.tags.page(number, [_PRINTED, *overlay.elements]) for number, overlay in parts]
        fields: Iterable[bytes] = repeat(b"")
        if self.form:
            group, fields = self.form.copy(self.pdf, self.tags, numbers, character.file_name, drawing.values)
            self.groups.append(group)
        for number, page, overlay, *more in zip(numbers, self.base.pages, drawing.overlays, fields, tags, strict=False):
            own = [self.pdf.add_stream(overlay.contents)] if overlay.contents else []
            size = page.width, page.height, page.resources, references([page.contents, *own])
            entries = b"/MediaBox[0 0 %.3f %.3f]/Resources %d 0 R/Contents[%b]" % size
            self.pages.add(number, b"".join([entries, *more]))
        return numbers

    def finish(self, title: str) -> None:
        """Write the trees, the title, the catalog and the cross references."""
        entries = self.pages.finish() + self.outline.finish() + self.tags.finish()
        if self.groups:
            fields = references(self.groups), self.base.pages[0].resources, ink()
            entries += b"/AcroForm<</Fields[%b]/DR %d 0 R/DA(%b rg /Latin 0 Tf)>>" % fields
        shown = b"/PageMode/UseOutlines/ViewerPreferences<</DisplayDocTitle true>>/Lang(%b)" % self.language
        metadata = b"/Metadata %d 0 R" % self.base.metadata_number
        self.base.write_title(self.pdf, title)
        self.pdf.put(self.base.root, b"<</Type/Catalog%b%b%b>>" % (entries, shown, metadata))
        self.pdf.finish()
