"""A PDF that grows: objects are written behind those of a base, as an incremental update has them (ISO 32000-1, 7.5.6).

In: the bytes of a PDF, and objects as bytes. Out: a PDF in a file, written from front to back: memory holds no more
than where each object begins, in eight bytes.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import BinaryIO

_KEPT = re.compile(rb"/(?:Root|Info)\s+\d+\s+\d+\s+R|/ID\s*\[\s*<[0-9a-fA-F]*>\s*<[0-9a-fA-F]*>\s*\]")
_SIZE = re.compile(rb"/Size\s+(\d+)")

COMPRESSION = 3
"""Of zlib: 6 makes a sheet a twelfth smaller, and takes a fifth of its time more."""

_USED, _FIRST = b"\x01", b"\x00"
"""An object that is there, in its first generation."""

_FREE = b"\x00" * 6 + b"\xff"

_FILTERED = b"<</Filter/FlateDecode/Length %d%b>>stream\n%b\nendstream"


class GrowingPdf:
    """Writes objects behind a base, which has its cross references in a stream."""

    def __init__(self, file: BinaryIO, base: bytes) -> None:
        self.file = file
        self.place = file.write(base)
        self._kept, self._before, self._first = _tail(base)
        self._places = array("Q")
        self._changed: dict[int, int] = {}

    def reserve(self) -> int:
        """The number of an object that is written later."""
        self._places.append(0)
        return self._first + len(self._places) - 1

    def put(self, number: int, data: bytes) -> int:
        """Write an object that was reserved, or another in the place of one of the base. Returns its number."""
        if number >= self._first:
            self._places[number - self._first] = self.place
        else:
            self._changed[number] = self.place
        self.place += self.file.write(b"%d 0 obj\n%b\nendobj\n" % (number, data))
        return number

    def add(self, data: bytes) -> int:
        """Write a new object. Returns its number."""
        return self.put(self.reserve(), data)

    def stream(self, data: bytes, entries: bytes = b"") -> int:
        """Write a stream, compressed, with more entries of its dictionary. Returns its number."""
        return self.add(stream(data, entries))

    def finish(self) -> None:
        """Write the stream of cross references (ISO 32000-1, 7.5.8), which is the trailer too."""
        number, start = self.reserve(), self.place
        self._places[number - self._first] = start
        changed = sorted(self._changed)
        index = [*changed, self._first]
        counts = [*[1] * len(changed), len(self._places)]
        sections = b" ".join(b"%d %d" % section for section in zip(index, counts, strict=True))
        size = self._first + len(self._places)
        entries = b"/Type/XRef/Size %d/W[1 5 1]/Index[%b]/Prev %d%b" % (size, sections, self._before, self._kept)
        table = stream(b"".join(self._entries(changed)), entries)
        self.file.write(b"%d 0 obj\n%b\nendobj\nstartxref\n%d\n%%%%EOF\n" % (number, table, start))

    def _entries(self, changed: Sequence[int]) -> Iterator[bytes]:
        """Seven bytes an object: where it begins; one that was never written is free."""
        yield from (_USED + self._changed[number].to_bytes(5, "big") + _FIRST for number in changed)
        yield from (_USED + place.to_bytes(5, "big") + _FIRST if place else _FREE for place in self._places)


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


def text_string(text: str) -> bytes:
    """A text as a PDF string (ISO 32000-1, 7.9.2.2)."""
    if text.isascii() and text.isprintable():
        return b"(%b)" % re.sub(rb"([\\()])", rb"\\\1", text.encode())
    return b"<feff%b>" % text.encode("utf-16-be").hex().encode()
