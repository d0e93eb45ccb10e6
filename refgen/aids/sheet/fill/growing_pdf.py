"""A PDF that grows: objects are written behind those of a base, as an incremental update has them (ISO 32000-1, 7.5.6).

In: the bytes of a base PDF, and objects as bytes, one after the other. Out: a PDF in a file, written from front to
back. Memory holds no more than the last few objects, and eight bytes for the place of each. Objects that are no streams
are packed into streams (7.5.7), for most objects are much like the one before.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterable
from itertools import accumulate
from typing import BinaryIO

import pikepdf

_KEPT = re.compile(rb"/(?:Root|Info)\s+\d+\s+\d+\s+R|/ID\s*\[\s*<[0-9a-fA-F]*>\s*<[0-9a-fA-F]*>\s*\]")
_SIZE = re.compile(rb"/Size\s+(\d+)")

COMPRESSION = 3
"""Of zlib: 6 makes a sheet a twelfth smaller, and takes a fifth of its time more."""

PACKED = 200
"""Objects in a stream of objects; at most 256, for an entry of the cross references has a byte for each."""

_IN_STREAM = 1 << 63
"""Added to the place of an object that is packed: the number of its stream, and in the last byte its own in there."""

_FREE = b"\x00" * 6 + b"\xff"


class GrowingPdf:
    """Writes objects behind a base, which has its cross references in a stream."""

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
        """The number of an object that is written later."""
        self._places.append(0)
        return len(self._places) - 1

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
        self._places[number] = self.place
        self.place += self.file.write(b"%d 0 obj\n%b\nendobj\n" % (number, data))
        return number

    def add_stream(self, data: bytes) -> int:
        """Write a new stream, with its dictionary. Returns its number."""
        return self.put_stream(self.reserve(), data)

    def _pack(self) -> None:
        """Write the objects that wait, in one stream."""
        numbers, objects = zip(*self._packed, strict=True)
        self._packed.clear()
        places = accumulate((len(data) + 1 for data in objects), initial=0)
        head = b" ".join(b"%d %d" % place for place in zip(numbers, places, strict=False))
        entries = b"/Type/ObjStm/N %d/First %d" % (len(objects), len(head) + 1)
        packed = self.add_stream(compressed(b"%b\n%b" % (head, b"\n".join(objects)), entries))
        for place, number in enumerate(numbers):
            self._places[number] = _IN_STREAM | packed << 8 | place

    def finish(self) -> None:
        """Write the stream of cross references (ISO 32000-1, 7.5.8), which is the trailer too."""
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
        """Seven bytes an object, a few at a time: of millions, they would take more memory than all else."""
        compressor = zlib.compressobj(COMPRESSION)
        packed = [compressor.compress(b"".join(_entry(self._places[number]) for number in changed))]
        parts = (self._places[start : start + 4096] for start in range(self._first, len(self._places), 4096))
        packed += [compressor.compress(b"".join(map(_entry, part))) for part in parts]
        return b"".join([*packed, compressor.flush()])


def _entry(place: int) -> bytes:
    """The cross reference of an object: its kind; its place, or the number of its stream; its own number in there."""
    if place & _IN_STREAM:
        return b"\x02" + (place ^ _IN_STREAM).to_bytes(6, "big")
    return b"\x01" + (place << 8).to_bytes(6, "big") if place else _FREE


def references(numbers: Iterable[int]) -> bytes:
    """References to objects."""
    return b" ".join(b"%d 0 R" % number for number in numbers)


def compressed(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream as an object, with more entries of its dictionary."""
    return _stream(zlib.compress(data, COMPRESSION), entries)


def _stream(packed: bytes, entries: bytes) -> bytes:
    return b"<</Filter/FlateDecode/Length %d%b>>stream\n%b\nendstream" % (len(packed), entries, packed)


def uncompressed(data: bytes, entries: bytes) -> bytes:
    """The same of a stream that is short, or that other programs look for."""
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (entries, len(data), data)


def text_string(text: str) -> bytes:
    """A text as a PDF string (ISO 32000-1, 7.9.2.2)."""
    return bytes(pikepdf.String(text).unparse())
