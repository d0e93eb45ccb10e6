"""The pages of a growing PDF, and its outline.

In: the entries of pages, and what leads to them, one after the other. Out: both trees, of which memory holds no more
than a node and the numbers of the others.
"""

from __future__ import annotations

from refgen.aids.sheet.fill.append import GrowingPdf, references, text_string

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
        self.pdf.put(page, b"<</Type/Page/Parent %d 0 R/Tabs/S%b>>" % (self._node, entries))
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
