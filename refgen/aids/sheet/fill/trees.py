"""The trees of a growing PDF: its pages, its outline, and its tags, which tell a screen reader what to say in order.

In: the entries of pages, the title of each character, and the marks of contents. Out: the nodes of each tree, written
as soon as they are full (ISO 32000-1, 7.7.3, 12.3.3 and 14.7). Tags have a section for each character.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from refgen.aids.sheet.fill.growing_pdf import GrowingPdf, references, text_string

LEAVES = 256
"""Pages, or tagged contents, under one node."""

HEADING, PARAGRAPH = b"H1", b"P"
"""Kinds of elements (14.8.4)."""

MARKED = b"/%b<</MCID %d>>BDC\n%bEMC\n"
"""Contents that are read: their kind, and their number on the page."""

ARTIFACT = b"/Artifact BMC\n%bEMC\n"
"""Contents that are drawn and not read."""


class PageTree:
    """The pages, under nodes under a root."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root, self._node = pdf.reserve(), 0
        self.count = 0
        self._nodes = array("Q")
        self._pages: list[int] = []

    def add(self, page: int, entries: bytes) -> None:
        """Write a page whose number was reserved: the entries of its dictionary but type and parent."""
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


class Outline:
    """The outline: an entry a character."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root = pdf.reserve()
        self.entries = array("Q")
        self._waiting = b""

    def add(self, title: str, page: int) -> None:
        """An entry that leads to a page. It is written when it is known whether another follows."""
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
        """Write the entry before the last."""
        if self._waiting:
            self.pdf.put(self.entries[-2], self._waiting + following + b">>")


class Tags:
    """The structure tree, and the tree of numbers in which an element is found by its content (7.9.7)."""

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
        """The elements of a page's marks, by number: the entries of each. Returns an entry of the page.

        The first mark is what is printed on every sheet, and read last.
        """
        known = b"/P %d 0 R/Pg %d 0 R" % (self.section, page)
        numbers = [self.pdf.add(b"<<%b%b/K[%d]>>" % (entries, known, mark)) for mark, entries in enumerate(elements)]
        self.extend([*numbers[1:], numbers[0]])
        return b"/StructParents %d" % self.number(b"[%b]" % references(numbers))

    def extend(self, elements: Iterable[int]) -> None:
        """Add elements to the section that were written elsewhere."""
        self._kids += elements

    def field(self, widget: int, page: int) -> bytes:
        """The element of a field. Returns an entry of its widget."""
        known = self.section, page, widget
        self._kids.append(self.pdf.add(b"<</S/Form/P %d 0 R/Pg %d 0 R/K[<</Type/OBJR/Obj %d 0 R>>]>>" % known))
        return b"/StructParent %d" % self.number(b"%d 0 R" % self._kids[-1])

    def number(self, elements: bytes) -> int:
        """Returns the number by which the element of a field, or those of the marks of a page, are found."""
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


def spoken(kind: bytes, texts: Iterable[str]) -> bytes:
    """The entries of an element that is read as these words, whatever is drawn."""
    return b"/S/%b/ActualText%b" % (kind, text_string(". ".join(texts)))
