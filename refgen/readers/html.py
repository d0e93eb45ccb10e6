"""HTML pages as saved from the web, read as browsers read them.

In: the passage of a page. Out: a section for each heading, with paragraphs, lists and tables.

``markup`` numbers the tags and words, lxml builds a tree of the numbers, and the numbers give the place of each cell.
lxml gets no attribute, script or address, so nothing can run or be fetched. A table with headings, or with tables in
many of its cells, is page layout, and is read as if there were no table. Struck and hidden words, navigation, and the
words of elements and attributes that stand apart from the text are left out, with a Note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lxml import etree

from refgen.errors import ReadError
from refgen.readers.document import (
    INLINE_TAGS,
    LEFT_OUT,
    Document,
    Format,
    Inline,
    InlineMark,
    ItemList,
    Note,
    RawCell,
    SectionBuilder,
    with_new_words,
)
from refgen.readers.html_appearance import APART, SHOWN_ELSEWHERE, PageAppearance
from refgen.readers.html_navigation import NAVIGATION, words_in
from refgen.readers.html_tables import is_layout, read_number, read_table
from refgen.readers.html_words import PageWords, is_inline
from refgen.readers.markup import HEADINGS, PLACE, WORD, NumberedMarkup, parse_markup
from refgen.readers.word_run import WordRun
from refgen.readers.word_settings import raise_words
from refgen.source import Passage
from refgen.span import begins_within

_MARKED = {
    "a": Inline.LINK,
    "b": Inline.STRONG,
    "em": Inline.EMPHASIS,
    "i": Inline.EMPHASIS,
    "strong": Inline.STRONG,
}
_LISTS = {"ul", "ol", "menu", "dir"}
_UNSEEN = re.compile(r"<(?P<tag>head|title|template)\b.*?(?:</(?P=tag)>|\Z)", re.DOTALL)
_PART = re.compile(rf"</?(?P<tag>[a-z0-9]+)[^>]*>|{WORD.pattern}")


def read_html(text: Passage) -> Document:
    """Read an HTML page, however malformed. Raises ReadError for elements that nest too deep and for absurd spans."""
    markup = parse_markup(text)
    root = _tree(markup)
    if root is None:
        return _document_of(SectionBuilder(), text, markup, ())
    builder = _PageBuilder(words=PageWords(text, markup, PageAppearance(root, markup, text.text)))
    builder.note_left_out()
    builder.read(root)
    return _document_of(builder, text, markup, tuple(builder.marks(root)))


def _document_of(
    builder: SectionBuilder, text: Passage, markup: NumberedMarkup, marks: tuple[InlineMark, ...]
) -> Document:
    """The document of the sections that were read; words that stand apart are noted where the text lacks them."""
    builder.end_section(text[builder.start :], len(text))
    sections, faults = tuple(builder.sections), (*builder.faults, *markup.faults)
    in_navigation = begins_within(note.span for note in builder.notes if note.message == NAVIGATION)
    attributes = [note for note in markup.notes if not in_navigation(note.span.start)]
    apart = [note for note in builder.notes if note.message in APART]
    notes = [note for note in builder.notes if note.message not in APART]
    all_notes = (*notes, *with_new_words([*apart, *attributes], text, sections))
    return Document(text.source, Format.HTML, text, sections, faults, all_notes, marks=marks)


def words_of_html(text: Passage) -> Passage:
    """All words of a page, with an empty line between blocks."""
    markup = parse_markup(text)
    words = text[:0]
    pieces = [words]
    is_raised = False
    for part in _PART.finditer(_UNSEEN.sub("", markup.numbered)):
        if part["tag"] == "sup":
            is_raised = not part[0].startswith("</")
        elif part["number"]:
            words = markup.words[int(part["number"])]
            pieces.append(words.replaced(raise_words(words.text)) if is_raised else words)
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

    ``run`` are the words of the paragraph so far, ``items`` the number of list items around the element.
    """

    words: PageWords
    run: WordRun = field(default_factory=WordRun)
    items: int = 0

    def read(self, root: etree._Element) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if not is_inline(element) and element.tag != "br":
                self._end_paragraph()
            if event == "start":
                self.run.settings.append(self.words.appearance.settings.get(element, self.run.settings[-1]))
                self._enter(element, walk)
            else:
                self.run.settings.pop()
                self.items -= _is_item(element)
                if not self.items:
                    self.words.add_behind(element, self.run)
        self._end_paragraph()

    def note_left_out(self) -> None:
        """Note the words of each element that is left out, if it has any."""
        reasons = self.words.appearance.left_out
        outermost = (
            part for part in reasons if part.get(PLACE) and not any(up in reasons for up in part.iterancestors())
        )
        for element in sorted(outermost, key=lambda part: self.words.tag(part).start):
            if reasons[element] != SHOWN_ELSEWHERE and (numbers := words_in(element)):
                first, last = (self.words.markup.words[number].strip() for number in (numbers[0], numbers[-1]))
                place = self.words.text.source.span(first.origins[0], last.origins[-1])
                self.notes.append(Note(reasons[element], place, LEFT_OUT))

    def marks(self, root: etree._Element) -> Iterator[InlineMark]:
        """The words that stand out, and the links."""
        is_left_out = begins_within(note.span for note in self.notes if note.reading == LEFT_OUT)
        for element in root.iter(*_MARKED):
            address = self.words.tag(element).attributes.get("href", "")
            if (_MARKED[element.tag] is not Inline.LINK or address) and (words := self.words.prose(element)):
                place = words.span
                if not is_left_out(place.start):
                    yield InlineMark(_MARKED[element.tag], place, address)

    def _enter(self, element: etree._Element, walk: etree.iterwalk) -> None:
        if element in self.words.appearance.left_out:
            walk.skip_subtree()
        elif element.tag in HEADINGS:
            start = self.words.tag(element).start
            self.end_section(self.words.text[self.start : start], start)
            self.title, self.level = RawCell.of(self.words.prose(element)).text, int(element.tag[1])
            self.id = self.words.tag(element).attributes.get("id", "")
            walk.skip_subtree()
        elif element.tag == "table" and not is_layout(element):
            self._table(element)
            walk.skip_subtree()
        else:
            self._open(element)

    def _table(self, element: etree._Element) -> None:
        """Add a table, and behind it the tables in its cells."""
        made = read_table(element, self.words)
        self.grids.append(made.grid)
        self.faults += made.faults
        self.notes += made.notes
        for inner in made.inner:
            self._table(inner)

    def _open(self, element: etree._Element) -> None:
        if element.tag in _LISTS:
            self.lists.extend(self._list(element))
        elif element.tag == "br":
            self.run.add_blank()
        self.items += _is_item(element)
        if not self.items:  # an item has its words already
            self.words.add(element.text, self.run)

    def _end_paragraph(self) -> None:
        if self.run.pieces and (paragraph := self.run.passage()).text:
            self.paragraphs.append(paragraph)
        self.run.pieces.clear()

    def _list(self, block: etree._Element) -> Iterator[ItemList]:
        entries = [one for one in block if one.tag == "li" and one not in self.words.appearance.left_out]
        items = [self.words.prose(entry) for entry in entries]
        if block.tag == "ol" and self.words.tag(block).attributes.get("type", "1") == "1":
            numbers = self._numbers(block, entries)
            items = [_number_item(number, item) for number, item in zip(numbers, items, strict=True)]
        if items:
            yield ItemList(tuple(items))

    def _numbers(self, block: etree._Element, entries: Sequence[etree._Element]) -> Iterator[int]:
        """The numbers that browsers print before the items."""
        number = read_number(self.words.tag(block).attributes.get("start", ""), 1)
        for entry in entries:
            number = read_number(self.words.tag(entry).attributes.get("value", ""), number)
            yield number
            number += 1


def _is_item(element: etree._Element) -> bool:
    parent = element.getparent()
    return element.tag == "li" and parent is not None and parent.tag in _LISTS


def _number_item(number: int, item: Passage) -> Passage:
    """An item after the number that the page shows, placed at the start of the item."""
    return Passage.joined([item[:0].replaced(f"{number}. "), item])
