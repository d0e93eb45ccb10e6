"""PDFs that WeasyPrint wrote, taken apart by pikepdf.

In: the bytes of a PDF. Out: a Base, which others are written behind; its Parts, the objects that are written again; and
a Graft, its pages with all that they need. Of grafted pages, the cells of tables find their heads by the columns and
rows that these say they are for: of several documents, ids would collide.
"""

from __future__ import annotations

import io
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import pikepdf

from refgen.aids.sheet.fill.font import RESOURCE
from refgen.aids.sheet.fill.growing_pdf import GrowingPdf, text_string, uncompressed
from refgen.aids.sheet.fill.trees import PageTree, Tags

_TITLE = re.compile(rb"(<dc:title>.*?<rdf:li[^>]*>).*?(</rdf:li>)", re.DOTALL)

_REFERENCE = re.compile(rb"(\((?:[^\\()]|\\.)*\))|(\d+) 0 R", re.DOTALL)
"""References, and strings, which may look as if they had some."""

_OF_PAGE = ("/MediaBox", "/Resources", "/Contents")
"""The entries of a page that go with it."""

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
    """The bytes of a PDF, its pages, and the numbers of its catalog, of the objects that say its title, and of a font.

    ``info`` and ``metadata`` are the contents of these objects. The ``font`` is that of fields.
    """

    data: bytes
    pages: Sequence[BasePage]
    root: int
    info_number: int
    info: bytes
    metadata_number: int
    metadata: bytes
    font: int

    @classmethod
    def of(cls, data: bytes) -> Base:
        """A PDF that was ``saved``."""
        with pikepdf.open(io.BytesIO(data)) as pdf:
            pages = [
                BasePage(page.Contents.objgen[0], page.Resources.objgen[0], *map(float, list(page.MediaBox)[2:]))
                for page in pdf.pages
            ]
            info, metadata = pdf.docinfo, pdf.Root.Metadata
            said = info.objgen[0], _entries(info, {*info.keys()} - {"/Title"})
            font = pdf.pages[0].Resources.Font[RESOURCE].objgen[0]
            return cls(data, pages, pdf.Root.objgen[0], *said, metadata.objgen[0], metadata.read_bytes(), font)

    def write_title(self, pdf: GrowingPdf, title: str) -> None:
        """Give the PDF that is written behind this one a title of its own."""
        named = escape(title).encode()
        metadata = _TITLE.sub(lambda match: match[1] + named + match[2], self.metadata, count=1)
        pdf.put(self.info_number, b"<<%b/Title%b>>" % (self.info, text_string(title)))
        pdf.put_stream(self.metadata_number, uncompressed(metadata, b"/Type/Metadata/Subtype/XML"))


def saved(pdf: Any) -> bytes:
    """The bytes of a PDF of pikepdf's, whose cross references are in a stream."""
    data = io.BytesIO()
    pdf.save(data, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True)
    return data.getvalue()


def drop(dictionary: Any, *keys: str) -> None:
    """Take some entries out of a dictionary of pikepdf's, where it has them."""
    for key in keys:
        if key in dictionary:
            del dictionary[key]


class Renumbered(NamedTuple):
    """Some bytes with gaps for the numbers of objects, and which these are."""

    text: bytes
    gaps: Sequence[int]

    @classmethod
    def of(cls, data: bytes) -> Renumbered:
        """The bytes of an object as pikepdf writes it."""
        found = _REFERENCE.findall(data)
        text = _REFERENCE.sub(lambda match: match[1] or b"%d 0 R", data.replace(b"%", b"%%"))
        return cls(text, [int(number) for _, number in found if number])

    def with_numbers(self, numbers: Mapping[int, int]) -> bytes:
        """The same with other numbers, where there are any."""
        return self.text % tuple([numbers.get(gap, gap) for gap in self.gaps])


class Part(NamedTuple):
    """An object: how it begins, and its end, which has the entries of a field's value, or the data of a stream."""

    start: Renumbered
    end: bytes

    @classmethod
    def of(cls, value: Any) -> Part:
        """An object of pikepdf's."""
        if isinstance(value, pikepdf.Array):
            return cls(Renumbered.of(value.unparse(resolved=True)), b"")
        of_value = _OF_VALUE.get(str(value.get("/FT", "")), ())
        start = Renumbered.of(b"<<" + _entries(value, {*value.keys()} - {*of_value}))
        if isinstance(value, pikepdf.Stream):
            return cls(start, b">>stream\n%b\nendstream" % value.read_raw_bytes())
        return cls(start, _entries(value, of_value) + b">>")


def parts_of(pdf: Any, first: Iterable[int], known: Collection[int], *, streams: bool = True) -> Mapping[int, Part]:
    """Some objects of a PDF, and all that they refer to but the ``known`` ones; ``streams`` too if these are copied."""
    parts: dict[int, Part] = {}
    waiting = list(first)
    while waiting:
        number = waiting.pop()
        value = pdf.get_object(number, 0)
        if number not in known and number not in parts and (streams or not isinstance(value, pikepdf.Stream)):
            parts[number] = Part.of(value)
            waiting += parts[number].start.gaps
    return parts


def _entries(dictionary: Any, keys: Iterable[str]) -> bytes:
    """Some entries of a dictionary of pikepdf's, where it has them."""
    found = {key: dictionary[key] for key in sorted(keys) if key in dictionary}
    return bytes(pikepdf.Dictionary(found).unparse()[2:-2])


@dataclass(frozen=True, slots=True)
class Graft:
    """Pages, each with the elements of its marks; the elements right under the ``document``; and all that they need."""

    pages: Mapping[int, tuple[Renumbered, Renumbered]]
    kids: Sequence[int]
    document: int
    parts: Mapping[int, Part]

    @classmethod
    def of(cls, data: bytes) -> Graft:
        """All pages of a tagged PDF."""
        with pikepdf.open(io.BytesIO(data)) as pdf:
            for one in pdf.objects:
                if isinstance(one, pikepdf.Dictionary) and "/S" in one:
                    drop(one, "/ID")
                    drop(one.get("/A", {}), "/Headers")
            tree = pdf.Root.StructTreeRoot
            document, nums = tree.K[0], list(tree.ParentTree.Nums)
            elements = {int(key): value for key, value in zip(nums[::2], nums[1::2], strict=True)}
            pages = {
                page.obj.objgen[0]: (
                    Renumbered.of(_entries(page.obj, _OF_PAGE)),
                    Renumbered.of(elements[int(page.obj.StructParents)].unparse()),
                )
                for page in pdf.pages
            }
            kids = [kid.objgen[0] for kid in document.K]
            first = [*kids, *(number for page, _ in pages.values() for number in page.gaps)]
            known = {document.objgen[0], *pages}
            return cls(pages, kids, document.objgen[0], parts_of(pdf, first, known))

    def write(self, pdf: GrowingPdf, pages: PageTree, tags: Tags) -> Iterable[int]:
        """Write the pages. Returns their numbers."""
        numbers = {number: pdf.reserve() for number in (*self.pages, *self.parts)} | {self.document: tags.section}
        for number, (start, end) in self.parts.items():
            put = pdf.put_stream if end.endswith(b"endstream") else pdf.put
            put(numbers[number], start.with_numbers(numbers) + end)
        for number, (page, elements) in self.pages.items():
            found_by = tags.number(elements.with_numbers(numbers))
            pages.add(numbers[number], b"%b/StructParents %d" % (page.with_numbers(numbers), found_by))
        tags.extend(numbers[kid] for kid in self.kids)
        return [numbers[number] for number in self.pages]
