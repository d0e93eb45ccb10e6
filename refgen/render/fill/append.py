"""A PDF that grows: objects are written behind those of a base, as an incremental update has them (ISO 32000-1, 7.5.6).

In: the bytes of a PDF, and objects as bytes. Out: a PDF in a file, written from front to back: memory holds no more
than where each object begins, eight bytes of it.
"""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import BinaryIO

_LAST = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*\Z")
_TRAILER = re.compile(rb"trailer\s*<<(.*?)>>\s*startxref", re.DOTALL)
_KEPT = re.compile(rb"/(?:Root|Info)\s+\d+\s+\d+\s+R|/ID\s*\[\s*<[0-9a-fA-F]*>\s*<[0-9a-fA-F]*>\s*\]")
_SIZE = re.compile(rb"/Size\s+(\d+)")

COMPRESSION = 6
_FILTERED = b"<</Filter/FlateDecode/Length %d%b>>stream\n%b\nendstream"


class GrowingPdf:
    """Writes objects behind a base, which has a classic table of cross references and no object streams."""

    def __init__(self, file: BinaryIO, base: bytes) -> None:
        self.file = file
        self.place = file.write(base)
        trailer, start, size = _TRAILER.findall(base), _LAST.search(base), _SIZE.findall(base)
        if not trailer or start is None or not size:
            raise ValueError("a PDF without a classic trailer")
        self._kept = b"".join(_KEPT.findall(trailer[-1]))
        self._before = int(start[1])
        self._first = int(size[-1])
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
        """Write the table of cross references and the trailer."""
        start = self.place
        self.file.write(b"xref\n")
        for numbers in _runs(sorted(self._changed)):
            self._section(numbers[0], [self._changed[number] for number in numbers])
        if self._places:
            self._section(self._first, self._places)
        size = self._first + len(self._places)
        trailer = b"trailer\n<</Size %d%b/Prev %d>>\nstartxref\n%d\n%%%%EOF\n"
        self.file.write(trailer % (size, self._kept, self._before, start))

    def _section(self, first: int, places: Sequence[int]) -> None:
        self.file.write(b"%d %d\n" % (first, len(places)))
        for start in range(0, len(places), 1000):
            self.file.write(b"".join(_entry(place) for place in places[start : start + 1000]))


def stream(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream as an object."""
    packed = zlib.compress(data, COMPRESSION)
    return _FILTERED % (len(packed), entries, packed)


def text_string(text: str) -> bytes:
    """A text as a PDF string (ISO 32000-1, 7.9.2.2)."""
    if text.isascii() and text.isprintable():
        return b"(%b)" % re.sub(rb"([\\()])", rb"\\\1", text.encode())
    return b"<feff%b>" % text.encode("utf-16-be").hex().encode()


def dictionary(entries: Mapping[str, bytes]) -> bytes:
    """A dictionary of entries that are PDF already."""
    return b"<<%b>>" % b"".join(b"%b %b" % (key.encode(), value) for key, value in entries.items())


def _entry(place: int) -> bytes:
    """Twenty bytes: where an object begins; one that was never written is free."""
    return b"%010d 00000 n\r\n" % place if place else b"0000000000 65535 f\r\n"


def _runs(numbers: Sequence[int]) -> list[list[int]]:
    """Neighbours together."""
    if not numbers:
        return []
    runs = [[numbers[0]]]
    for before, number in pairwise(numbers):
        if number != before + 1:
            runs.append([])
        runs[-1].append(number)
    return runs
