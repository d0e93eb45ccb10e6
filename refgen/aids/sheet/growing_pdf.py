"""A PDF that grows: objects written behind the objects of a base PDF.

In: the bytes of a base PDF, and objects as bytes, one after the other (an incremental update, ISO 32000-1, 7.5.6). Out:
a PDF in a file, written from front to back. Memory holds no more than the last few objects, and eight bytes for the
place of each object. Objects that are no streams are packed into streams (7.5.7), since most objects resemble the
object before. In: a PDF that WeasyPrint wrote. Out: a BasePdf, and the ObjectParts of the objects to copy; pikepdf
reads both.
"""

from __future__ import annotations

import io
import re
import zlib
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import accumulate
from typing import Any, BinaryIO, NamedTuple

import pikepdf

_KEPT = re.compile(rb"/(?:Root|Info)\s+\d+\s+\d+\s+R|/ID\s*\[\s*<[0-9a-fA-F]*>\s*<[0-9a-fA-F]*>\s*\]")
_SIZE = re.compile(rb"/Size\s+(\d+)")

COMPRESSION = 3
"""The level of zlib: 6 would make a sheet a twelfth smaller, but take a fifth more time."""

PACKED = 200
"""The number of objects in an object stream: at most 256, since a cross reference has one byte for the index."""

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
        packed = self.add_stream(compressed_stream(b"%b\n%b" % (head, b"\n".join(objects)), entries))
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
        packed = [compressor.compress(b"".join(_cross_reference(self._places[number]) for number in changed))]
        parts = (self._places[start : start + 4096] for start in range(self._first, len(self._places), 4096))
        packed += [compressor.compress(b"".join(map(_cross_reference, part))) for part in parts]
        return b"".join([*packed, compressor.flush()])


def _cross_reference(place: int) -> bytes:
    """The cross reference of an object: a type, then an offset, or the number of an object stream and an index."""
    if place & _IN_STREAM:
        return b"\x02" + (place ^ _IN_STREAM).to_bytes(6, "big")
    return b"\x01" + (place << 8).to_bytes(6, "big") if place else _FREE


def references(numbers: Iterable[int]) -> bytes:
    """References to the objects with these numbers."""
    return b" ".join(b"%d 0 R" % number for number in numbers)


def compressed_stream(data: bytes, entries: bytes = b"") -> bytes:
    """A compressed stream as an object, with more entries of its dictionary."""
    return _stream(zlib.compress(data, COMPRESSION), entries)


def _stream(packed: bytes, entries: bytes) -> bytes:
    return b"<</Filter/FlateDecode/Length %d%b>>stream\n%b\nendstream" % (len(packed), entries, packed)


def uncompressed_stream(data: bytes, entries: bytes) -> bytes:
    """An uncompressed stream as an object: for streams that are short or that other programs search."""
    return b"<<%b/Length %d>>stream\n%b\nendstream" % (entries, len(data), data)


def text_string(text: str) -> bytes:
    """A text as a PDF string (ISO 32000-1, 7.9.2.2)."""
    return bytes(pikepdf.String(text).unparse())


HEADING, PARAGRAPH = b"H1", b"P"
"""Structure types of elements (14.8.4)."""

MARKED = b"/%b<</MCID %d>>BDC\n%bEMC\n"
"""Marked content that is read aloud: its structure type, and its number on the page."""

ARTIFACT = b"/Artifact BMC\n%bEMC\n"
"""Marked content that is drawn but not read aloud."""


def spoken_element(kind: bytes, texts: Iterable[str]) -> bytes:
    """The entries of an element that is read aloud as these words, whatever is drawn."""
    return b"/S/%b/ActualText%b" % (kind, text_string(". ".join(texts)))


_TITLE = re.compile(rb"(<dc:title>.*?<rdf:li[^>]*>).*?(</rdf:li>)", re.DOTALL)

_REFERENCE = re.compile(rb"((?:\((?:[^\\()]|\\.)*\)\s*)+)|(\d+) 0 R", re.DOTALL)
"""References; and strings, which are matched because their text may look like a reference."""


_OF_VALUE = {"/Btn": ("/F", "/V", "/AS"), "/Tx": ("/DA", "/V", "/AP"), "/Ch": ("/DA", "/V", "/AP")}
"""The entries of each kind of field that depend on its value."""


class BasePage(NamedTuple):
    """A page of a base: the numbers of two objects, and the size in points."""

    contents: int
    resources: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BasePdf:
    """The bytes of a PDF, its pages, and the object numbers of its catalog, document information and metadata.

    ``info`` and ``metadata`` are the contents of the objects that state the title.
    """

    data: bytes
    pages: Sequence[BasePage]
    root: int
    info_number: int
    info: bytes
    metadata_number: int
    metadata: bytes

    @classmethod
    def of(cls, data: bytes) -> BasePdf:
        """The base of a PDF that ``saved_pdf`` wrote."""
        with pikepdf.open(io.BytesIO(data)) as pdf:
            pages = [
                BasePage(page.Contents.objgen[0], page.Resources.objgen[0], *map(float, list(page.MediaBox)[2:]))
                for page in pdf.pages
            ]
            info, metadata = pdf.docinfo, pdf.Root.Metadata
            said = info.objgen[0], dictionary_entries(info, {*info.keys()} - {"/Title"})
            return cls(data, pages, pdf.Root.objgen[0], *said, metadata.objgen[0], metadata.read_bytes())

    def write_title(self, pdf: GrowingPdf, title: str) -> None:
        """Give the PDF written after this base a title of its own."""
        named = escape(title).encode()
        metadata = _TITLE.sub(lambda match: match[1] + named + match[2], self.metadata, count=1)
        pdf.put(self.info_number, b"<<%b/Title%b>>" % (self.info, text_string(title)))
        pdf.put_stream(self.metadata_number, uncompressed_stream(metadata, b"/Type/Metadata/Subtype/XML"))


def remove_entries(dictionary: Any, *keys: str) -> None:
    """Remove the entries with these keys from a pikepdf dictionary."""
    for key in keys:
        if key in dictionary:
            del dictionary[key]


def renumber_references(data: bytes, numbers: Mapping[int, int]) -> bytes:
    """An object as pikepdf writes objects, with references renumbered by ``numbers``."""
    text, known = _with_gaps(data)
    return text % tuple([numbers.get(number, number) for number in known])


@lru_cache(1024)
def _with_gaps(data: bytes) -> tuple[bytes, Sequence[int]]:
    """An object with gaps for the numbers of its references, and the numbers. Cached: fields are copied often."""
    text = _REFERENCE.sub(lambda match: match[1] or b"%d 0 R", data.replace(b"%", b"%%"))
    return text, [int(number) for _, number in _REFERENCE.findall(data) if number]


class ObjectParts(NamedTuple):
    """An object in two parts: its start, and its end with the value of a field or the data of a stream."""

    start: bytes
    end: bytes

    @classmethod
    def of(cls, value: Any) -> ObjectParts:
        """The parts of a pikepdf object."""
        if isinstance(value, pikepdf.Array):
            return cls(value.unparse(resolved=True), b"")
        of_value = _OF_VALUE.get(str(value.get("/FT", "")), ())
        start = b"<<" + dictionary_entries(value, {*value.keys()} - {*of_value})
        if isinstance(value, pikepdf.Stream):
            return cls(start, b">>stream\n%b\nendstream" % value.read_raw_bytes())
        return cls(start, dictionary_entries(value, of_value) + b">>")


def parts_of(
    pdf: Any, first: Iterable[bytes], known: Collection[int], *, streams: bool = True
) -> Mapping[int, ObjectParts]:
    """All objects reachable from references in some bytes but the ``known``; streams too, if ``streams``."""
    parts: dict[int, ObjectParts] = {}
    waiting = list(first)
    while waiting:
        for number in (int(number) for _, number in _REFERENCE.findall(waiting.pop()) if number):
            value = pdf.get_object(number, 0)
            if number not in known and number not in parts and (streams or not isinstance(value, pikepdf.Stream)):
                parts[number] = ObjectParts.of(value)
                waiting.append(parts[number].start)
    return parts


def dictionary_entries(dictionary: Any, keys: Iterable[str]) -> bytes:
    """The entries of a pikepdf dictionary with some keys, as bytes."""
    found = {key: dictionary[key] for key in sorted(keys) if key in dictionary}
    return bytes(pikepdf.Dictionary(found).unparse()[2:-2])
