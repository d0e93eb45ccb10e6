"""DocBook XML, as expat parses it, without network and DTDs.

In: the passage of an XML document. Out: its chapters and sections with CALS tables and lists.

Expat gives the exact offsets of each element. External DTDs and entities are never fetched: an entity that stands for
nothing known is a Fault. Entities that the document declares are replaced in words, and make no elements.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from xml.etree.ElementTree import Element
from xml.parsers import expat

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.document import (
    Document,
    Fault,
    Format,
    Grid,
    Inline,
    InlineMark,
    ItemList,
    RawCell,
    Section,
    position_span,
)
from refgen.readers.xml_entities import MARKUP, Entities
from refgen.source import Passage, plain_text


def unknown_entities(document: Passage, entities: Entities) -> Iterator[Fault]:
    """A fault for each entity that stands for nothing known, or is made of one that does."""
    text = document[entities.root :]
    for markup in MARKUP.finditer(text.text):
        if markup["entity"] and (name := entities.unknown(markup["entity"])):
            hint = f'Declare it, as in <!ENTITY {name} "words">; nothing is fetched.'
            yield Fault("the document does not say what this stands for", text.group(markup).span, hint)


# fmt: off
_SECTIONS = {
    "appendix", "article", "chapter", "part", "preface", "section",
    "sect1", "sect2", "sect3", "sect4", "sect5", "simplesect",
}
# fmt: on
_PARAGRAPHS = {"para", "simpara", "term", "title"}
_TABLES = {"table", "informaltable"}
_HEAD, _BODY = ("tgroup/thead/row",), ("tgroup/tbody/row", "tgroup/tfoot/row")
_LISTS = {"itemizedlist", "orderedlist"}
_BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(sorted({*_PARAGRAPHS, 'entry', 'member'}))})\b")
"""A tag that ends a word: a paragraph in a cell, an item or a note may follow the words before it without a blank."""

_MARKED = {"emphasis": Inline.EMPHASIS, "ulink": Inline.LINK, "link": Inline.LINK}


def read_docbook(text: Passage) -> Document:
    """Read a DocBook document. Raises ReadError, with its line and column, when it is not well formed.

    Elements outside titles, paragraphs, lists and tables are left out, each with a Fault; each unknown entity is a
    Fault as well.
    """
    entities = Entities(text)  # counted before expat expands those of attributes
    inside = _elements(text)
    root = next(iter(inside))
    reader = _DocBookReader(text, inside, entities)
    sections, marks = tuple(reader.sections(root, 1)), tuple(reader.marks(root))
    faults = [*reader.left_out(root), *unknown_entities(text, entities)]
    in_order = tuple(sorted(faults, key=lambda fault: fault.span.start))
    return Document(text.source, Format.DOCBOOK, text, sections, in_order, marks=marks, entity_letters=entities.letters)


def _elements(text: Passage) -> dict[Element, Passage]:
    """Each element with its content, in document order. Raises ReadError for XML that is wrong or nests too deep."""
    raw, character_at = text.text.encode(), _character_offsets(text.text)
    parser = expat.ParserCreate("utf-8")
    parser.specified_attributes = True  # usual ones of the DTD would be copied for each element
    bounds: dict[Element, tuple[int, int]] = {}
    around: list[Element] = []

    def opened(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes)
        start = raw.index(b">", _tag_end(raw, parser.CurrentByteIndex)) + 1
        if around:
            around[-1].append(element)
        if len(around) == limits().xml_depth:
            place = text[character_at(start) :][:0].span
            raise ReadError("the elements around this nest too deep", span=place, hint=limit_hint("xml_depth"))
        around.append(element)
        bounds[element] = start, start

    def closed(_name: str) -> None:
        element = around.pop()
        start, _ = bounds[element]
        bounds[element] = start, max(parser.CurrentByteIndex, start)

    parser.StartElementHandler, parser.EndElementHandler = opened, closed
    parser.DefaultHandler = lambda _: None  # with it, entities are not put in: their elements stand nowhere
    try:
        parser.Parse(raw, True)
    except expat.ExpatError as error:
        message = f"not well-formed XML: {expat.ErrorString(error.code)}"
        place = position_span(text.lines(), error.lineno, error.offset + 1)
        raise ReadError(message, span=place, hint="Mend the XML and try again.") from error
    return {element: text[character_at(start) : character_at(end)] for element, (start, end) in bounds.items()}


def _tag_end(raw: bytes, start: int) -> int:
    """Where to search for the ">" that ends a start tag: after the last quoted attribute value."""
    position = start
    while True:
        end = raw.index(b">", position)
        quote = min((at for mark in (b'"', b"'") if (at := raw.find(mark, position, end)) >= 0), default=-1)
        if quote < 0:
            return position
        position = raw.index(raw[quote : quote + 1], quote + 1) + 1


def _character_offsets(text: str) -> Callable[[int], int]:
    """A function from byte offsets in the UTF-8 form of ``text`` to character offsets."""
    if text.isascii():
        return lambda offset: offset
    starts = array("I", accumulate((len(letter.encode()) for letter in text), initial=0))
    return lambda offset: bisect_left(starts, offset)


@dataclass(frozen=True)
class _DocBookReader:
    """Makes sections of elements; ``places`` has the content of each element as a passage."""

    text: Passage
    places: dict[Element, Passage]
    entities: Entities
    known: set[Element] = field(default_factory=set)
    """The elements whose words are read."""

    def sections(self, element: Element, level: int) -> Iterator[Section]:
        title = element.find("title")
        content = list(self._content(element))
        grids = [self._grid(table) for table in content if table.tag in _TABLES]
        yield Section(
            title=self._title(title),
            level=level,
            text=self.places[element],
            paragraphs=tuple(self._prose(para) for para in content if para.tag in _PARAGRAPHS and para is not title),
            lists=tuple(
                ItemList(tuple(map(self._prose, items)))
                for block in content
                if block.tag in _LISTS and (items := block.findall("listitem"))
            ),
            grids=tuple(grid for grid in grids if grid.rows),
            id=element.get("id", ""),
        )
        for inner in self._sections_in(element):
            yield from self.sections(inner, level + 1)

    def marks(self, root: Element) -> Iterator[InlineMark]:
        """The words that stand out, and the links; a link inside the document leads to "#" and an id."""
        for element in root.iter():
            if element.tag in _MARKED and (words := self.places[element].strip()):
                target = element.get("linkend")
                address = f"#{target}" if target else element.get("url", "")
                yield InlineMark(_MARKED[element.tag], words.span, address)

    def _sections_in(self, element: Element) -> Iterator[Element]:
        """The sections inside an element that stand in no section between."""
        for child in element:
            if child.tag in _SECTIONS:
                yield child
            else:
                yield from self._sections_in(child)

    def _content(self, element: Element) -> Iterator[Element]:
        """The elements under a section that do not belong to a section inside it, in order; of tables, their cells."""
        for child in element:
            if child.tag not in _SECTIONS:
                yield child
            if child.tag in _TABLES:
                for entry in (entry for path in (*_HEAD, *_BODY) for entry in child.iterfind(f"{path}/entry")):
                    yield from self._content(entry)
            elif child.tag not in _SECTIONS:
                yield from self._content(child)

    def _prose(self, element: Element) -> Passage:
        """The words of an element without markup, each character with its place."""
        self.known.add(element)
        return words_of_docbook(self.places[element], self.entities).collapsed()

    def _title(self, title: Element | None) -> str:
        return "" if title is None else plain_text(self._prose(title).text)

    def left_out(self, root: Element) -> Iterator[Fault]:
        """A fault for each element with words that nothing reads, and for words beside elements that are read."""
        if root in self.known or not self._has_words(self.places[root]):
            return
        hint = "Write it as a para, a list or a table of a section."
        if self.known.isdisjoint(root.iter()):
            yield Fault(f"this <{root.tag}> is left out", self.places[root].strip().span, hint)
            return
        for words in filter(self._has_words, self._text_outside_elements(root)):
            yield Fault(f"this is left out, for it stands in <{root.tag}> itself", words.strip().span, hint)
        for child in root:
            yield from self.left_out(child)

    def _has_words(self, text: Passage) -> bool:
        return any(piece.text.strip() for piece in _pieces(text, self.entities))

    def _text_outside_elements(self, element: Element) -> Iterator[Passage]:
        """The stretches of an element that stand in no child element."""
        inside = self.places[element]
        start = 0
        for child in map(self.places.__getitem__, element):
            first, end = (bisect_left(inside.origins, child.origins[at]) for at in (0, -1))
            yield inside[start : inside.text.rindex("<", start, first)]
            start = end if inside.text[first - 2] == "/" else inside.text.index(">", end) + 1
        yield inside[start:]

    def _grid(self, table: Element) -> Grid:
        head = [self._row(row) for path in _HEAD for row in table.iterfind(path)]
        body = [self._row(row) for path in _BODY for row in table.iterfind(path)]
        rows = [*head, *body]
        width = _columns(table) or max((len(row) for row in rows), default=0)
        for row in rows:
            if len(row) != width:
                raise ReadError(
                    f"this table row has {len(row)} entries, its table has {width} columns",
                    span=row[0].span if row else self.places[table].span,
                    hint="Write an empty <entry/> for a blank cell.",
                )
        title = table.find("title")
        return Grid(tuple(rows), len(head), self.places[table].span, caption=self._title(title), id=table.get("id", ""))

    def _row(self, row: Element) -> tuple[RawCell, ...]:
        return tuple(
            RawCell(plain_text(self._prose(entry).text), self.places[entry].strip().span)
            for entry in row.iterfind("entry")
        )


def words_of_docbook(text: Passage, entities: Entities | None = None) -> Passage:
    """The words of a stretch of XML, without its tags and comments.

    ``entities`` are those of its document; without ``entities``, the text is a whole document, which declares its own.
    """
    if entities is None:
        entities = Entities(text)
        text = text[entities.root :]
    return Passage.joined([piece for piece in _pieces(text, entities) if piece] or [text[:0]])


def _pieces(text: Passage, entities: Entities) -> Iterator[Passage]:
    """The stretches of words between tags and comments, and the words of entities."""
    position = 0
    for markup in MARKUP.finditer(text.text):
        yield text[position : markup.start()]
        if markup["entity"]:
            yield text.group(markup).replaced(entities.text(markup["entity"]) or "")
        elif markup["verbatim"] is not None:
            yield text.group(markup, "verbatim")
        elif _BLOCK_TAG.match(markup[0]):
            yield text.group(markup).replaced(" ")
        position = markup.end()
    yield text[position:]


def _columns(table: Element) -> int:
    group = table.find("tgroup")
    columns = group.get("cols", "") if group is not None else ""
    return int(columns) if columns.isdigit() else 0
