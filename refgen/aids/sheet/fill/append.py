"""A PDF that grows, with its pages and its outline.

In: the bytes of a base PDF, and objects as bytes; the entries of pages, and what leads to them, one after the other.
Out: a PDF in a file, written from front to back: objects stand behind those of the base, as an incremental update has
them (ISO 32000-1, 7.5.6). Memory holds no more than the last few objects, eight bytes for the place of each, and a node
of each tree. What is no stream is packed into streams (7.5.7), for most objects are much like the one before.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import BinaryIO

_KEPT = re.compile(rb"/(?:Root|Info)\s+\d+\s+\d+\s+R|/ID\s*\[\s*<[0-9a-fA-F]*>\s*<[0-9a-fA-F]*>\s*\]")
_SIZE = re.compile(rb"/Size\s+(\d+)")

COMPRESSION = 3
"""Of zlib: 6 makes a sheet a twelfth smaller, and takes a fifth of its time more."""

PACKED = 200
"""Objects in a stream of objects; at most 256, for an entry of the cross references has a byte for each."""

_IN_STREAM = 1 << 63
"""Added to the place of an object that is packed: the number of its stream, and in the last byte its own in there."""

_FREE = b"\x00" * 6 + b"\xff"

_SPECIAL = re.compile(rb"[\\()]")
"""What stands behind a backslash in a string."""

_FILTERED = b"<</Filter/FlateDecode/Length %d%b>>stream\n%b\nendstream"


class GrowingPdf:
    """Writes objects behind a base, which has its cross references in a stream."""

    def __init__(self, file: BinaryIO, base: bytes) -> None:
        self.file = file
        self.place = file.write(base)
        self._kept, self._before, self._first = _tail(base)
        self._places = array("Q")
        self._changed: dict[int, int] = {}
        self._packed: list[tuple[int, bytes]] = []

    def reserve(self) -> int:
        """The number of an object that is written later."""
        self._places.append(0)
        return self._first + len(self._places) - 1

    def put(self, number: int, data: bytes) -> int:
        """Write an object that was reserved, or another in the place of one of the base. Returns its number."""
        self._packed.append((number, data))
        if len(self._packed) == PACKED:
            self._pack()
        return number

    def add(self, data: bytes) -> int:
        """Write a new object. Returns its number."""
        return self.put(self.reserve(), data)

    def put_stream(self, number: int, data: bytes) -> int:
        """Write a stream, with its dictionary, that was reserved or takes the place of one. Returns its number."""
        self._found(number, self.place)
        self.place += self.file.write(b"%d 0 obj\n%b\nendobj\n" % (number, data))
        return number

    def add_stream(self, data: bytes) -> int:
        """Write a new stream, with its dictionary. Returns its number."""
        return self.put_stream(self.reserve(), data)

    def stream(self, contents: bytes, entries: bytes = b"") -> int:
        """Write a new stream, compressed, with more entries of its dictionary. Returns its number."""
        return self.add_stream(stream(contents, entries))

    def _found(self, number: int, place: int) -> None:
        """Remember where an object stands."""
        if number >= self._first:
            self._places[number - self._first] = place
        else:
            self._changed[number] = place

    def _pack(self) -> None:
        """Write the objects that wait, in one stream."""
        numbers, objects = zip(*self._packed, strict=True)
        self._packed.clear()
        places = accumulate((len(data) + 1 for data in objects), initial=0)
        head = b" ".join(b"%d %d" % place for place in zip(numbers, places, strict=False))
        entries = b"/Type/ObjStm/N %d/First %d" % (len(objects), len(head) + 1)
        packed = self.add_stream(stream(b"%b\n%b" % (head, b"\n".join(objects)), entries))
        for place, number in enumerate(numbers):
            self._found(number, _IN_STREAM | packed << 8 | place)

    def finish(self) -> None:
        """Write the stream of cross references (ISO 32000-1, 7.5.8), which is the trailer too."""
        if self._packed:
            self._pack()
        number, start = self.reserve(), self.place
        self._places[number - self._first] = start
        changed = sorted(self._changed)
        index = [*changed, self._first]
        counts = [*[1] * len(changed), len(self._places)]
        sections = b" ".join(b"%d %d" % section for section in zip(index, counts, strict=True))
        size = self._first + len(self._places)
        entries = b"/Type/XRef/Size %d/W[1 5 1]/Index[%b]/Prev %d%b" % (size, sections, self._before, self._kept)
        packed = self._compressed_entries(changed)
        table = _FILTERED % (len(packed), entries, packed)
        self.file.write(b"%d 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (number, table, start))

    def _compressed_entries(self, changed: Sequence[int]) -> bytes:
        """Seven bytes an object, a few at a time: of millions, they would take more memory than all else."""
        compressor = zlib.compressobj(COMPRESSION)
        packed = [compressor.compress(b"".join(_entry(self._changed[number]) for number in changed))]
        parts = (self._places[start : start + 4096] for start in range(0, len(self._places), 4096))
        packed += [compressor.compress(b"".join(map(_entry, part))) for part in parts]
        return b"".join([*packed, compressor.flush()])


def _entry(place: int) -> bytes:
    """What the cross references say of an object: its kind; its place, or that of its stream; its number in there."""
    if place & _IN_STREAM:
        return b"\x02" + (place ^ _IN_STREAM).to_bytes(6, "big")
    return b"\x01" + (place << 8).to_bytes(6, "big") if place else _FREE


@lru_cache(maxsize=8)
def _tail(base: bytes) -> tuple[bytes, int, int]:
    """What is kept of a PDF's trailer, where its last table of cross references begins, and how many objects it has."""
    start = int(base[base.rindex(b"startxref") :].split()[1])
    entries = base[start:].partition(b"stream")[0]
    size = _SIZE.search(entries)
    if size is None or b"/XRef" not in entries:
        raise ValueError("a PDF without a stream of cross references")
    return b"".join(_KEPT.findall(entries)), start, int(size[1])


def references(numbers: Iterable[int]) -> bytes:
    """References to objects."""
    return b" ".join(b"%d 0 R" % number for number in numbers)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream as an object."""
    packed = zlib.compress(data, COMPRESSION)
    return _FILTERED % (len(packed), entries, packed)


def metadata(data: bytes) -> bytes:
    """Metadata as an object (14.3.2): other programs look for it, and so it is not compressed."""
    return b"<</Type/Metadata/Subtype/XML/Length %d>>stream\n%b\nendstream" % (len(data), data)


def text_string(text: str) -> bytes:
    """A text as a PDF string (ISO 32000-1, 7.9.2.2): in PDFDocEncoding where that is quickly done, else in UTF-16."""
    try:
        if not text.isprintable():
            raise ValueError
        return b"(%b)" % escaped(text.replace("−", "\x8a").replace("–", "\x85").encode("latin-1"))
    except ValueError:
        return b"(\xfe\xff%b)" % escaped(text.encode("utf-16-be"))


def escaped(data: bytes) -> bytes:
    """Some bytes as they stand in a string (7.3.4.2): a bare carriage return would be read as a line feed."""
    if b"(" in data or b")" in data or b"\\" in data:
        data = _SPECIAL.sub(rb"\\\g<0>", data)
    return data.replace(b"\r", b"\\r")


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
