"""The tags of a growing PDF: what a screen reader is to say, in order (ISO 32000-1, 14.7).

In: pages whose contents are marked, and what each mark is. Out: the structure tree: a section for each character.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from refgen.aids.sheet.fill.append import GrowingPdf, references, text_string

LEAF = 250
"""Entries under one node of the tree that finds elements by their content."""

HEADING, PARAGRAPH = b"H1", b"P"
"""Kinds of elements (14.8.4)."""

PRINTED = b"/S/P"
"""The entries of an element that is read as it is drawn."""

MARKED = b"/%b<</MCID %d>>BDC\n%bEMC\n"
"""What is read: its kind, and its number on the page."""

ARTIFACT = b"/Artifact BMC\n%bEMC\n"
"""What is drawn and not read."""


class Tags:
    """Writes the elements of a growing PDF."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root, self.document = pdf.reserve(), pdf.reserve()
        self.sections = array("Q")
        self._parents = _Parents(pdf)
        self._kids: list[int] = []
        self._title = b""

    def begin(self, title: str) -> None:
        """Begin the section of a character."""
        self.sections.append(self.pdf.reserve())
        self._title = text_string(title)

    def page(self, page: int, elements: Sequence[bytes]) -> bytes:
        """What the marks of a page are, by number: each the entries of an element. Returns an entry of the page.

        The first mark is what is printed on every sheet, and read last.
        """
        known = b"/P %d 0 R/Pg %d 0 R" % (self.sections[-1], page)
        numbers = [self.pdf.add(b"<<%b%b/K[%d]>>" % (entries, known, mark)) for mark, entries in enumerate(elements)]
        self._kids += [*numbers[1:], numbers[0]]
        return b"/StructParents %d" % self._parents.add(b"[%b]" % references(numbers))

    def grafted(self, elements: bytes) -> bytes:
        """The marks of a page whose elements are those of another PDF. Returns an entry of the page."""
        return b"/StructParents %d" % self._parents.add(elements)

    def graft(self, elements: Iterable[int]) -> None:
        """Add elements to the section that were written elsewhere."""
        self._kids += elements

    def field(self, widget: int, page: int) -> bytes:
        """The element of a field. Returns an entry of its widget."""
        known = self.sections[-1], page, widget
        entries = b"<</S/Form/P %d 0 R/Pg %d 0 R/K[<</Type/OBJR/Obj %d 0 R>>]>>" % known
        self._kids.append(self.pdf.add(entries))
        return b"/StructParent %d" % self._parents.add(b"%d 0 R" % self._kids[-1])

    def end(self) -> None:
        """End a section."""
        known = self.document, self._title, references(self._kids)
        self.pdf.put(self.sections[-1], b"<</S/Sect/P %d 0 R/T%b/K[%b]>>" % known)
        self._kids.clear()

    def finish(self) -> bytes:
        """Write what comes last. Returns entries of the catalog."""
        parents, following = self._parents.finish()
        self.pdf.put(self.document, b"<</S/Document/P %d 0 R/K[%b]>>" % (self.root, references(self.sections)))
        tree = b"/K[%d 0 R]/ParentTree %d 0 R/ParentTreeNextKey %d" % (self.document, parents, following)
        self.pdf.put(self.root, b"<</Type/StructTreeRoot%b>>" % tree)
        return b"/StructTreeRoot %d 0 R/MarkInfo<</Marked true>>" % self.root


class _Parents:
    """The number tree by which the element of some content is found (7.9.7)."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.leaves = array("Q")
        self._entries: list[bytes] = []
        self._count = 0

    def add(self, value: bytes) -> int:
        """Returns the number of a value."""
        self._entries.append(b"%d %b" % (self._count, value))
        self._count += 1
        if len(self._entries) == LEAF:
            self._close()
        return self._count - 1

    def _close(self) -> None:
        limits = self._count - len(self._entries), self._count - 1
        self.leaves.append(self.pdf.add(b"<</Limits[%d %d]/Nums[%b]>>" % (*limits, b" ".join(self._entries))))
        self._entries.clear()

    def finish(self) -> tuple[int, int]:
        """Write the root. Returns its number, and the next number of a value."""
        if self._entries:
            self._close()
        return self.pdf.add(b"<</Kids[%b]>>" % references(self.leaves)), self._count


def spoken(kind: bytes, texts: Iterable[str]) -> bytes:
    """The entries of an element that is read as these words, whatever is drawn."""
    return b"/S/%b/ActualText%b" % (kind, text_string(". ".join(texts)))
