"""PDFs that WeasyPrint wrote, taken apart by pikepdf.

In: the bytes of a PDF. Out: a Base, after which other objects are written; and Parts, the objects to write again. In: a
growing PDF. Out: the growing PDF with the pages of another PDF, and all objects that these need. In grafted pages table
cells find their headers by row and column scope, since ids of several documents would collide.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any, NamedTuple

import pikepdf

from refgen.aids.sheet.fill.growing_pdf import GrowingPdf, PageTree, Tags, references, text_string, uncompressed

_TITLE = re.compile(rb"(<dc:title>.*?<rdf:li[^>]*>).*?(</rdf:li>)", re.DOTALL)

_REFERENCE = re.compile(rb"((?:\((?:[^\\()]|\\.)*\)\s*)+)|(\d+) 0 R", re.DOTALL)
"""References; and strings, which are matched because their text may look like a reference."""

_OF_PAGE = ("/MediaBox", "/Resources", "/Contents")
"""The entries of a page that are kept when it is grafted."""

_OF_VALUE = {"/Btn": ("/F", "/V", "/AS"), "/Tx": ("/V", "/AP"), "/Ch": ("/V", "/AP")}
"""The entries of each kind of field that depend on its value."""


class BasePage(NamedTuple):
    """A page of a base: the numbers of its objects, and its size in points."""

    contents: int
    resources: int
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Base:
    """The bytes of a PDF, its pages, and the object numbers of its catalog, document information and metadata.

    ``info`` and ``metadata`` are the contents of the objects that state its title.
    """

    data: bytes
    pages: Sequence[BasePage]
    root: int
    info_number: int
    info: bytes
    metadata_number: int
    metadata: bytes

    @classmethod
    def of(cls, data: bytes) -> Base:
        """The base of a PDF that was ``saved``."""
        with pikepdf.open(io.BytesIO(data)) as pdf:
            pages = [
                BasePage(page.Contents.objgen[0], page.Resources.objgen[0], *map(float, list(page.MediaBox)[2:]))
                for page in pdf.pages
            ]
            info, metadata = pdf.docinfo, pdf.Root.Metadata
            said = info.objgen[0], entries(info, {*info.keys()} - {"/Title"})
            return cls(data, pages, pdf.Root.objgen[0], *said, metadata.objgen[0], metadata.read_bytes())

    def write_title(self, pdf: GrowingPdf, title: str) -> None:
        """Give the PDF written after this base a title of its own."""
        named = escape(title).encode()
        metadata = _TITLE.sub(lambda match: match[1] + named + match[2], self.metadata, count=1)
        pdf.put(self.info_number, b"<<%b/Title%b>>" % (self.info, text_string(title)))
        pdf.put_stream(self.metadata_number, uncompressed(metadata, b"/Type/Metadata/Subtype/XML"))


def saved(pdf: Any) -> bytes:
    """The bytes of a pikepdf PDF, with cross references in a stream."""
    data = io.BytesIO()
    pdf.save(data, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return data.getvalue()


def drop(dictionary: Any, *keys: str) -> None:
    """Remove entries from a pikepdf dictionary, if it has them."""
    for key in keys:
        if key in dictionary:
            del dictionary[key]


def renumbered(data: bytes, numbers: Mapping[int, int]) -> bytes:
    """An object as pikepdf writes it, with its references renumbered by ``numbers``."""
    text, known = _without_numbers(data)
    return text % tuple([numbers.get(number, number) for number in known])


@lru_cache(1024)
def _without_numbers(data: bytes) -> tuple[bytes, Sequence[int]]:
    """An object with gaps for the numbers of its references, and these numbers, since fields are copied often."""
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
        start = b"<<" + entries(value, {*value.keys()} - {*of_value})
        if isinstance(value, pikepdf.Stream):
            return cls(start, b">>stream\n%b\nendstream" % value.read_raw_bytes())
        return cls(start, entries(value, of_value) + b">>")


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


def entries(dictionary: Any, keys: Iterable[str]) -> bytes:
    """Some entries of a pikepdf dictionary, where it has them, as bytes."""
    found = {key: dictionary[key] for key in sorted(keys) if key in dictionary}
    return bytes(pikepdf.Dictionary(found).unparse()[2:-2])


def graft(data: bytes, pdf: GrowingPdf, pages: PageTree, tags: Tags) -> Sequence[int]:
    """Write the pages of a tagged PDF after those of a growing one. Returns the numbers of the pages."""
    with pikepdf.open(io.BytesIO(data)) as other:
        _forget_ids(other)
        tree = other.Root.StructTreeRoot
        document, nums = tree.K[0], list(tree.ParentTree.Nums)
        elements = {int(key): value.unparse() for key, value in zip(nums[::2], nums[1::2], strict=True)}
        kids = [kid.objgen[0] for kid in document.K]
        grafted = {page.obj.objgen[0]: entries(page.obj, _OF_PAGE) for page in other.pages}
        marks = [elements[int(page.obj.StructParents)] for page in other.pages]
        parts = parts_of(other, [*grafted.values(), references(kids)], {document.objgen[0], *grafted})
    numbers = {number: pdf.reserve() for number in (*grafted, *parts)} | {document.objgen[0]: tags.section}
    for number, (start, end) in parts.items():
        put = pdf.put_stream if end.endswith(b"endstream") else pdf.put
        put(numbers[number], renumbered(start, numbers) + end)
    for (number, page), found in zip(grafted.items(), marks, strict=True):
        found_by = tags.number(renumbered(found, numbers))
        pages.add(numbers[number], b"%b/StructParents %d" % (renumbered(page, numbers), found_by))
    tags.extend(numbers[kid] for kid in kids)
    return [numbers[number] for number in grafted]


def _forget_ids(pdf: Any) -> None:
    """Remove the ids from the tags of a PDF, and the references to these ids."""
    for one in pdf.objects:
        if isinstance(one, pikepdf.Dictionary) and "/S" in one:
            drop(one, "/ID")
            drop(one.get("/A", {}), "/Headers")
