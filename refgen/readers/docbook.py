"""DocBook XML, as expat parses it, without network and DTDs.

In: the passage of an XML document. Out: its chapters and sections with CALS tables and lists.

Expat gives the exact offsets of each element. External DTDs and entities are never fetched: an entity that stands for
nothing known is a Fault. Entities that the document declares are replaced in words, and make no elements.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from xml.etree.ElementTree import Element
from xml.parsers import expat

from refgen.errors import ReadError
from refgen.limits import limit_hint, limits
from refgen.readers.docbook_tables import TABLES, cells_of, read_docbook_table
from refgen.readers.docbook_words import (
    PARAGRAPHS,
    DocBookWords,
    has_words,
    id_of,
    may_be_set,
    read_figures,
    read_words,
    settings_of,
)
from refgen.readers.document import (
    Document,
    Fault,
    Format,
    Grid,
    Inline,
    InlineMark,
    ItemList,
    Note,
    Section,
    position_span,
)
from refgen.readers.xml_entities import MARKUP, Entities
from refgen.source import Passage
from refgen.span import begins_within


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
_LISTS = {
    "itemizedlist": "listitem",
    "orderedlist": "listitem",
    "procedure": "step",
    "substeps": "step",
    "simplelist": "member",
}
"""The elements that are lists, and the elements that are their items."""

_MARKED = {"emphasis": Inline.EMPHASIS, "ulink": Inline.LINK, "link": Inline.LINK}


def read_docbook(text: Passage) -> Document:
    """Read a DocBook document. Raises ReadError, with its line and column, when it is not well formed.

    Elements outside titles, paragraphs, lists and tables are left out, each with a Fault; each unknown entity is a
    Fault as well.
    """
    entities = Entities(text)  # counted before expat expands those of attributes
    inside = _elements(text)
    root = next(iter(inside))
    reader = _DocBookReader(DocBookWords(inside, entities))
    sections, marks = tuple(reader.sections(root, 1)), tuple(reader.marks(root))
    beside = dict.fromkeys(fault for part in (root, *reader.words.apart) for fault in reader.left_out(part))
    faults = [*beside, *reader.faults, *unknown_entities(text, entities)]
    in_order = tuple(sorted(faults, key=lambda fault: fault.span.start))
    notes, letters = (*reader.words.notes(), *reader.notes), entities.letters
    return Document(text.source, Format.DOCBOOK, text, sections, in_order, notes, marks=marks, entity_letters=letters)


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
    """Makes sections of elements; ``faults`` and ``notes`` are those of tables."""

    words: DocBookWords
    faults: list[Fault] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def sections(self, element: Element, level: int) -> Iterator[Section]:
        title = element.find("title")
        content = list(self._content(element))
        yield Section(
            title=self.words.title(title),
            level=level,
            text=self.words.places[element],
            paragraphs=tuple(self.words.prose(one) for one in content if _is_paragraph(one) and one is not title),
            lists=tuple(self._lists(block for block in content if block.tag in _LISTS)),
            grids=tuple(grid for table in content if table.tag in TABLES for grid in self._grids(table)),
            id=id_of(element),
        )
        for inner in self._sections_in(element):
            yield from self.sections(inner, level + 1)

    def marks(self, root: Element) -> Iterator[InlineMark]:
        """The words that stand out, and the links; a link inside the document leads to "#" and an id."""
        is_left_out = begins_within(note.span for note in self.words.notes())
        for element in root.iter():
            if element.tag in _MARKED and (words := self.words.places[element].strip()):
                target = element.get("linkend")
                address = f"#{target}" if target else element.get("url", "")
                if not is_left_out(words.origins[0]):
                    yield InlineMark(_MARKED[element.tag], words.span, address)

    def _sections_in(self, element: Element) -> Iterator[Element]:
        """The sections inside an element that stand in no section between."""
        for child in self.words.shown(element):
            if child.tag in _SECTIONS:
                yield child
            else:
                yield from self._sections_in(child)

    def _content(self, element: Element) -> Iterator[Element]:
        """The elements under a section that do not belong to a section inside it, in order; of tables, their cells."""
        for child in self.words.shown(element):
            if child.tag in TABLES:
                yield child
                yield from self._content_of_cells(child)
                yield from (one for title in self.words.shown(child, "title") for one in self._content(title))
            elif child.tag not in _SECTIONS:
                yield child
                yield from self._content(child)

    def _content_of_cells(self, table: Element) -> Iterator[Element]:
        for cell in cells_of(table, self.words):
            if cell.tag in TABLES:
                yield cell
                yield from self._content_of_cells(cell)
            else:
                yield from self._content(cell)

    def _lists(self, blocks: Iterable[Element]) -> Iterator[ItemList]:
        """Lists with the numbers that are printed before their items; a list may go on from the numbers before."""
        number = 0
        for block in blocks:
            items = self.words.shown(block, _LISTS[block.tag])
            words = [self.words.prose(item) for item in items]
            if _is_numbered(block):
                before = number if block.get("continuation") == "continues" else 0
                number = read_figures(block.get("startingnumber", ""), before + 1) - 1
                for place, item in enumerate(items):
                    number = read_figures(item.get("override", ""), number + 1)
                    words[place] = Passage.joined([words[place][:0].replaced(f"{number}. "), words[place]])
            if words:
                yield ItemList(tuple(words))

    def _grids(self, table: Element) -> Iterator[Grid]:
        for made in read_docbook_table(table, self.words):
            self.faults.extend(made.faults)
            self.notes.extend(made.notes)
            if made.grid.rows:
                yield made.grid

    def left_out(self, root: Element) -> Iterator[Fault]:
        """A fault for each element with words that nothing reads, and for words beside elements that are read."""
        place = self.words.places[root]
        if root in self.words.known or not self._has_words(place):
            return
        hint = "Write it as a para, a list or a table of a section."
        if self.words.known.isdisjoint(root.iter()):
            yield Fault(f"this <{root.tag}> is left out", place.strip().span, hint)
            return
        for words in filter(self._has_words, self._text_outside_elements(root)):
            yield Fault(f"this is left out, for it stands in <{root.tag}> itself", words.strip().span, hint)
        for child in root:
            yield from self.left_out(child)

    def _has_words(self, text: Passage) -> bool:
        return has_words(text, self.words.entities)

    def _text_outside_elements(self, element: Element) -> Iterator[Passage]:
        """The stretches of an element that stand in no child element."""
        inside = self.words.places[element]
        start = 0
        for child in map(self.words.places.__getitem__, element):
            first, end = (bisect_left(inside.origins, child.origins[at]) for at in (0, -1))
            yield inside[start : inside.text.rindex("<", start, first)]
            start = end if inside.text[first - 2] == "/" else inside.text.index(">", end) + 1
        yield inside[start:]


def _is_paragraph(element: Element) -> bool:
    """Whether an element is a paragraph, as is a footnote of words alone."""
    return element.tag in PARAGRAPHS or (element.tag == "footnote" and not len(element))


def _is_numbered(block: Element) -> bool:
    """Whether figures are printed before the items of a list."""
    return block.tag in ("orderedlist", "procedure") and block.get("numeration", "arabic") == "arabic"


def words_of_docbook(document: Passage) -> Passage:
    """The words of a whole document, without its markup."""
    entities = Entities(document)
    text = document[entities.root :]
    settings = settings_of(_elements(document)) if may_be_set(text.text) else {}
    return read_words(text, entities, settings)
