"""HTML pages as saved from the web, read as browsers read them.

In: the passage of a page. Out: a section for each heading, with paragraphs, lists and tables.

``markup`` numbers the tags and words, lxml builds a tree of the numbers, and the numbers give the place of each cell.
lxml gets no attribute, script or address, so nothing can run or be fetched. A table with tables or headings inside is
page layout, and is read as if there were no table. Text that CSS would hide is read like any text; navigation, and the
words of elements and attributes that stand apart from the text, are left out, with a Note.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from refgen.errors import ReadError
from refgen.readers.document import (
    INLINE_TAGS,
    LEFT_OUT,
    Document,
    Fault,
    Format,
    Grid,
    Inline,
    InlineMark,
    ItemList,
    Note,
    RawCell,
    SectionBuilder,
    with_new_words,
)
from refgen.readers.grids import SpanningCell, fill_spans, is_blank
from refgen.readers.html_navigation import NAVIGATION, navigation_of, words_in
from refgen.readers.markup import HEADINGS, PLACE, WORD, NumberedMarkup, Tag, parse_markup
from refgen.source import Passage
from refgen.span import begins_within

_HIDDEN = {
    "head": "this stands in the head of the page",
    "title": "this names the page, or a picture",
    "template": "this is shown by scripts alone",
}
"""The elements that are no part of the text, and the reason for each."""

_MARKED = {
    "a": Inline.LINK,
    "b": Inline.STRONG,
    "em": Inline.EMPHASIS,
    "i": Inline.EMPHASIS,
    "strong": Inline.STRONG,
}
_LISTS = {"ul", "ol", "menu", "dir"}
_ROW_GROUPS = ("thead", "tbody", "tfoot", "table")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNSEEN = re.compile(r"<(?P<tag>head|title|template)\b.*?(?:</(?P=tag)>|\Z)", re.DOTALL)
_PART = re.compile(rf"</?(?P<tag>[a-z0-9]+)[^>]*>|{WORD.pattern}")
_NUMBER = re.compile(r"[ \t\n\r\f]*[+-]?[0-9]{1,10}")  # the digits that browsers would read, up to an absurd size


def read_html(text: Passage) -> Document:
    """Read an HTML page, however malformed. Raises ReadError for elements that nest too deep and for absurd spans."""
    markup = parse_markup(text)
    root = _tree(markup)
    builder = _PageBuilder(text, markup, navigation_of(root, markup) if root is not None else set())
    if root is not None:
        builder.note_left_out(root)
        builder.read(root)
    builder.end_section(text[builder.start :], len(text))
    sections, faults = tuple(builder.sections), (*builder.faults, *markup.faults)
    in_navigation = begins_within(note.span for note in builder.notes if note.message == NAVIGATION)
    attributes = [note for note in markup.notes if not in_navigation(note.span.start)]
    notes = (*builder.notes, *with_new_words([*builder.apart, *attributes], text, sections))
    marks = tuple(builder.marks(root)) if root is not None else ()
    return Document(text.source, Format.HTML, text, sections, faults, notes, marks=marks)


def words_of_html(text: Passage) -> Passage:
    """All words of a page, with an empty line between blocks."""
    markup = parse_markup(text)
    words = text[:0]
    pieces = [words]
    for part in _PART.finditer(_UNSEEN.sub("", markup.numbered)):
        if part["number"]:
            words = markup.words[int(part["number"])]
            pieces.append(words)
        elif part["tag"] not in INLINE_TAGS:
            pieces.append(words[len(words) :].replaced("\n\n" if part["tag"] else " "))
    return Passage.joined(pieces)


def _tree(markup: NumberedMarkup) -> etree._Element | None:
    parser = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True)
    root = etree.fromstring(markup.numbered, parser) if markup.words else None
    _refuse_lost_words(markup, root)
    return root


def _refuse_lost_words(markup: NumberedMarkup, root: etree._Element | None) -> None:
    """Raise ReadError for a page that nests so deep that lxml leaves out words in silence."""
    if root is None:
        return
    kept = {match["number"] for match in WORD.finditer("".join(root.itertext()))}
    lost = next((word for number, word in enumerate(markup.words) if str(number) not in kept), None)
    if lost is not None:
        raise ReadError("the elements around this nest too deep", span=lost.span, hint="Save a simpler page.")


@dataclass
class _PageBuilder(SectionBuilder):
    """The sections of a page.

    ``navigation`` are elements that are left out, ``apart`` notes on words that are no part of the text, ``run`` the
    words of the paragraph so far, ``items`` the list items around it.
    """

    text: Passage
    markup: NumberedMarkup
    navigation: set[etree._Element]
    apart: list[Note] = field(default_factory=list)
    run: list[Passage] = field(default_factory=list)
    items: int = 0

    def read(self, root: etree._Element) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if element.tag not in INLINE_TAGS and element.tag != "br":
                self._end_paragraph()
            if event == "start":
                self._enter(element, walk)
            else:
                self.items -= _is_item(element)
                self._add_to_paragraph(element.tail)
        self._end_paragraph()

    def note_left_out(self, root: etree._Element) -> None:
        """Note the words of each element that is left out, if it has any."""
        reasons = {element: _HIDDEN[element.tag] for element in root.iter(*_HIDDEN) if element.get(PLACE)}
        reasons |= dict.fromkeys(self.navigation, NAVIGATION)
        outermost = (part for part in reasons if not any(around in reasons for around in part.iterancestors()))
        for element in sorted(outermost, key=lambda part: self._tag(part).start):
            if words := words_in(element):
                first, last = (self.markup.words[number].strip() for number in (words[0], words[-1]))
                place = self.text.source.span(first.origins[0], last.origins[-1])
                notes = self.notes if element in self.navigation else self.apart
                notes.append(Note(reasons[element], place, LEFT_OUT))

    def marks(self, root: etree._Element) -> Iterator[InlineMark]:
        """The words that stand out, and the links."""
        is_left_out = begins_within(note.span for note in self.notes if note.reading == LEFT_OUT)
        for element in root.iter(*_MARKED):
            address = self._tag(element).attributes.get("href", "")
            if (_MARKED[element.tag] is not Inline.LINK or address) and (words := self._prose(element)):
                place = words.span
                if not is_left_out(place.start):
                    yield InlineMark(_MARKED[element.tag], place, address)

    def _enter(self, element: etree._Element, walk: etree.iterwalk) -> None:
        if element.tag in _HIDDEN or element in self.navigation:
            walk.skip_subtree()
        elif element.tag in HEADINGS:
            start = self._tag(element).start
            self.end_section(self.text[self.start : start], start)
            self.title, self.level = RawCell.of(self._prose(element)).text, int(element.tag[1])
            self.id = self._tag(element).attributes.get("id", "")
            walk.skip_subtree()
        elif element.tag == "table" and not _is_layout(element):
            self.grids.append(self._grid(element))
            walk.skip_subtree()
        else:
            self._open(element)

    def _open(self, element: etree._Element) -> None:
        if element.tag in _LISTS:
            self.lists.extend(self._list(element))
        elif element.tag == "br":
            _add_blank(self.run)
        self.items += _is_item(element)
        self._add_to_paragraph(element.text, raised=element.tag == "sup")

    def _add_to_paragraph(self, numbers: str | None, *, raised: bool = False) -> None:
        """Add words to the current paragraph, unless they belong to a list item, which has them already."""
        if not self.items:
            self._add_words(numbers, self.run, raised=raised)

    def _end_paragraph(self) -> None:
        if self.run and (paragraph := Passage.joined(self.run).collapsed()).text:
            self.paragraphs.append(paragraph)
        self.run = []

    def _tag(self, element: etree._Element) -> Tag:
        return self.markup.tags[int(element.get(PLACE))]

    def _add_words(self, numbers: str | None, words: list[Passage], *, raised: bool = False) -> None:
        """Add the words and blanks that the text of an element stands for; figures may be raised: 5¹ is not 51."""
        for match in WORD.finditer(numbers or ""):
            if match["blank"]:
                _add_blank(words)
            else:
                word = self.markup.words[int(match["number"])]
                words.append(word.replaced(word.text.translate(_RAISED)) if raised else word)

    def _prose(self, element: etree._Element) -> Passage:
        """The words of an element without its markup; lines and blocks in it are parted by a blank."""
        content = self._tag(element).content
        words = [self.text[content:content]]
        walk = etree.iterwalk(element, events=("start", "end"))
        for event, part in walk:
            if part.tag not in INLINE_TAGS:
                _add_blank(words)
            if event == "start" and (part.tag in _HIDDEN or part in self.navigation):
                walk.skip_subtree()
            elif event == "start":
                self._add_words(part.text, words, raised=part.tag == "sup")
            elif part is not element:
                self._add_words(part.tail, words)
        return Passage.joined(_without_blank_end(words)).collapsed()

    def _list(self, block: etree._Element) -> Iterator[ItemList]:
        entries = [element for element in block if element.tag == "li"]
        items = [self._prose(entry) for entry in entries]
        if block.tag == "ol" and self._tag(block).attributes.get("type", "1") == "1":
            numbers = self._numbers(block, entries)
            items = [_number_item(number, item) for number, item in zip(numbers, items, strict=True)]
        if items:
            yield ItemList(tuple(items))

    def _numbers(self, block: etree._Element, entries: Sequence[etree._Element]) -> Iterator[int]:
        """The numbers that browsers print before the items."""
        number = _number(self._tag(block).attributes.get("start", ""), 1)
        for entry in entries:
            number = _number(self._tag(entry).attributes.get("value", ""), number)
            yield number
            number += 1

    def _grid(self, table: etree._Element) -> Grid:
        groups = sorted(_row_groups(table), key=lambda group: {"thead": 0, "tfoot": 2}.get(group.tag, 1))
        rows = [row for group in groups for row in group.rows]
        made = fill_spans([[self._spanning_cell(cell) for cell in row] for row in group.rows] for group in groups)
        self.faults.extend((*made.faults, *self._outside_cells(table)))
        self.notes.extend(made.notes)
        in_head = sum(len(group.rows) for group in groups if group.tag == "thead") or _leading_heads(rows)
        caption = table.find("caption")
        self.notes.extend(
            Note("this table row is empty", row[0].span, "skipped") for row in made.rows if row and is_blank(row)
        )
        return Grid(
            tuple(row for row in made.rows if not is_blank(row)),
            sum(1 for row in made.rows[:in_head] if not is_blank(row)),
            self._extent(table).span,
            RawCell.of(self._prose(caption)).text if caption is not None else "",
            self._tag(table).attributes.get("id", ""),
        )

    def _outside_cells(self, table: etree._Element) -> Iterator[Fault]:
        """A fault for words in a table outside its cells, which browsers show above the table."""
        apart = (part for part in table.iter() if part.tag in _HIDDEN or part in self.navigation)
        placed = {number for part in (*_cells_and_caption(table), *apart) for number in words_in(part)}
        for number in words_in(table):
            if number not in placed:
                place = self.markup.words[number].strip()
                yield Fault("this stands in no cell of its table, and is left out", place.span, "Put it into a cell.")

    def _extent(self, table: etree._Element) -> Passage:
        """A table from its start tag to the next end tag of a table, or to the end of the page."""
        start = self._tag(table).start
        ends = self.markup.table_ends
        closing = bisect_right(ends, start)
        return self.text[start : ends[closing] if closing < len(ends) else len(self.text)]

    def _spanning_cell(self, cell: etree._Element) -> SpanningCell:
        attributes = self._tag(cell).attributes
        rows, columns = (_number(attributes.get(name, ""), 1) for name in ("rowspan", "colspan"))
        return SpanningCell(RawCell.of(self._prose(cell)), max(rows, 0), max(columns, 1))


@dataclass
class _RowGroup:
    """The rows in one thead, tbody or tfoot, or in the table itself."""

    tag: str
    rows: list[list[etree._Element]] = field(default_factory=list)


def _row_groups(table: etree._Element) -> list[_RowGroup]:
    """The cells of a table by rows and row groups; cells outside any row make a row."""
    groups: dict[etree._Element, _RowGroup] = {}
    rows: dict[etree._Element, list[etree._Element]] = {}
    for element in table.iter("tr", "td", "th"):
        row = next(element.iterancestors("tr", *_ROW_GROUPS)) if element.tag != "tr" else element
        if row not in rows:
            container = row if row.tag in _ROW_GROUPS else next(row.iterancestors(*_ROW_GROUPS))
            group = groups.setdefault(container, _RowGroup(container.tag))
            group.rows.append(rows.setdefault(row, []))
        if element.tag != "tr":
            rows[row].append(element)
    return list(groups.values())


def _cells_and_caption(table: etree._Element) -> Iterator[etree._Element]:
    """The elements of a table whose words are read."""
    yield from table.iter("td", "th")
    yield from table.findall("caption")[:1]


def _leading_heads(rows: Sequence[Sequence[etree._Element]]) -> int:
    """How many rows at the top have head cells only: the head of a table without a thead."""
    body = (number for number, row in enumerate(rows) if any(cell.tag == "td" for cell in row))
    return next(body, len(rows))


def _is_layout(table: etree._Element) -> bool:
    return any(inner is not table for inner in table.iter("table", *HEADINGS))


def _is_item(element: etree._Element) -> bool:
    parent = element.getparent()
    return element.tag == "li" and parent is not None and parent.tag in _LISTS


def _number(written: str, default: int) -> int:
    match = _NUMBER.match(written)
    return int(match[0]) if match else default


def _number_item(number: int, item: Passage) -> Passage:
    """An item after the number that the page shows, placed at the start of the item."""
    return Passage.joined([item[:0].replaced(f"{number}. "), item])


def _without_blank_end(words: list[Passage]) -> list[Passage]:
    """The words without the blanks at their end."""
    last = max((number for number, word in enumerate(words) if word.text.strip()), default=0)
    kept = words[last]
    return [*words[:last], kept[: len(kept.text.rstrip())]]


def _add_blank(words: list[Passage]) -> None:
    if words:
        last = words[-1]
        words.append(last[len(last) :].replaced(" "))
