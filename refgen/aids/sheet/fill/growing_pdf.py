"""A PDF that grows: objects written behind those of a base, and the trees of its pages, outline and tags.

In: the bytes of a base PDF, and objects as bytes, one after the other (an incremental update, ISO 32000-1, 7.5.6); the
entries of pages, the title of each character, the marks of contents. Out: a PDF in a file, written from front to back.
Memory holds no more than the last few objects, and eight bytes for the place of each. Objects that are no streams are
packed into streams (7.5.7), for most objects are much like the one before. Nodes of the trees are written as soon as
they are full (7.7.3, 12.3.3 and 14.7); tags have a section for each character.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import BinaryIO

import pikepdf

_KEPT = re.compile(rb"/(?:Root|Info)\s+\d+\s+\d+\s+R|/ID\s*\[\s*<[0-9a-fA-F]*>\s*<[0-9a-fA-F]*>\s*\]")
_SIZE = re.compile(rb"/Size\s+(\d+)")

COMPRESSION = 3
"""The level of zlib: 6 would make a sheet a twelfth smaller, but take a fifth more time."""

PACKED = 200
"""How many objects go into an object stream: at most 256, for a cross reference has one byte for the index."""

_IN_STREAM = 1 << 63
"""Marks the place of an object in an object stream: the number of the stream, and in the last byte the index there."""

_FREE = b"\x00" * 6 + b"\xff"


class GrowingPdf:
    """Writes objects after a base PDF, which has its cross references in a stream."""

    def __init__(self, file: BinaryIO, base: bytes) -> None:
        self.file = file
        self.place = file.write(base)
        self._before = int(base[base.rindex(b"startxref") :].split()[1])
        trailer = base[self._before :].partition(b"stream")[0]
        size = _SIZE.search(trailer)
        if size is None or b"/XRef" not in trailer:
            raise ValueError("a PDF without a stream of cross references")
        self._kept = b"".join(_KEPT.findall(trailer))
        self._first = int(size[1])
        self._places = array("Q", bytes(8 * self._first))
        self._packed: list[tuple[int, bytes]] = []

    def reserve(self) -> int:
        """The number of a new object that is written later."""
        self._places.append(0)
        return len(self._places) - 1

    def put(self, number: int, data: bytes) -> int:
        """Write a reserved object, or a new version of an object of the base. Returns its number."""
        self._packed.append((number, data))
        if len(self._packed) == PACKED:
            self._pack()
        return number

    def add(self, data: bytes) -> int:
        """Write a new object. Returns its number."""
        return self.put(self.reserve(), data)

    def put_stream(self, number: int, data: bytes) -> int:
        """Write a reserved stream with its dictionary, or a new version of a stream of the base. Returns its number."""
        self._places[number] = self.place
        self.place += self.file.write(b"%d 0 obj\n%b\nendobj\n" % (number, data))
        return number

    def add_stream(self, data: bytes) -> int:
        """Write a new stream, with its dictionary. Returns its number."""
        return self.put_stream(self.reserve(), data)

    def _pack(self) -> None:
        """Write the waiting objects into one object stream."""
        numbers, objects = zip(*self._packed, strict=True)
        self._packed.clear()
        places = accumulate((len(data) + 1 for data in objects), initial=0)
        head = b" ".join(b"%d %d" % place for place in zip(numbers, places, strict=False))
        entries = b"/Type/ObjStm/N %d/First %d" % (len(objects), len(head) + 1)
        packed = self.add_stream(compressed(b"%b\n%b" % (head, b"\n".join(objects)), entries))
        for place, number in enumerate(numbers):
            self._places[number] = _IN_STREAM | packed << 8 | place

    def finish(self) -> None:
        """Write the cross-reference stream (ISO 32000-1, 7.5.8), which is the trailer too."""
        if self._packed:
            self._pack()
        number = self.reserve()
        self._places[number] = self.place
        changed = [number for number, place in enumerate(self._places[: self._first]) if place]
        sections = [(number, 1) for number in changed] + [(self._first, len(self._places) - self._first)]
        index = b" ".join(b"%d %d" % section for section in sections)
        entries = b"/Type/XRef/Size %d/W[1 5 1]/Index[%b]" % (len(self._places), index)
        table = _stream(self._cross_references(changed), b"%b/Prev %d%b" % (entries, self._before, self._kept))
        self.file.write(b"%d 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (number, table, self.place))

    def _cross_references(self, changed: Iterable[int]) -> bytes:
        """The compressed cross references, seven bytes an object, made in portions to save memory."""
        compressor = zlib.compressobj(COMPRESSION)
        packed = [compressor.compress(b"".join(_entry(self._places[number]) for number in changed))]
        parts = (self._places[start : start + 4096] for start in range(self._first, len(self._places), 4096))
        packed += [compressor.compress(b"".join(map(_entry, part))) for part in parts]
        return b"".join([*packed, compressor.flush()])


def _entry(place: int) -> bytes:
    """The cross reference of an object: its type; its offset, or the number of its object stream; its index there."""
    if place & _IN_STREAM:
        return b"\x02" + (place ^ _IN_STREAM).to_bytes(6, "big")
    return b"\x01" + (place << 8).to_bytes(6, "big") if place else _FREE


def references(numbers: Iterable[int]) -> bytes:
    """References to the objects with these numbers."""
    return b" ".join(b"%d 0 R" % number for number in numbers)


def compressed(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream as an object, with more entries of its dictionary."""
    return _stream(zlib.compress(data, COMPRESSION), entries)


def _stream(packed: bytes, entries: bytes) -> bytes:
    return b"<</Filter/FlateDecode/Length %d%b>>stream\n%b\nendstream" % (len(packed), entries, packed)


def uncompressed(data: bytes, entries: bytes) -> bytes:
    """An uncompressed stream as an object: for streams that are short or that other programs search."""
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (entries, len(data), data)


def text_string(text: str) -> bytes:
    """A text as a PDF string (ISO 32000-1, 7.9.2.2)."""
    return bytes(pikepdf.String(text).unparse())


LEAVES = 256
"""The most pages, or tagged contents, under one node."""

HEADING, PARAGRAPH = b"H1", b"P"
"""Structure types of elements (14.8.4)."""

MARKED = b"/%b<</MCID %d>>BDC\n%bEMC\n"
"""Marked content that is read aloud: its structure type, and its number on the page."""

ARTIFACT = b"/Artifact BMC\n%bEMC\n"
"""Marked content that is drawn but not read aloud."""


class PageTree:
    """The page tree: pages under nodes under a root."""

    def __init__(self, pdf: GrowingPdf) -> None:
        self.pdf = pdf
        self.root, self._node = pdf.reserve(), 0
        self.count = 0
        self._nodes = array("Q")
        self._pages: list[int] = []

    def add(self, page: int, entries: bytes) -> None:
        """Write a reserved page: ``entries`` are those of its dictionary without type and parent."""
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


class Tags:
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


def spoken(kind: bytes, texts: Iterable[str]) -> bytes:
    """The entries of an element that is read aloud as these words, whatever is drawn."""
    return b"/S/%b/ActualText%b" % (kind, text_string(". ".join(texts)))
